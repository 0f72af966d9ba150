"""A mailbox whose owner never asked for anything is protected, whoever fills in forms and however often."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from unittest import mock

import pytest
from sqlalchemy import text

from app import clock as clock_module
from app.mail.policy import strangers
from app.mail.policy.rules import Later, Now
from app.people import service as people
from app.people.address import request_change
from app.people.errors import Refused
from app.play.lobby import changes, expiry, invitations, limits
from app.play.lobby.create import create_match
from app.play.lobby.links import ask_links
from app.play.lobby.snapshot import lobby_of
from app.play.match.records import Viewer
from app.play.seats import offers
from app.store import tokens
from app.web import create_app
from tests.mail.outbox import body
from tests.play import cast
from tests.rows import moment


@pytest.fixture
def store_url(each_store_url):
    return each_store_url


def confirmed_game(store, host="ada", guests=("bo@example.org",), by=None):
    """The number of a game that its host has confirmed."""
    match_id = create_match(store, "ferry", len(guests) + 1, {}, f"{host}@example.org", list(guests), by=by)
    invitations.accept(store, cast.tokens(store, match_id)[0], host.title(), "en", "UTC", "")
    return match_id


def statuses(store, address="bo@example.org"):
    found = cast.rows(store, "SELECT status FROM invitation WHERE address_key = :a ORDER BY id", a=address)
    return [row.status for row in found]


def to_mailbox(outbox, name="bo"):
    """The emails that the mailbox got, whatever the tag."""
    return [
        message
        for _, recipient, message in outbox.sent
        if recipient.split("@")[0].split("+")[0].casefold() == name
    ]


def pass_hours(outbox, clock, hours):
    for _ in range(hours):
        clock.advance(hours=1)
        expiry.remind_and_expire(outbox.store)
        outbox.go()


def pass_days(outbox, clock, days):
    for _ in range(days * 24):
        clock.advance(hours=1)
        expiry.remind_and_expire(outbox.store)
        outbox.go()


def test_twelve_tables_that_name_one_address_send_it_three_invitations(outbox, clock):
    """Twenty-two emails in a minute, once. The others wait, nothing is lost, and no host sees it."""
    games = [confirmed_game(outbox.store) for _ in range(12)]
    outbox.go()
    assert statuses(outbox.store) == ["invited"] * 12
    assert len(to_mailbox(outbox)) == 3
    view = lobby_of(outbox.store, games[-1], outbox.player("Ada"))
    assert [guest.status for guest in view.guests] == ["accepted", "invited"]
    pass_hours(outbox, clock, 3)
    assert len(to_mailbox(outbox)) == 3
    told = outbox.rows("SELECT invitation_id FROM letter WHERE kind = 'invited' AND status = 'sent'")
    first, second, _ = (cast.invitation_token(outbox.store, row.invitation_id) for row in told)
    invitations.decline(outbox.store, first)
    pass_hours(outbox, clock, 1)
    assert len(to_mailbox(outbox)) == 4
    invitations.accept(outbox.store, second, "Bo", "en", "UTC", "")
    pass_hours(outbox, clock, 1)
    sent = outbox.rows("SELECT 1 FROM letter WHERE kind = 'invited' AND status = 'sent'")
    assert len(sent) == 12, "Bo is a player now, who can block people"


@pytest.mark.parametrize(
    "spellings",
    [
        [f"bo+{n}@example.org" for n in range(8)],
        [f"{'B' if n % 2 else 'b'}o+{n}@EXAMPLE.org" for n in range(8)],
        [f"bo+{n}@m\u00fcnchen.example" if n % 2 else f"bo+{n}@xn--mnchen-3ya.example" for n in range(8)],
        ["b.o@gmail.com", "bo+1@gmail.com", "bo@googlemail.com", "b.o+2@googlemail.com", "B.O@gmail.com"],
    ],
    ids=["tags", "case", "idn", "gmail"],
)
def test_spellings_of_one_mailbox_are_counted_as_one(outbox, spellings):
    for n, address in enumerate(spellings):
        confirmed_game(outbox.store, f"host{n}", (address,))
    outbox.go()
    sent = outbox.rows("SELECT 1 FROM letter WHERE kind = 'invited' AND status = 'sent'")
    assert len(sent) == 3


def test_six_emails_a_day_whoever_causes_them(outbox, clock):
    """Invitations, games called off, forms with the address as a host's, offers to change an address."""
    for day in range(4):
        for n in range(5):
            game = confirmed_game(outbox.store, f"host{day}{n}", (f"bo+{day}{n}@example.org",))
            outbox.go()
            changes.call_off(outbox.store, Viewer(player_id=outbox.player(f"Host{day}{n}")), game)
            if day < 2:
                create_match(outbox.store, "ferry", 2, {}, f"bo+{day}{n}@example.org", ["cleo@example.org"])
            request_change(outbox.store, outbox.player(f"Host{day}{n}"), f"bo+new{day}{n}@example.org")
            outbox.go()
        pass_days(outbox, clock, 1)
    assert len(to_mailbox(outbox)) > 12, "they are put off, not refused"
    sent = sorted(
        row.sent_at for row in outbox.rows("SELECT sent_at, sent_to FROM letter WHERE sent_to LIKE 'bo%'")
    )
    days = [moment(at) for at in sent]
    assert all(later - first >= timedelta(days=1) for first, later in zip(days, days[6:], strict=False))
    held = outbox.rows("SELECT DISTINCT reason FROM letter WHERE status = 'waiting'")
    assert {row.reason for row in held} <= {strangers.ENOUGH, ""}


def test_a_guest_who_never_heard_of_a_game_does_not_hear_of_its_end(outbox):
    games = [confirmed_game(outbox.store, f"host{n}") for n in range(2)]
    changes.call_off(outbox.store, Viewer(player_id=outbox.player("Host0")), games[0])
    outbox.go()
    assert len(to_mailbox(outbox)) == 1
    changes.call_off(outbox.store, Viewer(player_id=outbox.player("Host1")), games[1])
    outbox.go()
    assert [m["Subject"].rsplit(" ", 2)[-2:] for m in to_mailbox(outbox)][1] == ["called", "off"]


def test_what_strangers_do_with_a_players_address_holds_nothing_of_the_players_own_back(outbox, clock):
    """Bo plays. Forms with Bo's address, tagged and plain, stop no email of Bo's and no request."""
    match = cast.seat(outbox.store, ("Bo", "Cleo"))
    outbox.go()
    bo = outbox.player("Bo")
    for n in range(5):
        confirmed_game(outbox.store, f"host{n}", tuple(f"bo+{n}{m}@example.org" for m in range(3)))
        create_match(outbox.store, "ferry", 2, {}, "bo@example.org", ["dan@example.org"])
    with pytest.raises(Refused, match="too_often"):
        create_match(outbox.store, "ferry", 2, {}, "bo@example.org", ["dan@example.org"])
    outbox.clear()
    own = create_match(outbox.store, "ferry", 2, {}, "bo@example.org", ["dan@example.org"], by=bo)
    clock.advance(minutes=10)
    outbox.go()
    mine = [m["Subject"] for m in outbox.to("Bo")]
    assert any(f"#{own} " in subject for subject in mine)
    assert any(f"#{match.match_id} " in subject for subject in mine)
    invitations.accept(outbox.store, cast.tokens(outbox.store, own)[0], "Bo", "en", "UTC", "")
    assert statuses(outbox.store, "dan@example.org").count("invited") == 1


@pytest.mark.usefixtures("clock", "toy")
def test_a_host_has_twenty_open_invitations_over_all_games(store):
    for n in range(5):
        confirmed_game(store, guests=tuple(f"g{n}{m}@example.org" for m in range(3)), by=1 if n else None)
    create_match(store, "ferry", 4, {}, "ada+x@example.org", [f"h{m}@example.org" for m in range(3)])
    for own, _ in ((n, confirmed_game(store, guests=(f"j{n}@example.org",), by=1)) for n in range(3)):
        assert own < 3
    with pytest.raises(Refused) as refused:
        create_match(store, "ferry", 4, {}, "ada@example.org", [f"i{m}@example.org" for m in range(3)], by=1)
    assert refused.value.reason == "too_many_open"
    assert refused.value.facts == {"most": 20, "open": 18, "given": 3}
    create_match(store, "ferry", 3, {}, "ada@example.org", [f"i{m}@example.org" for m in range(2)], by=1)
    create_match(store, "ferry", 4, {}, "ada@example.org", [f"i{m}@example.org" for m in range(3)])


@pytest.mark.usefixtures("clock", "toy")
def test_confirming_does_not_free_what_is_open(store):
    """Twenty games that wait for a confirmation become no more than twenty open invitations."""
    confirmed_game(store)
    made = [
        create_match(
            store, "ferry", 4, {}, "ada@example.org", [f"{n}{m}@example.org" for m in range(3)], by=1
        )
        for n in range(8)
    ]
    for match_id in made[:6]:
        invitations.accept(store, cast.tokens(store, match_id)[0], "Ada", "en", "UTC", "")
    for match_id in made[6:]:
        with pytest.raises(Refused, match="too_many_open"):
            invitations.accept(store, cast.tokens(store, match_id)[0], "Ada", "en", "UTC", "")
    invited = cast.rows(store, "SELECT id FROM invitation WHERE status = 'invited' AND NOT organiser")
    assert len(invited) == 19
    changes.call_off(store, Viewer(player_id=1), made[0])
    view = invitations.accept(store, cast.tokens(store, made[6])[0], "Ada", "en", "UTC", "")
    assert view.status == "open"


class TestAHostLearnsNothingOfAnAddress:
    """Beatrix plays here, Zenobia doesn't: whatever a host does with either address looks the same."""

    @pytest.fixture
    def browser(self, outbox):
        return create_app(outbox.settings, outbox.store)

    def seen(self, outbox, browser, clock, host, guest):
        """Everything that a host sees who invites a person to five games, one after the other."""
        pages = []
        client = browser.test_client()

        def look(answer):
            text = re.sub(
                r'name="once" value="[^"]*"|<code[^>]*>\w{20,}</code>|[0-9a-f]{64}|data-tag="[^"]*"',
                "",
                answer.text,
            )  # a tag is the hash of a page, with the names in it
            for mark, to in ((host, "HOST"), (host.title(), "HOST"), (guest, "GUEST")):
                text = text.replace(mark, to)
            pages.append((answer.status_code, re.sub(r"#?\d+", "N", text)))

        for n in range(5):
            game = confirmed_game(
                outbox.store, host, (f"{guest}@example.org",), by=outbox.player(host.title()) if n else None
            )
            outbox.go()
            if not n:
                client.post("/s/" + sign_in_token(outbox, host.title()))
            path = f"/m/{game}/table"
            look(client.get(path))
            number = outbox.rows("SELECT id FROM invitation WHERE match_id = :m AND NOT organiser", m=game)[
                0
            ].id
            for _ in range(2):
                look(
                    client.post(path, data={"do": "send_again", "invitation": number}, follow_redirects=True)
                )
        again = {"do": "send_again", "invitation": number}
        for _ in range(4):
            clock.advance(hours=1)
            outbox.go()
            look(client.post(path, data=again, follow_redirects=True))
        look(client.post(path, data=again | {"do": "withdraw"}, follow_redirects=True))
        back = {"do": "replace", "invitation": number, "address": f"{guest}@example.org"}
        look(client.post(path, data=back, follow_redirects=True))
        for _ in range(16):
            clock.advance(days=1)
            expiry.remind_and_expire(outbox.store)
            outbox.go()
            look(client.get(path))
        told = [(m["Subject"], body(m)) for _, to, m in outbox.sent if to.startswith(f"{host}@")]
        mails = [re.sub(r"\S*https?://\S*|\d+", "", f"{subject} {text}") for subject, text in told]
        return pages, [m.replace(guest, "GUEST").replace(host.title(), "HOST") for m in mails]

    def test_by_pages_times_and_emails(self, outbox, browser, clock):
        with outbox.store.transaction() as connection:
            address = "beatrix@example.org"
            people.keep(connection, address, address, "Beatrix", "en", "UTC")
        began = clock.moment
        known = self.seen(outbox, browser, clock, "hostone", "beatrix")
        clock.moment = began + timedelta(days=28)  # the same weekday
        outbox.go()
        unknown = self.seen(outbox, browser, clock, "hosttwo", "zenobia")
        for one, other in zip(known[0], unknown[0], strict=True):
            assert one[0] == other[0]
            assert one[1].splitlines() == other[1].splitlines()
        assert known[1] == unknown[1]

    @pytest.mark.parametrize("zone", ["America/New_York", "Europe/Berlin", ""])
    def test_nor_by_the_zone_of_a_player(self, outbox, clock, zone):
        """Clocks change in New York on 8 March, and invitations end by the days of the host."""
        if zone:
            with outbox.store.transaction() as connection:
                people.keep(connection, "bo@example.org", "bo@example.org", "Bo", "en", zone)
        confirmed_game(outbox.store)
        clock.advance(days=14, minutes=-1)
        expiry.remind_and_expire(outbox.store)
        assert statuses(outbox.store) == ["invited"]
        clock.advance(minutes=1)
        expiry.remind_and_expire(outbox.store)
        assert statuses(outbox.store) == ["expired"]

    def test_nor_who_has_a_seat(self, outbox, clock):
        match, seat = opened(outbox, clock, ("Ada", "Dan", "Cleo"))
        host = next(one for one in match.rows if match.player_view().name(one) == "Ada")
        for address in ("dan@example.org", "nobody@example.org"):
            assert offers.offer(outbox.store, match.bearer(host), match.match_id, seat, address) is None
        rows = outbox.rows("SELECT address FROM invitation WHERE seat <> ''")
        assert [row.address for row in rows] == ["nobody@example.org"]

    def test_nor_does_a_stranger_who_starts_games_in_a_hosts_name(self, store, clock, toy):  # noqa: ARG002
        """A host who has all that a host may have, and an address that nobody knows."""
        for n in range(7):
            by = None if n == 0 else 1
            confirmed_game(
                store, guests=tuple(f"g{n}{m}@example.org" for m in range(3 if n < 6 else 2)), by=by
            )
        for address in ("ada@example.org", "nobody@example.org"):
            for n in range(5):
                create_match(store, "ferry", 4, {}, address, [f"{n}{m}@example.org" for m in range(3)])
            with pytest.raises(Refused, match="too_often"):
                create_match(store, "ferry", 4, {}, address, [f"5{m}@example.org" for m in range(3)])

    def test_nor_by_the_time_that_an_answer_takes(self, store, clock, toy):  # noqa: ARG002
        """The same statements run, but for one; each answer waits for a commit, and the workers are woken."""
        cast.seat(store, ("Ada", "Bo"))
        match_id = cast.rows(store, 'SELECT max(id) AS id FROM "match"')[0].id
        with store.transaction() as connection:
            connection.execute(text("UPDATE chair SET open_since = (SELECT min(created_at) FROM player)"))
        seat = cast.rows(store, "SELECT seat FROM chair")[0].seat
        forms = {
            "sign in": lambda address: people.ask_sign_in(store, address),
            "links": lambda address: ask_links(store, address),
            "a seat": lambda address: offers.request_offer(store, match_id, seat, address),
        }
        for name, ask in forms.items():
            works = []
            for address in ("ada@example.org", "nobody@example.org"):
                before = len(cast.rows(store, "SELECT key FROM deed"))
                woken = []
                with mock.patch.object(type(store), "wake", lambda _, woken=woken: woken.append(1)):
                    ask(address)
                works.append((len(cast.rows(store, "SELECT key FROM deed")) - before, len(woken)))
            assert works == [(1, 1), (1, 1)], name


def sign_in_token(outbox, name):
    with outbox.store.transaction() as connection:
        until = clock_module.now() + timedelta(days=100)
        return tokens.mint(
            connection, "sign_in", clock_module.now(), player_id=outbox.player(name), expires_at=until
        )


def admit(store, clock, n, address="bo@example.org", created=None):
    with store.transaction() as connection:
        return strangers.admit(connection, clock.moment, f"letter{n}", address, created or clock.moment)


def test_a_domain_slows_down_and_closes_for_nobody(store, clock):
    """One provider's door: after thirty in an hour others wait, an hour at most each."""
    for n in range(30):
        assert admit(store, clock, n, f"a{n}@example.org") == Now()
    first = admit(store, clock, 30, "dan@example.org")
    assert first == Later(clock.moment + timedelta(hours=1), strangers.DOMAIN_BUSY)
    assert admit(store, clock, 31, "dan@example.net") == Now(), "another domain knows nothing of it"
    asked = clock.moment
    for n in range(40, 100):  # the flood goes on
        clock.advance(minutes=1)
        admit(store, clock, n, f"b{n}@example.org", asked)
    assert admit(store, clock, 30, "dan@example.org", asked) == Now()


def test_a_letter_that_is_tried_again_counts_once(store, clock):
    for _ in range(9):
        assert admit(store, clock, 1) == Now()
    assert [admit(store, clock, n) for n in range(2, 7)] == [Now()] * 5
    assert isinstance(admit(store, clock, 7), Later)
    clock.advance(days=1)
    assert admit(store, clock, 7) == Now()


def test_workers_that_count_at_the_same_time_let_six_through(store, clock):
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: admit(store, clock, n, f"bo+{n}@example.org"), range(12)))
    assert found.count(Now()) == 6


def test_workers_that_count_invitations_at_the_same_time_let_three_through(store, clock, toy):  # noqa: ARG001
    made = [create_match(store, "ferry", 2, {}, f"h{n}@example.org", ["bo@example.org"]) for n in range(8)]
    tokens = [cast.tokens(store, match_id)[0] for match_id in made]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda token: invitations.accept(store, token, "Ada", "en", "UTC", ""), tokens))
    found = cast.rows(store, "SELECT id, invitation_id FROM letter WHERE kind = 'invited'")

    def count(row):
        with store.transaction() as connection:
            at = clock.moment
            return strangers.admit(connection, at, row.id, "bo@example.org", at, row.invitation_id)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(count, found)).count(Now()) == strangers.MOST_OPEN


def test_offers_of_seats_count_as_invitations(outbox, clock):
    """Seats that look for a player are offered to a stranger three times at most, by whoever asks."""
    made = [cast.seat(outbox.store, ("Ada", "Cleo")) for _ in range(5)]
    for match in made:
        cast_seat = next(seat for seat in match.rows if match.player_view().name(seat) == "Cleo")
        outbox.write(
            "UPDATE chair SET open_since = :now WHERE match_id = :m AND seat = :s",
            now=clock.moment,
            m=match.match_id,
            s=cast_seat,
        )
        offers.request_offer(outbox.store, match.match_id, cast_seat, f"bo+{match.match_id}@example.org")
    outbox.go()
    assert len(to_mailbox(outbox)) == 3
    host = next(seat for seat in match.rows if match.player_view().name(seat) == "Ada")
    offers.offer(outbox.store, match.bearer(host), match.match_id, cast_seat, "bo@example.org")
    outbox.go()
    assert len(to_mailbox(outbox)) == 3
    held = outbox.rows("SELECT reason FROM letter WHERE status = 'waiting' AND kind = 'seat_offer'")
    assert {row.reason for row in held} == {strangers.OPEN}
    offers.offer(outbox.store, match.bearer(host), match.match_id, cast_seat, "dan@example.org")


def opened(outbox, clock, names=("Ada", "Cleo")):
    """A game in which the seat of the last one is open."""
    match = cast.seat(outbox.store, names)
    seat = next(seat for seat in match.rows if match.player_view().name(seat) == names[-1])
    outbox.write(
        "UPDATE chair SET open_since = :now WHERE match_id = :m AND seat = :s",
        now=clock.moment,
        m=match.match_id,
        s=seat,
    )
    return match, seat


def test_offers_of_seats_in_a_players_name_are_three_a_day_over_all_games(outbox, clock):
    """Whoever asks, from whatever network: only Bo's own wishes, signed in, always go out."""
    cast.seat(outbox.store, ("Bo", "Dan"))
    made = [opened(outbox, clock) for _ in range(5)]
    clock.advance(hours=1)
    outbox.go()
    outbox.clear()
    for _ in range(23):
        for match, seat in made:
            offers.request_offer(outbox.store, match.match_id, seat, "bo@example.org")
        outbox.go()
        clock.advance(hours=1)
    assert len(to_mailbox(outbox)) == offers.MOST_WISHES
    for match, seat in made:
        offers.request_offer(outbox.store, match.match_id, seat, "bo@example.org", outbox.player("Bo"))
    outbox.go()
    assert len(to_mailbox(outbox)) == offers.MOST_WISHES + 5


def test_strangers_cannot_use_up_the_offers_of_the_host_nor_of_a_player(outbox, clock):
    match, seat = opened(outbox, clock)
    cast.seat(outbox.store, ("Bo", "Dan"))
    for n in range(offers.MOST_OFFERS):
        offers.request_offer(outbox.store, match.match_id, seat, f"x{n}@example.net")
    with pytest.raises(Refused, match="too_often"):
        offers.request_offer(outbox.store, match.match_id, seat, "one-more@example.net")
    for known in ("cleo@example.org", "x1@example.net"):
        with pytest.raises(Refused, match="too_often"):
            offers.request_offer(outbox.store, match.match_id, seat, known)
    host = next(one for one in match.rows if match.player_view().name(one) == "Ada")
    offers.offer(outbox.store, match.bearer(host), match.match_id, seat, "eve@example.org")
    offers.request_offer(outbox.store, match.match_id, seat, "bo@example.org", outbox.player("Bo"))
    assert statuses(outbox.store, "eve@example.org") == statuses(outbox.store)[-1:] == ["invited"]
    clock.advance(hours=1)
    offers.request_offer(outbox.store, match.match_id, seat, "one-more@example.net")


def ada(outbox):
    return Viewer(player_id=outbox.player("Ada"))


def new_game(outbox):
    """Ada starts a game with Bo and calls it off."""
    game = confirmed_game(outbox.store)
    outbox.go()
    changes.call_off(outbox.store, ada(outbox), game)


def taken_back(outbox):
    """Ada takes the invitation to Bo back and invites Bo again."""
    (own,) = outbox.rows("SELECT id FROM invitation WHERE address_key = 'bo@example.org' AND NOT organiser")
    changes.withdraw(outbox.store, ada(outbox), own.id)
    changes.replace(outbox.store, ada(outbox), own.id, "bo@example.org")


def once_more(outbox):
    """Ada has each of the invitations to Bo sent again."""
    for own in outbox.rows("SELECT id FROM invitation WHERE status = 'invited' AND NOT organiser"):
        changes.send_again(outbox.store, ada(outbox), own.id)


def offered(outbox):
    """Ada offers Bo the open seat of each game."""
    for one in outbox.rows("SELECT match_id, seat FROM chair WHERE open_since IS NOT NULL"):
        offers.offer(outbox.store, ada(outbox), one.match_id, one.seat, "bo@example.org")


@pytest.mark.parametrize(
    ("games", "loop"),
    [(0, new_game), (1, taken_back), (6, once_more), (4, offered)],
    ids=["new", "back", "again", "seats"],
)
def test_no_loop_of_a_host_invites_a_player_more_than_twelve_times(outbox, clock, games, loop):
    """Bo plays, so no stranger's limit protects Bo. Nothing is lost: what is too much waits or is told."""
    cast.seat(outbox.store, ("Bo", "Cleo"))
    for _ in range(games):
        if loop is offered:
            opened(outbox, clock, ("Ada", "Dan"))
        else:
            confirmed_game(outbox.store)
    refused = set()
    for _ in range(23):
        try:
            loop(outbox)
        except Refused as error:
            refused.add(error.reason)
        limits.let_all_out(outbox.store)
        outbox.go()
        clock.advance(hours=1)
    sent = outbox.rows("SELECT id FROM letter WHERE kind IN ('invited', 'seat_offer') AND status = 'sent'")
    assert len(sent) == limits.MOST_TO_ONE
    assert refused <= {"invited_enough", "sent_again_enough", "too_often"}
    assert refused or statuses(outbox.store)[-1] in ("waiting", "withdrawn")
    clock.advance(days=1)
    if loop is not new_game:
        limits.let_all_out(outbox.store)
        clock.advance(hours=1)
        loop(outbox)

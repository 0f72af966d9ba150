"""A bar: who it meets, what ends, what the operator decides, and what can't get around it."""

import pytest

from app.accounts import barring, deleting, persons
from app.mail.inbound import dead_letters
from app.people import address, bars, logins
from app.people import service as people
from app.people.errors import NotFound, Refused
from app.play.lobby import invitations, joining, links, rematch
from app.play.lobby.create import Opening, create_match
from app.play.moves import service
from app.play.seats import offers
from app.store import audit, tokens
from tests.accounts.person import open_game, seat_of, settle
from tests.mail.correspondence import Post, settings, text_of
from tests.mail.outbox import body
from tests.mail.outbox import links as links_of
from tests.play import cast

ADA = "ada@example.org"


def bar(outbox, text=ADA, games="keep"):
    return barring.bar(outbox.store, text, "rude", games)


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("Ada+spam@Example.org", "ada@example.org"),
        ("a.d.a+x@googlemail.com", "ada@gmail.com"),
        ("example.org", "@example.org"),
        ("@Example.Org.", "@example.org"),
        ("bücher.example", "@xn--bcher-kva.example"),
        ("ada@bücher.example", "ada@xn--bcher-kva.example"),
        ("googlemail.com", "@gmail.com"),
    ],
)
def test_all_spellings_are_one_bar(typed, key):
    assert bars.key_of(typed) == key


@pytest.mark.parametrize("typed", ["", "@", "org", "no address@", "a b@example.org", "*@example.org x"])
def test_what_is_no_address_and_no_domain_is_refused(typed):
    with pytest.raises(Refused):
        bars.key_of(typed)


@pytest.mark.parametrize(
    ("barred", "met", "not_met"),
    [
        ("ada@example.org", ("ada+x@example.org",), ("adam@example.org", "ada@example.net")),
        ("@example.org", ("bo@example.org", "bo@a.b.example.org"), ("bo@anexample.org", "bo@example.com")),
        ("@gmail.com", ("bo@googlemail.com",), ("bo@mail.com",)),
        ("@x.org", ("a@1.2.3.4.5.6.7.x.org", "a@x.org"), ("a@1.2.3.4.5.6.7.x.com",)),
    ],
)
def test_the_people_that_a_bar_meets(store, clock, barred, met, not_met):
    with store.transaction() as connection:
        bars.put(connection, clock.now(), barred, "")
        assert all(bars.of(connection, one) for one in met)
        assert not any(bars.of(connection, one) for one in not_met)


def test_a_bar_signs_out_and_nobody_signs_in(outbox, clock):
    _, ada, _ = settle(outbox, clock)
    with outbox.store.transaction() as connection:
        key = logins.begin(connection, clock.now(), ada)
        seat_key = logins.begin(connection, clock.now(), ada, 1)
        token = tokens.mint(connection, "sign_in", clock.now(), player_id=ada)
    bar(outbox)
    assert people.signed_in(outbox.store, key) is None
    with outbox.store.reading() as connection:
        assert logins.find(connection, clock.now(), seat_key) is None
    with pytest.raises(Refused, match="own_address_barred"):
        people.sign_in(outbox.store, token)
    assert outbox.rows("SELECT count(*) FROM apikey")[0][0] == 0


def test_who_asks_for_a_link_is_told_once(outbox, clock):
    settle(outbox, clock)
    bar(outbox, games="resign")
    outbox.clear()
    for _ in range(3):
        people.ask_sign_in(outbox.store, ADA)
        links.ask_links(outbox.store, ADA)
        clock.advance(hours=5)
        outbox.go()
    (told,) = outbox.to("Ada")
    assert "have barred your address" in " ".join(body(told).split())


def test_by_the_link_of_a_game_that_goes_on_they_are_told_too(outbox, clock):
    seated, ada, seat = settle(outbox, clock)
    token = seated.token(seat)
    bar(outbox)
    outbox.clear()
    people.ask_links_by_turn(outbox.store, token)
    people.ask_sign_in_of(outbox.store, ada)
    people.ask_host_link(outbox.store, ada, seated.match_id)
    outbox.go()
    assert sorted(m["Subject"] for m in outbox.to("Ada")) == [
        "[Tidepost] Your address is barred",
        "[Tidepost] Your links",
    ]


def test_a_stranger_who_is_barred_gets_nothing(outbox, clock):
    with outbox.store.transaction() as connection:
        bars.put(connection, clock.now(), "@example.org", "")
    people.ask_sign_in(outbox.store, ADA)
    links.ask_links(outbox.store, ADA)
    outbox.go()
    assert outbox.sent == []


def test_running_games_are_the_operators_decision(outbox, clock):
    seated, ada, _ = settle(outbox, clock)
    with pytest.raises(barring.Undecided) as undecided:
        barring.bar(outbox.store, ADA)
    assert [(one.id, match_id) for one, match_id in undecided.value.running] == [(ada, seated.match_id)]
    with outbox.store.reading() as connection:
        assert bars.every(connection) == []
        assert audit.latest(connection, 1) == []


def test_a_game_that_goes_on_is_played_by_link(outbox, clock):
    seated, _, seat = settle(outbox, clock)
    token = seated.token(seat)
    bar(outbox)
    done = service.play(outbox.store, cast.Viewer(token=token), seated.question(seat), "bid 1")
    assert done.moves == ("bid 1",)


def test_a_game_that_is_given_up_is_resigned_and_no_email_follows(outbox, clock):
    seated, _, seat = settle(outbox, clock)
    done = bar(outbox, games="resign")
    assert [match_id for _, match_id in done.running] == [seated.match_id]
    assert outbox.rows("SELECT seat FROM played WHERE move = 'resign'")[0][0] == seat
    outbox.clear()
    clock.advance(days=9)
    outbox.go()
    assert outbox.to("Ada") == []
    assert {status for status, _ in outbox.state("Ada")} <= {"dropped", "sent"}


def test_letters_on_their_way_stop(outbox, clock):
    seated = cast.seat(outbox.store)
    bar(outbox, games="resign")
    clock.advance(days=1)
    outbox.go()
    assert {one.status for one in outbox.rows("SELECT status FROM letter WHERE player_id = 1")} <= {
        "dropped",
        "sent",
    }
    assert [m["Subject"] for m in outbox.to("Ada") if "your turn" in m["Subject"]] == []
    assert seated.player_view().status == "over"


def test_games_before_their_start_are_left(outbox):
    hosted = open_game(outbox.store, "Ada", "Dan")
    guest = open_game(outbox.store, "Bo", "Ada")
    outbox.go()
    outbox.clear()
    assert bar(outbox).left == 2
    outbox.go()
    states = dict(outbox.rows('SELECT id, status FROM "match"'))
    assert (states[hosted], states[guest]) == ("called_off", "open")
    assert outbox.to("Dan", "called off")
    assert outbox.to("Bo", "news")
    assert outbox.to("Ada") == []


def test_a_guest_who_has_no_account_is_met_too(outbox):
    guest = open_game(outbox.store, "Bo", "Ada")
    outbox.go()
    bar(outbox)
    invited = "SELECT status FROM invitation WHERE match_id = :m AND NOT organiser"
    assert outbox.rows(invited, m=guest)[0][0] == "declined"


def test_guests_of_a_domain_are_met_too(outbox):
    guest = open_game(outbox.store, "Bo", "Ada")
    away = "ada@sub.spam.example"
    outbox.write("UPDATE invitation SET mailbox = :a, address_key = :a WHERE NOT organiser", a=away)
    outbox.go()
    assert bar(outbox, "spam.example").left == 1
    assert outbox.rows('SELECT status FROM "match" WHERE id = :m', m=guest)[0][0] == "open"


@pytest.mark.parametrize("barred", [ADA, "@example.org"])
def test_nobody_invites_the_barred_or_is_invited_by_them(outbox, clock, barred):
    with outbox.store.transaction() as connection:
        bars.put(connection, clock.now(), barred, "")
    for people_ in ((ADA, ["zoe@x.example"]), ("zoe@x.example", ["Ada+x@example.org"])):
        with pytest.raises(Refused, match="other_address_barred"):
            create_match(outbox.store, "ferry", 2, {}, *people_)


def test_an_invitation_that_was_emailed_before_is_not_accepted(outbox, clock):
    guest = open_game(outbox.store, "Bo", "Ada")
    token = cast.tokens(outbox.store, guest)[1]
    with outbox.store.transaction() as connection:
        bars.put(connection, clock.now(), ADA, "")
    with pytest.raises(Refused, match="own_address_barred"):
        invitations.accept(outbox.store, token, "Ada", "en", "UTC", "")
    outbox.go()
    assert outbox.to("Ada") == []


def test_a_rematch_leaves_them_out(outbox):
    seated = cast.seat(outbox.store, ("Ada", "Bo", "Cleo"))
    for one in list(seated.rows)[:2]:
        service.resign(outbox.store, seated.bearer(one), seated.match_id)
    cleo = outbox.player("Cleo")
    bar(outbox)
    again = rematch.rematch(outbox.store, seated.match_id, cleo)
    invited = outbox.rows("SELECT address FROM invitation WHERE match_id = :m ORDER BY id", m=again)
    assert [one.address for one in invited] == ["cleo@example.org", "bo@example.org"]
    outbox.write('UPDATE "match" SET again_of = NULL')
    with pytest.raises(Refused, match="own_address_barred"):
        rematch.rematch(outbox.store, seated.match_id, outbox.player("Ada"))


def test_a_rematch_with_nobody_else_is_refused(outbox):
    seated = cast.seat(outbox.store)
    bar(outbox, games="resign")
    with pytest.raises(Refused, match="nobody_left"):
        rematch.rematch(outbox.store, seated.match_id, outbox.player("Bo"))


def test_an_address_can_not_be_changed_to_get_around_it(outbox, clock):
    settle(outbox, clock)
    (asked,) = [message for _, to, message in outbox.sent if to == "lovelace@new.example"]
    token = links_of(asked, "/a/")[0].rsplit("/", 1)[1]
    bar(outbox)
    with pytest.raises((NotFound, Refused)):
        address.confirm_change(outbox.store, token)
    with pytest.raises(Refused, match="other_address_barred"):
        address.request_change(outbox.store, outbox.player("Bo"), "ada+2@example.org")


def test_nothing_is_joined(outbox):
    match_id = create_match(outbox.store, "ferry", 2, {}, "bo@example.org", [], opening=Opening(listed=True))
    invitations.accept(outbox.store, cast.tokens(outbox.store, match_id)[0], "Bo", "en", "UTC", "")
    cast.seat(outbox.store, ("Ada", "Cleo"))
    outbox.go()
    outbox.clear()
    bar(outbox)
    joining.ask_to_join(outbox.store, ADA, match_id)
    outbox.go()
    assert [m["Subject"] for m in outbox.to("Ada")] == ["[Tidepost] Your address is barred"]
    with pytest.raises(Refused, match="own_address_barred"):
        joining.join(outbox.store, outbox.player("Ada"), match_id)


def test_a_lifted_bar_lets_them_begin_anew(outbox, clock):
    settle(outbox, clock)
    bar(outbox)
    assert barring.unbar(outbox.store, "ada+z@example.org").key == ADA
    assert barring.unbar(outbox.store, ADA) is None
    outbox.clear()
    people.ask_sign_in(outbox.store, ADA)
    outbox.go()
    assert outbox.to("Ada", "Sign in") or outbox.to("Ada", "sign in")
    with outbox.store.reading() as connection:
        acts = [one.act for one in audit.latest(connection, 9)]
    assert acts == ["people unbar", "people bar, games: keep"]


def test_people_are_found(outbox, clock):
    _, ada, _ = settle(outbox, clock)
    with outbox.store.reading() as connection:

        def found(text):
            return [one.name for one in persons.found(connection, text)]

        assert found(f"#{ada}") == found(ADA) == found("Ada+x@example.org") == found("ad") == ["Ada"]
        assert found("@example.org") == ["Ada", "Bo", "Cleo"]
        assert found(f"#{'9' * 5000}") == []
        assert found("%") == found("nobody@example.org") == found("#99") == found("@xample.org") == []


class TestReplies:
    @pytest.fixture
    def post(self, store, ferry, clock, tmp_path) -> Post:  # noqa: ARG002 - must be there
        return Post(store, settings(tmp_path))

    def ada(self, post):
        return next(player for player, seat in post.names.items() if seat == "red")

    def key(self, post):
        return post.address("red")

    def test_a_reply_is_answered_once_and_listed(self, post):
        letter = post.last("red")
        barring.bar(post.store, self.key(post), "", "resign")
        post.deliver()
        before = len(post.letters("red"))
        for _ in range(2):
            post.reply("red", "bid 2", letter)
        (told,) = post.letters("red")[before:]
        assert "have barred your address" in " ".join(text_of(told).split())
        listed = [one.why for one in dead_letters.passed_over(post.store)]
        assert listed == ["the sender is barred, and was told so once"] * 2
        assert [move for _, move in post.moves()] == ["resign"]

    def test_a_reply_about_a_game_that_goes_on_is_carried_out(self, post):
        barring.bar(post.store, self.key(post), "", "keep")
        before = len(post.letters("red"))
        post.reply("red", "bid 2")
        assert post.moves() == [("red", "bid 2")]
        assert "bid 2" in text_of(post.letters("red")[before])

    def test_a_reply_to_a_deleted_account_is_answered_once(self, post):
        letter, address_ = post.last("red"), post.address("red")
        first, second = (post.written("red", f"bid {n}", letter) for n in (1, 2))
        deleting.delete(post.store, self.ada(post))
        before = len(post.sent)
        for message in (first, second):
            post.hand_in(message)
            post.deliver()
        told = [message for _, to, message in post.sent[before:] if to == address_]
        assert [one["Subject"] for one in told] == ["[Tidepost] This account was deleted"]
        assert "Nothing of it was carried out" in " ".join(text_of(told[0]).split())
        assert {one.why for one in dead_letters.passed_over(post.store)} == {
            "the account of its address was deleted"
        }


def test_an_offer_of_a_seat_is_not_made(outbox, clock):
    seated, ada, seat = settle(outbox, clock)
    outbox.write("UPDATE chair SET open_since = since WHERE seat = :s", s=seat)
    with outbox.store.transaction() as connection:
        bars.put(connection, clock.now(), "dan@example.org", "")
    offers.request_offer(outbox.store, seated.match_id, seat, "dan@example.org")
    outbox.go()
    assert outbox.to("Dan") == []
    host = next(one for one in seated.rows if one != seat and seated.rows[one].player_id)
    assert seat_of(seated, ada) == seat
    with pytest.raises(Refused):
        offers.offer(outbox.store, seated.bearer(host), seated.match_id, seat, "dan@example.org")

"""What each key opens: for every form that acts, by which links, cookies and sessions it does what it says.

A row has what happens by each key of its group, in their order:

- does: it is carried out
- asks: nothing yet, and an email asks about it
- both: a part is carried out, and an email asks about the rest
- mails: nothing but an email to the registered address, or one that anybody may ask for
- no: nothing
"""

from collections.abc import Callable
from datetime import timedelta

import msgspec
import pytest
from sqlalchemy import text

from app import clock as present
from app.people import api_keys, former, keys, preferences, subscriptions, suppression, webhooks
from app.people import service as people
from app.people.webhooks import Means, NewHook
from app.play.deadlines import absences, pauses
from app.play.lobby import invitations
from app.play.lobby.create import Opening, create_match
from app.play.match.records import Viewer
from app.play.moves import orders, service
from app.play.seats import notes, offers, takeover
from app.play.views.player_view import player_view_by_token
from app.web.core.sessions import SEATS
from app.web.lobby import invitation, table
from app.web.match import actions, admin
from app.web.match.routes import LINKS
from tests.hook_server import ADDRESS
from tests.push_service import browser_keys
from tests.share import shared
from tests.web.test_once import SELF, THREE_DAYS, dump, posts
from tests.web.visits import House, fields, picks

T = ("link", "link and seat", "link and session", "link and another's session", "old link")
I = ("link", "old link", "old link and session", "link to a former address")  # noqa: E741
M = ("nothing", "seat", "session", "another's session")
P = ("nothing", "seat", "session")


class Place:
    """Ada with her keys, in a running game or before one; Bo plays too, and Cleo is a player elsewhere."""

    def __init__(self, app, house: House, clock) -> None:
        self.app, self.house, self.clock = app, house, clock
        self.match_id, self.seat, self.token = 0, "", ""

    def rows(self, query, **values):
        return self.house.rows(query, **values)

    def write(self, query, **values) -> None:
        with self.house.store.transaction() as connection:
            connection.execute(text(query), values)

    def player(self, name: str) -> int:
        return self.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id

    @property
    def ada(self) -> int:
        return self.player("Ada")

    @property
    def viewer(self) -> Viewer:
        return Viewer(player_id=self.ada)

    def play(self) -> None:
        """A running game, whose host Ada is asked, and has taken a step."""
        self.exist("Cleo")
        self.match_id = self.house.start("Ada", "Bo", rule=THREE_DAYS, setup="random")
        self.seat = next(iter(self.house.turns(self.match_id)))
        taken = self.rows(
            "SELECT player_id FROM chair WHERE seat = :s AND match_id = :m", s=self.seat, m=self.match_id
        )
        if taken[0].player_id != self.ada:
            swap = (
                "UPDATE chair SET player_id = CASE player_id WHEN :a THEN :b ELSE :a END WHERE match_id = :m"
            )
            self.write(swap, a=self.ada, b=self.player("Bo"), m=self.match_id)
        self.house.play(self.match_id, 1)
        self.token = self.house.turns(self.match_id)[self.seat]

    def exist(self, *names: str) -> None:
        with self.house.store.transaction() as connection:
            for name in names:
                address = f"{name.lower()}@example.org"
                people.keep(connection, address, address, name, "en", "UTC")

    def wait(self, *names: str) -> None:
        """A game that hasn't begun; its host has confirmed it."""
        self.exist("Ada", "Bo", "Cleo")
        self.match_id = self.house.open(*names, setup="random")
        own, *_ = self.house.invited(self.match_id)
        self.app.test_client().post(f"/i/{own}", data={"do": "accept", **SELF, "name": names[0]})

    def invitation(self, name: str) -> int:
        return self.rows(
            "SELECT id FROM invitation WHERE match_id = :m AND address LIKE :a",
            m=self.match_id,
            a=f"{name.lower()}@%",
        )[0].id

    def open_seat(self, name: str) -> str:
        """That player's seat, which looks for another."""
        self.write(
            """UPDATE chair SET open_since = (SELECT min(created_at) FROM player)
               WHERE player_id = :p AND match_id = :m""",
            p=self.player(name),
            m=self.match_id,
        )
        query = "SELECT seat FROM chair WHERE player_id = :p AND match_id = :m"
        return self.rows(query, p=self.player(name), m=self.match_id)[0].seat

    def asked_for(self) -> str:
        """Cleo's request for Bo's seat, which is open."""
        seat = self.open_seat("Bo")
        offers.request_offer(self.house.store, self.match_id, seat, "cleo@example.org")
        token = self.house.mint("invitation", invitation_id=self.invitation("Cleo"))
        takeover.take(self.house.store, token, "Cleo", "en", "UTC")
        return str(self.invitation("Cleo"))

    def step(self) -> dict[str, str]:
        """An answer that Ada's page offers."""
        read = self.app.test_client().get
        page = read(f"/t/{self.token}").text
        for address in picks(page).values():
            found = read(f"/t/{self.token}{address.split('#')[0]}").text
            for further in ("", *picks(found).values()):
                last = read(f"/t/{self.token}{further.split('#')[0]}").text if further else found
                if fields(last, "answer"):
                    return {"question": fields(last, "question")[0], "answer": fields(last, "answer")[0]}
        raise AssertionError(page)

    def note(self) -> str:
        notes.note(self.house.store, self.viewer, self.match_id, "mine", once="x")
        return str(notes.notes(self.house.store, self.viewer, self.match_id)[0].note_id)

    def browser(self, key: str):
        client = self.app.test_client()
        if "another" in key:
            client.post(self.house.sign_in_link("Cleo"))
        elif "session" in key:
            client.post(self.house.sign_in_link("Ada"))
        elif "seat" in key:
            query = "SELECT id FROM chair WHERE player_id = :p AND match_id = :m AND until IS NULL"
            chair = self.rows(query, p=self.ada, m=self.match_id)[0].id
            with client.session_transaction() as session:
                stamp = int(present.now().timestamp())
                session[SEATS] = {str(self.match_id): [keys.begin(self.house.store, self.ada, chair), stamp]}
        return client

    def use(self, key: str) -> None:
        """Let a link be what the key says."""
        if key.startswith("old"):
            self.clock.advance(hours=25)
            self.write("UPDATE token SET run = run - 1 WHERE purpose = 'turn'")
        if "former" in key:
            with self.house.store.transaction() as connection:
                former.keep(connection, present.now(), self.ada, "ada@example.org", "ada@example.org")
            self.write(
                "UPDATE player SET address = :a, address_key = :a WHERE id = :p",
                a="ada@new.example",
                p=self.ada,
            )

    def outcome(self, before) -> str:
        after = dump(self.house)
        changed = {name for name in after if after[name] != before[name]}
        if "confirmation" in changed:
            return "asks" if changed == {"confirmation", "letter"} else "both"
        return "mails" if changed == {"letter"} else "does" if changed else "no"


Sent = dict[str, str]


class Row(msgspec.Struct):
    """An action: its route, the keys to try, what is sent, and what happens by each key."""

    rule: str
    do: str
    keys: tuple[str, ...]
    happens: str
    sent: Callable[[Place], Sent] = lambda _: {}
    scene: str = "play"
    name: str = ""

    @property
    def id(self) -> str:
        return f"{self.rule.split('(')[0].strip('/<').replace('/<', '-')} {self.name or self.do}"


def wants_pause(place: Place) -> Sent:
    pauses.request(place.house.store, place.viewer, place.match_id)
    return {}


def paused(place: Place) -> Sent:
    pauses.request(place.house.store, Viewer(player_id=place.player("Bo")), place.match_id)
    return wants_pause(place)


def unsent(place: Place) -> Sent:
    found = player_view_by_token(place.house.store, place.token).asked
    return {"answer": f"{found[0].decision.asks} F5"}


def left_orders(place: Place) -> Sent:
    orders.leave(place.house.store, place.viewer, place.match_id, "sink F5")
    return {}


def changed_note(place: Place) -> Sent:
    return {"note": place.note(), "text": "changed"}


def extended(place: Place) -> Sent:
    page = place.browser("session").get(f"/m/{place.match_id}/table").text
    return {"days": "2", "seat": place.seat, "seen": fields(page, "seen")[0]}


def bouncing(place: Place) -> Sent:
    with place.house.store.transaction() as connection:
        suppression.suppress(connection, "ada@example.org", "bounced", present.now())
    return {}


def dropped_letter(place: Place) -> Sent:
    place.write("UPDATE letter SET status = 'dropped', reason = 'by_choice' WHERE kind = 'asked'")
    query = "SELECT id FROM letter WHERE kind = 'asked' AND match_id = :m AND player_id = :p"
    return {"letter": place.rows(query, m=place.match_id, p=place.ada)[0].id}


def left(place: Place) -> Sent:
    with place.house.store.transaction() as connection:
        preferences.unsubscribe(connection, place.ada, place.match_id)
    return {}


def an_hour_later(place: Place) -> Sent:
    place.clock.advance(hours=2)
    return {"invitation": str(place.invitation("Bo"))}


def another_guest(place: Place) -> Sent:
    return {"invitation": str(place.invitation("Bo")), "address": "fay@example.org"}


def days(_: Place) -> Sent:
    first = present.now().date() + timedelta(days=20)
    return {"first": first.isoformat(), "last": (first + timedelta(days=2)).isoformat()}


def absence(place: Place) -> Sent:
    first = present.now().date() + timedelta(days=20)
    entered = absences.enter(place.house.store, place.ada, first, first)
    return {"absence": str(entered.absence_id)}


def invitation_of(name: str) -> Callable[[Place], Sent]:
    return lambda place: {"invitation": str(place.invitation(name))}


def listed(place: Place) -> Sent:
    place.write('UPDATE "match" SET joinable = (1 = 1) WHERE id = :m', m=place.match_id)
    return {}


def by_a_link(place: Place) -> Sent:
    place.write('UPDATE "match" SET share = 1 WHERE id = :m', m=place.match_id)
    return {}


def finished(place: Place) -> Sent:
    service.resign(place.house.store, Viewer(player_id=place.player("Bo")), place.match_id)
    return {}


def accepted_guest(place: Place) -> Sent:
    token = place.house.mint("invitation", invitation_id=place.invitation("Bo"))
    place.app.test_client().post(f"/i/{token}", data={"do": "accept", **SELF})
    return {"invitation": str(place.invitation("Bo"))}


def person(place: Place) -> Sent:
    return {"person": str(place.player("Bo")), "text": "rude"}


def key_of_program(place: Place) -> Sent:
    api_keys.make(place.house.store, place.ada, "bot", ())
    return {"key": str(api_keys.keys_of(place.house.store, place.ada)[0].key_id)}


def silenced(place: Place) -> Sent:
    place.browser("session").post(
        f"/profile/people?game={place.match_id}", data={"do": "mute", **person(place)}
    )
    return person(place)


def nudging(place: Place) -> Sent:
    """Bo is asked, and was written to some time ago."""
    place.write(
        "UPDATE chair SET player_id = CASE player_id WHEN :a THEN :b ELSE :a END WHERE match_id = :m",
        a=place.ada,
        b=place.player("Bo"),
        m=place.match_id,
    )
    place.write("UPDATE letter SET status = 'sent'")
    place.clock.advance(days=2)
    return {"seat": place.seat}


def notified(place: Place) -> Sent:
    """Ada has a browser notified."""
    keys = browser_keys()
    browser = subscriptions.Browser(keys["endpoint"], keys["p256dh"], keys["auth"])
    subscriptions.turn_on(place.house.store, present.now(), place.ada, "k", browser)
    return dict(keys)


LASTS, OWNER, HOST, PLAYS = (
    "asks does does asks no",
    "asks asks does asks no",
    "no no does no no",
    "does does does does no",
)
SEAT = "no does does no"
TURN, MATCH = "/t/<token>", "/m/<int(max=2147483647):match_id>"
CHOICES = {f"event-{name}": of[0] for name, of in preferences.CHOICES.items()} | {"event-turn": "digest"}
ONE_LINE = {"text": "hello", "occasion": "some occasion"}


def in_a_match(rule: str, keys: tuple[str, ...], plays: str, lasts: str, resigns: str) -> list[Row]:
    """What the page of a match offers, by its link or by itself."""
    return [
        Row(rule, "", keys, plays, Place.step, name="answer"),
        Row(rule, "take_back", keys, plays),
        Row(rule, "show", keys, " ".join(["no"] * len(keys))),
        Row(rule, "resign", keys, resigns, lambda _: {"word": "resign"}),
        Row(rule, "say", keys, plays, lambda _: ONE_LINE),
        Row(rule, "note", keys, plays, lambda _: ONE_LINE),
        Row(rule, "change_note", keys, lasts, changed_note),
        Row(rule, "forget_note", keys, lasts, changed_note),
        Row(rule, "orders", keys, lasts, lambda _: {"text": "sink F5"}),
        Row(rule, "policy", keys, lasts, lambda _: {"name": "defend", "choice": "always"}),
        Row(rule, "withdraw", keys, lasts, left_orders),
        Row(rule, "seen", keys, plays),
        Row(rule, "letters", keys, " ".join(["no"] * len(keys))),
        Row(rule, "try_again", keys, plays, bouncing),
        Row(rule, "sign_in", keys, plays.replace("does", "mails")),
        Row(rule, "keep", keys, plays, unsent),
        Row(rule, "drop", keys, " ".join(["no"] * len(keys))),
    ]


def at_the_table(
    rule: str, keys: tuple[str, ...], pauses: str, host: str, back: str, mails: str, asks: str
) -> list[Row]:
    """What the settings of a running game offer."""
    return [
        Row(rule, "pause", keys, pauses),
        Row(rule, "no_pause", keys, pauses, wants_pause),
        Row(rule, "resume", keys, pauses, paused),
        Row(rule, "back", keys, back, lambda place: {"seat": place.open_seat("Ada")}),
        Row(rule, "extend", keys, host, extended),
        Row(rule, "open_seat", keys, host if keys != T else "no no no no no", late),
        Row(rule, "hand_over", keys, host, lambda place: {"seat": other_seat(place)}),
        Row(rule, "call_off", keys, host, lambda _: {"word": "call off"}),
        Row(
            rule,
            "offer",
            keys,
            host,
            lambda place: {"seat": place.open_seat("Bo"), "address": "eva@example.org"},
        ),
        Row(rule, "give_seat", keys, host, lambda place: {"request": place.asked_for()}),
        Row(rule, "refuse_seat", keys, host, lambda place: {"request": place.asked_for()}),
        Row(
            rule,
            "ask_seat",
            keys,
            asks,
            lambda place: {"seat": place.open_seat("Bo"), "address": "eva@example.org"},
        ),
        Row(rule, "host_link", keys, mails),
    ]


def other_seat(place: Place) -> str:
    query = "SELECT seat FROM chair WHERE match_id = :m AND seat <> :s"
    return place.rows(query, m=place.match_id, s=place.seat)[0].seat


def late(place: Place) -> Sent:
    """Bo is asked without a clock, and has been silent."""
    place.write(
        "UPDATE question SET seat = :s WHERE match_id = :m AND closed_at IS NULL",
        s=other_seat(place),
        m=place.match_id,
    )
    place.write("""UPDATE "match" SET clock = '{"kind": "none"}' WHERE id = :m""", m=place.match_id)
    place.clock.advance(days=8)
    return {"seat": other_seat(place)}


def before_the_start(rule: str, keys: tuple[str, ...], host: str) -> list[Row]:
    """What the host of a game that hasn't begun may do."""
    return [
        Row(rule, "send_again", keys, host.replace("does", "mails"), an_hour_later, "host"),
        Row(rule, "withdraw", keys, host, invitation_of("Bo"), "host"),
        Row(rule, "take_out", keys, host, accepted_guest, "host"),
        Row(rule, "replace", keys, host, another_guest, "host"),
        Row(rule, "start_with_fewer", keys, host, accepted_guest, "host"),
        Row(rule, "call_off", keys, host, scene="host"),
        Row(rule, "list", keys, host, scene="host"),
        Row(rule, "unlist", keys, host, listed, scene="host"),
        Row(rule, "share", keys, host, scene="host"),
        Row(rule, "unshare", keys, host, by_a_link, scene="host"),
    ]


def hooks(rule: str, keys: tuple[str, ...], owner: str) -> list[Row]:
    """What the pages of webhooks offer."""

    def added(place: Place) -> Sent:
        new, means = NewHook("slack", ADDRESS, ["turn"], "en"), Means(["key"], ())
        match_id = place.match_id if rule.startswith(MATCH) else 0
        with place.house.store.transaction() as connection:
            webhooks.add(connection, present.now(), place.ada, match_id, new, means)
        return {"hook": str(place.rows("SELECT id FROM webhook")[0].id)}

    return [
        Row(rule, "add", keys, owner, lambda _: {"form": "json", "address": ADDRESS, "event": "turn"}),
        Row(rule, "test", keys, owner, added),
        Row(rule, "remove", keys, owner, added),
    ]


ROWS = [
    *in_a_match(TURN, T, PLAYS, LASTS, OWNER),
    Row(TURN, "links", T, "mails mails mails mails mails"),
    *in_a_match(MATCH, M, SEAT, SEAT, "no asks does no"),
    Row(MATCH, "nudge", M, "no mails mails no", nudging),
    Row(MATCH + "/what-if", "bot", M, SEAT, lambda _: {"after": "0"}),
    Row(MATCH + "/again", "", M, "no asks does no", finished),
    Row(MATCH + "/join", "", M, "does does does does", lambda _: {"address": "eva@example.org"}, "listed"),
    Row(MATCH + "/join", "join", M, "no no does does", scene="listed"),
    Row("/profile/page", "", P, "no no does", lambda _: {"shows": "games"}),
    *at_the_table(TURN + "/table", T, OWNER, HOST, PLAYS, "mails mails mails mails no", PLAYS),
    *at_the_table(
        "/i/<token>/table",
        I,
        "does asks does no",
        "does no does no",
        "does asks does no",
        "mails mails mails no",
        "does does does no",
    ),
    *at_the_table(
        MATCH + "/table",
        M,
        "no no does no",
        "no no does no",
        "no no does no",
        "no mails mails no",
        "does does does does",
    ),
    *before_the_start(MATCH + "/table", ("nothing", "session"), "no does"),
    *before_the_start("/i/<token>", I, "does no does no"),
    Row("/i/<token>", "enter", I, "does no no no"),
    Row("/i/<token>", "host_link", I, "no mails no no", scene="host"),
    Row("/i/<token>", "decline", I, "does no does no", scene="host", name="decline as host"),
    Row("/i/<token>", "accept", I, "does does does no", lambda _: SELF, "guest"),
    Row("/i/<token>", "decline", I, "does does does no", scene="guest"),
    Row("/i/<token>", "block", I, "both both does no", scene="guest"),
    Row("/i/<token>", "accept", I, "does does does no", lambda _: SELF, "offer", "take a seat"),
    Row("/i/<token>", "decline", I, "does does does no", scene="offer", name="decline a seat"),
    Row("/i/<token>", "block", I, "both both does no", scene="offer", name="decline a seat and block"),
    Row(TURN + "/away", "away", T, OWNER, days),
    Row(TURN + "/away", "cancel", T, OWNER, absence),
    Row("/profile/away", "away", P, "no no does", days),
    Row("/profile/away", "cancel", P, "no no does", absence),
    Row(TURN + "/letters", "choose", T, OWNER, lambda _: CHOICES),
    Row(TURN + "/letters", "back", T, OWNER, left),
    Row(TURN + "/letters", "again", T, "mails mails mails mails no", dropped_letter),
    Row("/profile/letters", "choose", P, "no no does", lambda _: CHOICES),
    Row("/profile/letters", "habits", P, "no no does", lambda _: {"digest_hour": "9", "reminders": "50%"}),
    Row("/profile/letters", "again", P, "no no mails", dropped_letter),
    Row("/profile/push", "on", P, "no no does", lambda _: browser_keys()),
    Row("/profile/push", "off", P, "no no does", notified),
    Row("/profile/programs", "make", P, "no no does", lambda _: {"name": "bot", "scope": "play"}),
    Row("/profile/programs", "end", P, "no no does", key_of_program),
    *hooks("/profile/webhooks", P, "no no does"),
    *hooks(MATCH + "/webhooks", M, "no no does no"),
    Row("/profile/people", "mute", P, "no no does", person),
    Row("/profile/people", "block", P, "no no does", person),
    Row("/profile/people", "report", P, "no no does", person),
    Row("/profile/people", "lift", P, "no no does", silenced),
    Row("/profile", "", P, "no no does", lambda _: {"name": "Ada B", "language": "en", "zone": "UTC"}),
    Row("/profile", "try_again", P, "no no does", bouncing),
    Row("/profile/address", "", P, "no no asks", lambda _: {"address": "ada@new.example"}),
    Row("/profile/end", "", P, "no no does"),
    Row("/profile/delete", "", P, "no no asks"),
    Row("/profile/export", "", P, "no no no"),
    Row("/operator", "", P, "no no no"),
    Row("/profile/feeds", "", P, "no no does", lambda _: {"epoch": "0"}),
    Row("/seen", "", P, "no no does"),
    Row("/sign-out", "", P, "no does does"),
    Row("/sign-in", "", P, "mails mails mails", lambda _: {"address": "ada@example.org"}),
    Row("/links", "", P, "mails mails mails", lambda _: {"address": "ada@example.org"}),
    Row(
        "/open/<slug>",
        "",
        P,
        "does does does",
        lambda _: {
            "organiser": "ada@example.org",
            "others": "bo@example.org",
            "seats": "2",
            "bots": "0",
            "clock": "none",
        },
    ),
]
OWN_KEYS = {
    "/s/<token>": "tests/web/test_people.py",
    "/a/<token>": "tests/web/test_people.py",
    "/k/<token>": "tests/mail/test_address.py",
    "/c/<token>": "tests/web/test_confirm.py",
    "/u/<signed>": "tests/mail/test_leaving.py",
    "/r/<token>": "tests/web/test_rematch.py",
    "/join/<token>": "tests/web/test_joining.py",
}
"""Routes whose link is for that one act, by the tests that try it."""
CASES = [(number, n) for number, row in enumerate(ROWS) for n in range(len(row.keys))]


def test_every_route_and_every_action_has_a_row(app):
    assert {row.rule for row in ROWS} | OWN_KEYS.keys() == posts(app).keys()
    rows = {rule: {row.do for row in ROWS if row.rule == rule} for rule in posts(app)}
    match = {"", *actions.PLAIN, actions.SHOW, actions.TAKE_BACK, actions.RESIGN}
    unasked = {actions.NUDGE}  # nobody else is asked in the games of these tests while a link is good
    running = {*admin.ACTIONS, admin.HOST_LINK}
    assert rows[TURN] == (match | {LINKS}) - unasked
    assert rows[MATCH] == match
    assert rows[TURN + "/table"] == rows["/i/<token>/table"] == running
    assert rows[MATCH + "/table"] == running | set(table.ACTIONS)
    assert rows["/i/<token>"] == {*table.ACTIONS, *table.BY_LINK, invitation.ENTER}


@pytest.mark.parametrize(("number", "n"), shared(CASES, kept=len(CASES) // 2))
def test_a_key_opens_what_it_is_for(app, house, clock, number, n):
    row = ROWS[number]
    place, key = Place(app, house, clock), row.keys[n]
    if row.scene == "listed":
        place.play()
        opening = Opening(listed=True)
        other = create_match(house.store, "survive", 3, {}, "dan@example.org", [], opening=opening)
        invitations.accept(house.store, house.invited(other)[0], "Dan", "en", "UTC", "")
    elif row.scene == "host":
        place.wait("Ada", "Bo", "Eva")
    elif row.scene == "guest":
        place.wait("Bo", "Ada", "Eva")
    else:
        place.play()
    if row.scene == "offer":
        seat = place.open_seat("Bo")
        place.write(
            "UPDATE chair SET player_id = :p WHERE match_id = :m AND player_id = :a",
            p=place.player("Cleo"),
            m=place.match_id,
            a=place.ada,
        )
        place.write(
            "UPDATE invitation SET status = 'withdrawn', address = 'x@example.org', "
            "address_key = 'x@example.org', player_id = NULL WHERE match_id = :m AND player_id = :a",
            m=place.match_id,
            a=place.ada,
        )
        place.write(
            'UPDATE "match" SET organiser_id = :p WHERE id = :m', p=place.player("Cleo"), m=place.match_id
        )
        offers.offer(
            house.store, Viewer(player_id=place.player("Cleo")), place.match_id, seat, "ada@example.org"
        )
    sent = dict(row.sent(place))
    link = (
        place.house.mint("invitation", invitation_id=place.invitation("Ada"))
        if "/i/" in row.rule
        else place.token
    )
    place.use(key)
    path = row.rule.replace("<token>", link).replace("<int(max=2147483647):match_id>", str(place.match_id))
    if row.scene == "listed":
        path = f"/m/{other}/join"
    path = path.replace("<slug>", "survive") + (
        f"?game={place.match_id}" if row.rule == "/profile/people" else ""
    )
    browser = place.browser(key)
    place.clock.advance(minutes=1)
    before = dump(house)
    answer = browser.post(path, data={"do": row.do, **sent})
    assert answer.status_code < 500
    assert place.outcome(before) == row.happens.split()[n], f"{row.id}, by {key}: {answer.status}"

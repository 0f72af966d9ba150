"""Every form that acts does so once: pressed twice, sent again, from two tabs, to two processes at once."""

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import inspect, text

from app import clock
from app.play.clock.rules import Rule
from app.play.lobby import invitations
from app.play.lobby.create import Opening, create_match
from app.play.match.records import Viewer
from app.play.moves import service
from app.store.deeds import Deed
from app.web.core.once import DECLARED
from app.web.lobby.join import share_path
from tests.push_service import browser_keys
from tests.web.forms import form
from tests.web.visits import House, fields, picks

TEMPLATES = Path(__file__).parent.parent.parent / "templates"
THREE_DAYS = Rule("per_move", per_move=3 * 86400, grace=86400, then="replace")
SELF = {"name": "Bo", "language": "en", "zone": "UTC", "word": "w"}


def dump(house: House) -> dict[str, list[tuple]]:
    """Every row of every table but the keys themselves and the counters of limits."""
    tables = set(inspect(house.store.engine).get_table_names()) - {"alembic_version", "deed", "counter"}
    return {name: sorted(map(repr, house.rows(f'SELECT * FROM "{name}"'))) for name in sorted(tables)}


class Press(msgspec.Struct):
    """A form that is sent: where to, and its fields."""

    path: str
    sent: dict[str, str]


class Scene:
    """Ada and Bo, before and in a game, with what each test needs of them."""

    def __init__(self, app, browser, house) -> None:
        self.app, self.browser, self.house = app, browser, house
        self.clock = clock.now.__self__
        """The clock that the tests hold."""

    def read(self, path: str) -> str:
        page = self.browser.get(path, follow_redirects=True)
        assert page.status_code == 200, page.text
        return page.text

    def press(self, path: str, do: str = "", to: str = "", page: str = "", **more: str) -> Press:
        action = to or (None if do else "")
        return Press(to or path, form(page or self.read(path), do=do, action=action) | more)

    def running(self, **options) -> int:
        return self.house.start("Ada", "Bo", rule=THREE_DAYS, **options)

    def turn(self, **options) -> str:
        match_id = self.running(setup="random", **options)
        self.seat, token = next(iter(self.house.turns(match_id).items()))
        self.match_id = match_id
        return f"/t/{token}"

    def signed_in(self, name: str = "Ada") -> "Scene":
        self.browser.post(self.house.sign_in_link(name))
        return self

    def host(self) -> str:
        """The table page of the running match, for its host."""
        self.match_id = self.running(setup="random")
        self.signed_in()
        return f"/m/{self.match_id}/table"

    def guests(self, *names: str) -> list[str]:
        match_id = self.house.open(*names, setup="random")
        self.match_id = match_id
        return [f"/i/{token}" for token in self.house.invited(match_id)]

    def confirmed(self, *names: str) -> str:
        """The table page of a match that the host has confirmed, by the host's link."""
        own, *_ = self.guests(*names)
        self.browser.post(own, data={"do": "accept", **SELF, "name": "Ada"})
        return own

    def listed(self, *, shared: bool = False) -> int:
        """A game of Dan's that anybody may join, or by its link."""
        opening = Opening(listed=not shared, shared=shared)
        match_id = create_match(self.house.store, "survive", 3, {}, "dan@example.org", [], opening=opening)
        invitations.accept(self.house.store, self.house.invited(match_id)[0], "Dan", "en", "UTC", "")
        return match_id

    def host_of(self, *, shared: bool) -> str:
        """The host's link to a game with free seats."""
        return f"/i/{self.house.invited(self.listed(shared=shared))[0]}"

    def shared(self) -> str:
        with self.app.app_context():
            return share_path(self.listed(shared=True), 1)

    def finished(self) -> int:
        """A game that Bo has resigned, with Ada signed in."""
        self.match_id = self.running(setup="random")
        bo = Viewer(player_id=self.signed_in().player("Bo"))
        service.resign(self.house.store, bo, self.match_id)
        return self.match_id

    def again(self) -> str:
        match_id = self.finished()
        return f"/r/{self.house.mint('again', match_id=match_id, player_id=self.player('Bo'))}"

    def guest(self) -> str:
        """The link of a guest whose host has confirmed."""
        self.confirmed("Ada", "Bo", "Cleo")
        return f"/i/{self.house.invited(self.match_id)[1]}"

    def player(self, name: str) -> int:
        return self.house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id


def joined(scene):
    path = f"/m/{scene.listed()}/join"
    scene.running()
    return scene.signed_in("Bo").press(path, "join")


def take_back(scene):
    path = scene.turn()
    for _ in range(2):
        page = scene.read(path)
        piece = next(name for name in picks(page) if name.startswith(scene.seat))
        second = scene.read(path + picks(page)[piece].split("#")[0])
        third = scene.read(path + next(iter(picks(second).values())).split("#")[0])
        scene.browser.post(path, data=form(third, has="question") | {"answer": fields(third, "answer")[0]})
    return scene.press(path, "take_back")


def taken_back_without_a_ply(scene):
    press = take_back(scene)
    press.sent.pop("ply")
    return press


def answer(scene):
    path = scene.turn()
    page = scene.read(path)
    piece = next(name for name in picks(page) if name.startswith(scene.seat))
    second = scene.read(path + picks(page)[piece].split("#")[0])
    third = scene.read(path + next(iter(picks(second).values())).split("#")[0])
    return Press(path, form(third, has="question") | {"answer": fields(third, "answer")[0]})


def changed_note(scene):
    path = scene.turn()
    scene.browser.post(path, data={"do": "note", "text": "one", "occasion": "x"})
    return scene.press(path, "change_note", text="two")


def forgotten_note(scene):
    path = scene.turn()
    scene.browser.post(path, data={"do": "note", "text": "one", "occasion": "x"})
    return scene.press(path, "forget_note")


def list_of_moves(scene):
    path = scene.turn()
    return scene.press(path, "orders", text="pass")


def nudged(scene):
    match_id = scene.running(setup="random")
    asked = next(iter(scene.house.turns(match_id)))
    waiting = next(
        row.name
        for row in scene.house.rows(
            "SELECT p.name, c.seat FROM chair c JOIN player p ON p.id = c.player_id WHERE c.match_id = :m",
            m=match_id,
        )
        if row.seat != asked
    )
    with scene.house.store.transaction() as connection:  # the email that asks went out
        connection.execute(text("UPDATE letter SET status = 'sent'"))
    scene.clock.advance(days=1)
    scene.signed_in(waiting)
    return scene.press(f"/m/{match_id}", "nudge")


def pause(scene):
    return scene.press(scene.host(), "pause")


def no_pause(scene):
    path = scene.host()
    scene.browser.post(path, data=form(scene.read(path), do="pause"))
    return scene.press(path, "no_pause")


def resume(scene):
    path = scene.host()
    scene.browser.post(path, data={"do": "pause"})
    other = scene.app.test_client()
    other.post(scene.house.sign_in_link("Bo"))
    other.post(path, data={"do": "pause"})
    return scene.press(path, "resume")


def offered(scene):
    path = scene.host()
    seat = open_seat(scene)
    return scene.press(path, "offer", seat=seat, address="cleo@example.org")


def asked_for_a_seat(scene):
    scene.host()
    seat = open_seat(scene)
    scene.browser.post("/sign-out")
    return scene.press(f"/m/{scene.match_id}/table", "ask_seat", seat=seat, address="cleo@example.org")


def open_seat(scene):
    """Bo's seat, which looks for another player."""
    bo = scene.player("Bo")
    with scene.house.store.transaction() as connection:
        connection.execute(
            text("UPDATE chair SET open_since = :now WHERE player_id = :p"),
            {"now": scene.house.rows("SELECT created_at AS at FROM player")[0].at, "p": bo},
        )
        connection.execute(text('UPDATE "match" SET news = news + 1'))
    return scene.house.rows("SELECT seat FROM chair WHERE player_id = :p", p=bo)[0].seat


def taken_seat(scene):
    press = offered(scene)
    scene.browser.post(press.path, data=press.sent)
    invitation = scene.house.rows("SELECT id FROM invitation WHERE seat <> ''")[0].id
    path = f"/i/{scene.house.mint('invitation', invitation_id=invitation)}"
    return scene.press(path, "accept", **(SELF | {"name": "Cleo"}))


def by_the_link_of_an_invitation(scene):
    match_id = scene.running(setup="random")
    own, *_ = scene.house.invited(match_id)
    return scene.press(f"/i/{own}/table", "pause")


def replaced(scene):
    path = scene.confirmed("Ada", "Bo")
    return scene.press(path, "replace", address="cleo@example.org")


def fewer(scene):
    own, second, _ = scene.guests("Ada", "Bo", "Cleo")
    scene.browser.post(own, data={"do": "accept", **SELF, "name": "Ada"})
    scene.browser.post(second, data={"do": "accept", **SELF})
    return scene.press(own, "start_with_fewer")


def new_game(scene):
    return scene.press(
        "/open/survive", organiser="ada@example.org", others="bo@example.org", seats="2", bots="0"
    )


def letter_again(scene):
    match_id = scene.running(setup="random")
    scene.signed_in()
    with scene.house.store.transaction() as connection:
        connection.execute(
            text(
                "UPDATE letter SET status = 'dropped', reason = 'by_choice', sent_at = NULL WHERE kind IN "
                "('asked', 'started')"
            )
        )
    assert match_id
    return scene.press("/profile/letters", "again")


def away_by_token(scene):
    path = scene.turn() + "/away"
    return scene.press(path, "away", page=scene.read(f"{path}?first=2026-04-01&last=2026-04-03"))


def silencing(scene, do, **more):
    match_id = scene.running(setup="random")
    scene.signed_in()
    return scene.press(f"/profile/people?game={match_id}", do, **more)


def notified_no_more(scene):
    scene.running()
    keys = browser_keys()
    scene.signed_in().browser.post("/profile/push", data={"do": "on"} | keys)
    return scene.press("/profile/letters", "off", "/profile/push", **keys)


def lifted(scene):
    press = silencing(scene, "mute")
    scene.browser.post(press.path, data=press.sent)
    return scene.press("/profile/people", "lift")


PRESSES: dict[str, dict[str, Callable[[Scene], Press]]] = {
    "/t/<token>": {
        "take back": take_back,
        "take back without a ply": taken_back_without_a_ply,
        "answer": answer,
        "say": lambda scene: scene.press(scene.turn(), "say", text="Hello"),
        "note": lambda scene: scene.press(scene.turn(), "note", text="Mine"),
        "change a note": changed_note,
        "delete a note": forgotten_note,
        "moves for later": list_of_moves,
        "seen": lambda scene: scene.press(scene.turn(), "seen"),
        "resign": lambda scene: scene.press(scene.turn(), "resign", word="resign"),
    },
    "/m/<int(max=2147483647):match_id>": {"nudge": nudged},
    "/t/<token>/table": {"pause": lambda scene: scene.press(scene.turn() + "/table", "pause")},
    "/m/<int(max=2147483647):match_id>/table": {
        "pause": pause,
        "no pause": no_pause,
        "resume": resume,
        "extend": lambda scene: scene.press(scene.host(), "extend"),
        "hand over": lambda scene: scene.press(scene.host(), "hand_over"),
        "call off": lambda scene: scene.press(scene.host(), "call_off", word="call off"),
        "offer": offered,
        "ask for a seat": asked_for_a_seat,
    },
    "/i/<token>/table": {"pause": by_the_link_of_an_invitation},
    "/i/<token>": {
        "confirm": lambda scene: scene.press(scene.guests("Ada", "Bo")[0], "accept", **SELF),
        "accept": lambda scene: scene.press(scene.guest(), "accept", **SELF),
        "decline": lambda scene: scene.press(scene.guest(), "decline"),
        "send again": lambda scene: scene.press(scene.confirmed("Ada", "Bo"), "send_again"),
        "withdraw": lambda scene: scene.press(scene.confirmed("Ada", "Bo"), "withdraw"),
        "replace": replaced,
        "start with fewer": fewer,
        "call off": lambda scene: scene.press(scene.confirmed("Ada", "Bo"), "call_off"),
        "take a seat": taken_seat,
        "list": lambda scene: scene.press(scene.host_of(shared=True), "list"),
        "take off the list": lambda scene: scene.press(scene.host_of(shared=False), "unlist"),
        "make a link": lambda scene: scene.press(scene.host_of(shared=False), "share"),
        "end the link": lambda scene: scene.press(scene.host_of(shared=True), "unshare"),
    },
    "/open/<slug>": {"new game": new_game},
    "/m/<int(max=2147483647):match_id>/join": {
        "join": joined,
        "ask to join": lambda scene: scene.press(
            f"/m/{scene.listed()}/join", "ask", address="eve@example.org"
        ),
    },
    "/m/<int(max=2147483647):match_id>/again": {
        "rematch": lambda scene: scene.press(f"/m/{scene.finished()}", to=f"/m/{scene.match_id}/again")
    },
    "/r/<token>": {"rematch by the last email": lambda scene: scene.press(scene.again(), "rematch")},
    "/join/<token>": {
        "ask by the link": lambda scene: scene.press(scene.shared(), "ask", address="eve@example.org")
    },
    "/profile/page": {
        "public page": lambda scene: (
            scene.running() and scene.signed_in().press("/profile", to="/profile/page", shows="games")
        )
    },
    "/links": {"links": lambda scene: scene.running() and scene.press("/links", address="ada@example.org")},
    "/sign-in": {
        "sign in": lambda scene: scene.running() and scene.press("/sign-in", address="ada@example.org")
    },
    "/sign-out": {"sign out": lambda scene: scene.running() and scene.signed_in().press("/", to="/sign-out")},
    "/seen": {"seen": lambda scene: scene.running() and scene.signed_in().press("/", to="/seen")},
    "/profile": {
        "profile": lambda scene: scene.running() and scene.signed_in().press("/profile", name="Ada B")
    },
    "/profile/address": {
        "address": lambda scene: (
            scene.running()
            and scene.signed_in().press("/profile", to="/profile/address", address="new@example.org")
        )
    },
    "/profile/people": {
        "mute": lambda scene: silencing(scene, "mute"),
        "block": lambda scene: silencing(scene, "block"),
        "lift": lifted,
        "report": lambda scene: silencing(scene, "report", text="They were rude."),
    },
    "/profile/feeds": {
        "feeds": lambda scene: scene.running() and scene.signed_in().press("/profile", to="/profile/feeds")
    },
    "/profile/away": {
        "away": lambda scene: (
            scene.running()
            and scene.signed_in().press("/profile/away?first=2026-04-01&last=2026-04-03", "away")
        )
    },
    "/t/<token>/away": {"away": away_by_token},
    "/profile/letters": {
        "choose": lambda scene: scene.running() and scene.signed_in().press("/profile/letters", "choose"),
        "times": lambda scene: scene.running() and scene.signed_in().press("/profile/letters", "habits"),
        "again": letter_again,
    },
    "/profile/push": {
        "notify": lambda scene: (
            scene.running()
            and scene.signed_in().press("/profile/letters", "on", "/profile/push", **browser_keys())
        ),
        "notify no more": notified_no_more,
    },
    "/t/<token>/letters": {"choose": lambda scene: scene.press(scene.turn() + "/letters", "choose")},
}
"""The forms of each route that acts, by its rule."""
ELSEWHERE = {
    "/m/<int(max=2147483647):match_id>/what-if": "tests/web/test_what_if.py",
    "/s/<token>": "tests/web/test_people.py",
    "/a/<token>": "tests/web/test_people.py",
    "/k/<token>": "tests/mail/test_address.py",
    "/c/<token>": "tests/web/test_confirm.py",
    "/profile/end": "tests/web/test_keys.py",
    "/profile/delete": "tests/web/test_deleting.py",
    "/profile/export": "tests/web/test_deleting.py",
    "/operator": "tests/web/test_operator.py",
    "/profile/programs": "tests/web/test_programs.py",
    "/profile/webhooks": "tests/web/test_webhooks.py",
    "/m/<int(max=2147483647):match_id>/webhooks": "tests/web/test_webhooks.py",
    "/u/<signed>": "tests/mail/test_leaving.py",
}
"""Routes whose second press other tests try."""
CASES = [
    pytest.param(press, id=f"{rule.split('(')[0].strip('/<').replace('/<', '-')} {name}")
    for rule, presses in PRESSES.items()
    for name, press in presses.items()
]


def posts(app):
    """The routes that act for pages; those of the API have no forms, and tests of their own."""
    rules = (
        rule
        for rule in app.url_map.iter_rules()
        if "POST" in rule.methods and not rule.rule.startswith("/api/")
    )
    return {rule.rule: app.view_functions[rule.endpoint] for rule in rules}


def test_every_route_that_acts_says_why_it_acts_once_and_is_tried(app):
    found = posts(app)
    assert [rule for rule, view in found.items() if not getattr(view, DECLARED, "")] == []
    assert found.keys() == PRESSES.keys() | ELSEWHERE.keys()


NAMES = re.compile(r'once\(|name="(question|ply|occasion|epoch|once)"|_once')
UNKEYED = {
    "sign-out": 'action="/sign-out"',
    "seen": 'action="/seen"|value="seen"',
    "resign": 'value="resign"',
    "sent again with every field it had, its key too": "for name, value in sent",
    "a match has one rematch": 'value="rematch"',
    "unsubscribe": 'name="scope"',
    "the same choice twice is one choice": 'action="/profile/page"',
    "links of a turn, one email an hour": 'value="links"',
    "a link to the host tools, one in ten minutes": 'value="host_link"',
    "what if: a move says how many stand before it": 'name="after"',
    "what if: the same choice twice is one choice": 'name="(at|deal)"|value="orders"',
    "what if: until one's own turn, where the same again does nothing": 'value="own"',
    "end everything": 'action="/profile/end"',
    "a file twice is one file": 'action="/profile/export"',
    "a reminder, one a day": 'value="nudge"',
    "emails again after a bounce": 'value="try_again"',
    "a link to sign in, one in ten minutes": 'value="sign_in"',
    "the link works once": r"people\.(use_this_address|sign_in_here|confirm_button|undo_change)",
    "the account is deleted once": r"people\.delete_account",
}
"""Buttons that act once by themselves."""


def test_every_form_of_the_templates_carries_a_key_or_names_what_it_speaks_of():
    bare = [
        f"{path.relative_to(TEMPLATES)}: {one[:80]}"
        for path in sorted(TEMPLATES.rglob("*.html"))
        for one in re.findall(r'<form method="post".*?(?:</form>|\Z)', path.read_text(), re.DOTALL)
        if not NAMES.search(one) and not any(re.search(what, one) for what in UNKEYED.values())
    ]
    assert bare == []


@pytest.mark.parametrize("press", CASES)
def test_the_second_press_changes_nothing_and_shows_what_came_of_the_first(app, browser, house, press):
    sent = press(Scene(app, browser, house))
    first = browser.post(sent.path, data=sent.sent)
    assert first.status_code in (200, 303), first.text
    after = dump(house)
    again = browser.post(sent.path, data=sent.sent)
    assert dump(house) == after
    assert again.status_code == first.status_code
    if not {"question", "seat"} & sent.sent.keys():  # an answer is "played already", a nudge "today already"
        assert again.location == first.location


@pytest.mark.parametrize("press", CASES)
def test_a_second_press_before_the_first_is_answered_leads_to_a_page(app, browser, house, press, monkeypatch):
    """What the first answered isn't kept yet."""
    monkeypatch.setattr(Deed, "settle", lambda *_: None)
    sent = press(Scene(app, browser, house))
    assert browser.post(sent.path, data=sent.sent).status_code in (200, 303)
    again = browser.post(sent.path, data=sent.sent, follow_redirects=True)
    assert again.status_code == 200, again.text


def test_two_tabs_of_the_same_page_act_once(app, browser, house):
    """Each tab has loaded its own form, with a key of its own."""
    scene = Scene(app, browser, house)
    first, second = new_game(scene), new_game(scene)
    assert first.sent["once"] != second.sent["once"]
    for press in (first, second):
        assert browser.post(press.path, data=press.sent).location == "/opened"
    assert len(house.rows('SELECT id FROM "match"')) == 1
    assert len(house.rows("SELECT id FROM letter")) == 1
    browser.post(first.path, data=first.sent | {"others": "cleo@example.org"})
    assert len(house.rows('SELECT id FROM "match"')) == 2


def test_a_game_like_a_confirmed_one_is_another_game(app, browser, house):
    scene = Scene(app, browser, house)
    press = new_game(scene)
    browser.post(press.path, data=press.sent)
    own = f"/i/{house.invited(1)[0]}"
    browser.post(own, data={"do": "accept", **SELF, "name": "Ada"})
    browser.post(press.path, data=press.sent)
    assert len(house.rows('SELECT id FROM "match"')) == 1, "the same form, sent again"
    press = new_game(scene)
    browser.post(press.path, data=press.sent)
    assert len(house.rows('SELECT id FROM "match"')) == 2


def test_a_step_is_taken_back_once_though_the_page_has_changed_between_the_tabs(app, browser, house):
    press = take_back(Scene(app, browser, house))
    browser.post(press.path, data={"do": "say", "text": "wait", "occasion": "x"})
    later = form(browser.get(press.path).text, do="take_back")
    first = browser.post(press.path, data=press.sent)
    second = browser.post(press.path, data=later)
    assert first.location == second.location
    assert len(house.rows("SELECT ply FROM played WHERE move = 'undo'")) == 1
    assert "You took back your last step." in browser.get(first.location).text


def test_a_step_is_not_taken_back_by_a_page_that_showed_another(app, browser, house):
    scene = Scene(app, browser, house)
    press = take_back(scene)
    old = press.sent | {"ply": str(int(press.sent["ply"]) - 1)}
    refused = browser.post(press.path, data=old)
    assert refused.status_code == 409
    assert "the game has moved on since you opened this page" in refused.text
    assert house.rows("SELECT ply FROM played WHERE move = 'undo'") == []


def test_a_corrected_form_is_another_form(app, browser, house):
    press = new_game(Scene(app, browser, house))
    assert browser.post(press.path, data=press.sent | {"others": "nobody"}).status_code == 422
    assert browser.post(press.path, data=press.sent).status_code == 303
    assert len(house.rows('SELECT id FROM "match"')) == 1


def test_nobody_uses_up_the_key_of_another(app, browser, house):
    """Keys count for the player who sends them: the same from someone else is another."""
    scene = Scene(app, browser, house)
    press = pause(scene)
    other = app.test_client()
    other.post(house.sign_in_link("Bo"))
    assert other.post(press.path, data=press.sent).status_code == 303
    browser.post(press.path, data=press.sent)
    assert [row.what for row in house.rows("SELECT what FROM notice ORDER BY id")][-1] == "paused"

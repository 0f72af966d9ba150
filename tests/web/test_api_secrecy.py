"""Two worlds that a caller can’t tell apart give equal answers to every GET, refusals among them."""

import json
import re

import msgspec
import pytest
from sqlalchemy import text

from app import draw
from app.accounts import exporting
from app.engine import codec
from app.engine.chance import Chance
from app.games import all_games
from app.play.match import past, reading
from app.web.api.operations import OPERATIONS
from tests.web.programs import Program, program
from tests.web.test_api import path_of
from tests.web.test_once import THREE_DAYS

OPTIONS = {"survive": {"setup": "random"}}
SECRET = ("ETag", "Content-Length")


def answers(caller: Program, match: int) -> dict[str, tuple]:
    """Everything that a caller can read of a match, and how long it is."""
    found = {}
    for one in OPERATIONS:
        path = path_of(one, match)
        if not one.writes:
            answer = caller.ask("GET", path)
            told = {name: value for name, value in answer.headers.items() if name in SECRET}
            found[one.name] = (answer.status_code, answer.data, told)
    return found


def exports(house, browser, name: str | None, match: int) -> list[str]:
    """The files that a person can have: the match as a text, feeds of it, and all about them."""
    found = [browser.get(f"/m/{match}/{one}").text for one in ("text", "feed.atom")]
    if name is None:
        return found
    player = house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id
    everything = json.loads(exporting.export(house.store, player))
    everything.pop("made_at")
    feeds = re.findall(r"/f/[^\"<]+", browser.get("/profile").text)
    assert feeds
    return [
        *found,
        json.dumps(everything),
        *(re.sub(r"DTSTAMP.*", "", browser.get(one).text) for one in feeds),
    ]


def seat_of(house, match, name):
    query = """SELECT seat FROM chair c JOIN player p ON p.id = c.player_id
               WHERE c.match_id = :m AND p.name = :n AND c.until IS NULL"""
    return house.rows(query, m=match, n=name)[0].seat


@pytest.mark.parametrize("slug", sorted(all_games()))
@pytest.mark.usefixtures("tongue")
def test_a_seat_and_an_onlooker_read_the_same_in_worlds_they_cannot_tell_apart(app, house, slug):
    match = house.start("Ada", "Bo", game=slug, rule=THREE_DAYS, **OPTIONS.get(slug, {}))
    house.play(match, 9)
    with house.store.reading() as connection:
        snapshot = reading.by_match(connection, match)
    game, state = snapshot.game, snapshot.load()
    for name in ("Ada", None):
        seat = seat_of(house, match, name) if name else None
        caller = program(app, house, name) if name else Program(app.test_client())
        browser = app.test_client()
        if name:
            browser.post(house.sign_in_link(name))
        written = house.rows('SELECT state FROM "match" WHERE id = :m', m=match)[0].state
        seen, kept = answers(caller, match), exports(house, browser, name, match)
        changed = 0
        for number in range(4):
            other = game.resample(state, seat, Chance(b"twin" * 8, number))
            changed += other != state
            put(house, match, codec.dumps(other))
            assert answers(caller, match) == seen
            assert exports(house, browser, name, match) == kept
        put(house, match, codec.dumps(after_a_move(game, state)))
        assert answers(caller, match) != seen, "what is stored is read"
        put(house, match, written)
        assert changed, "the worlds differ"


def after_a_move(game, state):
    """A state that everybody can tell from this one."""
    decision = game.decisions(state)[0]
    move = decision.options[0] if decision.options else decision.default
    return game.apply(state, decision.seat, move, Chance(b"moved" * 8, 0)).state


@pytest.mark.parametrize("slug", sorted(all_games()))
def test_a_board_is_drawn_by_what_the_view_of_a_match_says(app, house, slug):
    """The facts of the answer are all that the board’s picture takes, for a seat and for onlookers."""
    match = house.start("Ada", "Bo", game=slug, rule=THREE_DAYS, **OPTIONS.get(slug, {}))
    house.play(match, 9)
    game = all_games()[slug]
    for caller in (program(app, house, "Ada"), Program(app.test_client())):
        told = caller.get(f"/matches/{match}")["view"]
        view = msgspec.convert(told, game.view_type)
        drawn = caller.ask("GET", f"/matches/{match}/board.svg").text
        assert draw.board(game, view, language="en").strip() == drawn


def put(house, match, state) -> None:
    past._kept.clear()
    with house.store.transaction() as connection:
        connection.execute(text('UPDATE "match" SET state = :s WHERE id = :m'), {"s": state, "m": match})


@pytest.mark.usefixtures("tongue")
def test_what_others_leave_and_note_changes_nothing_for_anybody_else(app, house):
    """Conditional moves, standing answers and notes are their player's alone."""
    match = house.start("Ada", "Bo", rule=THREE_DAYS, setup="random")
    ada, bo, anybody = program(app, house, "Ada"), program(app, house, "Bo"), Program(app.test_client())
    before = [answers(one, match) for one in (ada, anybody)]
    bo.put(f"/matches/{match}/conditional", {"lines": ["sink F5"]})
    bo.put(f"/matches/{match}/policies/defend", {"choice": "always"})
    bo.post(f"/matches/{match}/notes", {"text": "Ada bluffs"})
    bo.put("/my/emails/choices", {"events": {"chat": "digest"}})
    assert [answers(one, match) for one in (ada, anybody)] == before

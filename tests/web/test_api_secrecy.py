"""Two worlds that a caller can’t tell apart give equal answers to every GET, refusals among them."""

import pytest
from sqlalchemy import text

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
        written = house.rows('SELECT state FROM "match" WHERE id = :m', m=match)[0].state
        seen = answers(caller, match)
        changed = 0
        for number in range(4):
            other = game.resample(state, seat, Chance(b"twin" * 8, number))
            changed += other != state
            put(house, match, codec.dumps(other))
            assert answers(caller, match) == seen
        put(house, match, codec.dumps(after_a_move(game, state)))
        assert answers(caller, match) != seen, "what is stored is read"
        put(house, match, written)
        assert changed, "the worlds differ"


def after_a_move(game, state):
    """A state that everybody can tell from this one."""
    decision = game.decisions(state)[0]
    move = decision.options[0] if decision.options else decision.default
    return game.apply(state, decision.seat, move, Chance(b"moved" * 8, 0)).state


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

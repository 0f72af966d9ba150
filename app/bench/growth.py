"""A move and a page late in a long match, beside those of the same match while its log is short."""

import statistics
from collections.abc import Iterator

from flask.testing import FlaskClient

from app import settings
from app.bench import RUNS, Figure, cpu_milliseconds
from app.bench.population import Population
from app.bench.rows import copies
from app.bench.server import database, environment
from app.store.session import Store
from app.store.sql import Command
from app.web import create_app

EARLY, LATE = 10, 500
MATCHES = 30
QUICK_MATCHES = 12
AIM = 1.1

_later = Command(
    """UPDATE "match" SET ply = ply + :more, barrier_ply = ply + :more, barrier_seat = NULL
       WHERE id = :match_id"""
)


def figures(*, quick: bool = False) -> Iterator[Figure]:
    """Milliseconds of CPU for a move, and for the page after it, at ply 500 beside ply 10."""
    early: dict[str, list[float]] = {"move": [], "page": []}
    late: dict[str, list[float]] = {"move": [], "page": []}
    for run in range(RUNS):
        with database("") as (store, url, folder):
            people = Population(store, f"growth {run}")
            people.grow(QUICK_MATCHES if quick else MATCHES, plies=(EARLY, EARLY))
            client = create_app(settings.read(environment(url, folder, 80)), store).test_client()
            for found in (early, late):
                for name, milliseconds in _spent(client, people).items():
                    found[name].append(milliseconds)
                _lengthen(store, people.matches)
    for name, limit in early.items():
        title = f"{name} at ply {LATE}, beside ply {EARLY}"
        yield Figure(title, "ms", tuple(late[name]), tuple(limit), AIM, most=True)


def _spent(client: FlaskClient, people: Population) -> dict[str, float]:
    """The medians over all matches. Each page has been shown before the move, as to a player who is there."""
    pages, moves = [], []
    for turn in people.turns():
        client.get(turn.path)
        form = {"data": turn.body, "content_type": "application/x-www-form-urlencoded"}
        moves.append(cpu_milliseconds(lambda turn=turn, form=form: client.post(turn.path, **form)))  # type: ignore[misc]
        pages.append(cpu_milliseconds(lambda turn=turn: client.get(turn.path)))  # type: ignore[misc]
    return {"page": statistics.median(pages), "move": statistics.median(moves)}


def _lengthen(store: Store, matches: list[int]) -> None:
    """Fill the logs with copies of their last entries, so that each has so many more."""
    with store.transaction() as connection:
        for match_id in matches:
            last = f"SELECT MAX(ply) FROM played WHERE match_id = {match_id}"  # noqa: S608 - a number
            where = f"t.match_id = {match_id} AND t.ply = ({last})"
            copies(connection, "played", where, LATE - EARLY, ply="t.ply + n", source_key="NULL")
            _later.run(connection, match_id=match_id, more=LATE - EARLY)

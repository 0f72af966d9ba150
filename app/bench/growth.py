"""A move and a page late in a long match, beside those of the same match while its log is short."""

import statistics
from collections.abc import Iterator

from flask import Flask
from flask.testing import FlaskClient

from app import settings
from app.bench import RUNS, Figure, cpu_milliseconds
from app.bench.population import Population
from app.bench.rows import copies, largest
from app.bench.server import database, environment
from app.people import keys
from app.play.match.links import match_path
from app.store.session import Store
from app.store.sql import Command
from app.web import create_app
from app.web.core.sessions import KEY

EARLY, LATE = 10, 500
MATCHES = 30
TRIES = 15
QUICK_MATCHES = 12
AIM = 1.1
FEW_GAMES, MANY_GAMES = 10, 300
GAMES_AIM = 3.0
"""The most that the pages of a player with many games may cost, beside one with few."""

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
    few: list[float] = []
    many: list[float] = []
    for run in range(RUNS):
        with database("") as (store, url, folder):
            site = create_app(settings.read(environment(url, folder, 80)), store)
            people = Population(store, f"games {run}")
            people.grow(1, plies=(EARLY, EARLY))
            player = _asked(people)
            for spent, games in ((few, FEW_GAMES), (many, MANY_GAMES)):
                _multiply(store, people.matches[0], games)
                spent.append(_my_games(site, store, player))
    title = f"my games, {MANY_GAMES} of them, beside {FEW_GAMES}"
    yield Figure(title, "ms", tuple(many), tuple(few), GAMES_AIM, most=True)


def _asked(people: Population) -> int:
    """The player whose turn it is in the only match."""
    match = people.snapshot(people.matches[0])
    found = match.holder(next(one.seat for one in match.open if not one.optional)).player_id
    assert found is not None
    return found


def _multiply(store: Store, match_id: int, games: int) -> None:
    """Copy a match and its rows until there are so many."""
    with store.transaction() as connection:
        last = largest(connection, "match")
        more, new = games - last, f"({last} + n)"
        copies(connection, "match", f"t.id = {match_id}", more, id=new)
        copies(connection, "chair", f"t.match_id = {match_id}", more, match_id=new)
        copies(connection, "question", f"t.match_id = {match_id} AND t.closed_at IS NULL", more, match_id=new)


def _my_games(site: Flask, store: Store, player_id: int) -> float:
    """Milliseconds of CPU for the first page and the list of a signed-in player, the median of some tries."""
    client = site.test_client()
    with client.session_transaction() as session:
        session[KEY] = keys.begin(store, player_id)

    def show() -> None:
        for path in ("/", "/games/mine"):
            assert client.get(path).status_code == 200

    show()
    return statistics.median(cpu_milliseconds(show) for _ in range(TRIES))


def _spent(client: FlaskClient, people: Population) -> dict[str, float]:
    """The medians over all matches. Each page has been shown before the move, as to a player who is there."""
    pages, moves = [], []
    for turn in people.turns():
        client.get(turn.path)
        form = {"data": turn.body, "content_type": "application/x-www-form-urlencoded"}
        moves.append(cpu_milliseconds(lambda turn=turn, form=form: client.post(turn.path, **form)))  # type: ignore[misc]
        # The seat's own page: the link of a turn that is over only leads there, in a fifth of the time.
        pages.append(cpu_milliseconds(lambda turn=turn: client.get(match_path(turn.match_id))))  # type: ignore[misc]
    return {"page": statistics.median(pages), "move": statistics.median(moves)}


def _lengthen(store: Store, matches: list[int]) -> None:
    """Fill the logs with copies of their last entries, so that each has so many more."""
    with store.transaction() as connection:
        for match_id in matches:
            last = f"SELECT MAX(ply) FROM played WHERE match_id = {match_id}"  # noqa: S608 - a number
            where = f"t.match_id = {match_id} AND t.ply = ({last})"
            copies(connection, "played", where, LATE - EARLY, ply="t.ply + n", source_key="NULL")
            _later.run(connection, match_id=match_id, more=LATE - EARLY)

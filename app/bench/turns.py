"""Moves by POST on distinct running matches, beside a bare turn on the same server and database."""

from collections.abc import Callable, Iterator
from urllib.parse import parse_qs

from app.bench import RUNS, Figure, load
from app.bench.population import Population, Turn
from app.bench.server import bare_rows, database, server
from app.play.match.records import Viewer
from app.play.moves import service
from app.play.views.player_view import player_view_by_token
from app.store import sql
from app.store.session import Store

MATCHES = 300
QUICK_MATCHES = 60
CLIENTS, WORKERS = 8, 2
PAGE_STATEMENTS, MOVE_STATEMENTS = 2, 5
AIMS = {"sqlite": (0.5, None), "postgresql": (None, 0.6)}
"""For one client, and for eight."""


def figures(url: str = "", *, quick: bool = False) -> Iterator[Figure]:
    """Moves a second by one client and by eight, and the statements of a move and a page."""
    with database(url) as (store, address, folder):
        kind = store.engine.dialect.name
        people = Population(store)
        people.grow(QUICK_MATCHES if quick else MATCHES)
        bare_rows(store, people.matches)
        alone, together = AIMS[kind]
        with server(address, folder) as port:
            yield from _rates(f"move by POST, {kind}, one client", people, port, 1, alone)
        with server(address, folder, WORKERS) as port:
            yield from _rates(f"move by POST, {kind}, eight clients", people, port, CLIENTS, together)
        if kind == "sqlite":
            yield from _statements(store, people)


def _rates(name: str, people: Population, port: int, clients: int, aim: float | None) -> Iterator[Figure]:
    """The rate beside the bare turn's, and the times of the slowest."""

    def real(turns: list[Turn]) -> load.Load:
        return load.send(
            port, [load.request("POST", one.path, port, one.body) for one in turns], 303, clients
        )

    def bare(turns: list[Turn]) -> load.Load:
        return load.send(
            port,
            [load.request("POST", f"/bare/turn/{one.match_id}", port, one.body) for one in turns],
            303,
            clients,
        )

    found: dict[Callable[[list[Turn]], load.Load], list[load.Load]] = {bare: [], real: []}
    for run in range(RUNS + 1):
        turns = list(people.turns())
        for measure, loads in found.items():
            one = measure(turns)
            if run:  # the first warms up
                loads.append(one)
    mine, limit = found[real], found[bare]
    yield Figure(name, "/s", tuple(one.rate for one in mine), tuple(one.rate for one in limit), aim)
    yield Figure(f"{name}, p50", "ms", tuple(one.p50 for one in mine), tuple(one.p50 for one in limit))
    yield Figure(f"{name}, p99", "ms", tuple(one.p99 for one in mine), tuple(one.p99 for one in limit))


def _statements(store: Store, people: Population) -> Iterator[Figure]:
    counted: list[str] = []
    pages, moves = [], []
    turns = [turn for turn, _ in zip(people.turns(), range(RUNS), strict=False)]
    sql.watch = counted.append
    try:
        for turn in turns:
            counted.clear()
            token = turn.path.rsplit("/", 1)[1]
            player_view_by_token(store, token)
            pages.append(float(len(counted)))
            counted.clear()
            fields = parse_qs(turn.body)
            service.play(store, Viewer(token=token), fields["question"][0], fields["answer"][0])
            moves.append(float(len(counted)))
    finally:
        sql.watch = None
    yield Figure("SQL statements a page", "", tuple(pages), aim=PAGE_STATEMENTS, most=True)
    yield Figure("SQL statements a move", "", tuple(moves), aim=MOVE_STATEMENTS, most=True)

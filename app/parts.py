"""The work behind the commands: read the settings, then run or become the program that does it."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import NoReturn

import click
import msgspec

from app import forked
from app import settings as settings_module
from app.engine.errors import RulesError
from app.settings import BadSettings, Settings
from app.store.wakeup import WakeUp

HERE = "127.0.0.1"


def _settings() -> Settings:
    try:
        return settings_module.read()
    except BadSettings as error:
        raise click.ClickException(str(error)) from None


def _ready(*, patiently: bool = False) -> Settings:
    """Read the settings, migrate the database and carry running matches over. Raises ClickException.

    `patiently`: wait for a database that is away, however long that lasts.
    """
    from app.play.moves.upgrading import prepare
    from app.store import migrate

    settings = _settings()

    def begin() -> None:
        prepare(settings.database_url)

    try:
        if patiently:
            migrate.patiently(begin, lambda line: click.echo(line, err=True))
        else:
            begin()
    except migrate.CannotUpgrade as error:
        raise click.ClickException(str(error)) from None
    return settings


@contextmanager
def _in_one_line() -> Iterator[None]:
    """Tell a database that is locked, away or without tables in one line. Raises ClickException."""
    from app.store.patience import driver_errors

    try:
        yield
    except driver_errors() as error:
        said = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        raise click.ClickException(f"the database cannot be used now: {said}; nothing was changed") from None


def _become(module: str, *arguments: str) -> NoReturn:
    sys.stdout.flush()
    if forked.here:
        forked.become(module, *arguments)
    os.execv(sys.executable, [sys.executable, "-m", module, *arguments])  # noqa: S606 - our own interpreter


def web(host: str, port: int, workers: int, threads: int) -> NoReturn:
    """Become gunicorn with the pages. While the database is away they say so, and come back with it."""
    from app.play.moves.upgrading import prepare
    from app.store import migrate

    try:
        prepare(_settings().database_url)
    except migrate.Away as error:
        click.echo(f"{error}; the pages open when it can", err=True)
    except migrate.CannotUpgrade as error:
        raise click.ClickException(str(error)) from None
    _become(
        "gunicorn",
        f"--bind={f'[{host}]' if ':' in host else host}:{port}",
        f"--workers={workers}",
        "--worker-class=app.web.reception.ReceptionWorker",
        f"--threads={threads}",
        "--log-level=warning",
        "--no-control-socket",
        "app.web.wsgi:from_environment()",
    )


def worker(concurrency: int, pool: str, beat_too: bool) -> NoReturn:
    """Become a Celery worker."""
    if not _settings().smtp_url:
        raise click.ClickException(
            "TIDEPOST_SMTP_URL is not set, so letters cannot go out; `tidepost serve` brings a mail catcher"
        )
    _ready(patiently=True)
    _become(
        "workers",
        "worker",
        f"--pool={pool}",
        f"--concurrency={concurrency}",
        *(["--beat"] if beat_too else []),
    )


def beat() -> NoReturn:
    """Become Celery's beat."""
    _settings()
    _become("workers", "beat")


def inbox() -> None:
    """Receive mail as TIDEPOST_INBOX_URL says, until the process ends."""
    import signal
    import threading
    from urllib.parse import urlsplit

    from app import logs
    from app.mail.inbound import listener, poller, pulse
    from app.store.session import Store

    logs.install()
    settings = _settings()
    url = urlsplit(settings.inbox_url)
    if url.scheme in ("", "pipe"):
        raise click.ClickException(
            "TIDEPOST_INBOX_URL names no server to be and no mailbox to read; `inbox -` takes one mail"
        )
    _ready(patiently=True)
    ended = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: ended.set())
    store = Store(settings.database_url, _wake_up(settings))
    if url.scheme.startswith("imap"):
        poller.run(store, settings, ended)
        return
    try:
        port = url.port or {"smtp": 25, "lmtp": 24}[url.scheme]
        with listener.listening(store, settings, url.hostname or "", port, lmtp=url.scheme == "lmtp"):
            pulse.give(store)
            while not ended.wait(pulse.EVERY):
                pulse.give(store)
    except OSError as error:
        raise click.ClickException(f"no mail can be taken at {settings.inbox_url}: {error}") from None


NO_USER, TRY_AGAIN, BAD_DATA = 67, 75, 65
"""Exit codes of sysexits.h, which mail systems understand."""


def inbox_one(recipients: tuple[str, ...], sender: str | None) -> int:
    """Store one mail from stdin; returns the exit status for the mail system, 0 if it was stored.

    `sender`: of the envelope, empty for the null sender; None: not known.
    """
    from app.mail.inbound.store import LARGEST, Taken, take_in
    from app.store.session import Store

    try:
        settings = _settings()
        wake_up = _wake_up(settings)
        store = Store(settings.database_url, wake_up, at_once=True)
        known = "" if sender is None else sender or "<>"
        taken = take_in(
            store, settings, sys.stdin.buffer.read(LARGEST + 1), recipients, "stdin", sender=known
        )
        wake_up.settle(3)
    except Exception as error:  # noqa: BLE001 - whatever it is, the mail system keeps the mail
        click.echo(f"not kept, try again later: {type(error).__name__}", err=True)
        return TRY_AGAIN
    codes = {Taken.UNKNOWN: NO_USER, Taken.TOO_BIG: BAD_DATA, Taken.TOO_MANY: TRY_AGAIN}
    if not taken.settled:
        click.echo(f"not kept: {taken.value}", err=True)
    return codes.get(taken, 0)


def inbox_list(say: Callable[[str], None]) -> None:
    """List the mails that were not carried out, each with why."""
    from app.mail.inbound.dead_letters import passed_over
    from app.store.session import Store

    with _in_one_line():
        found = passed_over(Store(_settings().database_url, at_once=True))
    for one in found:
        say(f"{one.id}  {one.received_at:%Y-%m-%d %H:%M}  {one.source}  {one.size} bytes  {one.why}")
    if not found:
        say("Every mail that came could be read.")


def inbox_show(incoming_id: str, say: Callable[[str], None]) -> None:
    """Print one of these mails, with its tokens masked. Raises ClickException for an unknown id."""
    from app.mail.inbound.dead_letters import shown
    from app.store.session import Store

    with _in_one_line():
        found = shown(Store(_settings().database_url, at_once=True), incoming_id)
    if found is None:
        raise click.ClickException(f"there is no mail {incoming_id!r}")
    say(found)


def inbox_done(incoming_id: str, say: Callable[[str], None]) -> None:
    """Take one of these mails off the list. Raises ClickException for one that is not on it."""
    from app.mail.inbound.dead_letters import deal_with
    from app.store.session import Store

    with _in_one_line():
        done = deal_with(Store(_settings().database_url, at_once=True), incoming_id)
    if not done:
        raise click.ClickException(f"there is no mail {incoming_id!r} on the list")
    say("It is off the list.")


def health(say: Callable[[str], None]) -> bool:
    """Print the figures of the server's health as JSON; True if nothing is wrong. Raises ClickException."""
    import msgspec

    from app.mail.inbound.health import whole_health
    from app.store.session import Store

    settings = _settings()
    with _in_one_line():
        found = whole_health(Store(settings.database_url, patience=5, at_once=True), settings)
    say(msgspec.json.format(msgspec.json.encode(found)).decode())
    return not found["wrong"]


def _wake_up(settings: Settings) -> WakeUp:
    return WakeUp(settings.broker_url, settings.data_dir)


def rehearse(matches: int, days: int, seed: str, database_url: str, say: Callable[[str], None]) -> bool:
    """Run a rehearsal and print what happened; True if there was no fault."""
    import tempfile
    from pathlib import Path

    from app import games, rehearsal
    from app.store import migrate
    from app.store.session import Store

    with tempfile.TemporaryDirectory(prefix="tidepost-rehearsal-") as folder:
        url = database_url or f"sqlite:///{folder}/rehearsal.db"
        migrate.upgrade(url)
        settings = Settings(
            url,
            "folder://",
            "smtp://nowhere",
            "",
            "https://rehearsal.example",
            "rehearsal.example",
            ("a key that signs nothing real",),
            Path(folder),
        )
        store = Store(url)
        report = rehearsal.rehearse(
            store, settings, games.all_games(), matches=matches, days=days, seed=seed, say=say
        )
        store.engine.dispose()
    for what, many in sorted(report.counts.items()):
        say(f"{many:>8} {what}")
    say(
        "Every reminder and every time-out came once, at its moment."
        if not report.faults
        else f"{len(report.faults)} faults"
    )
    return not report.faults


def freeze(say: Callable[[str], None]) -> None:
    """Stop the clocks of all matches."""
    from app.play.deadlines import outages
    from app.store.session import Store

    with _in_one_line():
        done = outages.freeze(Store(_ready().database_url))
    say("All clocks are stopped; `tidepost thaw` lets them go on." if done else "They were stopped already.")


def thaw(say: Callable[[str], None]) -> None:
    """Restart the clocks of all matches."""
    from app.play.deadlines import outages
    from app.store.session import Store

    with _in_one_line():
        done = outages.thaw(Store(_ready().database_url))
    say("All clocks go on with what was left." if done else "They were not stopped.")


def catcher(smtp_port: int, port: int, reply_port: int) -> None:
    """Run the mail catcher until the process ends. With a reply port it takes in what is sent there, too."""
    from app import logs
    from app.catcher import server as mail_catcher

    logs.install()
    try:
        with _replies(reply_port) if reply_port else nullcontext():
            mail_catcher.run(_settings(), smtp_port, port, reply_port=reply_port)
    except (BadSettings, OSError) as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def _replies(port: int) -> Iterator[None]:
    """Take in the replies to caught letters, beside whatever else the process does. Raises OSError."""
    import threading

    from app.mail.inbound import listener, pulse
    from app.store.session import Store

    settings = msgspec.structs.replace(_ready(patiently=True), inbox_url=f"smtp://{HERE}:{port}")
    store = Store(settings.database_url, _wake_up(settings))
    ended = threading.Event()

    def beat() -> None:
        pulse.give(store)
        while not ended.wait(pulse.EVERY):
            pulse.give(store)

    with listener.listening(store, settings, HERE, port, lmtp=False):
        threading.Thread(target=beat, daemon=True, name="pulse").start()
        try:
            yield
        finally:
            ended.set()


def demo(slug: str, seats: int, address: str, say: Callable[[str], None]) -> None:
    """Start a game against bots and print where its first email is."""
    from app import games, narrate
    from app.play.lobby.create import create_match
    from app.play.match.records import SiteError
    from app.serve import serving
    from app.store.session import Store

    if slug not in games.all_games():
        raise click.ClickException(f"no game {slug!r}; there are {', '.join(games.all_games())}")
    game = games.all_games()[slug]
    folder = settings_module.data_dir_of(os.environ)
    if not os.environ.get("TIDEPOST_SECRET_KEYS") and not settings_module.kept_keys(folder):
        raise click.ClickException(
            f"no server has run with the data folder {folder}. Start one with `tidepost serve`, and run "
            "`tidepost demo` in a second terminal in the same folder (or with the same TIDEPOST_DATA_DIR)."
        )
    with _in_one_line():
        settings = _ready()
        wake_up = _wake_up(settings)
        store = Store(settings.database_url, wake_up)
        try:
            match_id = create_match(store, slug, seats, game.demo_options, address, (), bots=seats - 1)
        except (SiteError, RulesError) as error:
            raise click.ClickException(narrate.refusal(game, narrate.FALLBACK, error)) from None
    wake_up.settle(5)
    title = narrate.title(game, narrate.FALLBACK)
    others = "one simple player" if seats == 2 else f"{seats - 1} simple players"
    say(f"{title} #{match_id}: a game for you and {others} of the computer.")
    found = serving(settings.data_dir)
    if found is None:
        say("Its first email goes out as soon as `tidepost serve` runs (or `tidepost worker`).")
    elif found.mail:
        say(f"Its first email is at {found.mail}/ : open it and confirm the game.")
    else:
        say(f"Its first email goes to {address}.")

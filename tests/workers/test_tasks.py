"""A real worker on each broker: what is due goes out, by the bell or without it, and after a violent end."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from celery import Celery
from celery.beat import Scheduler
from redis import Redis

from app.mail.hooks import rounds as hooks
from app.mail.outbound import deliver as postman
from app.play.deadlines import health, sweep
from app.play.lobby import expiry
from app.play.lobby.create import create_match
from app.settings import Settings
from app.store import heartbeat
from app.store.broker import PREFIX, QUEUE
from app.store.session import Store
from app.store.wakeup import WakeUp
from tests.mail.sinks import Mailbox, mail_server
from tests.servers import PATIENCE, database_in, until
from workers import app as worker_app
from workers import tasks
from workers.beat import EVERY, SCHEDULE
from workers.postmen import MANY, Postmen

ROOT = Path(__file__).parent.parent.parent
KEY = "a key for tests that nobody else has: 0123456789"


class Crew:
    """A worker as a process, the store that it shares with the test, and the mail server it sends to."""

    def __init__(self, folder: Path, broker: str, smtp: str) -> None:
        url = database_in(folder)
        self.folder, self.broker = folder, broker
        self.bell = WakeUp(broker, folder)
        self.store = Store(url, self.bell)
        self.environment = os.environ | {
            "TIDEPOST_DATA_DIR": str(folder),
            "TIDEPOST_DATABASE_URL": url,
            "TIDEPOST_BROKER_URL": broker,
            "TIDEPOST_SMTP_URL": smtp,
            "TIDEPOST_SECRET_KEYS": KEY,
            "PYTHONPATH": str(ROOT),
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> None:
        log = (self.folder / "worker.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", "worker", *options],
            env=self.environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        log.close()

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            if how == signal.SIGTERM:
                self.process.terminate()  # as an operator does: the parent lets its children finish
            elif self.process.poll() is None:
                os.killpg(self.process.pid, how)
            self.process.wait(PATIENCE)
        self.process = None

    def close(self) -> None:
        self.end()
        self.store.engine.dispose()

    def open_table(self, name: str) -> str:
        address = f"{name}@example.org"
        create_match(self.store, "survive", 3, {}, address, (), bots=2)
        return address

    def wait_for(self, mailbox: Mailbox, address: str) -> None:
        until(lambda: mailbox.to(address), f"a letter to {address}", (self.folder / "worker.log").read_text)


@pytest.fixture
def mail() -> Iterator[tuple[str, Mailbox]]:
    with mail_server() as served:
        yield served


@pytest.fixture(params=["folder", "redis", "rabbitmq"])
def crew(request: pytest.FixtureRequest, tmp_path: Path, mail: tuple[str, Mailbox]) -> Iterator[Crew]:
    broker = "folder://" if request.param == "folder" else request.getfixturevalue(request.param)
    made = Crew(tmp_path, broker, mail[0])
    yield made
    made.close()


@pytest.mark.slow
def test_a_letter_goes_out_when_the_bell_rings_and_after_the_worker_was_killed(crew, mail):
    mailbox = mail[1]
    crew.start()  # without beat: what is due is found by the bell alone
    crew.wait_for(mailbox, crew.open_table("ada"))
    crew.wait_for(mailbox, crew.open_table("bo"))
    crew.end(signal.SIGKILL)
    address = crew.open_table("cleo")
    crew.start()
    crew.wait_for(mailbox, address)
    assert len(mailbox.letters) == 3


@pytest.mark.slow
def test_several_processes_send_each_letter_once(tmp_path, mail):
    crews = [Crew(tmp_path, "folder://", mail[0]) for _ in range(2)]
    try:
        crews[0].start("--pool", "prefork", "--concurrency", "2")
        crews[1].start()
        addresses = [crews[0].open_table(f"player{n}") for n in range(12)]
        for address in addresses:
            crews[0].wait_for(mail[1], address)
    finally:
        for crew in crews:
            crew.close()
    assert sorted(to for to, _ in mail[1].letters) == sorted(addresses)


@pytest.mark.slow
def test_a_whole_group_that_is_told_to_end_ends(tmp_path, mail):
    """A service manager sends the signal to each process, and not to the first alone."""
    crew = Crew(tmp_path, "folder://", mail[0])
    try:
        crew.start("--pool", "prefork", "--concurrency", "2")
        crew.wait_for(mail[1], crew.open_table("ada"))
        assert crew.process is not None
        os.killpg(crew.process.pid, signal.SIGTERM)
        assert crew.process.wait(PATIENCE) == 0
    finally:
        crew.end(signal.SIGKILL)
        crew.close()


@pytest.fixture
def at_home(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Tasks called as functions, in the test's own house; what they would send to others is kept."""
    settings = Settings("", "folder://", "", "", "http://h.example", "h.example", (KEY,), tmp_path)
    made = worker_app.Site(
        settings,
        store,
        Postmen(lambda: postman.run_batch(store, settings)),
        Postmen(lambda: False),
        Postmen(lambda: hooks.run_batch(store, settings), worker_app.MESSENGERS),
    )
    monkeypatch.setattr(tasks, "site", lambda: made)
    return store


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, float]]:
    """With which options rounds of the postman were asked for."""
    asked: list[dict[str, float]] = []
    monkeypatch.setattr(tasks.deliver, "apply_async", lambda **options: asked.append(options))
    return asked


def test_a_tick_gives_a_sign_of_life_and_rings(at_home, clock, monkeypatch, rounds):
    monkeypatch.setattr(postman, "due", lambda _store, most: ["one", "two"][:most])
    tasks.tick()
    assert rounds == [{"expires": tasks.FRESH}] * 2
    assert heartbeat.last(at_home, "tick") == clock.now()
    clock.advance(minutes=1)
    tasks.tick()
    assert heartbeat.last(at_home, "tick") == clock.now()


def test_a_sweep_of_the_workers_own_needs_no_broker(at_home, clock, monkeypatch, rounds):
    rung: list[int] = []
    monkeypatch.setattr(tasks.site().postmen, "ring", lambda: rung.append(1))
    tasks.sweep_alone()
    assert heartbeat.last(at_home, "tick") == clock.now()
    assert (rung, rounds) == ([1], [])


@pytest.mark.usefixtures("at_home")
def test_letters_go_out_whatever_is_wrong_with_the_other_sweeps(monkeypatch, rounds, caplog):
    def fails(_store, *_):
        raise ZeroDivisionError

    monkeypatch.setattr(sweep, "tick", fails)
    monkeypatch.setattr(expiry, "remind_and_expire", fails)
    monkeypatch.setattr(postman, "due", lambda _store, _most: ["one"])
    tasks.tick()
    assert len(rounds) == 1
    assert caplog.text.count("a sweep failed") == 2


def test_a_part_of_the_sweeps_that_fails_is_seen(at_home, monkeypatch, clock, rounds):  # noqa: ARG001
    """The others give their sign of life; health is red all the same, and well again with that part."""
    tasks.tick()

    def fails(_store, *_):
        raise ZeroDivisionError

    with monkeypatch.context() as broken:
        broken.setattr(expiry, "remind_and_expire", fails)
        for minutes in (10, 6):
            clock.advance(minutes=minutes)
            tasks.tick()
    (wrong,) = health.health(at_home, 0).wrong
    assert wrong.startswith(
        f"a part of the sweeps has failed since {heartbeat.last(at_home, 'sweep'):%Y-%m-%d}"
    )
    tasks.tick()
    assert health.health(at_home, 0).wrong == ()


@pytest.mark.usefixtures("at_home")
def test_however_many_letters_wait_the_queue_stays_short(monkeypatch, rounds):
    monkeypatch.setattr(postman, "due", lambda _store, most: [str(n) for n in range(10_000)][:most])
    tasks.wake()
    assert len(rounds) == tasks.ROUNDS


def test_who_leaves_letters_makes_another_round(at_home, monkeypatch):
    left = [True, True, False]
    monkeypatch.setattr(postman, "run_batch", lambda *_: left.pop(0))
    tasks.deliver()
    assert tasks.site().postmen.settle(PATIENCE)
    assert left == []
    assert at_home


def test_a_mail_server_that_hangs_holds_no_task_and_ends_no_round(at_home, monkeypatch, clock):
    """All postmen wait for it; sweeps go on, and a ring in between is answered when one is free."""
    goes_on, inside, rounds = threading.Event(), threading.Semaphore(0), []

    def hang(*_):
        rounds.append(1)
        inside.release()
        assert goes_on.wait(PATIENCE)
        return False

    monkeypatch.setattr(postman, "run_batch", hang)
    for _ in range(MANY):
        tasks.deliver()
    for _ in range(MANY):
        assert inside.acquire(timeout=PATIENCE)
    for _ in range(20):
        tasks.deliver()  # returns at once
    tasks.tick()
    assert heartbeat.last(at_home, "tick") == clock.now()
    assert len(rounds) == MANY
    goes_on.set()
    assert tasks.site().postmen.settle(PATIENCE)
    assert MANY < len(rounds) <= 2 * MANY


def test_a_webhook_that_hangs_holds_no_task_and_no_letter(at_home, monkeypatch, clock):
    goes_on, inside, letters = threading.Event(), threading.Semaphore(0), []

    def hang(*_):
        inside.release()
        assert goes_on.wait(PATIENCE)
        return False

    monkeypatch.setattr(hooks, "run_batch", hang)
    monkeypatch.setattr(hooks, "waiting", lambda _store: True)
    monkeypatch.setattr(tasks.call, "apply_async", lambda **_: tasks.call())
    monkeypatch.setattr(postman, "run_batch", lambda *_: letters.append(1))
    for _ in range(9):
        tasks.tick()
    for _ in range(worker_app.MESSENGERS):
        assert inside.acquire(timeout=PATIENCE)
    assert heartbeat.last(at_home, "tick") == clock.now()
    tasks.deliver()
    assert tasks.site().postmen.settle(PATIENCE)
    assert letters == [1]
    goes_on.set()
    assert tasks.site().callers.settle(PATIENCE)


def test_a_round_that_fails_is_not_the_last(at_home, monkeypatch, caplog):
    rounds = []

    def fail(*_):
        rounds.append(1)
        raise OSError("the database is away")

    monkeypatch.setattr(postman, "run_batch", fail)
    for _ in range(2):
        tasks.deliver()
        assert tasks.site().postmen.settle(PATIENCE)
    assert len(rounds) == 2
    assert "a round of emails failed" in caplog.text
    assert at_home


def test_who_is_asked_to_end_begins_no_other_round():
    rounds = []
    postmen = Postmen(lambda: bool(rounds.append(1)) or postmen.end() is None)
    postmen.ring()
    assert postmen.settle(PATIENCE)
    postmen.ring()
    assert postmen.settle(PATIENCE)
    assert rounds == [1]


def test_no_number_of_failures_ends_a_worker_or_beat():
    """Celery gives up after a hundred tries to reach a broker, some 46 minutes, if not told otherwise."""
    made = worker_app.make(Settings("", "redis://h", "", "", "http://h", "h", (KEY,), Path("/nowhere")))
    assert made.conf.broker_connection_max_retries is None
    assert made.conf.broker_connection_retry
    assert made.conf.broker_connection_retry_on_startup


def message(headers, properties, **more):
    return msgspec.json.encode({"headers": headers, "properties": properties, **more})


OURS = {"task": "wake", "id": "a"}
FOREIGN = (
    b"no JSON",
    b"\xff",
    b"{}",
    b"[]",
    b"7",
    b"null",
    message([], {}),
    message({}, {"delivery_tag": "a", "delivery_info": {}}),
    message({"task": "wake"}, {"delivery_tag": "a"}, body=""),
    message({"task": ["wake"], "id": "a"}, {"delivery_tag": "b"}),
    message(OURS, {"delivery_tag": {}}),
    message(OURS, {"delivery_tag": "c", "body_encoding": "x"}, body="y"),
    message({"task": "other", "id": "a"}, {"delivery_tag": "d", "delivery_info": {}}),
    message(OURS | {"expires": []}, {"delivery_tag": "e", "delivery_info": {}}, body="W10="),
)


@pytest.mark.slow
def test_messages_of_others_in_redis_end_no_worker_and_our_keys_have_a_prefix(tmp_path, mail, redis):
    crew = Crew(tmp_path, redis, mail[0])
    client = Redis.from_url(redis)
    try:
        crew.start()
        crew.wait_for(mail[1], crew.open_table("ada"))
        for message in FOREIGN:
            client.lpush(f"{PREFIX}{QUEUE}", message)
        crew.wait_for(mail[1], crew.open_table("bo"))
        assert crew.process.poll() is None
        assert all(key.startswith(PREFIX.encode()) for key in client.scan_iter())
    finally:
        crew.close()
        client.close()


def test_ticks_that_nobody_took_in_time_are_not_piled_up():
    assert SCHEDULE["tick"]["options"]["expires"] < EVERY


def test_beat_asks_for_a_sweep_the_moment_it_starts_and_then_each_half_minute():
    """Else a house that has just begun were called ill; one whose beat never comes still is."""
    app = Celery("t", broker="memory://", set_as_current=False)
    app.conf.beat_schedule = SCHEDULE
    asked_for = []
    beat = Scheduler(app, lazy=True)
    beat.apply_async = lambda entry, **_: asked_for.append(entry.task)
    beat.setup_schedule()
    for _ in range(3):
        wait = beat.tick()
    assert asked_for == ["tick"]
    assert 0 < wait <= EVERY


def test_a_worker_without_a_mail_server_says_so(tmp_path):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TIDEPOST_")}
    shown = subprocess.run(
        [sys.executable, "-m", "app.cli", "worker"],
        env=kept | {"TIDEPOST_DATA_DIR": str(tmp_path), "TIDEPOST_SECRET_KEYS": KEY, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 1
    assert "TIDEPOST_SMTP_URL is not set" in shown.stderr

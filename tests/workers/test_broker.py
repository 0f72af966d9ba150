"""The way to the workers: nothing lost, nothing twice, nobody kept waiting."""

import multiprocessing
import os
import threading
from pathlib import Path

import pytest
from kombu import Connection

from app.mail.outbound import deliver
from app.play.lobby.create import create_match
from app.store import wakeup
from app.store.broker import QUEUE, celery_settings
from app.store.session import Store
from app.store.wakeup import WakeUp
from tests.servers import PATIENCE, database_in

EACH = 150


def connect(folder: Path) -> Connection:
    settings = celery_settings("folder://", folder)
    return Connection(settings["broker_url"], transport_options=settings["broker_transport_options"])


def produce(folder: Path, first: int) -> None:
    with connect(folder) as connection:
        queue = connection.SimpleQueue("work")
        for number in range(first, first + EACH):
            queue.put({"number": number})


def consume(folder: Path, out: Path) -> None:
    with connect(folder) as connection, out.open("w") as file:
        queue = connection.SimpleQueue("work")
        while True:
            message = queue.get(timeout=PATIENCE)
            message.ack()
            if message.payload == "no more":
                return
            file.write(f"{message.payload['number']}\n")


@pytest.mark.slow
def test_four_write_and_three_read_and_each_message_comes_once(tmp_path):
    context = multiprocessing.get_context("spawn")
    outs = [tmp_path / f"out{n}" for n in range(3)]
    readers = [context.Process(target=consume, args=(tmp_path, out)) for out in outs]
    writers = [context.Process(target=produce, args=(tmp_path, n * EACH)) for n in range(4)]
    for process in readers + writers:
        process.start()
    for process in writers:
        process.join(PATIENCE)
        assert process.exitcode == 0
    with connect(tmp_path) as connection:
        queue = connection.SimpleQueue("work")
        for _ in readers:
            queue.put("no more")
    for process in readers:
        process.join(PATIENCE)
        assert process.exitcode == 0
    numbers = sorted(int(line) for out in outs for line in out.read_text().split())
    assert numbers == list(range(4 * EACH))


def test_messages_come_in_the_order_in_which_they_were_sent(tmp_path):
    with connect(tmp_path) as connection:
        queue = connection.SimpleQueue("work")
        for number in range(20):
            queue.put({"number": number})
        assert queue.qsize() == 20
        assert [queue.get_nowait().payload["number"] for _ in range(20)] == list(range(20))


def test_a_file_that_is_no_message_stops_nobody(tmp_path):
    with connect(tmp_path) as connection:
        queue = connection.SimpleQueue("work")
        queue.put("first")
        (tmp_path / "broker" / "work" / "0-not-ours.json").write_text("")
        (tmp_path / "broker" / "work" / ".half-written").write_text('{"bo')
        assert queue.get_nowait().payload == "first"


def test_calls_at_once_are_sent_as_few(tmp_path):
    wake_up = WakeUp("folder://", tmp_path)
    for _ in range(100):
        wake_up()
    assert wake_up.settle(PATIENCE)
    with connect(tmp_path) as connection:
        queue = connection.SimpleQueue(QUEUE)
        assert 1 <= queue.qsize() < 20
        assert queue.get_nowait().headers["task"] == "wake"


def test_calls_soon_after_a_message_are_sent_as_one_and_at_once_if_somebody_waits(tmp_path, monkeypatch):
    monkeypatch.setattr(wakeup, "PAUSE", 3600.0)
    wake_up, sent, first = WakeUp("folder://", tmp_path), [], threading.Event()
    monkeypatch.setattr(wake_up, "send", lambda: (sent.append(True), first.set()))
    wake_up()
    assert first.wait(PATIENCE), "the first call waits for nothing"
    for _ in range(100):
        wake_up()
    assert wake_up.settle(PATIENCE)
    assert len(sent) == 2


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "amqp://127.0.0.1:1//"])
def test_a_broker_that_is_down_keeps_nobody_waiting(url, tmp_path, caplog):
    wake_up = WakeUp(url, tmp_path)
    wake_up()
    assert wake_up.settle(PATIENCE)
    assert "the workers were not woken" in caplog.text


def test_what_was_done_stands_while_the_broker_is_down(tmp_path, monkeypatch):
    wake_up = WakeUp("redis://127.0.0.1:1/0", tmp_path)
    over = threading.Event()

    def try_until_it_is_over():
        assert over.wait(PATIENCE)
        send()

    send = wake_up.send
    monkeypatch.setattr(wake_up, "send", try_until_it_is_over)
    store = Store(database_in(tmp_path), wake_up)
    match_id = create_match(store, "survive", 3, {}, "ada@example.org", (), bots=2)
    assert match_id
    assert not wake_up.settle(0), "the player waited for the broker"
    over.set()
    assert wake_up.settle(PATIENCE)
    assert len(deliver.due(store)) == 1, "the sweep must find the letter"
    store.engine.dispose()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_the_workers_are_woken_from_a_forked_process(tmp_path):
    wake_up = WakeUp("folder://", tmp_path)
    wake_up()
    assert wake_up.settle(PATIENCE)
    child = multiprocessing.get_context("fork").Process(target=lambda: (wake_up(), wake_up.settle(PATIENCE)))
    child.start()
    child.join(30)
    assert child.exitcode == 0
    with connect(tmp_path) as connection:
        assert connection.SimpleQueue(QUEUE).qsize() == 2

"""The way to the workers: nothing lost, nothing twice, nobody kept waiting."""

import multiprocessing
import os
import time
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

from app.mail.outbound import deliver
from app.play.lobby import invitations
from app.store.broker import QUEUE, celery_settings
from app.store.session import Store
from app.store.wakeup import WakeUp
from tests.servers import database_in

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
            try:
                message = queue.get(timeout=2)
            except Empty:
                return
            message.ack()
            file.write(f"{message.payload['number']}\n")


@pytest.mark.slow
def test_four_write_and_three_read_and_each_message_comes_once(tmp_path):
    context = multiprocessing.get_context("spawn")
    outs = [tmp_path / f"out{n}" for n in range(3)]
    readers = [context.Process(target=consume, args=(tmp_path, out)) for out in outs]
    writers = [context.Process(target=produce, args=(tmp_path, n * EACH)) for n in range(4)]
    for process in readers + writers:
        process.start()
    for process in readers + writers:
        process.join(60)
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


def test_the_bell_sends_ring_and_many_rings_at_once_are_few(tmp_path):
    bell = WakeUp("folder://", tmp_path)
    for _ in range(100):
        bell()
    assert bell.settle(20)
    with connect(tmp_path) as connection:
        queue = connection.SimpleQueue(QUEUE)
        assert 1 <= queue.qsize() < 20
        assert queue.get_nowait().headers["task"] == "ring"


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "amqp://127.0.0.1:1//"])
def test_a_broker_that_is_down_keeps_nobody_waiting(url, tmp_path, caplog):
    bell = WakeUp(url, tmp_path)
    bell()
    assert bell.settle(20)
    assert "the bell did not ring" in caplog.text


def test_what_was_done_stands_while_the_broker_is_down(tmp_path):
    bell = WakeUp("redis://127.0.0.1:1/0", tmp_path)
    store = Store(database_in(tmp_path), bell)
    start = time.monotonic()
    match_id = invitations.open_table(store, "survive", 3, {}, "ada@example.org", (), bots=2)
    assert time.monotonic() - start < 1, "the player waited for the broker"
    assert match_id
    assert len(deliver.due(store)) == 1, "the sweep must find the letter"
    assert bell.settle(20)
    store.engine.dispose()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_the_bell_rings_in_a_forked_process(tmp_path):
    bell = WakeUp("folder://", tmp_path)
    bell()
    assert bell.settle(20)
    child = multiprocessing.get_context("fork").Process(target=lambda: (bell(), bell.settle(20)))
    child.start()
    child.join(30)
    assert child.exitcode == 0
    with connect(tmp_path) as connection:
        assert connection.SimpleQueue(QUEUE).qsize() == 2

"""Letters one after another by one connection, whatever the mail server does to it."""

import socket
import threading

import pytest

from app.mail.outbound import smtp, wire
from tests.mail.sinks import DRIPPING, HALF, mail_server, moody_server
from tests.mail.test_smtp import Steps, letter, send
from tests.servers import until


def test_letters_of_a_round_go_by_one_connection_which_ends_with_it():
    with moody_server("", b"") as (url, server):
        with smtp.kept():
            for _ in range(3):
                send(url)
            assert server.verbs.count("quit") == 0
        assert (server.calls, server.taken) == (1, 3)
        assert server.verbs[-1] == "quit"


def test_outside_of_a_round_nothing_is_kept():
    with moody_server("", b"") as (url, server):
        for _ in range(2):
            send(url)
    assert (server.calls, server.verbs.count("quit")) == (2, 2)


def test_each_letter_arrives_whole_and_once_at_a_real_server():
    with mail_server() as (url, mailbox), smtp.kept():
        for number in range(5):
            send(url, letter(f"{number}\n"), f"p{number}@example.org")
        bodies = [message.get_content().strip() for _, message in mailbox.letters]
    assert bodies == ["0", "1", "2", "3", "4"]
    assert [to for to, _ in mailbox.letters] == [f"p{number}@example.org" for number in range(5)]


@pytest.mark.parametrize("bound", ["MOST", "IDLE", "LIFE"])
def test_a_connection_that_is_worn_out_is_replaced(bound, monkeypatch):
    monkeypatch.setattr(wire, bound, {"MOST": 1}.get(bound, -1.0))
    with moody_server("", b"") as (url, server), smtp.kept():
        for _ in range(3):
            send(url)
    assert (server.calls, server.taken, server.verbs.count("quit")) == (3, 3, 3)


def test_a_connection_that_the_server_closed_meanwhile_is_replaced():
    with moody_server("", b"") as (url, server), smtp.kept():
        send(url)
        server.sessions[0].shutdown(socket.SHUT_RDWR)
        send(url)
    assert (server.calls, server.taken) == (2, 2)


def test_a_server_that_says_farewell_meanwhile_is_left():
    with moody_server("", b"") as (url, server), smtp.kept():
        send(url)
        server.sessions[0].sendall(b"421 idle for too long\r\n")
        server.sessions[0].shutdown(socket.SHUT_WR)
        send(url)
    assert (server.calls, server.taken) == (2, 2)


def test_a_real_server_that_closes_idle_connections():
    with mail_server(timeout=0.2) as (url, mailbox), smtp.kept():
        send(url)
        kept = smtp._box.connection
        until(lambda: not kept.serves(kept.server), "the end of the connection")
        send(url)
    assert len(mailbox.letters) == 2


BEFORE = ["mail", "rcpt", "data"]
"""The places before the text: what happens there to a kept connection costs a new one, and no letter."""


@pytest.mark.parametrize("answer", [b"421 too many", None, HALF])
@pytest.mark.parametrize("place", BEFORE)
def test_a_server_that_ends_it_before_the_text_gets_the_letter_by_a_new_one(place, answer):
    with moody_server(place, answer, after=2) as (url, server), smtp.kept():
        for _ in range(5):
            send(url)
        steps = Steps(server)
        smtp.send(url, "house@example.org", "ada@example.org", letter(), steps)
    assert server.taken == 6
    assert server.calls == 3
    assert [one[0] for one in steps.seen] == ["begins", "taken"]


@pytest.mark.parametrize("answer", [b"450 enough of you", b"550 enough of you"])
def test_a_sender_that_was_welcome_before_is_tried_once_by_a_new_connection(answer):
    with moody_server("mail", answer, after=1) as (url, server), smtp.kept():
        for _ in range(2):
            send(url)
    assert (server.calls, server.taken) == (2, 2)


@pytest.mark.parametrize("place", BEFORE)
def test_the_new_connection_is_the_last_try(place):
    with moody_server("", b"") as (url, server), smtp.kept():
        send(url)
        server.mood = (place, None)
        for one in server.sessions:
            one.shutdown(socket.SHUT_RDWR)
        with pytest.raises(smtp.TryLater) as caught:
            send(url)
        assert caught.value.word == "connection"
        assert (server.calls, server.taken) == (2, 1)


@pytest.mark.parametrize(
    ("answer", "error"),
    [(None, smtp.Lost), (HALF, smtp.Lost), (b"421 no more", smtp.TryLater), (b"554 spam", smtp.Refused)],
)
def test_after_the_text_nothing_is_handed_over_twice(answer, error):
    with moody_server("text", answer, after=1) as (url, server), smtp.kept():
        send(url)
        steps = Steps(server)
        with pytest.raises(error):
            smtp.send(url, "house@example.org", "ada@example.org", letter(), steps)
        assert server.calls == 1
        assert [one[0] for one in steps.seen] == ["begins"]
        assert server.text.count(b"Hello") == 2
        send(url)
    assert server.calls == 2


@pytest.mark.parametrize("answer", [b"550 nobody here", b"450 later"])
def test_a_refused_recipient_is_refused_once(answer):
    with moody_server("rcpt", answer, after=1) as (url, server), smtp.kept():
        send(url)
        with pytest.raises(smtp.Unsent) as caught:
            send(url)
    assert caught.value.word == "address_refused"
    assert server.calls == 1


def test_what_could_not_be_recorded_is_not_sent_by_it():
    class Unrecorded(Steps):
        def begins(self):
            raise RuntimeError("no database")

    with moody_server("", b"") as (url, server), smtp.kept():
        send(url)
        with pytest.raises(RuntimeError):
            smtp.send(url, "house@example.org", "ada@example.org", letter(), Unrecorded(server))
        assert server.calls == 1
        send(url)
    assert (server.calls, server.taken) == (2, 2)
    assert server.text.count(b"Hello") == 2


def test_one_deadline_is_over_both_tries(monkeypatch):
    monkeypatch.setattr(wire, "WHOLE", 0.4)
    with moody_server("mail", DRIPPING, after=1) as (url, server), smtp.kept():
        send(url)
        server.after = 0
        with pytest.raises(smtp.TryLater):
            send(url)
    assert server.taken == 1


def test_another_server_gets_a_connection_of_its_own():
    with moody_server("", b"") as (one, first), moody_server("", b"") as (two, second), smtp.kept():
        send(one)
        send(two)
    assert (first.taken, second.taken) == (1, 1)


def test_each_thread_keeps_its_own():
    with moody_server("", b"") as (url, server):

        def two():
            with smtp.kept():
                send(url)
                send(url)

        threads = [threading.Thread(target=two) for _ in range(3)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    assert (server.calls, server.taken) == (3, 6)


def test_no_deadline_outlives_a_kept_connection():
    with mail_server() as (url, _mailbox):
        with smtp.kept():
            for _ in range(3):
                send(url)
        left = [one for one in threading.enumerate() if isinstance(one, threading.Timer)]
    assert [one for one in left if not one.finished.is_set()] == []

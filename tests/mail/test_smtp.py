"""Handing a letter over: taken, refused, not yet, or nobody knows."""

import base64
import socket
import threading
from email import policy
from email.message import EmailMessage

import pytest

from app.mail.bounces.refusals import About
from app.mail.outbound import smtp, wire
from tests.mail.sinks import DRIPPING, HALF, mail_server, moody_server


def letter(body="Hello\n"):
    message = EmailMessage(policy=policy.SMTP)
    message["From"], message["To"], message["Subject"] = "house@example.org", "ada@example.org", "Ferry"
    message.set_content(body)
    return message


def base64_of(text):
    return base64.b64encode(text.encode()).decode()


def send(url, message=None, to="ada@example.org"):
    smtp.send(url, "house@example.org", to, message or letter())


def test_a_letter_arrives_as_it_was_written():
    body = "A line\n.\n..two dots\n.one\nÄ board: ⛵\nFrom the isle to the land.\n"
    with mail_server() as (url, mailbox):
        send(url, letter(body))
    assert mailbox.to("ada@example.org")[0].get_content().splitlines() == body.splitlines()


def test_a_plain_line_that_begins_with_from_is_not_quoted():
    with mail_server() as (url, mailbox):
        send(url, letter("From the isle to the land.\n"))
    assert mailbox.to("ada@example.org")[0].get_content().strip() == "From the isle to the land."


@pytest.mark.parametrize(
    ("place", "answer", "error", "word"),
    [
        ("greeting", b"554 go away", smtp.TryLater, "relay"),
        ("greeting", None, smtp.TryLater, "connection"),
        ("mail", b"550 not from you", smtp.TryLater, "relay"),
        ("rcpt", b"451 greylisted", smtp.TryLater, "address_refused"),
        ("rcpt", b"421 closing", smtp.TryLater, "address_refused"),
        ("rcpt", b"550 5.1.1 nobody of that name", smtp.Refused, "address_refused"),
        ("rcpt", None, smtp.TryLater, "connection"),
        ("data", b"451 busy", smtp.TryLater, "letter_refused"),
        ("data", None, smtp.TryLater, "connection"),
        ("text", b"451 disk full", smtp.TryLater, "letter_refused"),
        ("text", b"550 5.7.1 spam", smtp.Refused, "letter_refused"),
    ],
)
def test_what_the_server_says_decides_whether_to_try_again(place, answer, error, word):
    with moody_server(place, answer) as (url, _server), pytest.raises(smtp.Unsent) as caught:
        send(url)
    assert type(caught.value) is error
    assert caught.value.word == word


def test_a_connection_lost_after_the_last_dot_leaves_it_open_whether_the_letter_went():
    with moody_server("text", None) as (url, server), pytest.raises(smtp.Lost):
        send(url)
    assert b"Hello" in server.text


@pytest.mark.parametrize("answer", [b"251 taken", b"200 ok", b"250-taken\r\n250 really", b"250"])
def test_every_good_answer_to_the_text_is_one(answer):
    """Else the letter would go out once more with each try."""
    with moody_server("text", answer) as (url, server):
        send(url)
    assert b"Hello" in server.text


@pytest.mark.parametrize("answer", [b"ok", b"", b"taken as 4711", b"999 what"])
def test_an_answer_to_the_text_that_is_none_leaves_it_open_whether_the_letter_went(answer):
    with moody_server("text", answer) as (url, _server), pytest.raises(smtp.Lost):
        send(url)


@pytest.mark.parametrize(
    ("ways", "answers", "told"),
    [
        (b"PLAIN LOGIN", [b"235 welcome"], "PLAIN " + base64_of("\0ada\0ge\u00fcheim")),
        (b"LOGIN", [b"334 now", b"235 welcome"], base64_of("ge\u00fcheim")),
    ],
)
def test_a_password_beyond_ascii_is_sent_in_utf_8(ways, answers, told, monkeypatch):
    seen, said = [], wire.Connection.docmd

    def docmd(self, verb, more=""):
        if not answers:
            return said(self, verb, more)
        seen.append(f"{verb} {more}".strip())
        return int(answers[0][:3]), answers.pop(0)

    monkeypatch.setattr(wire.Connection, "docmd", docmd)
    with moody_server("ehlo", b"250-moody\r\n250 AUTH " + ways) as (url, server):
        send(url.replace("//", "//ada:ge%C3%BCheim@"))
    assert seen[-1].endswith(told)
    assert b"Hello" in server.text


@pytest.mark.parametrize("ways", [b"PLAIN", b"LOGIN", b"CRAM-MD5"])
def test_a_password_beyond_ascii_that_is_refused_is_a_fault_of_the_settings_and_is_not_quoted(ways):
    with (
        moody_server("ehlo", b"250-moody\r\n250 AUTH " + ways) as (url, _server),
        pytest.raises(smtp.TryLater) as caught,
    ):
        send(url.replace("//", "//ada:ge%C3%BCheim@"))
    assert caught.value.concerns_all
    assert "\u00fc" not in str(caught.value)


def test_silence_after_the_last_dot_is_not_waited_out_for_ever(monkeypatch):
    monkeypatch.setattr(wire, "TAKING", 0.2)
    with moody_server("text", b"250-and so on") as (url, _server), pytest.raises(smtp.Lost):
        send(url)


def test_what_goes_wrong_after_the_letter_was_taken_does_not_matter():
    with moody_server("quit", None) as (url, server):
        send(url)
    assert b"Hello" in server.text


class Steps:
    """What a hand-over tells of its progress, with what the server has at that moment."""

    def __init__(self, server) -> None:
        self.server, self.seen = server, []

    def begins(self):
        self.seen.append(("begins", bytes(self.server.text), self.server.verbs[-1]))

    def taken(self):
        self.seen.append(("taken", b"Hello" in self.server.text, self.server.verbs[-1]))


def test_what_must_be_recorded_is_told_before_the_text_and_before_the_parting():
    with moody_server("", b"") as (url, server):
        steps = Steps(server)
        smtp.send(url, "house@example.org", "ada@example.org", letter(), steps)
    assert steps.seen == [("begins", b"", "data"), ("taken", True, "data")]
    assert server.verbs[-1] == "quit"


@pytest.mark.parametrize("place", ["greeting", "ehlo", "mail", "rcpt", "data"])
def test_a_server_that_talks_for_ever_is_cut_off(place, monkeypatch):
    """Each byte comes before any patience ends: one deadline is over all of them."""
    monkeypatch.setattr(wire, "WHOLE", 0.3)
    with moody_server(place, DRIPPING) as (url, server), pytest.raises(smtp.TryLater) as caught:
        send(url)
    assert caught.value.word == "connection"
    assert server.text == b""


@pytest.mark.parametrize("scheme", ["smtp", "smtps", "smtp+starttls"])
def test_a_name_that_is_looked_up_for_ever_is_left(scheme, monkeypatch):
    ended = threading.Event()
    monkeypatch.setattr(wire, "WHOLE", 0.1)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: ended.wait() and [])
    try:
        with pytest.raises(smtp.TryLater) as caught:
            send(f"{scheme}://mail.example")
    finally:
        ended.set()
    assert caught.value.word == "connection"


@pytest.mark.parametrize("place", ["greeting", "ehlo", "starttls"])
def test_a_server_that_talks_for_ever_before_tls_is_cut_off(place, monkeypatch):
    monkeypatch.setattr(wire, "WHOLE", 0.3)
    with moody_server(place, DRIPPING) as (url, _server), pytest.raises(smtp.TryLater) as caught:
        send(url.replace("smtp", "smtps" if place == "greeting" else "smtp+starttls"))
    assert caught.value.word in ("connection", "relay")


def test_a_server_that_talks_for_ever_after_the_last_dot_is_cut_off(monkeypatch):
    monkeypatch.setattr(wire, "WHOLE", 0.3)
    with moody_server("text", DRIPPING) as (url, _server), pytest.raises(smtp.Lost):
        send(url)


def test_half_an_answer_is_none():
    with moody_server("text", HALF) as (url, _server), pytest.raises(smtp.Lost):
        send(url)
    with moody_server("rcpt", HALF) as (url, _server), pytest.raises(smtp.TryLater) as caught:
        send(url)
    assert caught.value.word == "connection"


def test_a_server_that_never_parts_is_left(monkeypatch):
    monkeypatch.setattr(wire, "PARTING", 0.1)
    with moody_server("quit", DRIPPING) as (url, server):
        send(url)
    assert b"Hello" in server.text


def test_no_deadline_outlives_its_connection():
    before = threading.active_count()
    with mail_server() as (url, _mailbox):
        for _ in range(3):
            send(url)
    with moody_server("rcpt", b"550 no") as (url, _server), pytest.raises(smtp.Refused):
        send(url)
    assert [one for one in threading.enumerate() if isinstance(one, threading.Timer) and one.is_alive()] == []
    assert threading.active_count() <= before + 1


@pytest.mark.parametrize(
    ("place", "answer", "about", "all_letters"),
    [
        ("greeting", b"554 5.7.1 you are in a list", About.US, True),
        ("mail", b"550 5.7.1 sender refused", About.US, True),
        ("mail", b"451 4.7.1 not so fast", About.LATER, True),
        ("mail", b"552 5.3.4 too big", About.POLICY, False),
        ("rcpt", b"550 5.1.1 user unknown", About.PERSON, False),
        ("rcpt", b"550 5.7.1 on the suppression list", About.US, False),
        ("rcpt", b"552 5.2.2 full", About.FULL, False),
        ("rcpt", b"452 4.2.2 full", About.FULL, False),
        ("rcpt", b"450 4.2.0 greylisted", About.LATER, False),
        ("data", b"554 5.5.1 no valid recipients", About.US, False),
        ("text", b"554 5.7.1 spam", About.US, False),
        ("text", b"554 5.6.0 content", About.POLICY, False),
        ("text", b"452 4.3.1 no room", About.LATER, False),
    ],
)
def test_each_refusal_says_what_it_is_about_and_if_others_would_fare_no_better(
    place, answer, about, all_letters
):
    with moody_server(place, answer) as (url, _server), pytest.raises(smtp.Unsent) as caught:
        send(url)
    assert (caught.value.about, caught.value.concerns_all) == (about, all_letters)


def test_nobody_at_home_is_no_refusal():
    with pytest.raises(smtp.TryLater):
        send("smtp://127.0.0.1:1")


def test_an_address_beyond_ascii_needs_a_server_that_takes_it():
    with mail_server(enable_SMTPUTF8=False) as (url, _mailbox), pytest.raises(smtp.Refused) as caught:
        send(url, to="ådå@example.org")
    assert caught.value.word == "address_refused"
    with mail_server(enable_SMTPUTF8=True) as (url, mailbox):
        send(url, to="ådå@example.org")
        send(url, to="ada@bücher.example")
    assert [to for to, _ in mailbox.letters] == ["ådå@example.org", "ada@xn--bcher-kva.example"]


def test_a_domain_beyond_ascii_is_named_as_in_dns():
    with mail_server() as (url, mailbox):
        send(url, to="ada@straße.example")
    assert mailbox.to("ada@xn--strae-oqa.example")
    with mail_server() as (url, _mailbox), pytest.raises(smtp.Refused):
        send(url, to="ada@ä\u2603..example")


def test_servers_are_written_as_addresses_and_passwords_do_not_show():
    relay = wire.relay("smtp+starttls://ada%40example.org:s%2Fecret@mail.example.org")
    assert (relay.host, relay.port, relay.user, relay.password) == (
        "mail.example.org",
        587,
        "ada@example.org",
        "s/ecret",
    )
    assert "ecret" not in repr(relay)
    assert wire.relay("smtps://mail.example.org").port == 465
    assert wire.relay("smtp://mail.example.org?starttls") == wire.relay("smtp+starttls://mail.example.org")
    for wrong in ("mail.example.org", "http://mail.example.org", "smtp://"):
        with pytest.raises(ValueError, match="smtp"):
            wire.relay(wrong)

"""Mail that comes in: kept before it is acknowledged, once, and only for addresses that are ours."""

import smtplib
import socket
import threading
from base64 import b64encode, encodebytes
from datetime import timedelta
from email.header import Header
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest
from click.testing import CliRunner
from sqlalchemy import text

from app import cli
from app.mail.core import inbound_address
from app.mail.inbound import dead_letters, poller
from app.mail.inbound import store as inbox
from app.mail.inbound.health import whole_health
from app.mail.inbound.listener import listening
from app.mail.inbound.store import Taken, take_in
from app.play.match import links
from app.retention.sweep import sweep
from app.settings import Keep, Settings
from app.store import tokens
from app.store.session import Store
from app.web.core import allowances
from tests.mail.imap import Box, imap_server
from tests.play import cast
from tests.servers import free_port

DOMAIN = "play.example.org"
KEY = "a key for tests that nobody else has: 0123456789"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings("", "folder://", "", "pipe:", "https://play.example.org", DOMAIN, (KEY,), tmp_path)


@pytest.fixture
def token(store: Store) -> str:
    """One to reply by, to a letter about no match."""
    return minted(store)


def minted(store: Store, **what) -> str:
    with store.transaction() as connection:
        return links.mint(connection, "reply", **what)


def mail(to: str = "somebody@example.org", number: int = 1, body: str = "help", **headers: str) -> bytes:
    named = {"From": "ada@example.org", "To": to, "Message-ID": f"<{number}@example.org>", **headers}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in named.items() if value]
    return ("\r\n".join((*lines, "", body)) + "\r\n").encode()


def kept(store: Store) -> list[bytes]:
    return [bytes(row.raw) for row in cast.rows(store, "SELECT raw FROM incoming ORDER BY received_at, key")]


def test_a_mail_is_there_as_it_came_when_the_answer_is_yes_and_the_bell_rings_once(
    store, settings, token, rings
):
    raw = mail() + b"\x00\xff\xfe not text at all"
    address = f"r+{token}@{DOMAIN}"
    rings.clear()
    assert take_in(store, settings, raw, [address], "stdin") is Taken.KEPT
    assert kept(store) == [raw]
    assert rings == [None]
    row = cast.one(store, "SELECT * FROM incoming")
    assert (row.status, row.kind, row.recipient) == ("waiting", "reply", "r+…")
    assert row.token_hash == tokens.hash_of(token)


def test_the_token_is_found_however_a_mail_system_spelt_or_folded_it(store, settings, token):
    for number, spelt in enumerate(
        (
            f"R+{token.upper()}@{DOMAIN.upper()}",
            f"<r+{token}@{DOMAIN}>",
            f'"Tidepost, the house" <r+{token}@{DOMAIN}>',
            f"someone@example.net,\r\n r+{token}@{DOMAIN}",
            f"<r+{token[:9]}\r\n\t{token[9:]}@{DOMAIN}>",
        )
    ):
        assert take_in(store, settings, mail(spelt, number), (), "imap") is Taken.KEPT, spelt
    for number, header in enumerate(inbound_address.HEADERS, start=100):
        raw = mail(number=number, **{header: f"<r+{token}@{DOMAIN}>"}) if header not in ("to", "cc") else None
        if raw is not None:
            assert take_in(store, settings, raw, (), "imap") is Taken.KEPT, header


def test_the_envelope_counts_before_the_headers(store, settings, token):
    other = minted(store)
    raw = mail(f"r+{other}@{DOMAIN}")
    assert take_in(store, settings, raw, [f"r+{token}@{DOMAIN}"], "listener") is Taken.KEPT
    (row,) = cast.rows(store, "SELECT token_hash FROM incoming")
    assert row.token_hash == tokens.hash_of(token)


@pytest.mark.parametrize(
    "address",
    [
        "r+{other}@play.example.org",
        "r+{token}@elsewhere.example.org",
        "{token}@play.example.org",
        "r-{token}@play.example.org",
        "r+{token}x@play.example.org",
        "r+@play.example.org",
        "tidepost@play.example.org",
        "",
        "@",
    ],
)
def test_mail_for_nobody_here_leaves_no_trace(store, settings, token, address, rings):
    rings.clear()
    filled = address.format(token=token, other="a" * 26)
    assert take_in(store, settings, mail(filled), [filled], "listener") is Taken.UNKNOWN
    assert kept(store) == []
    assert rings == []


def test_a_token_of_another_kind_is_no_address(store, settings):
    with store.transaction() as connection:
        turn = links.mint(connection, "turn")
    assert take_in(store, settings, mail(), [f"r+{turn}@{DOMAIN}"], "listener") is Taken.UNKNOWN


def test_a_letter_can_be_answered_until_sixty_days_after_the_end(store, settings, toy, clock):  # noqa: ARG001
    match = cast.seat(store)
    token = minted(store, match_id=match.match_id)
    assert take_in(store, settings, mail(number=1), [f"r+{token}@{DOMAIN}"], "listener") is Taken.KEPT
    with store.transaction() as connection:
        connection.execute(
            text("UPDATE \"match\" SET status = 'over', ended_at = :now"),
            {"now": clock.now().replace(tzinfo=None)},
        )
    clock.advance(days=59)
    assert take_in(store, settings, mail(number=2), [f"r+{token}@{DOMAIN}"], "listener") is Taken.KEPT
    clock.advance(days=2)
    assert take_in(store, settings, mail(number=3), [f"r+{token}@{DOMAIN}"], "listener") is Taken.UNKNOWN


def test_one_mail_that_comes_twice_is_kept_once_by_whatever_way(store, settings, token):
    address = f"r+{token}@{DOMAIN}"
    assert take_in(store, settings, mail(address), [address], "listener") is Taken.KEPT
    again = mail(address, Received="by another server") + b"-- \r\nadded by a list\r\n"
    assert take_in(store, settings, again, (), "imap") is Taken.KNOWN
    assert len(kept(store)) == 1


def test_the_same_message_for_two_addresses_is_two_mails(store, settings, token):
    other = minted(store)
    both = [f"r+{token}@{DOMAIN}", f"r+{other}@{DOMAIN}"]
    assert take_in(store, settings, mail(", ".join(both)), both, "listener") is Taken.KEPT
    assert len(kept(store)) == 2


@pytest.mark.parametrize("message_id", ["", "<", "<>", "<@>"])
def test_without_a_message_id_date_and_text_tell_mails_apart(store, settings, token, message_id):
    """Some phones send none, and an IMAP number is not stable: the same mail must still be known again."""
    address = f"r+{token}@{DOMAIN}"

    def came(date: str, body: str) -> Taken:
        raw = mail(address, **{"Message-ID": message_id}, Date=date, body=body)
        return take_in(store, settings, raw, (), "imap")

    assert came("Mon, 2 Mar 2026 10:00:00 +0000", "move F5>F6") is Taken.KEPT
    assert came("Mon, 2 Mar 2026 10:00:00 +0000", "move F5>F6  ") is Taken.KNOWN
    assert came("Mon, 2 Mar 2026 10:00:00 +0000", "move F5>F7") is Taken.KEPT
    assert came("Mon, 2 Mar 2026 10:05:00 +0000", "move F5>F6") is Taken.KEPT


def test_what_is_too_big_is_refused_before_anything_is_looked_at(store, settings, token):
    raw = mail() + b"x" * inbox.LARGEST
    assert take_in(store, settings, raw, [f"r+{token}@{DOMAIN}"], "stdin") is Taken.TOO_BIG
    assert kept(store) == []


def test_one_address_takes_so_many_mails_an_hour_and_then_more_the_next(
    store, settings, token, clock, monkeypatch
):
    monkeypatch.setattr(inbox, "MOST_AN_HOUR", 3)
    address = [f"r+{token}@{DOMAIN}"]
    each = [take_in(store, settings, mail(number=n), address, "listener") for n in range(4)]
    assert each == [Taken.KEPT] * 3 + [Taken.TOO_MANY]
    clock.advance(minutes=61)
    assert take_in(store, settings, mail(number=3), address, "listener") is Taken.KEPT


def test_a_mail_dealt_with_long_ago_is_emptied_and_its_copy_still_known(store, settings, token, clock):
    address = [f"r+{token}@{DOMAIN}"]
    take_in(store, settings, mail(), address, "listener")
    with store.transaction() as connection:
        connection.execute(text("UPDATE incoming SET status = 'read'"))
    sweep(store, Keep())
    assert kept(store) == [mail()]
    clock.moment += timedelta(days=Keep().mails) + timedelta(hours=1)
    sweep(store, Keep())
    assert kept(store) == [b""]
    assert take_in(store, settings, mail(), address, "listener") is Taken.KNOWN


# ---- a mail server of our own


def hand_over(server: smtplib.SMTP, token: str, raw: bytes) -> None:
    server.sendmail("ada@example.org", [f"r+{token}@{DOMAIN}"], raw)


def test_the_listener_says_yes_after_the_commit_and_no_to_strangers_at_once(store, settings, token):
    port = free_port()
    with listening(store, settings, "127.0.0.1", port), smtplib.SMTP("127.0.0.1", port) as server:
        hand_over(server, token, mail())
        assert kept(store) == [mail()]
        hand_over(server, token.upper(), mail())
        assert len(kept(store)) == 1, "a duplicate is acknowledged"
        for address, code in ((f"r+{'a' * 26}@{DOMAIN}", 550), ("x@gmail.example", 550)):
            with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
                server.sendmail("ada@example.org", [address], mail())
            assert refused.value.recipients[address][0] == code
        with pytest.raises((smtplib.SMTPDataError, smtplib.SMTPSenderRefused)) as too_big:
            hand_over(server, token, mail() + b"x" * inbox.LARGEST)
        assert too_big.value.smtp_code == 552
    assert len(kept(store)) == 1


def test_the_listener_logs_no_address_however_much_is_logged(store, settings, token, caplog):
    caplog.set_level("DEBUG")
    port = free_port()
    with listening(store, settings, "127.0.0.1", port), smtplib.SMTP("127.0.0.1", port) as server:
        server.sendmail("ada@example.org", [f"r+{token}@{DOMAIN}"], mail())
    assert len(kept(store)) == 1
    assert token not in caplog.text


def test_while_the_database_is_away_the_other_server_keeps_the_mail(
    store, settings, token, monkeypatch, caplog
):
    def away(*_args, **_more):
        raise ConnectionError("the database is away")

    port = free_port()
    with listening(store, settings, "127.0.0.1", port), smtplib.SMTP("127.0.0.1", port) as server:
        with monkeypatch.context() as trouble:
            trouble.setattr(inbound_address, "find", away)
            with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
                hand_over(server, token, mail())
            assert next(iter(refused.value.recipients.values()))[0] == 451
        with monkeypatch.context() as trouble:
            trouble.setattr("app.mail.inbound.listener.take_in", away)
            with pytest.raises(smtplib.SMTPDataError) as refused_late:
                hand_over(server, token, mail())
            assert refused_late.value.smtp_code == 451
        hand_over(server, token, mail())
    assert kept(store) == [mail()]
    assert token not in caplog.text


def test_by_lmtp_every_recipient_has_an_answer(store, settings, token, monkeypatch):
    port, other = free_port(), minted(store)
    monkeypatch.setattr(inbox, "MOST_AN_HOUR", 1)
    take_in(store, settings, mail(number=9), [f"r+{other}@{DOMAIN}"], "stdin")
    with listening(store, settings, "127.0.0.1", port, lmtp=True), smtplib.LMTP("127.0.0.1", port) as server:
        server.ehlo()
        server.mail("ada@example.org")
        for one in (token, other):
            assert server.rcpt(f"r+{one}@{DOMAIN}")[0] == 250
        assert server.data(mail())[0] == 250
        assert server.getreply()[0] == 452
    assert len(kept(store)) == 2


# ---- a mailbox


def at(port: int, path: str = "") -> poller.Mailbox:
    return poller.mailbox(f"imap://ada:secret%40word@127.0.0.1:{port}/{path}")


def look(store: Store, settings: Settings, port: int, path: str = "") -> int:
    box = at(port, path)
    with poller.connected(box) as connection:
        return poller.look(store, settings, connection, box)


def test_a_mailbox_is_read_once_and_strangers_mail_is_passed_over(store, settings, token):
    ours, strange = mail(f"r+{token}@{DOMAIN}"), mail("ada@example.org", 2)
    box = Box(ours, strange, b"\xff\xfe: not a mail")
    with imap_server(box) as port:
        assert look(store, settings, port, "Games%20by%20letter/Tide") == 1
        assert look(store, settings, port) == 0
    assert kept(store) == [ours]
    assert box.folders == ["Games by letter/Tide", "INBOX"]
    assert box.seen == {1, 2, 3}
    assert sum(command.startswith("FETCH") for command in box.commands) == 3
    assert not any("EXPUNGE" in command.upper() for command in box.commands)


def test_a_mail_that_was_kept_and_could_not_be_marked_is_not_kept_twice(store, settings, token):
    """A NO in the middle once made two of one mail elsewhere."""
    box = Box(*(mail(f"r+{token}@{DOMAIN}", number) for number in range(3)))
    box.refuse = ["STORE 1", "FETCH 2"]
    with imap_server(box) as port:
        assert look(store, settings, port) == 2, "the others are read all the same"
        assert box.seen == {3}
        assert look(store, settings, port) == 1
    assert box.seen == {1, 2, 3}
    assert len(kept(store)) == 3


def test_headers_that_somebody_pasted_make_no_bounce_of_a_mail(store, settings, token):
    to = f"r+{token}@{DOMAIN}"
    pasted = mail(to, 1, "note why did this come back?\r\n\r\nReturn-Path: <>\r\nSubject: your turn")
    with imap_server(Box(pasted, b"Return-Path: <>\r\n" + mail(to, 2))) as port:
        assert look(store, settings, port) == 2
    with store.reading() as connection:
        found = connection.execute(text("SELECT sender FROM incoming ORDER BY received_at, sender"))
        assert sorted(row.sender for row in found) == ["", "<>"]


def test_a_mail_whose_keeping_breaks_stops_no_other(store, settings, token, monkeypatch, caplog):
    """It stays unread in the mailbox; the log, the list and health tell of it."""
    bad, good = (mail(f"r+{token}@{DOMAIN}", number) for number in range(2))
    box, keep = Box(bad, good), inbox.take_in

    def breaks(store, settings, raw, *more, **named):
        if raw == bad:
            raise ZeroDivisionError
        return keep(store, settings, raw, *more, **named)

    monkeypatch.setattr(poller, "take_in", breaks)
    with imap_server(box) as port:
        assert look(store, settings, port) == 1
        assert look(store, settings, port) == 0
    assert kept(store) == [good]
    assert box.seen == {2}
    (line,) = dead_letters.passed_over(store)
    assert "could not be kept" in line.why
    assert whole_health(store, settings)["mail_unreadable"] == 1
    assert "mail 1 cannot be kept" in caplog.text


def test_mails_that_are_too_many_for_their_hour_keep_nobody_elses_waiting(
    store, settings, token, monkeypatch, clock
):
    """They stand before the others in the mailbox while the hour lasts; then all of them are taken."""
    monkeypatch.setattr(inbox, "MOST_AN_HOUR", 3)
    monkeypatch.setattr(poller, "MOST", 4)
    many = [mail(f"r+{token}@{DOMAIN}", number) for number in range(9)]
    others = [mail(f"r+{minted(store)}@{DOMAIN}", number) for number in range(20, 23)]
    box = Box(*many, *others)
    put_off = {}
    with imap_server(box) as port, poller.connected(at(port)) as connection:
        for _ in range(2):
            poller.look(store, settings, connection, at(port), put_off)
        assert {bytes(one) for one in kept(store)} >= set(others)
        assert len(put_off) == 6
        for _ in range(4):
            clock.advance(hours=1, minutes=1)
            poller.look(store, settings, connection, at(port), put_off)
    assert sorted(kept(store)) == sorted((*many, *others))
    assert box.seen == set(range(1, 13))
    assert put_off == {}


@pytest.mark.parametrize("where", ["STORE 1", "FETCH 2", "SEARCH"])
def test_a_connection_that_breaks_loses_nothing_and_doubles_nothing(store, settings, token, where):
    box = Box(*(mail(f"r+{token}@{DOMAIN}", number) for number in range(3)))
    box.hang_up = [where]
    with imap_server(box) as port:
        with pytest.raises(poller.Trouble):
            look(store, settings, port)
        look(store, settings, port)
    assert box.seen == {1, 2, 3}
    assert len(kept(store)) == 3


def test_while_the_database_is_away_mails_stay_unread_in_the_mailbox(store, settings, token, monkeypatch):
    def away(*_args, **_more):
        raise ConnectionError("the database is away")

    box = Box(mail(f"r+{token}@{DOMAIN}"))
    with imap_server(box) as port:
        with monkeypatch.context() as trouble:
            trouble.setattr(poller, "take_in", away)
            with pytest.raises(ConnectionError):
                look(store, settings, port)
        assert box.seen == set()
        assert look(store, settings, port) == 1


class Patience:
    """An end that comes after so many waits; remembers how long each was."""

    def __init__(self, waits: int) -> None:
        self.left, self.waits = waits, []

    def is_set(self) -> bool:
        return self.left <= 0

    def wait(self, seconds: float) -> None:
        self.left -= 1
        self.waits.append(seconds)


def test_the_poller_comes_back_later_and_later_while_its_server_is_away(store, settings, caplog):

    url = f"imap://ada:secret@127.0.0.1:{free_port()}/INBOX"
    patience = Patience(8)
    poller.run(store, msgspec.structs.replace(settings, inbox_url=url), patience)
    assert patience.waits == [20, 40, 80, 160, 320, 600, 600, 600]
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    "command", ["GREETING", "CAPABILITY", "LOGIN", "SELECT", "NOOP", "SEARCH", "FETCH", "STORE", "LOGOUT"]
)
def test_a_server_that_talks_without_end_is_cut_off(store, settings, token, command, monkeypatch):
    """Each line comes before any patience ends: one deadline is over the opening, a look, the parting."""
    for name in ("OPENING", "WHOLE", "PARTING"):
        monkeypatch.setattr(poller, name, 0.3)
    box = Box(mail(f"r+{token}@{DOMAIN}"))
    box.drip = [command]
    with imap_server(box) as port:
        url = f"imap://ada:secret@127.0.0.1:{port}/INBOX"
        poller.run(store, msgspec.structs.replace(settings, inbox_url=url), Patience(2))
    assert len(kept(store)) == 1


@pytest.mark.parametrize("scheme", ["imap", "imaps"])
def test_a_name_that_is_looked_up_for_ever_is_left(store, settings, scheme, monkeypatch, caplog):
    ended = threading.Event()
    monkeypatch.setattr(poller, "OPENING", 0.1)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: ended.wait() and [])
    try:
        url = f"{scheme}://ada:secret@mail.example/INBOX"
        poller.run(store, msgspec.structs.replace(settings, inbox_url=url), Patience(1))
    finally:
        ended.set()
    assert "TimeoutError" in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize(("user", "password"), [("ada", "geh\u00e9im \u96ea"), ("ad\u00e4", "secret")])
def test_a_password_beyond_ascii_signs_in(store, settings, token, user, password, caplog):
    box = Box(mail(f"r+{token}@{DOMAIN}"))
    with imap_server(box) as port:
        url = f"imap://{quote(user)}:{quote(password)}@127.0.0.1:{port}/INBOX"
        poller.run(store, msgspec.structs.replace(settings, inbox_url=url), Patience(1))
    assert box.logins == [f"\0{user}\0{password}".encode()]
    assert len(kept(store)) == 1
    assert caplog.text == ""


def test_a_server_that_knows_no_character_sets_is_searched(store, settings, token):
    box = Box(mail(f"r+{token}@{DOMAIN}"))
    box.plain = True
    with imap_server(box) as port:
        url = f"imap://ada:secret@127.0.0.1:{port}/INBOX"
        poller.run(store, msgspec.structs.replace(settings, inbox_url=url), Patience(1))
    assert len(kept(store)) == 1
    assert "SEARCH (UNSEEN)" in box.commands


def test_a_password_that_is_refused_is_one_line_without_it(store, settings, caplog):
    box = Box()
    box.refuse = ["AUTHENTICATE"]
    with imap_server(box) as port:
        url = f"imap://ada:geh%C3%A9im@127.0.0.1:{port}/INBOX"
        poller.run(store, msgspec.structs.replace(settings, inbox_url=url), Patience(1))
    assert len(caplog.records) == 1
    assert "Traceback" not in caplog.text
    assert "geh" not in caplog.text


def test_a_database_that_is_away_is_tried_again_soon(store, settings, token, monkeypatch, caplog):
    def away(*_args, **_named):
        raise store.away[-2]("restarting")

    monkeypatch.setattr(poller, "take_in", away)
    box, patience = Box(mail(f"r+{token}@{DOMAIN}")), Patience(6)
    with imap_server(box) as port:
        url = f"imap://ada:secret@127.0.0.1:{port}/INBOX"
        poller.run(store, msgspec.structs.replace(settings, inbox_url=url), patience)
    assert patience.waits == [20] * 6
    assert "Traceback" not in caplog.text
    monkeypatch.undo()
    with imap_server(box) as port:
        url = f"imap://ada:secret@127.0.0.1:{port}/INBOX"
        poller.run(store, msgspec.structs.replace(settings, inbox_url=url), Patience(1))
    assert len(kept(store)) == 1


def test_the_poller_goes_on_after_a_disconnection(store, settings, token):

    box = Box(mail(f"r+{token}@{DOMAIN}"))
    box.hang_up = ["FETCH 1"]
    with imap_server(box) as port:
        url = f"imap://ada:secret@127.0.0.1:{port}/INBOX"
        poller.run(store, msgspec.structs.replace(settings, inbox_url=url), Patience(2))
    assert len(kept(store)) == 1


# ---- a mail on stdin


@pytest.fixture
def house(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The settings of the test's own database in the environment."""
    for name, value in {
        "DATABASE_URL": str(store.engine.url),
        "DATA_DIR": str(tmp_path),
        "URL": f"https://{DOMAIN}",
        "SECRET_KEYS": KEY,
    }.items():
        monkeypatch.setenv(f"TIDEPOST_{name}", value)
    return store


def piped(raw: bytes, *arguments: str) -> int:
    return CliRunner().invoke(cli.main, ["inbox", "-", *arguments], input=raw).exit_code


def test_a_pipe_says_by_its_status_what_became_of_the_mail(house, token, monkeypatch):
    address = f"r+{token}@{DOMAIN}"
    assert piped(mail(), "--to", address) == 0
    assert piped(mail(), "--to", address, "--sender", "<>") == 0
    assert kept(house) == [mail()]
    assert piped(mail(address, 2)) == 0, "without an envelope its headers say who it is for"
    assert piped(mail(number=3), "--to", f"r+{'a' * 26}@{DOMAIN}") == 67
    assert piped(mail(number=4) + b"x" * inbox.LARGEST, "--to", address) == 65
    monkeypatch.setenv("TIDEPOST_DATABASE_URL", "sqlite:////nowhere/at/all.db")
    assert piped(mail(number=5), "--to", address) == 75
    assert len(kept(house)) == 2


# ---- for the operator


def test_the_operator_reads_what_failed_and_no_token(house, settings, token):
    address = f"r+{token}@{DOMAIN}"
    link = "https://play.example.org/t/AbCdEfGhIjKlMnOpQrStUv"
    raw = mail(address, body=f"Gibberish\r\n> {link}?do=x\r\n> r+{token[:10]}=\r\n{token[10:]}@{DOMAIN}")
    take_in(house, settings, raw, (), "imap")
    run = CliRunner()
    assert "could be read" in run.invoke(cli.main, ["inbox", "list"]).output
    with house.transaction() as connection:
        connection.execute(text("UPDATE incoming SET status = 'failed', error = 'Traceback\nKeyError: 1'"))
    (one,) = dead_letters.unread(house)
    listed = run.invoke(cli.main, ["inbox", "list"]).output
    assert one.id in listed
    assert "KeyError: 1" in listed
    told = run.invoke(cli.main, ["inbox", "show", one.id]).output
    assert "Gibberish" in told
    assert "KeyError" in told
    for secret in (token, token[:10], "AbCdEfGh"):
        assert secret not in told
    assert run.invoke(cli.main, ["inbox", "show", "nothing"]).exit_code == 1


@pytest.mark.parametrize("path", allowances.BY_TOKEN)
def test_a_link_of_each_kind_is_masked_in_what_the_operator_reads(path):
    assert "AbCdEfGh" not in dead_letters.masked(f"> https://play.example.org{path}AbCdEfGhIjKlMnOpQrStUv")


def test_no_token_is_shown_however_a_part_or_a_header_is_written(token):
    """As a link behind another one, in an encoded header, in a part in base64; what was typed is shown."""
    link = "https://play.example.org/t/AbCdEfGhIjKlMnOpQrStUv"
    page = f'<p>Typed by Ann</p><a href="{link}">x</a> <a href="mailto:r&#43;{token}@{DOMAIN}">y</a>'
    for written in (
        page,
        f"<a href=3D'https://safe.example/?url=3D{quote(link, safe='')}'>Typed by Ann",
        f"Subject: {Header(f'Typed by Ann r+{token}@{DOMAIN}', 'utf-8').encode()}",
        f"Content-Type: text/html\n\n{b64encode(page.encode()).decode()}",
        f"Content-Type: text/html\n\n{encodebytes(page.encode()).decode()}",
        encodebytes(page.encode("utf-16")).decode(),
    ):
        told = dead_letters.masked(written)
        assert "Typed by Ann" in told, written
        assert not [one for one in (token, "AbCdEfGhIjKl") if one in told], told
    assert dead_letters.masked(encodebytes(bytes(range(128, 256)) * 3).decode()) == "[384 bytes]"


def test_nothing_is_read_from_the_terminal_by_mistake(house):  # noqa: ARG001
    shown = CliRunner().invoke(cli.main, ["inbox"])
    assert shown.exit_code == 1
    assert "TIDEPOST_INBOX_URL" in shown.output
    assert CliRunner().invoke(cli.main, ["inbox", "read"]).exit_code == 2

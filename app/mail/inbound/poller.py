"""Mail from an IMAP mailbox: fetched, kept, and only then marked there as read."""

import contextlib
import imaplib
import logging
import re
import socket
import ssl
from collections.abc import Callable, Iterator
from threading import Event
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec
from imap_tools import AND, BaseMailBox, ImapToolsError

from app.mail.core.deadline import Deadline
from app.mail.inbound import pulse
from app.mail.inbound.reading.opening import has_text
from app.mail.inbound.store import KEPT, LARGEST, Taken, pass_over_unkept, take_in
from app.settings import Settings
from app.store.session import Store

log = logging.getLogger(__name__)

EVERY = 20.0
"""Seconds between looks."""
LONGEST_WAIT = 600.0
"""Seconds between tries while the server is unreachable."""
WAITING = 60.0
"""Seconds to wait for an answer of the server."""
OPENING = 120.0
"""Seconds from the look-up of the server's name to the chosen folder, however slowly the server talks."""
WHOLE = 600.0
"""Seconds that one look may last."""
PARTING = 10.0
"""Seconds to wait for the answer to LOGOUT."""
MOST = 100
"""Mails that one look takes or discards, at most."""
MOST_PUT_OFF = 1000
"""Mails of one look that exceed the hourly limit of their address, at most; they don't delay others."""
PORTS = {"imap": 143, "imaps": 993}

Trouble = (OSError, imaplib.IMAP4.error, ImapToolsError)
"""The errors of a server that refuses or disconnects."""


class Mailbox(msgspec.Struct, frozen=True):
    """The mailbox of TIDEPOST_INBOX_URL."""

    scheme: str
    host: str
    port: int
    user: str
    password: str
    folder: str
    starttls: bool
    move_to: str
    """The folder to which a mail is moved; empty: it stays, marked as read."""

    def __repr__(self) -> str:
        return f"<Mailbox {self.host}:{self.port}>"


def mailbox(url: str) -> Mailbox:
    """Read `imaps://user:password@host/Folder`, `imap://…?starttls`, `…?move=Folder`. Raises ValueError."""
    parts = urlsplit(url)
    if parts.scheme not in PORTS or not parts.hostname or not parts.username:
        raise ValueError("a mailbox is written imaps://user:password@host:port/Folder")
    asked = parse_qs(parts.query, keep_blank_values=True)
    return Mailbox(
        parts.scheme,
        parts.hostname,
        parts.port or PORTS[parts.scheme],
        unquote(parts.username),
        unquote(parts.password or ""),
        unquote(parts.path.strip("/")) or "INBOX",
        "starttls" in asked,
        asked.get("move", [""])[0],
    )


def run(store: Store, settings: Settings, ended: Event) -> None:
    """Look into the mailbox every EVERY seconds until `ended`, less often while its server is unreachable."""
    box = mailbox(settings.inbox_url)
    wait = EVERY
    while not ended.is_set():
        try:
            with connected(box) as connection:
                put_off: dict[str, None] = {}
                while not ended.is_set():
                    with _limited(connection, WHOLE):
                        connection.client.noop()
                        look(store, settings, connection, box, put_off)
                    pulse.give(store)
                    wait = EVERY
                    ended.wait(EVERY)
        except Trouble as error:
            log.warning("the mailbox cannot be read, again in %.0f s: %s", wait, type(error).__name__)
        except store.away as error:  # mails that were not kept are still unread there
            wait = EVERY  # it is ours, and comes back before long
            log.warning("no mail can be kept, again in %.0f s: %s", wait, type(error).__name__)
        except Exception:
            log.exception("a mail cannot be kept, again in %.0f s", wait)
        ended.wait(wait)
        wait = min(wait * 2, LONGEST_WAIT)


@contextlib.contextmanager
def connected(box: Mailbox) -> Iterator[BaseMailBox]:
    """A connection, logged in, the folder chosen. Raises Trouble."""
    with Deadline(OPENING) as deadline:
        opened = _Opened(box, deadline)
        try:
            # LOGIN takes ASCII alone
            login = opened.login if (box.user + box.password).isascii() else opened.login_utf8
            login(box.user, box.password, box.folder)
        except BaseException:
            _closed(opened)
            raise
    try:
        yield opened
    finally:
        _closed(opened)


def _closed(connection: BaseMailBox) -> None:
    """Say LOGOUT if the server still listens, and close."""
    with contextlib.suppress(*Trouble), _limited(connection, PARTING):
        connection.logout()
    with contextlib.suppress(OSError):
        connection.client.shutdown()


@contextlib.contextmanager
def _limited(connection: BaseMailBox, seconds: float) -> Iterator[None]:
    """Cut the connection if what is done takes longer, however many lines the server sends."""
    with Deadline(seconds) as deadline:
        deadline.watch(connection.client.socket())
        yield


class _Plain(imaplib.IMAP4):
    """A connection without TLS, made within a deadline."""

    def __init__(self, box: Mailbox, deadline: Deadline) -> None:
        self._deadline = deadline
        super().__init__(box.host, box.port, WAITING)

    def _create_socket(self, timeout: float | None) -> socket.socket:
        return self._deadline.connected(self.host, self.port, timeout or WAITING)


class _Tls(_Plain):
    """The same with TLS from its beginning."""

    def _create_socket(self, timeout: float | None) -> socket.socket:
        plain = super()._create_socket(timeout)
        return ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)


class _Opened(BaseMailBox):
    """The library's mailbox over such a connection."""

    def __init__(self, box: Mailbox, deadline: Deadline) -> None:
        self._box, self._deadline = box, deadline
        super().__init__()

    def _get_mailbox_client(self) -> imaplib.IMAP4:
        if self._box.scheme == "imaps":
            return _Tls(self._box, self._deadline)
        client = _Plain(self._box, self._deadline)
        try:
            if self._box.starttls:
                client.starttls(ssl.create_default_context())
        except BaseException:
            client.shutdown()
            raise
        return client


def look(
    store: Store,
    settings: Settings,
    connection: BaseMailBox,
    box: Mailbox,
    put_off: dict[str, None] | None = None,
) -> int:
    """Take unread mails; returns how many were new. Of a large one only what is needed is fetched.

    `put_off`: the mails of this connection that exceeded the hourly limit. They come after all others, the
    one tried last at the end; those of this look are added.

    A mail that was kept but could not be marked is known when it is fetched again. A mail that the server
    doesn't give or cannot mark, or that can't be kept, is left for the next look and doesn't stop the others.
    Raises Trouble if the server disconnects, and the errors of a database that is away.
    """
    later = {} if put_off is None else put_off
    waiting = connection.uids(AND(seen=False), charset=None)  # some servers refuse any set by name
    there = frozenset(waiting)
    again = [uid for uid in later if uid in there]
    fresh = [uid for uid in waiting if uid not in later]
    later.clear()
    later.update(dict.fromkeys(again))
    new = settled = 0
    for uid in (*fresh[: MOST + MOST_PUT_OFF], *again[:MOST]):
        if settled == MOST:
            break
        raw = _fetched(connection, uid)
        if raw is None:
            continue
        try:
            taken = take_in(store, settings, raw, (), "imap", sender=_sender(raw))
        except OSError:
            raise
        except store.away:
            raise
        except Exception:  # one bad mail must not stop the others; it stays unread in the mailbox
            log.exception("mail %s cannot be kept", uid)
            pass_over_unkept(store, raw, "imap")
            continue
        later.pop(uid, None)
        if taken is Taken.TOO_MANY:
            later[uid] = None
            continue
        settled += 1
        new += taken is Taken.KEPT
        _done(connection, uid, box)
    return new


def _fetched(connection: BaseMailBox, uid: str) -> bytes | None:
    """The raw mail, left unread. Of a large one its beginning, or all that is taken if no text is there."""
    raw = _beginning(connection, uid, KEPT + 1)
    if raw is None or len(raw) <= KEPT or has_text(raw[:KEPT]):
        return raw if raw is None else raw[: KEPT + 1]
    whole = _beginning(connection, uid, LARGEST)
    return raw if whole is None else whole[:LARGEST]


def _beginning(connection: BaseMailBox, uid: str, most: int) -> bytes | None:
    """Up to so many bytes of a mail. The library's own fetch would parse every mail."""
    answer, parts = connection.client.uid("FETCH", uid, f"(BODY.PEEK[]<0.{most}>)")
    if answer != "OK":
        log.warning("the server does not give mail %s", uid)
        return None
    return next((bytes(part[1]) for part in parts if isinstance(part, tuple)), None)


def _done(connection: BaseMailBox, uid: str, box: Mailbox) -> None:
    """Mark it as read, and move it if the mailbox has a folder for that."""
    steps: list[Callable[[], object]] = [lambda: _mark(connection, uid)]
    if box.move_to:
        steps.append(lambda: connection.move(uid, box.move_to))
    try:
        for step in steps:
            step()
    except ImapToolsError as error:
        log.warning("mail %s was kept, and cannot be marked: %s", uid, type(error).__name__)


def _mark(connection: BaseMailBox, uid: str) -> None:
    answer, _ = connection.client.uid("STORE", uid, "+FLAGS", r"(\Seen)")
    if answer != "OK":
        raise ImapToolsError(answer)


_RETURN_PATH = re.compile(rb"^return-path:\s*<\s*(?:mailer-daemon[^>\s]*)?>", re.IGNORECASE | re.MULTILINE)


def _sender(raw: bytes) -> str:
    """The envelope's sender, if it was the null one. What stands below the headers says nothing about it."""
    head = raw[:8192].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    return "<>" if _RETURN_PATH.search(head) else ""

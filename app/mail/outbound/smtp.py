"""Letters handed over to a mail server, and the meaning of what it answers, or of a broken connection."""

import contextlib
import enum
import smtplib
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from typing import Protocol

import idna

from app.mail.bounces.refusals import About, Stage, about
from app.mail.outbound import wire
from app.mail.outbound.folding import SMTP
from app.mail.outbound.wire import Connection

GOING = 421
"""The code of a server that ends the connection."""


class Unsent(Exception):  # noqa: N818 - what became of the letter
    """The letter was certainly not taken. `code` is the server's, or 0 without an answer."""

    def __init__(self, word: str, code: int = 0, text: str = "") -> None:
        super().__init__(f"{word}: {code} {text}".strip())
        self.word = word
        """address_refused, letter_refused, relay, connection."""
        self.code = code
        self.text = text
        """The server's."""

    @property
    def about(self) -> About:
        """The subject of the refusal."""
        if self.word == "connection":
            return About.LATER
        if self.code == 0:  # it lacks what this address needs
            return About.POLICY
        return about(_STAGES[self.word], self.code, self.text)

    @property
    def concerns_all(self) -> bool:
        """Other letters would fare no better: the server is away, or refuses us before any recipient."""
        return self.word in ("relay", "connection")


_STAGES = {"relay": Stage.CONNECT, "address_refused": Stage.RECIPIENT, "letter_refused": Stage.TEXT}


class TryLater(Unsent):
    """It may be taken later."""


class Refused(Unsent):
    """It will never be taken."""


class Lost(Exception):  # noqa: N818 - what became of the letter
    """The connection broke after the whole text was sent and before the answer: it may have been taken."""


class Progress(Protocol):
    """Is told what must be recorded at once."""

    def begins(self) -> None:
        """The text is about to be sent; what this raises keeps it back."""

    def taken(self) -> None:
        """The server has taken the letter."""


Sign = Callable[[bytes], bytes]
"""Puts a signature above a finished text."""


class _Box(threading.local):
    """The connection that a thread keeps, if it keeps any."""

    open = False
    connection: Connection | None = None


_box = _Box()


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Within it the letters of this thread go by one connection, for as long as this lasts; then it is ended.

    It lasts for `wire.MOST` letters and LIFE seconds, IDLE of them without a letter.
    """
    _box.open = True
    try:
        yield
    finally:
        _box.open = False
        if (connection := _taken()) is not None:
            connection.leave()


def _taken() -> Connection | None:
    """The kept connection, taken out."""
    connection, _box.connection = _box.connection, None
    return connection


def send(
    url: str,
    sender: str,
    recipient: str,
    message: EmailMessage,
    progress: Progress | None = None,
    *,
    sign: Sign = bytes,
) -> None:
    """Hand the message to the mail server; returns when it was taken, `wire.WHOLE` seconds later at most.

    `progress` is told before the text is sent, and as soon as it was taken. `sign` puts a signature above the
    finished text. Raises TryLater, Refused or Lost, and what `sign` raises.
    A refusal of our greeting, password or sender is a fault of the settings and not of the letter: TryLater.
    A kept connection that the server has left before the text is replaced by a new one, once.
    """
    server, ends = wire.relay(url), time.monotonic() + wire.WHOLE
    recipient = _in_dns(recipient)
    before = _taken()
    if before is not None and before.serves(server):
        before.again(wire.WHOLE)
        try:
            return _by(before, message, sender, recipient, progress, sign, again=True)
        except _Left:
            pass
    elif before is not None:
        before.leave()
    try:
        connection = wire.opened(server, ends - time.monotonic())
    except smtplib.SMTPResponseException as error:
        raise TryLater("relay", error.smtp_code, text_of(error.smtp_error)) from error
    except (OSError, smtplib.SMTPException) as error:
        raise TryLater("connection", 0, str(error)) from error
    except UnicodeError:  # its words would quote the password
        raise TryLater("connection", 0, "user and password must be ASCII") from None
    return _by(connection, message, sender, recipient, progress, sign)


class Trouble(enum.Enum):
    """The reason why a mail server can't be used."""

    PASSWORD = "password"  # noqa: S105 - a word
    """It refuses user or password."""
    OFFER = "offer"
    """It doesn't offer TLS, or a way to sign in."""
    ANSWER = "answer"
    """It turns us away."""
    CERTIFICATE = "certificate"
    """Its certificate isn't valid."""
    AWAY = "away"
    """It can't be reached."""


def greeted(url: str) -> tuple[Trouble, str] | None:
    """Greet the server and sign in; what is wrong with that, and in which words, or None."""
    try:
        wire.opened(wire.relay(url), wire.CONNECTING).leave()
    except smtplib.SMTPAuthenticationError as error:
        return Trouble.PASSWORD, f"{error.smtp_code} {text_of(error.smtp_error)}"
    except smtplib.SMTPNotSupportedError as error:
        return Trouble.OFFER, str(error)
    except smtplib.SMTPResponseException as error:
        return Trouble.ANSWER, f"{error.smtp_code} {text_of(error.smtp_error)}"
    except ssl.SSLError as error:
        return Trouble.CERTIFICATE, str(error.reason)
    except UnicodeError:  # its words would quote the password
        return Trouble.PASSWORD, "user and password must be ASCII"
    except (OSError, smtplib.SMTPException) as error:
        return Trouble.AWAY, str(error)
    return None


class _Left(Exception):  # noqa: N818 - a fact
    """A kept connection was left by the server, or is worn out, and the letter was not begun."""


def _by(
    connection: Connection,
    message: EmailMessage,
    sender: str,
    recipient: str,
    progress: Progress | None,
    sign: Sign,
    *,
    again: bool = False,
) -> None:
    """Hand the message over by a connection, which is kept or ended. Raises as `send`, or (`again`) _Left."""
    keep = False
    try:
        connection.begins = progress.begins if progress is not None else None
        _hand_over(connection, message, sender, recipient, sign)
        connection.took()
        keep = _box.open
        if progress is not None:
            progress.taken()
    except (OSError, smtplib.SMTPException) as error:
        if again and not connection.begun and _is_left(error):
            raise _Left from error
        raise _meaning(error, connection, recipient) from error
    finally:
        if keep:
            _box.connection = connection
        else:
            connection.leave()


def _is_left(error: Exception) -> bool:
    """Whether a new connection may fare better than one that has taken letters before."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return any(code == GOING for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPDataError):
        return error.smtp_code == GOING
    # Else the connection ended, or the sender was refused that was welcome before.
    return not isinstance(error, smtplib.SMTPNotSupportedError)


def _meaning(error: Exception, connection: Connection, recipient: str) -> Exception:
    """The meaning of an error of a hand-over for the letter: TryLater, Refused or Lost."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, answer = error.recipients[recipient]
        return _kind(code)("address_refused", code, text_of(answer))
    if isinstance(error, smtplib.SMTPNotSupportedError):  # the address needs SMTPUTF8
        return Refused("address_refused", 0, str(error))
    if isinstance(error, smtplib.SMTPResponseException):
        code, text = error.smtp_code, text_of(error.smtp_error)
        if isinstance(error, smtplib.SMTPDataError):
            return _kind(code)("letter_refused", code, text)
        if isinstance(error, smtplib.SMTPSenderRefused):
            too_big = code >= 500 and about(Stage.SENDER, code, text) is About.POLICY
            return Refused("letter_refused", code, text) if too_big else TryLater("relay", code, text)
        return TryLater("relay", code, text)
    return Lost(str(error)) if connection.awaiting else TryLater("connection", 0, str(error))


def _hand_over(
    connection: Connection, message: EmailMessage, sender: str, recipient: str, sign: Sign
) -> None:
    """As smtplib's `send_message`, which would change a line that begins with `From` to `>From`."""
    connection.ehlo_or_helo_if_needed()
    wide = not (sender + recipient).isascii()
    if wide and not connection.has_extn("smtputf8"):
        raise smtplib.SMTPNotSupportedError("the server takes no addresses beyond ASCII")
    text = sign(message.as_bytes(policy=SMTP.clone(utf8=wide)))
    connection.sendmail(sender, [recipient], text, ("SMTPUTF8", "BODY=8BITMIME") if wide else ())


def _in_dns(address: str) -> str:
    """The address with its domain as DNS has it: straße.de is not strasse.de. Raises Refused."""
    name, _, domain = address.rpartition("@")
    if domain.isascii():
        return address
    try:
        return f"{name}@{idna.encode(domain, uts46=True).decode()}"
    except idna.IDNAError as error:
        raise Refused("address_refused", 0, str(error)) from error


def _kind(code: int) -> type[Unsent]:
    return Refused if 500 <= code < 600 else TryLater


def text_of(answer: bytes | str) -> str:
    """A server's words: in UTF-8, or else in the western set."""
    if isinstance(answer, str):
        return answer
    try:
        return answer.decode()
    except UnicodeDecodeError:
        return answer.decode("latin-1")

"""Connections to a mail server: the one module that opens any, and knows what a broken one means."""

import base64
import contextlib
import smtplib
import socket
import ssl
from collections.abc import Callable
from email import policy
from email.message import EmailMessage
from typing import Protocol
from urllib.parse import unquote, urlsplit

import msgspec

from app.mail.bounces.refusals import About, Stage, about
from app.mail.core.deadline import Deadline

CONNECTING = 20.0
"""Seconds to wait for a connection, and for each answer before the text is sent."""
TAKING = 120.0
"""Seconds to wait for the answer to the whole text, which a server may scan first."""
WHOLE = 150.0
"""Seconds that a whole hand-over may last, however slowly the server talks: less than the letter's lease."""
PARTING = 2.0
"""Seconds to wait for the answer to QUIT: the letter was taken or not before."""
PORTS = {"catcher": 25, "smtp": 25, "smtp+starttls": 587, "smtps": 465}


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


class Relay(msgspec.Struct, frozen=True):
    """The mail server of TIDEPOST_SMTP_URL."""

    scheme: str
    host: str
    port: int
    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"<Relay {self.host}:{self.port}>"


def relay(url: str) -> Relay:
    """Read `smtp://`, `smtps://` or `smtp+starttls://` with `user:password@` and a port where wanted.

    `smtp://…?starttls` is the same as `smtp+starttls://…`. Raises ValueError.
    """
    parts = urlsplit(url)
    if parts.scheme == "smtp" and parts.query == "starttls":
        parts = parts._replace(scheme="smtp+starttls")
    if parts.scheme not in PORTS or not parts.hostname:
        raise ValueError("a mail server is written smtp://host:port, smtps://host or smtp+starttls://host")
    return Relay(
        parts.scheme,
        parts.hostname,
        parts.port or PORTS[parts.scheme],
        unquote(parts.username or ""),
        unquote(parts.password or ""),
    )


class _Lines:
    """The lines of a connection. smtplib takes half a line for an answer when the connection ends there."""

    def __init__(self, connected: socket.socket) -> None:
        self._file = connected.makefile("rb")

    def readline(self, longest: int) -> bytes:
        """The next line; empty if the connection ended before its end."""
        line = self._file.readline(longest)
        return line if line.endswith(b"\n") or len(line) >= longest else b""

    def close(self) -> None:
        """Let the connection go."""
        self._file.close()


class _Connection(smtplib.SMTP):
    """A connection that ends at its deadline, and knows whether the answer to the text is outstanding."""

    awaiting = False
    begins: Callable[[], None] | None = None

    def __init__(self, server: Relay) -> None:
        self._secure = ssl.create_default_context() if server.scheme == "smtps" else None
        self._deadline = Deadline(WHOLE)
        try:
            super().__init__(server.host, server.port, timeout=CONNECTING)
        except BaseException:
            self.close()
            raise

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        """Connect within the deadline. smtplib has none over all addresses and their look-up."""
        plain = self._deadline.connected(host, port, timeout)
        if self._secure is None:
            return plain
        try:
            return self._secure.wrap_socket(plain, server_hostname=host)
        except BaseException:
            plain.close()
            raise

    def login(self, user: str, password: str, *, initial_response_ok: bool = True) -> tuple[int, bytes]:
        """As smtplib's, which encodes neither name nor password beyond ASCII."""
        if (user + password).isascii():
            return super().login(user, password, initial_response_ok=initial_response_ok)
        self.ehlo_or_helo_if_needed()
        ways = self.esmtp_features.get("auth", "").upper().split()
        if "PLAIN" in ways or "LOGIN" not in ways:
            said = self.docmd("AUTH", "PLAIN " + _encoded("\0" + user + "\0" + password))
        else:
            said = self.docmd("AUTH", f"LOGIN {_encoded(user)}")
            said = self.docmd(_encoded(password)) if said[0] == 334 else said
        if said[0] not in (235, 503):  # the second: it knows us already
            raise smtplib.SMTPAuthenticationError(*said)
        return said

    def close(self) -> None:
        """End the connection and its deadline."""
        super().close()
        self._deadline.end()

    def getreply(self) -> tuple[int, bytes]:
        """As smtplib's, of whole lines."""
        if self.file is None and self.sock is not None:
            self.file = _Lines(self.sock)
        return super().getreply()

    def leave(self) -> None:
        """Say QUIT if the server still listens, and close."""
        with contextlib.suppress(OSError, smtplib.SMTPException):
            if self.sock is not None:
                self._deadline.again(PARTING)
                self.sock.settimeout(PARTING)
                self.quit()
        self.close()

    def data(self, msg: str | bytes) -> tuple[int, bytes]:  # type: ignore[override]  # we only send bytes
        """As smtplib's, which cannot tell the two moments apart."""
        assert isinstance(msg, bytes)
        self.putcmd("data")
        code, answer = self.getreply()
        if code != 354:
            raise smtplib.SMTPDataError(code, answer)
        if self.begins is not None:
            self.begins()
        self.send(_dotted(msg))
        if self.sock is not None:
            self.sock.settimeout(TAKING)
        self.awaiting = True
        code, answer = self.getreply()
        if not 200 <= code < 600:
            raise smtplib.SMTPServerDisconnected("the answer to the text is none")
        self.awaiting = False
        return (250 if code < 300 else code), answer  # smtplib takes another 2xx for a refusal


def _dotted(text: bytes) -> bytes:
    """The text as it is sent: a dot before every line's first dot, and the final dot."""
    lines = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removesuffix(b"\n").split(b"\n")
    return b"\r\n".join(b"." + line if line.startswith(b".") else line for line in lines) + b"\r\n.\r\n"


def send(
    url: str, sender: str, recipient: str, message: EmailMessage, progress: Progress | None = None
) -> None:
    """Hand the message to the mail server; returns when it was taken, after WHOLE seconds at the latest.

    `progress` is told before the text is sent, and as soon as it was taken. Raises TryLater, Refused or Lost.
    A refusal of our greeting, password or sender is a fault of the settings and not of the letter: TryLater.
    """
    server = relay(url)
    name, _, domain = recipient.rpartition("@")
    recipient = f"{name}@{domain if domain.isascii() else domain.encode('idna').decode()}"
    try:
        connection = _open(server)
    except smtplib.SMTPResponseException as error:
        raise TryLater("relay", error.smtp_code, text_of(error.smtp_error)) from error
    except (OSError, smtplib.SMTPException) as error:
        raise TryLater("connection", 0, str(error)) from error
    except UnicodeError:  # its words would quote the password
        raise TryLater("connection", 0, "user and password must be ASCII") from None
    try:
        connection.begins = progress.begins if progress is not None else None
        _hand_over(connection, message, sender, recipient)
        if progress is not None:
            progress.taken()
    except smtplib.SMTPRecipientsRefused as error:
        code, answer = error.recipients[recipient]
        raise _kind(code)("address_refused", code, text_of(answer)) from error
    except smtplib.SMTPNotSupportedError as error:  # the address needs SMTPUTF8
        raise Refused("address_refused", 0, str(error)) from error
    except smtplib.SMTPDataError as error:
        raise _kind(error.smtp_code)("letter_refused", error.smtp_code, text_of(error.smtp_error)) from error
    except smtplib.SMTPSenderRefused as error:
        text = text_of(error.smtp_error)
        if error.smtp_code >= 500 and about(Stage.SENDER, error.smtp_code, text) is About.POLICY:
            raise Refused("letter_refused", error.smtp_code, text) from error  # it is too big
        raise TryLater("relay", error.smtp_code, text) from error
    except smtplib.SMTPResponseException as error:
        raise TryLater("relay", error.smtp_code, text_of(error.smtp_error)) from error
    except (OSError, smtplib.SMTPException) as error:
        if connection.awaiting:
            raise Lost(str(error)) from error
        raise TryLater("connection", 0, str(error)) from error
    finally:
        connection.leave()


def _hand_over(connection: _Connection, message: EmailMessage, sender: str, recipient: str) -> None:
    """As smtplib's `send_message`, which would change a line that begins with `From` to `>From`."""
    connection.ehlo_or_helo_if_needed()
    wide = not (sender + recipient).isascii()
    if wide and not connection.has_extn("smtputf8"):
        raise smtplib.SMTPNotSupportedError("the server takes no addresses beyond ASCII")
    text = message.as_bytes(policy=policy.SMTP.clone(utf8=wide))
    connection.sendmail(sender, [recipient], text, ("SMTPUTF8", "BODY=8BITMIME") if wide else ())


def _open(server: Relay) -> _Connection:
    connection = _Connection(server)
    try:
        if server.scheme == "smtp+starttls":
            connection.starttls(context=ssl.create_default_context())
        if server.user:
            connection.login(server.user, server.password)
    except BaseException:
        connection.close()
        raise
    return connection


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


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

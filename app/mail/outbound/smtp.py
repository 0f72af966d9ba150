"""Connections to a mail server: the one module that opens any, and knows what a broken one means."""

import contextlib
import smtplib
import ssl
from email import policy
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

import msgspec

CONNECTING = 20.0
"""Seconds to wait for a connection, and for each answer before the text is sent."""
TAKING = 180.0
"""Seconds to wait for the answer to the whole text, which a server may scan first."""
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


class TryLater(Unsent):
    """It may be taken later."""


class Refused(Unsent):
    """It will never be taken."""


class Lost(Exception):  # noqa: N818 - what became of the letter
    """The connection broke after the whole text was sent and before the answer: it may have been taken."""


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


class _Connection(smtplib.SMTP):
    """A connection that knows whether the text was sent and its answer is outstanding."""

    awaiting = False

    def data(self, msg: str | bytes) -> tuple[int, bytes]:  # type: ignore[override]  # we only send bytes
        """As smtplib's, which cannot tell the two moments apart."""
        assert isinstance(msg, bytes)
        self.putcmd("data")
        code, answer = self.getreply()
        if code != 354:
            raise smtplib.SMTPDataError(code, answer)
        self.send(_dotted(msg))
        if self.sock is not None:
            self.sock.settimeout(TAKING)
        self.awaiting = True
        result = self.getreply()
        self.awaiting = False
        return result


class _SecureConnection(_Connection, smtplib.SMTP_SSL):
    pass


def _dotted(text: bytes) -> bytes:
    """The text as it is sent: a dot before every line's first dot, and the final dot."""
    lines = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removesuffix(b"\n").split(b"\n")
    return b"\r\n".join(b"." + line if line.startswith(b".") else line for line in lines) + b"\r\n.\r\n"


def send(url: str, sender: str, recipient: str, message: EmailMessage) -> None:
    """Hand the message to the mail server; returns when it was taken.

    Raises TryLater, Refused or Lost. A refusal of our greeting, password or sender is a fault of the settings
    and not of the letter: TryLater.
    """
    server = relay(url)
    name, _, domain = recipient.rpartition("@")
    recipient = f"{name}@{domain if domain.isascii() else domain.encode('idna').decode()}"
    try:
        connection = _open(server)
    except smtplib.SMTPResponseException as error:
        raise TryLater("relay", error.smtp_code, _text(error.smtp_error)) from error
    except (OSError, smtplib.SMTPException) as error:
        raise TryLater("connection", 0, str(error)) from error
    try:
        _hand_over(connection, message, sender, recipient)
    except smtplib.SMTPRecipientsRefused as error:
        code, answer = error.recipients[recipient]
        raise _kind(code)("address_refused", code, _text(answer)) from error
    except smtplib.SMTPNotSupportedError as error:  # the address needs SMTPUTF8
        raise Refused("address_refused", 0, str(error)) from error
    except smtplib.SMTPDataError as error:
        raise _kind(error.smtp_code)("letter_refused", error.smtp_code, _text(error.smtp_error)) from error
    except smtplib.SMTPResponseException as error:
        raise TryLater("relay", error.smtp_code, _text(error.smtp_error)) from error
    except (OSError, smtplib.SMTPException) as error:
        if connection.awaiting:
            raise Lost(str(error)) from error
        raise TryLater("connection", 0, str(error)) from error
    finally:
        with contextlib.suppress(OSError, smtplib.SMTPException):  # the letter was taken already
            connection.quit()
        connection.close()


def _hand_over(connection: _Connection, message: EmailMessage, sender: str, recipient: str) -> None:
    """As smtplib's `send_message`, which would change a line that begins with `From` to `>From`."""
    connection.ehlo_or_helo_if_needed()
    wide = not (sender + recipient).isascii()
    if wide and not connection.has_extn("smtputf8"):
        raise smtplib.SMTPNotSupportedError("the server takes no addresses beyond ASCII")
    text = message.as_bytes(policy=policy.SMTP.clone(utf8=wide))
    connection.sendmail(sender, [recipient], text, ("SMTPUTF8", "BODY=8BITMIME") if wide else ())


def _open(server: Relay) -> _Connection:
    if server.scheme == "smtps":
        context = ssl.create_default_context()
        connection: _Connection = _SecureConnection(
            server.host, server.port, timeout=CONNECTING, context=context
        )
    else:
        connection = _Connection(server.host, server.port, timeout=CONNECTING)
    try:
        if server.scheme == "smtp+starttls":
            connection.starttls(context=ssl.create_default_context())
        if server.user:
            connection.login(server.user, server.password)
    except BaseException:
        connection.close()
        raise
    return connection


def _kind(code: int) -> type[Unsent]:
    return Refused if 500 <= code < 600 else TryLater


def _text(answer: bytes | str) -> str:
    return answer.decode("ascii", "replace") if isinstance(answer, bytes) else answer

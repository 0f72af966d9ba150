"""One connection to the mail server: it ends at its deadline, and can take one letter after another."""

import base64
import contextlib
import select
import smtplib
import socket
import ssl
import time
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

import msgspec

from app.mail.core.deadline import Deadline

CONNECTING = 20.0
"""Seconds to wait for a connection, and for each answer before the text is sent."""
TAKING = 120.0
"""Seconds to wait for the answer to the whole text, which a server may scan first."""
WHOLE = 150.0
"""Seconds that a whole hand-over may last, however slowly the server talks: less than the letter's lease."""
PARTING = 2.0
"""Seconds to wait for the answer to QUIT: the letter was taken or not before."""
IDLE, LIFE, MOST = 20.0, 300.0, 50
"""Bounds of a kept connection: seconds without a letter, seconds in all, and letters."""
PORTS = {"catcher": 25, "smtp": 25, "smtp+starttls": 587, "smtps": 465}


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


class Connection(smtplib.SMTP):
    """A connection that ends at its deadline, and knows whether the answer to the text is outstanding."""

    awaiting = False
    begun = False
    """The text is being sent, or was."""
    handed = 0
    """Letters that it has taken."""
    begins: Callable[[], None] | None = None

    def __init__(self, server: Relay, seconds: float) -> None:
        self.server = server
        self._made = self._used = time.monotonic()
        self._secure = ssl.create_default_context() if server.scheme == "smtps" else None
        self._deadline = Deadline(seconds)
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

    def took(self) -> None:
        """Count a letter that was taken."""
        self.handed += 1
        self._used = time.monotonic()

    def serves(self, server: Relay) -> bool:
        """Whether another letter can go to the server by it, as far as can be seen without asking."""
        now = time.monotonic()
        if self.sock is None or self.server != server or self.handed >= MOST:
            return False
        if now - self._used > IDLE or now - self._made > LIFE:
            return False
        # What can be read unasked is a farewell, or the end of the connection.
        return not select.select([self.sock], [], [], 0)[0]

    def again(self, seconds: float) -> None:
        """Begin with another letter, which may last so many seconds."""
        assert self.sock is not None
        self.awaiting = self.begun = False
        self._deadline.again(seconds)
        self.sock.settimeout(CONNECTING)

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
        self.begun = True
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


def opened(server: Relay, seconds: float) -> Connection:
    """A connection that has shown its name and password. Raises the errors of smtplib, and OSError."""
    connection = Connection(server, seconds)
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

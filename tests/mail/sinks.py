"""Mail servers for tests: one that takes all, and one that says or does what it is told to."""

import contextlib
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.controller import Controller

from tests.servers import free_port


class Mailbox:
    """Everything that a server took: pairs of envelope recipient and message."""

    def __init__(self):
        self.letters: list[tuple[str, EmailMessage]] = []

    async def handle_DATA(self, _server, _session, envelope):  # noqa: N802 - aiosmtpd's
        message = message_from_bytes(envelope.original_content, policy=policy.default)
        self.letters += [(recipient, message) for recipient in envelope.rcpt_tos]
        return "250 Taken"

    def to(self, address) -> list[EmailMessage]:
        return [message for recipient, message in self.letters if recipient == address]


@contextmanager
def mail_server(**options) -> Iterator[tuple[str, Mailbox]]:
    """A real server: its address as a setting, and what it took."""
    mailbox = Mailbox()
    server = Controller(mailbox, hostname="127.0.0.1", port=free_port(), **options)
    server.start()
    try:
        yield f"smtp://127.0.0.1:{server.port}", mailbox
    finally:
        server.stop()


DRIPPING = b"drip"
"""A mood: one byte after another, and no end of the line."""


HALF = b"half"
"""A mood: the beginning of a good answer, and the end of the connection."""


class _Moody(socketserver.StreamRequestHandler):
    """Answers as a mail server does, but for one place in the talk: a verb, `text` for what follows DATA."""

    def handle(self):
        place, answer = self.server.mood
        self.server.calls += 1
        self.server.sessions.append(self.connection)
        taken = 0

        def say(at, otherwise):
            if at != place or taken < self.server.after:
                self.wfile.write(otherwise + b"\r\n")
                return True
            if answer is None:
                return False
            if answer == HALF:
                self.wfile.write(b"250")
                return False
            if answer == DRIPPING:
                with contextlib.suppress(OSError):
                    while not self.server.closing.wait(0.02):
                        self.wfile.write(b"2")
                return False
            self.wfile.write(answer + b"\r\n")
            return not answer.startswith(b"421")

        if not say("greeting", b"220 moody"):
            return
        while line := self.rfile.readline():
            verb = line.split()[0].lower().decode()
            self.server.verbs.append(verb)
            if verb == "quit":
                say("quit", b"221 bye")
                return
            if verb == "ehlo":
                going = say("ehlo", b"250 moody")
            elif verb == "data":
                going = say("data", b"354 go on")
                if going and (place != "data" or taken < self.server.after):
                    while (text := self.rfile.readline()) not in (b".\r\n", b""):
                        self.server.text += text
                    going = text != b"" and say("text", b"250 taken")
                    self.server.taken += going
                    taken += 1
            else:
                going = say(verb, b"250 ok")
            if not going:
                return


@contextmanager
def moody_server(place, answer, after=0):
    """A server that gives this answer at this place, or hangs up there (None). Yields url and server.

    It does so from the moment at which so many letters came by the same connection.
    """
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Moody) as server:
        server.daemon_threads = True
        server.mood, server.calls, server.text, server.verbs = (place, answer), 0, b"", []
        server.after, server.taken, server.sessions = after, 0, []
        server.closing = threading.Event()
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield f"smtp://127.0.0.1:{server.server_address[1]}", server
        finally:
            server.closing.set()
            server.shutdown()

"""A mail server with moods: it takes letters, hangs, hangs up after the dot, or says not now."""

import contextlib
import email
import email.policy
import socketserver
import threading
from typing import Any

import msgspec

from tests.desk import Arrived
from tests.servers import PATIENCE

GOOD, HANGS, HANGS_AFTER, DROPS, DROPS_KEPT, BUSY, BUSY_AFTER, REFUSES_US = (
    "good",
    "hangs at once",
    "hangs after the dot",
    "hangs up after the dot, the letter lost",
    "hangs up after the dot, the letter taken",
    "says 4xx to the sender",
    "says 4xx to the text",
    "says 421 and hangs up",
)
TROUBLES = (HANGS, HANGS_AFTER, DROPS, DROPS_KEPT, BUSY, BUSY_AFTER, REFUSES_US)


class Handed(msgspec.Struct):
    """A text that was handed over whole."""

    letter_id: str
    to: str
    acknowledged: bool = False
    """It was answered by 250, as far as the server can know."""
    refused: bool = False
    """It was answered by 4xx: certainly not taken."""


class _Talk(socketserver.StreamRequestHandler):
    timeout = 60

    def handle(self) -> None:
        with contextlib.suppress(OSError):
            self._talk(self.server.post)

    def _say(self, line: bytes) -> None:
        self.wfile.write(line + b"\r\n")

    def _talk(self, post: "MoodyPost") -> None:
        mood = post.mood
        if mood == HANGS:
            post.ended.wait(30)
            return
        if mood == REFUSES_US:
            self._say(b"421 4.3.2 not now")
            return
        self._say(b"220 moody")
        sender, to = "", ""
        while line := self.rfile.readline():
            verb, _, rest = line.decode(errors="replace").strip().partition(" ")
            match verb.upper():
                case "QUIT":
                    self._say(b"221 bye")
                    return
                case "MAIL":
                    sender = rest.partition("<")[2].partition(">")[0]
                    self._say(b"451 4.3.0 busy" if post.mood == BUSY else b"250 ok")
                case "RCPT":
                    to = rest.partition("<")[2].partition(">")[0]
                    self._say(b"250 ok")
                case "DATA":
                    self._say(b"354 go on")
                    if not self._text(post, sender, to):
                        return
                case _:
                    self._say(b"250 ok")

    def _text(self, post: "MoodyPost", sender: str, to: str) -> bool:
        text = b""
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                return False
            text += line.removeprefix(b".") if line.startswith(b"..") else line
        message = email.message_from_bytes(text, policy=email.policy.SMTP)
        handed = Handed(str(message["Message-ID"]).strip("<>").partition("@")[0], to)
        mood = post.mood
        with post.changed:
            post.handed.append(handed)
            handed.refused = mood == BUSY_AFTER
            if mood in (GOOD, DROPS_KEPT, BUSY, HANGS):
                post.letters.append(Arrived(to, sender, message, text))
                post.changed.notify_all()
            handed.acknowledged = mood in (GOOD, BUSY, HANGS)
        if mood == BUSY_AFTER:
            self._say(b"451 4.3.0 no room")
        elif mood in (DROPS, DROPS_KEPT, REFUSES_US):
            return False
        elif mood == HANGS_AFTER:
            post.ended.wait(30)
            return False
        else:
            self._say(b"250 taken")
        return True


class MoodyPost:
    """The server, with the letters that it has."""

    def __init__(self) -> None:
        self.mood = GOOD
        self.letters: list[Arrived] = []
        self.handed: list[Handed] = []
        self.changed = threading.Condition()
        self.ended = threading.Event()
        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Talk)
        self._server.daemon_threads = True
        self._server.post = self  # type: ignore[attr-defined]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Its address as a setting."""
        return f"smtp://127.0.0.1:{self._server.server_address[1]}"

    def of(self, address: str, subject: str = "") -> list[Arrived]:
        """The letters to an address, oldest first."""
        return [one for one in list(self.letters) if one.to == address and subject in one.message["Subject"]]

    def wait(self, condition: Any, of: str = "a letter") -> Any:
        """What the condition gives as soon as it is true; it is tried at each letter's arrival."""
        with self.changed:
            found = self.changed.wait_for(condition, PATIENCE)
        assert found, f"waited in vain for {of}"
        return found

    def close(self) -> None:
        """End it and every talk."""
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()

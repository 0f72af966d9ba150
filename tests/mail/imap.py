"""A mailbox for tests: as much of an IMAP server as a poller needs, and moods to be in."""

import base64
import contextlib
import re
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Box:
    """What is in the mailbox, and how the server behaves."""

    def __init__(self, *mails: bytes) -> None:
        self.mails = dict(enumerate(mails, start=1))
        self.seen: set[int] = set()
        self.folders: list[str] = []
        self.commands: list[str] = []
        self.refuse: list[str] = []
        """Answer NO, once each, to the first command that begins so."""
        self.hang_up: list[str] = []
        """Close the connection, once each, at the first command that begins so."""
        self.drip: list[str] = []
        """Answer line after line without an end, once each, to the first command that begins so."""
        self.plain = False
        """Refuse a search that names a character set, as some servers do."""
        self.logins: list[bytes] = []
        """What was sent to AUTHENTICATE."""
        self.ended = threading.Event()


class _Talk(socketserver.StreamRequestHandler):
    def handle(self):
        box: Box = self.server.box
        if self._dripping(box, "GREETING"):
            return
        self._say("* OK ready")
        while line := self.rfile.readline():
            tag, _, command = line.decode().strip().partition(" ")
            command = command.removeprefix("UID ") if command.upper().startswith("UID ") else command
            box.commands.append(command)
            if self._mood(box.hang_up, command):
                return
            if self._dripping(box, command):
                return
            if self._mood(box.refuse, command) or (box.plain and command.startswith("SEARCH CHARSET")):
                self._say(f"{tag} NO not now")
                continue
            self._answer(box, command)
            self._say(f"{tag} OK done")
            if command.upper() == "LOGOUT":
                return

    def _dripping(self, box: Box, command: str) -> bool:
        if not self._mood(box.drip, command):
            return False
        with contextlib.suppress(OSError):
            while not box.ended.wait(0.02):
                if command == "GREETING":
                    self.wfile.write(b"*")
                else:
                    self._say("* OK still here")
        return True

    @staticmethod
    def _mood(moods: list[str], command: str) -> bool:
        found = next((mood for mood in moods if command.upper().startswith(mood)), None)
        if found is not None:
            moods.remove(found)
        return found is not None

    def _answer(self, box: Box, command: str) -> None:
        verb = command.partition(" ")[0].upper()
        if verb == "CAPABILITY":
            self._say("* CAPABILITY IMAP4rev1")
        elif verb == "AUTHENTICATE":
            self._say("+ ")
            box.logins.append(base64.b64decode(self.rfile.readline()))
        elif verb == "SELECT":
            box.folders.append(re.search('"(.*)"', command)[1])
            self._say(f"* {len(box.mails)} EXISTS")
        elif verb == "SEARCH":
            found = [uid for uid in box.mails if uid not in box.seen]
            self._say(" ".join(("* SEARCH", *map(str, found))))
        elif verb == "FETCH":
            uid = int(command.split(" ")[1])
            most = re.search(r"<0\.(\d+)>", command)
            mail = box.mails[uid][: int(most[1])] if most else box.mails[uid]
            self.wfile.write(b"* %d FETCH (UID %d BODY[] {%d}\r\n" % (uid, uid, len(mail)) + mail + b")\r\n")
        elif verb == "STORE":
            box.seen.add(int(command.split(" ")[1]))
        elif verb == "LOGOUT":
            self._say("* BYE")

    def _say(self, line: str) -> None:
        self.wfile.write(line.encode() + b"\r\n")


@contextmanager
def imap_server(box: Box) -> Iterator[int]:
    """A server with that mailbox; its port."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Talk) as server:
        server.daemon_threads = True
        server.box = box
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            box.ended.set()
            server.shutdown()

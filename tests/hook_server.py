"""A server that stands in for Discord, Slack or a program of one's own: it keeps what comes in."""

import base64
import hashlib
import hmac
import json
import ssl
from pathlib import Path

import msgspec

from tests.push_service import HOST, PushService, until_read

ADDRESS = f"https://{HOST}/hooks/7/the-token-of-the-channel"


class Posted(msgspec.Struct):
    """A request that came in."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def facts(self) -> dict:
        return json.loads(self.body)

    def is_signed(self, secret: str) -> bool:
        """As a receiver finds out, with nothing of ours."""
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + self.body
        key = base64.b64decode(secret.removeprefix("whsec_"))
        found = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        return self.headers["webhook-signature"] == f"v1,{found}"


class HookServer(PushService):
    """Listens with TLS. `drips`: it sends a byte now and then for ever."""

    def __init__(self, folder: Path) -> None:
        self.posted: list[Posted] = []
        self.drips = False
        super().__init__(folder)

    def _serve(self, secure: ssl.SSLSocket) -> None:
        secure.settimeout(20)
        head, _, body = until_read(secure, b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        while len(body) < int(headers["content-length"]):
            body += secure.recv(65536)
        method, path, _ = first.split(" ")
        assert (method, headers["host"]) == ("POST", HOST)
        self.posted.append(Posted(path, headers, body))
        if self.hangs:
            secure.recv(1)
            return
        status = self.statuses.pop(0) if self.statuses else 204
        if self.drips:
            self._drip(secure)
            return
        secure.sendall(self.answer or f"HTTP/1.1 {status} Said\r\nContent-Length: 0\r\n\r\n".encode())

    def _drip(self, secure: ssl.SSLSocket) -> None:
        """Send a byte whenever the other side has not gone for a moment."""
        secure.settimeout(0.05)
        while not self.ended.is_set():
            secure.sendall(b"H")
            try:
                if not secure.recv(1):
                    return
            except TimeoutError:
                continue

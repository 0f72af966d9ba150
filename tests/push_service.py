"""A push service that stands in for those of browsers: it checks the signature and decrypts, as they do."""

import base64
import json
import socket
import ssl
import threading
from datetime import UTC, datetime
from pathlib import Path

import http_ece
import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from py_vapid import Vapid02

from app.mail.core import deadline, guarded

HOST = "push.example.net"
PUBLIC = "93.184.216.34"
"""An address as the internet has them; tests lead connections to it to the stand-in."""


class Received(msgspec.Struct):
    """What came in: the claims that were signed and by which key, headers, what only the browser reads."""

    path: str
    claims: dict
    key: str
    headers: dict[str, str]
    told: dict


class Browser:
    """A browser with the keys that it made when it subscribed."""

    def __init__(self, name: str = "one") -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.secret = b"0123456789abcdef"
        self.endpoint = f"https://{HOST}/send/{name}?for=ever"

    def form(self) -> dict[str, str]:
        point = self.private.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return {"endpoint": self.endpoint, "p256dh": written(point), "auth": written(self.secret)}

    def read(self, body: bytes) -> dict:
        plain = http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret, version="aes128gcm")
        return json.loads(plain)


def browser_keys() -> dict[str, str]:
    """The fields of the form that has a browser notified."""
    return Browser().form()


class PushService:
    """Listens with TLS; `statuses` are its next answers, then 201. `hangs`: it never answers."""

    def __init__(self, folder: Path) -> None:
        self.browsers: dict[str, Browser] = {}
        self.received: list[Received] = []
        self.statuses: list[int] = []
        self.answer: bytes | None = None
        self.hangs = False
        self.ended = threading.Event()
        self.authority = folder / "service.pem"
        key = folder / "service.key"
        _certificate(self.authority, key)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self.authority, key)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def browser(self, name: str = "one") -> Browser:
        made = Browser(name)
        self.browsers[made.endpoint.removeprefix(f"https://{HOST}")] = made
        return made

    def close(self) -> None:
        self.ended.set()
        with socket.create_connection(("127.0.0.1", self.port)):
            pass
        self._thread.join()
        self._listener.close()

    def _run(self) -> None:
        while True:
            plain, _ = self._listener.accept()
            if self.ended.is_set():
                plain.close()
                return
            with plain:
                try:
                    with self._context.wrap_socket(plain, server_side=True) as secure:
                        self._serve(secure)
                except OSError:
                    continue

    def _serve(self, secure: ssl.SSLSocket) -> None:
        secure.settimeout(20)
        head, _, body = until_read(secure, b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        while len(body) < int(headers["content-length"]):
            body += secure.recv(65536)
        if self.hangs:
            secure.recv(1)  # until the other side has had enough
            return
        method, path, _ = first.split(" ")
        assert (method, headers["host"], headers["content-encoding"]) == ("POST", HOST, "aes128gcm")
        signed = headers["authorization"]
        assert Vapid02.verify(signed)
        parts = dict(part.split("=", 1) for part in signed.removeprefix("vapid ").split(","))
        claims = json.loads(read(parts["t"].split(".")[1]))
        told = self.browsers[path].read(body)
        self.received.append(Received(path, claims, parts["k"], headers, told))
        status = self.statuses.pop(0) if self.statuses else 201
        secure.sendall(self.answer or f"HTTP/1.1 {status} Said\r\nContent-Length: 0\r\n\r\n".encode())


def led_to(service: PushService, monkeypatch, *addresses: str) -> list[str]:
    """The name leads to these addresses, and every connection to the stand-in; returns what was called."""
    connected: list[str] = []

    class Plain(socket.socket):
        def connect(self, address):
            assert address[1] == 443
            connected.append(address[0])
            return super().connect(("127.0.0.1", service.port))

    class Sockets:
        socket = Plain

        def __getattr__(self, name):
            return getattr(socket, name)

        def getaddrinfo(self, host, port, *_):
            assert host == HOST
            return [
                (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port))
                for one in addresses or (PUBLIC,)
            ]

    context = ssl.create_default_context(cafile=str(service.authority))
    monkeypatch.setattr(deadline, "socket", Sockets())
    monkeypatch.setattr(guarded, "trusted", lambda: context)
    return connected


def written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def read(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def until_read(secure: ssl.SSLSocket, end: bytes) -> tuple[bytes, bytes, bytes]:
    found = b""
    while end not in found:
        more = secure.recv(65536)
        if not more:
            raise ConnectionError
        found += more
    return found.partition(end)


def _certificate(file: Path, key_file: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2100, 1, 1, tzinfo=UTC))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )

"""A minimal HTTP client for load: prepared requests, a connection each, statuses and times noted."""

import socket
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec


class Load(msgspec.Struct, frozen=True):
    """The speed of a number of requests."""

    rate: float
    """Requests per second."""
    p50: float
    """Milliseconds."""
    p99: float
    """Milliseconds."""


FINE = 200


def request(
    method: str, path: str, port: int, body: str = "", etag: str = "", more: Mapping[str, str] | None = None
) -> bytes:
    """The bytes of one request, with more headers; with an ETag it asks for what has changed."""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
    if etag:
        head += f"If-None-Match: {etag}\r\n"
    for name, value in (more or {}).items():
        head += f"{name}: {value}\r\n"
    if body:
        head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
    return f"{head}\r\n{body}".encode()


def ask(port: int, one: bytes) -> tuple[int, dict[str, str], bytes]:
    """The status, headers and body of an answer."""
    head, body = _exchange(port, one).split(b"\r\n\r\n", 1)
    lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines[1:])
    return int(lines[0][9:12]), {name.casefold(): value for name, value in headers.items()}, body


def send(port: int, requests: Sequence[bytes], wanted: int, clients: int = 1) -> Load:
    """Send all requests by so many clients at once. Raises RuntimeError for a status other than `wanted`."""
    statuses: Counter[int] = Counter()
    times: list[float] = []
    waiting = iter(requests)
    lock = threading.Lock()

    def client() -> None:
        for one in _shared(waiting, lock):
            begun = time.perf_counter()
            answer = _exchange(port, one)
            times.append(time.perf_counter() - begun)
            statuses[int(answer[9:12])] += 1

    threads = [threading.Thread(target=client) for _ in range(clients)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent = time.perf_counter() - start
    if set(statuses) != {wanted}:
        raise RuntimeError(f"wanted {wanted}, got {dict(statuses)}")
    cuts = statistics.quantiles(times, n=100)
    return Load(len(requests) / spent, cuts[49] * 1000, cuts[98] * 1000)


def _shared(waiting: Iterator[bytes], lock: threading.Lock) -> Iterator[bytes]:
    while True:
        with lock:
            one = next(waiting, None)
        if one is None:
            return
        yield one


def _exchange(port: int, one: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(one)
        parts = []
        while part := connection.recv(262_144):
            parts.append(part)
    return b"".join(parts)

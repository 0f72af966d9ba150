"""A minimal HTTP client for load: prepared requests, one connection each, statuses counted."""

import socket
import time
from collections import Counter
from collections.abc import Sequence


def request(method: str, path: str, port: int, body: str = "") -> bytes:
    """The bytes of one request."""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
    if body:
        head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
    return f"{head}\r\n{body}".encode()


def rate(port: int, requests: Sequence[bytes], wanted: int) -> float:
    """Requests per second, one after another. Raises RuntimeError for a status other than `wanted`."""
    statuses: Counter[int] = Counter()
    start = time.perf_counter()
    for one in requests:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(one)
            answer = connection.recv(65536)
            statuses[int(answer[9:12])] += 1
            while connection.recv(65536):
                pass
    spent = time.perf_counter() - start
    if set(statuses) != {wanted}:
        raise RuntimeError(f"wanted {wanted}, got {dict(statuses)}")
    return len(requests) / spent

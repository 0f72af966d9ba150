"""One deadline over a whole talk with another server, from the look-up of its name to its last word.

Sockets have a patience for each answer alone: a server that sends a byte now and then would be listened to
for ever, and the look-up of a name has no patience to set.
"""

import contextlib
import os
import queue
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Self

Address = tuple[Any, ...]


class Deadline:
    """Ends the connections that it made or watches after so many seconds, unless it is ended before."""

    def __init__(self, seconds: float) -> None:
        self._wire: socket.socket | None = None
        self._begin(seconds)

    def connected(
        self,
        host: str,
        port: int,
        longest: float,
        admit: Callable[[Sequence[Address]], None] = lambda _: None,
    ) -> socket.socket:
        """A connection to an address of the host; each is tried for `longest` seconds. Raises OSError.

        `admit` sees all addresses before the first is tried, and may raise: no other is connected to, because
        the name is looked up once.
        """
        failed: OSError = OSError("the host has no address")
        found = _looked_up(host, port, self._left())
        admit([address for *_, address in found])
        for family, kind, protocol, _, address in found:
            plain = socket.socket(family, kind, protocol)
            try:
                plain.settimeout(max(0.1, min(longest, self._left())))
                plain.connect(address)
                self.watch(plain)
                if not self._left():
                    raise TimeoutError("it took too long")
                plain.settimeout(longest)
                return plain
            except OSError as error:
                plain.close()
                failed = error
                if not self._left():
                    break
        raise failed

    def watch(self, connection: socket.socket) -> None:
        """Cut this connection at the end."""
        # A copy of the handle: TLS takes the socket over, and the deadline must still reach it.
        handle = socket.socket(
            connection.family, connection.type, connection.proto, os.dup(connection.fileno())
        )
        self._wire, before = handle, self._wire
        if before is not None:
            before.close()

    def again(self, seconds: float) -> None:
        """Begin a new time for what is watched."""
        self._timer.cancel()
        self._begin(seconds)

    def end(self) -> None:
        """Cut nothing any more. Who holds the connection closes it."""
        self._timer.cancel()
        if self._wire is not None:
            self._wire.close()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.end()

    def _begin(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True
        self._timer.start()

    def _left(self) -> float:
        return max(0.0, self._ends - time.monotonic())

    def _cut(self) -> None:
        """End the talk; who waits for an answer sees the connection closed."""
        if self._wire is not None:
            with contextlib.suppress(OSError):
                self._wire.shutdown(socket.SHUT_RDWR)


def _looked_up(host: str, port: int, seconds: float) -> list[tuple[Any, Any, int, str, Address]]:
    """The host's addresses. A look-up can't be ended: one that takes too long is left to end by itself.

    Raises OSError.
    """
    found: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def look() -> None:
        try:
            found.put(socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            found.put(error)

    threading.Thread(target=look, daemon=True, name="look-up").start()
    try:
        addresses = found.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError("the look-up of the host's name has no answer") from None
    if isinstance(addresses, UnicodeError):
        raise OSError("the host's name is none") from addresses
    if isinstance(addresses, OSError):
        raise addresses
    return list(addresses)

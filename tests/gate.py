"""A door in front of a real PostgreSQL: it can be shut, or left open with nobody answering behind it."""

import contextlib
import socket
import threading
from typing import Self

from psycopg.conninfo import conninfo_to_dict


class Gate:
    """Forwards connections to the server of a database's address, while it is open."""

    def __init__(self, address: str) -> None:
        named = conninfo_to_dict(address)
        self._behind = f"{named['host']}/.s.PGSQL.{named.get('port', 5432)}"
        self._passes = threading.Event()
        self._passes.set()
        self._open: list[socket.socket] = []
        self._listener: socket.socket | None = None
        self.port = 0
        self.open()
        name, user = named["dbname"], named["user"]
        self.address = f"postgresql://{user}:x@127.0.0.1:{self.port}/{name}?sslmode=disable"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.shut()

    def open(self) -> None:
        """Let everybody through."""
        self._passes.set()
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            self.port = self._listener.getsockname()[1]
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def shut(self) -> None:
        """Refuse new connections and break the others off, as a server that is stopped does."""
        self._passes.set()
        if self._listener is not None:
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        while self._open:
            self._end(self._open.pop())

    def hang(self) -> None:
        """Accept connections and answer nothing, as a server that stands still does."""
        self._passes.clear()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                outer, _ = listener.accept()
            except OSError:
                return
            inner = socket.socket(socket.AF_UNIX)
            inner.connect(self._behind)
            self._open += [outer, inner]
            for one, other in ((outer, inner), (inner, outer)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                self._passes.wait()
                other.sendall(data)
        self._end(one)
        self._end(other)

    @staticmethod
    def _end(one: socket.socket) -> None:
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()

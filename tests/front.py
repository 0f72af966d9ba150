"""A proxy in front of the pages, as a rolling restart needs one: new visitors go where it was told last."""

import contextlib
import socket
import threading


class Front:
    """Forwards each connection to a port of this machine."""

    def __init__(self, port: int) -> None:
        """`port`: its own."""
        self._behind = 0
        self._listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, daemon=True).start()

    def lead_to(self, port: int) -> None:
        """Send new visitors there; who has a connection keeps it."""
        self._behind = port

    def close(self) -> None:
        """Take no more visitors."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                outer, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(outer,), daemon=True).start()

    def _serve(self, outer: socket.socket) -> None:
        with outer, socket.create_connection(("127.0.0.1", self._behind)) as inner:
            back = threading.Thread(target=_pass_on, args=(inner, outer), daemon=True)
            back.start()
            _pass_on(outer, inner)
            back.join()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    """Everything that one says, and that it has ended."""
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    with contextlib.suppress(OSError):
        other.shutdown(socket.SHUT_WR)

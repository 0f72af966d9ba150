"""A real `tidepost web` in a process of its own, and bytes sent to it by hand."""

import http.client
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Self

from tests.servers import PATIENCE, free_port, until

ROOT = Path(__file__).parent.parent.parent
COMMAND = (sys.executable, "-m", "app.cli", "web")


class Site:
    """The process. `settings` are those of TIDEPOST_*, without the prefix."""

    def __init__(self, folder: Path, *arguments: str, host: str = "127.0.0.1", before=None, **settings: str):
        self.port, self.host, self.folder = free_port(), host, folder
        self.out = folder / "web.log"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TIDEPOST_")}
        given = {"DATA_DIR": str(folder / "data"), "SECRET_KEYS": "k" * 20 + "0123456789abcdef"} | settings
        self.environment = kept | {f"TIDEPOST_{name}": value for name, value in given.items()}
        self.environment |= {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        with self.out.open("wb") as out:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "app.cli",
                    "web",
                    "--host",
                    host,
                    "--port",
                    str(self.port),
                    *arguments,
                ],
                env=self.environment,
                stdout=out,
                stderr=out,
                preexec_fn=before,  # noqa: PLW1509 - the tests' process runs no other thread that matters
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)

    @property
    def address(self) -> str:
        return {"::": "::1", "0.0.0.0": "127.0.0.1"}.get(self.host, self.host)

    def log(self) -> str:
        return self.out.read_text()

    def up(self, path: str = "/livez", status: int = 200) -> "Site":
        """Itself, when the path is answered so."""
        until(lambda: self.answers(path) == status, f"{status} from {path}", self.log)
        return self

    def answers(self, path: str) -> int:
        """The status, or 0 where there is no answer."""
        assert self.process.poll() is None, self.log()
        try:
            return self.get(path)[0]
        except (OSError, http.client.HTTPException):
            return 0

    def get(self, path: str, method: str = "GET", body: str = "", **headers: str) -> tuple[int, str, dict]:
        """Status, text and headers of an answer, on a connection of its own."""
        connection = http.client.HTTPConnection(self.address, self.port, timeout=PATIENCE)
        try:
            form = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
            connection.request(method, path, body or None, form | headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace"), dict(answer.headers)
        finally:
            connection.close()

    def connect(self, sent: bytes = b"", window: int = 0) -> socket.socket:
        """An open connection to which something was sent; a small window makes a slow reader."""
        family = socket.AF_INET6 if ":" in self.address else socket.AF_INET
        made = socket.socket(family)
        made.settimeout(PATIENCE)
        if window:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        made.connect((self.address, self.port))
        made.sendall(sent)
        return made

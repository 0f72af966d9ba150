"""The brokers that messages to the workers go through, with their options; one of them is a folder.

Whatever broker it is, a message is a hint and the database is the truth: beat finds what a broker lost.
"""

import json
import secrets
import time
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, virtual

from app import data_folder
from app.store.tolerant import TolerantTransport

QUEUE = "tidepost"
PREFIX = "tidepost:"
"""Before every key in Redis, which may serve others too."""
WAITING = 30
"""Seconds to wait for RabbitMQ to take or give anything."""
LONGEST_TASK = 15 * 60
"""Seconds. Redis gives a message to a second worker when the first has had it for longer."""


def celery_settings(broker_url: str, data_dir: Path) -> dict[str, Any]:
    """Celery's settings for sending to this broker: `folder://`, redis, redis+socket, rediss or amqp."""
    scheme = broker_url.partition(":")[0]
    options: dict[str, Any] = {}
    if scheme == "folder":
        TRANSPORT_ALIASES["folder"] = "app.store.broker:FolderTransport"
        broker_url = "folder://localhost"
        options = {"folder": str(data_dir / "broker")}
    elif scheme.startswith("redis"):
        # By default kombu looks for messages of dead workers every 100 s only.
        options = {
            "visibility_timeout": LONGEST_TASK,
            "unacked_restore_interval": 10,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": 5,
            "socket_timeout": 60,  # longer than the worker's blocking read
            "socket_keepalive": True,
            "global_keyprefix": PREFIX,
        }
        for name in ("redis", "rediss"):
            TRANSPORT_ALIASES[name] = "app.store.redis_broker:RedisTransport"
    else:
        options = {"read_timeout": WAITING, "write_timeout": WAITING}
    return {
        "broker_url": broker_url,
        "broker_transport_options": options,
        "broker_connection_timeout": 5,
        "task_default_queue": QUEUE,
        "task_serializer": "json",
        "accept_content": ["json"],
        "task_ignore_result": True,
        "result_backend": None,
        "enable_utc": True,
    }


class FolderChannel(virtual.Channel):
    """Messages as files of one folder a queue, each written whole before it can be seen.

    kombu's own `filesystem://` shows a file before it is written: a reader in between loses the message
    and ends the worker.
    """

    def _folder(self, queue: str) -> Path:
        folder = Path(self.connection.client.transport_options["folder"]) / queue
        if not folder.is_dir():
            data_folder.private(folder)
        return folder

    def _new_queue(self, queue: str, **_: Any) -> None:
        self._folder(queue)

    def _has_queue(self, queue: str, **_: Any) -> bool:
        return self._folder(queue).is_dir()

    def _names(self, queue: str) -> list[str]:
        """The waiting messages, oldest first."""
        return sorted(path.name for path in self._folder(queue).glob("*.json"))

    def _put(self, queue: str, message: dict[str, Any], **_: Any) -> None:
        folder = self._folder(queue)
        name = f"{time.time_ns():020}-{secrets.token_hex(6)}"
        hidden = folder / f".{name}"
        hidden.write_text(json.dumps(message))
        hidden.replace(folder / f"{name}.json")

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:  # noqa: ARG002 - kombu's
        folder = self._folder(queue)
        for name in self._names(queue):
            taken = folder / f".{name}.taken"
            try:
                (folder / name).rename(taken)  # only one of several readers succeeds
            except FileNotFoundError:
                continue
            text = taken.read_text()
            taken.unlink()
            try:
                message: dict[str, Any] = json.loads(text)
            except ValueError:  # somebody else's file: no reason to stop
                continue
            return message
        raise Empty

    def _size(self, queue: str) -> int:
        return len(self._names(queue))

    def _purge(self, queue: str) -> int:
        names = self._names(queue)
        for name in names:
            (self._folder(queue) / name).unlink(missing_ok=True)
        return len(names)


class FolderTransport(TolerantTransport, virtual.Transport):
    """`folder://`: for one machine. Other brokers serve several."""

    Channel = FolderChannel
    polling_interval = 0.1
    driver_type = "folder"
    driver_name = "folder"
    implements = virtual.Transport.implements.extend(
        asynchronous=False, exchange_type=frozenset(["direct"]), heartbeats=False
    )

    def driver_version(self) -> str:
        """There is no driver."""
        return "-"

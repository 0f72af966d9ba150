"""The server of the pages: gunicorn's processes, in each of which Waitress takes whole requests.

A thread works only on a request that is here in full, and hands its answer to a buffer. So visitors who
send or fetch a byte a second, by intent or by a bad line, hold a connection and never a thread. Each has a
deadline; and where connections become too many, the one that has waited longest makes room.
"""

import contextlib
import logging
import os
import resource
import time
from typing import Any

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from app import settings

LARGEST_HEAD = 64 * 1024
LARGEST_BODY = 1024 * 1024
"""Bytes. A form that is too long gets the page that says so up to here, and beyond only the status."""
MOST = 2000
"""Connections of one process, or as many as it may open."""
SPARE_FILES = 64
"""Open files that are no connections."""
FETCHING = 6
"""An answer may be fetched for so many times the deadline of a request: pictures are larger than forms."""
ROUND = 0.5
"""Seconds of one wait for events, at most."""
LAST_ROUNDS = 20
"""Waits, a fifth as long, for the rest of requests that are half here when the process is told to end."""
LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
OWN_THREAD = "/livez"
"""Answered while all other threads are busy."""


class Waiting(HTTPChannel):  # type: ignore[misc]  # Waitress ships no types
    """A connection, and since when it waits for its visitor."""

    since = 0.0
    waits_for: object = None

    def late(self, now: float, deadline: float) -> bool:
        """Whether the visitor is too slow to send a request or to fetch the answer."""
        if self.requests:  # a thread is at work, and the visitor waits
            self.waits_for = None
            return False
        fetching = bool(self.total_outbufs_len)
        waits_for = "fetching" if fetching else self.request or "idle"
        if waits_for is not self.waits_for:
            self.waits_for, self.since = waits_for, now
        return now - self.since > deadline * (FETCHING if fetching else 1)

    def give_up(self) -> None:
        """Close the connection, with a word if a request was begun."""
        if self.request is not None and not self.total_outbufs_len:
            with contextlib.suppress(OSError):
                self.socket.send(LATE)
        self.will_close = True
        self.handle_close()


class Reception(TcpWSGIServer):  # type: ignore[misc]
    """A listening socket. `deadline` are the seconds in which a request must be here."""

    channel_class = Waiting
    deadline = 0.0
    most = MOST
    own_thread: Any = None

    def maintenance(self, now: float) -> None:
        """Close the connections whose visitors are too slow."""
        for channel in list(self.active_channels.values()):
            if channel.late(now, self.deadline):
                channel.give_up()

    def handle_accept(self) -> None:
        """Accept a connection; of too many, give up the one that has waited longest for its visitor."""
        super().handle_accept()
        if len(self.active_channels) > self.most:
            waiting = [one for one in self.active_channels.values() if not one.requests]
            oldest = min(waiting, key=lambda one: one.last_activity, default=None)
            if oldest is not None:
                oldest.give_up()

    def add_task(self, channel: Any) -> None:
        """Have the connection's first request worked on."""
        path = getattr(channel.requests[0], "path", "")
        (self.own_thread if path == OWN_THREAD else self.task_dispatcher).add_task(channel)


class _Signals(wasyncore.file_dispatcher):  # type: ignore[misc]
    """Ends the wait for events when the process gets a signal."""

    def writable(self) -> bool:
        """Never."""
        return False

    def handle_read(self) -> None:
        """Take the signal's byte; its handler runs by itself."""
        with contextlib.suppress(BlockingIOError):
            os.read(self.socket.fileno(), 512)


class ReceptionWorker(Worker):  # type: ignore[misc]  # gunicorn ships no types
    """One of gunicorn's processes."""

    def run(self) -> None:
        """Serve until the process is told to end; then finish what has begun."""
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        events: dict[int, Any] = {}
        threads, own = ThreadedTaskDispatcher(), ThreadedTaskDispatcher()
        threads.set_thread_count(self.cfg.threads)
        own.set_thread_count(1)
        doors = [self._door(listener.sock, events, threads, own) for listener in self.sockets]
        _Signals(self.PIPE[0], events)
        while self.alive and self.ppid == os.getppid():
            self.notify()
            wasyncore.poll2(ROUND, events)
        for door in doors:
            door.accepting = False
        until, rounds = time.time() + self.cfg.graceful_timeout, LAST_ROUNDS
        while time.time() < until and any(_busy(door, begun=rounds > 0) for door in doors):
            self.notify()
            wasyncore.poll2(ROUND / 5, events)
            rounds -= 1

    def _door(self, listener: Any, events: dict[int, Any], threads: Any, own: Any) -> Reception:
        address = listener.getsockname()
        door = Reception(
            self.wsgi,
            events,
            True,
            listener,
            dispatcher=threads,
            adj=_adjustments(self.cfg.threads),
            bind_socket=False,
            sockinfo=(listener.family, listener.type, listener.proto, address),
        )
        door.deadline = settings.read().request_seconds
        door.adj.cleanup_interval = min(1.0, door.deadline / 4)
        door.own_thread = own
        door.most = _most_connections()
        return door


def _busy(door: Reception, *, begun: bool) -> bool:
    """Whether an answer is under way; with `begun` also a request that isn't here in full."""
    return any(
        one.requests or one.total_outbufs_len or (begun and one.request is not None)
        for one in list(door.active_channels.values())
    )


def _adjustments(threads: int) -> Adjustments:
    return Adjustments(
        threads=threads,
        ident=None,
        # Who is believed is decided by the pages, from the settings.
        clear_untrusted_proxy_headers=False,
        max_request_header_size=LARGEST_HEAD,
        max_request_body_size=LARGEST_BODY,
        connection_limit=1_000_000,
        log_socket_errors=False,
    )


def _most_connections() -> int:
    """As many as the process may have files open, up to MOST."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + SPARE_FILES if hard == resource.RLIM_INFINITY else min(MOST + SPARE_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return MOST if soft == resource.RLIM_INFINITY else max(SPARE_FILES, min(MOST, soft - SPARE_FILES))

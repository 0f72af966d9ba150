"""Waking the workers when emails may be due, without waiting for the broker."""

import atexit
import logging
import threading
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from app import clock
from app.store.broker import celery_settings

log = logging.getLogger(__name__)

TASK, DRAW = "wake", "draw"
MOST_DRAWN = 20
"""Pictures that one process asks for within DRAWN_WITHIN; the pages show a placeholder for the others."""
DRAWN_WITHIN = timedelta(minutes=1)
STALE_AFTER = 60
"""Seconds after which a message is of no use: beat has swept since."""


PAUSE = 0.1
"""Seconds between two messages of a process. One message takes as long as half a move, and wakes for all."""


class WakeUp:
    """Wakes the workers from a thread of its own.

    The first call is sent at once; those made while it is sent, or within PAUSE after it, are sent as one.
    """

    def __init__(self, broker_url: str, data_dir: Path) -> None:
        self._settings = celery_settings(broker_url, data_dir)
        # One more try at once; after that the sweep is as fast.
        self._settings["broker_transport_options"] |= {"max_retries": 1, "interval_start": 0}
        self._state = threading.Condition()
        self._hurry = threading.Event()
        """Somebody waits for all messages."""
        self._wanted = 0
        self._done = 0
        self._asked: dict[tuple[int, int], datetime] = {}
        self._to_draw: list[tuple[int, int]] = []
        self._thread: threading.Thread | None = None
        self._client: Any = None

    def draw(self, match_id: int, ply: int) -> None:
        """Ask a worker for the picture of a match after a ply, unless many were asked for just now."""
        now = clock.now()
        with self._state:
            self._asked = {one: at for one, at in self._asked.items() if now - at < DRAWN_WITHIN}
            if (match_id, ply) in self._asked or len(self._asked) >= MOST_DRAWN:
                return
            self._asked[match_id, ply] = now
            self._to_draw.append((match_id, ply))
            self._notify()

    def __call__(self) -> None:
        """Wake them; returns at once, whether or not the broker can be reached."""
        with self._state:
            self._notify()

    def _notify(self) -> None:
        self._wanted += 1
        if self._thread is None or not self._thread.is_alive():  # a fork leaves no thread behind
            self._thread = threading.Thread(target=self._run, name="wake-up", daemon=True)
            self._thread.start()
            atexit.register(self.settle, 3.0)
        self._state.notify_all()

    def settle(self, timeout: float) -> bool:
        """Wait until every message is sent or given up. False: that took longer than so many seconds."""
        self._hurry.set()
        with self._state:
            sent = self._state.wait_for(lambda: self._done >= self._wanted, timeout)
        self._hurry.clear()
        return sent

    def _run(self) -> None:
        while True:
            with self._state:
                self._state.wait_for(lambda: self._done < self._wanted)
                upto = self._wanted
            try:
                self.send()
            except Exception as error:  # noqa: BLE001 - whatever the broker's client raises
                log.warning("the workers were not woken, the sweep will find the emails: %r", error)
            with self._state:
                self._done = upto
                self._state.notify_all()
            self._hurry.wait(PAUSE)

    def send(self) -> None:
        """Send the message now, in this thread. Raises what the broker's client raises."""
        with self._state:
            drawn, self._to_draw = self._to_draw, []
        if self._client is None:
            from celery import Celery  # slow to import, and not needed by commands

            self._client = Celery("wake-up", set_as_current=False, changes=self._settings)
        for match_id, ply in drawn:
            self._client.send_task(
                DRAW, (match_id, ply), expires=STALE_AFTER, ignore_result=True, retry=False
            )
        self._client.send_task(TASK, expires=STALE_AFTER, ignore_result=True, retry=False)

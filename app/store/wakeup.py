"""Waking the workers when emails may be due, without waiting for the broker."""

import atexit
import logging
import threading
from pathlib import Path
from typing import Any

from app.store.broker import celery_settings

log = logging.getLogger(__name__)

TASK = "wake"
STALE_AFTER = 60
"""Seconds after which a message is of no use: beat has swept since."""


class WakeUp:
    """Wakes the workers from a thread of its own. Calls made while one is under way are sent as one."""

    def __init__(self, broker_url: str, data_dir: Path) -> None:
        self._settings = celery_settings(broker_url, data_dir)
        # One more try at once; after that the sweep is as fast.
        self._settings["broker_transport_options"] |= {"max_retries": 1, "interval_start": 0}
        self._state = threading.Condition()
        self._wanted = 0
        self._done = 0
        self._thread: threading.Thread | None = None
        self._client: Any = None

    def __call__(self) -> None:
        """Wake them; returns at once, whether or not the broker can be reached."""
        with self._state:
            self._wanted += 1
            if self._thread is None or not self._thread.is_alive():  # a fork leaves no thread behind
                self._thread = threading.Thread(target=self._run, name="wake-up", daemon=True)
                self._thread.start()
                atexit.register(self.settle, 3.0)
            self._state.notify_all()

    def settle(self, timeout: float) -> bool:
        """Wait until every message is sent or given up. False: that took longer than so many seconds."""
        with self._state:
            return self._state.wait_for(lambda: self._done >= self._wanted, timeout)

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

    def send(self) -> None:
        """Send the message now, in this thread. Raises what the broker's client raises."""
        if self._client is None:
            from celery import Celery  # slow to import, and not needed by commands

            self._client = Celery("wake-up", set_as_current=False, changes=self._settings)
        self._client.send_task(TASK, expires=STALE_AFTER, ignore_result=True, retry=False)

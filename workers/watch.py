"""A thread that sweeps when nobody asks for it: a broker that hangs stops neither clocks nor emails."""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from app import clock
from app.store.patience import Outgrown

log = logging.getLogger(__name__)

EVERY = 30.0
"""Seconds between two looks."""
OVERDUE = timedelta(seconds=90)
"""Beat asks for a sweep every half minute, and every worker's sweep counts."""


class Watch:
    """Looks whether the last sweep is too long ago, and then makes one itself."""

    def __init__(
        self, last: Callable[[], datetime | None], sweep: Callable[[], None], leave: Callable[[], None]
    ) -> None:
        """`last`: when the last sweep was; None: there was none yet. `leave`: ends this worker."""
        self._last, self._sweep, self._leave = last, sweep, leave
        self._ended = threading.Event()

    def start(self) -> None:
        """Look for as long as the process lives."""
        threading.Thread(target=self._run, name="watch", daemon=True).start()

    def end(self) -> None:
        """Begin no more sweeps."""
        self._ended.set()

    def look(self) -> bool:
        """Make a sweep if none was made for too long; whether one was made. Never raises."""
        try:
            last = self._last()
            if last is not None and clock.now() - last <= OVERDUE:
                return False
            self._sweep()
        except Outgrown as error:  # each message that it takes is lost to the newer workers
            log.error("this worker ends: %s", error)  # noqa: TRY400 - the sentence says it all
            self._leave()
            return False
        except Exception:  # a database that is away: the next look tries again
            log.warning("a sweep of the worker's own failed", exc_info=True)
            return False
        return True

    def _run(self) -> None:
        while not self._ended.wait(EVERY):
            self.look()

"""Threads that hand letters over, beside those of the tasks: a mail server that hangs holds no sweep up."""

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

MANY = 4
"""Letters that a process hands over at the same time."""


class Postmen:
    """So many threads at most, which end when nothing is left to do."""

    def __init__(self, work: Callable[[], bool], many: int = MANY) -> None:
        """`work`: one round; returns whether letters are left."""
        self._work, self._many = work, many
        self._state = threading.Condition()
        self._wanted = 0
        self._busy = 0
        self._ended = False

    def ring(self) -> None:
        """Ask for a round; returns at once. If all are busy, the next that is free makes it."""
        with self._state:
            self._wanted = min(self._wanted + 1, self._many)
            if self._busy < self._many and not self._ended:
                self._busy += 1
                # Not a daemon: a process that is asked to end hands over what it has begun.
                threading.Thread(target=self._run, name="postman").start()

    def end(self) -> None:
        """Begin no more rounds."""
        with self._state:
            self._ended = True
            self._state.notify_all()

    def settle(self, timeout: float) -> bool:
        """Wait until nobody is busy. False: that took longer than so many seconds."""
        with self._state:
            return self._state.wait_for(lambda: not self._busy, timeout)

    def _run(self) -> None:
        while self._next():
            try:
                left = self._work()
            except Exception:  # a database that is away; the next sweep rings again
                log.warning("a round of emails failed", exc_info=True)
                left = False
            if left:
                with self._state:
                    self._wanted = min(self._wanted + 1, self._many)

    def _next(self) -> bool:
        with self._state:
            if self._wanted and not self._ended:
                self._wanted -= 1
                return True
            self._busy -= 1
            self._state.notify_all()
            return False

"""The database as the checks look into it: once, or until something has come."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from app.store.patience import driver_errors
from app.store.session import Store
from app.upkeep.doctor.finding import Case

PATIENCE, LONG_PATIENCE = 10, 30
"""Seconds for a statement, and for one that reads much."""
PAUSE = 0.2
"""Seconds between two looks."""
Found = TypeVar("Found")


@contextmanager
def opened(case: Case, patience: float = PATIENCE) -> Iterator[Store]:
    """The database of the case, let go at the end."""
    store = Store(case.settings.database_url, patience=patience)
    try:
        yield store
    finally:
        store.engine.dispose()


def awaited(
    case: Case, look: Callable[[Store], Found], has_come: Callable[[Found], bool], missing: Found
) -> Found:
    """The result of the look that finds it, or of the last one in time; `missing` without a database."""
    ends = time.monotonic() + case.wait
    try:
        with opened(case) as store:
            while not has_come(found := look(store)) and time.monotonic() < ends:
                time.sleep(PAUSE)
            return found
    except driver_errors():
        return missing

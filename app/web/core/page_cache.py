"""What was made once and is still good, in the memory of this process."""

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Shelf(Generic[T]):
    """So many things made last. Each key says all that the thing depends on, so nothing is ever stale."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._things: OrderedDict[tuple[object, ...], T] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[object, ...]) -> T | None:
        """What was made for the key, if it is still here."""
        with self._lock:
            found = self._things.get(key)
            if found is not None:
                self._things.move_to_end(key)
            return found

    def put(self, key: tuple[object, ...], thing: T) -> T:
        """Keep it; what was longest unasked for goes."""
        with self._lock:
            self._things[key] = thing
            while len(self._things) > self._size:
                self._things.popitem(last=False)
        return thing

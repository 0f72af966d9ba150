"""A bounded cache in the memory of this process."""

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class PageCache(Generic[T]):
    """The most recently used values. A key holds everything its value depends on, so none goes stale."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[tuple[object, ...], T] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[object, ...]) -> T | None:
        """The cached value, or None."""
        with self._lock:
            found = self._values.get(key)
            if found is not None:
                self._values.move_to_end(key)
            return found

    def put(self, key: tuple[object, ...], value: T) -> T:
        """Cache the value and return it; drop the least recently used beyond the size."""
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._size:
                self._values.popitem(last=False)
        return value

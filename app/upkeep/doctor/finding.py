"""One thing that is not as it should be, and the case that a server is."""

from collections.abc import Callable, Iterator

import msgspec

from app.settings import Settings
from app.upkeep.records import Records


class Finding(msgspec.Struct, frozen=True):
    """One thing that is not as it should be."""

    what: str
    """The fault, as it was seen."""
    why: str
    """The harm that it does."""
    do: str
    """A command or a change that mends it."""
    grave: bool = True
    """False: the server runs well without it."""


class Case(msgspec.Struct, frozen=True):
    """A server under examination."""

    settings: Settings
    records: Records
    """DNS, or what stands for it."""
    letter_to: str = ""
    """The address that gets a letter; empty: none is sent."""
    wait: float = 60.0
    """Seconds to wait for what takes a while: a worker's answer, a mail that comes back."""
    say: Callable[[str], None] = lambda _: None
    """Is told what is being waited for."""


Check = Callable[[Case], Iterator[Finding]]

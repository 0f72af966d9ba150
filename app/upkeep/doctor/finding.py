"""The case that a server is, and what a check is."""

from collections.abc import Callable, Iterator

import msgspec

from app.settings import Settings
from app.soundness.finding import Finding
from app.upkeep.records import Records


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

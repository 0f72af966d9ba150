"""One thing that is not as it should be."""

import msgspec


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

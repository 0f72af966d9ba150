"""Answers that say little."""

import msgspec


class Did(msgspec.Struct, frozen=True):
    """An act that was carried out."""

    done: bool = True
    """false: it had been done before, and nothing was done now."""


class Made(msgspec.Struct, frozen=True):
    """A match that was set up."""

    match: int
    """Its number."""

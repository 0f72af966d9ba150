"""What composing a letter comes to: a message to send, or a reason not to."""

from email.message import EmailMessage

import msgspec


class Reached(msgspec.Struct, frozen=True):
    """How far a letter tells of a match."""

    match_id: int
    ply: int | None
    notice: int | None


class Composed(msgspec.Struct, frozen=True):
    """A letter as it goes out."""

    message: EmailMessage
    sender: str
    """The envelope's."""
    recipient: str
    to_ply: int | None = None
    """The last ply that it tells of."""
    to_notice: int | None = None
    """And the last notice."""
    address_key: str = ""
    """Of the recipient."""
    reached: tuple[Reached, ...] = ()
    """Of a letter about several matches: how far it tells of each."""
    gathered: tuple[str, ...] = ()
    """The letters in whose place it goes."""


class Dropped(msgspec.Struct, frozen=True):
    """A letter that is no longer true. `reason` is a word for the player's page."""

    reason: str
    gathered: tuple[str, ...] = ()
    """The letters that are not true either."""

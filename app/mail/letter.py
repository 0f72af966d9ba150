"""What composing a letter comes to: a message to send, or a reason not to."""

from email.message import EmailMessage

import msgspec


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


class Dropped(msgspec.Struct, frozen=True):
    """A letter that is no longer true. `reason` is a word for the player's page."""

    reason: str

"""A letter: its row in the outbox, and the result of composing it, a message or a reason not to send it."""

from datetime import datetime, timedelta
from email.message import EmailMessage

import msgspec

from app.play.views.letter_facts import SeatTurn
from app.store.tokens import NewToken

QUIET = timedelta(minutes=10)
"""How long a turn waits by default: a player who acts within it needs no letter."""
AGAIN = "again:"
"""The beginning of `once` for a letter that its reader had sent again; the first letter's id follows."""


class LetterRow(msgspec.Struct, frozen=True):
    """A letter as it stands in the outbox. A worker reads it once, when it claims the letter."""

    id: str
    kind: str
    once: str
    match_id: int | None
    seat: str | None
    player_id: int | None
    invitation_id: int | None
    turn: int | None
    """The turn that it asks for."""
    by_seat: str | None
    """The seat whose player nudges."""
    consequence: str | None
    """The result of a missed deadline, as the clock's rule names it."""
    guest_id: int | None
    """The invitation whose answer or end it tells."""
    offer: str | None
    """The cause of a seat's offer: own_wish, reminder, operator; None: the organiser asks."""
    due_match_id: int | None
    """The match for which a reminder is due."""
    digest_at: datetime | None
    """The moment of a digest."""
    absence_id: int | None
    to_address: str | None
    """The address it goes to if that isn't the player's."""
    incoming_id: str | None
    """The mail that it answers."""
    confirmation_id: int | None
    """The request that its link confirms."""
    former_id: int | None
    """The former address that its link restores."""
    status: str
    reason: str
    created_at: datetime
    due_at: datetime
    tries: int
    sent_at: datetime | None
    sent_to: str
    """The key of the address that it went to; empty until then."""
    stuck_since: datetime | None
    """Since when it can't be delivered for a reason that is not its reader's."""
    repeats: int
    """How often its text was sent again though the mail server may have taken it."""

    def __repr__(self) -> str:
        return f"<LetterRow {self.id} {self.kind}>"

    @property
    def seat_turn(self) -> SeatTurn:
        """The turn that it asks for, with its seat and match. Only for kinds that have one."""
        assert self.match_id is not None
        assert self.seat is not None
        assert self.turn is not None
        return SeatTurn(self.match_id, self.seat, self.turn)

    @property
    def resent(self) -> bool:
        """Its reader had it sent again."""
        return self.once.startswith(AGAIN)

    @property
    def first_id(self) -> str:
        """The id of the letter that was sent first; its own, unless it was sent again."""
        return self.once.split(":")[1] if self.resent else self.id


class Reached(msgspec.Struct, frozen=True):
    """The last ply and the last notice of a match that a letter tells of."""

    match_id: int
    ply: int | None
    notice: int | None


class Composed(msgspec.Struct, frozen=True):
    """A letter to be handed to the mail server."""

    message: EmailMessage
    sender: str
    """The envelope's."""
    recipient: str
    to_ply: int | None = None
    """The last ply that it tells of."""
    to_notice: int | None = None
    """The last notice that it tells of."""
    address_key: str = ""
    """Of the recipient."""
    reached: tuple[Reached, ...] = ()
    """For a letter about several matches: how far it tells of each."""
    gathered: tuple[str, ...] = ()
    """The ids of the letters that it replaces."""
    tokens: tuple[NewToken, ...] = ()
    """Of its links and of its address for replies; they act once they are kept."""


class Dropped(msgspec.Struct, frozen=True):
    """A letter that is no longer true. `reason` is a word for the player's page."""

    reason: str
    gathered: tuple[str, ...] = ()
    """The ids of letters that are not true either."""

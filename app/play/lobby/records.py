"""A match before its start, as one viewer may see it."""

from datetime import datetime

import msgspec

from app.engine.game import Game
from app.play.clock.rules import Rule


class InvitationView(msgspec.Struct, frozen=True):
    """One invitation of a match."""

    invitation_id: int
    name: str
    """The player's name, once accepted; before that the address for the organiser, empty for others."""
    organiser: bool
    status: str
    answered_at: datetime | None
    joins: bool = False
    """They asked to join by themselves."""
    taken_out: bool = False
    """They had accepted, and the organiser took them out."""


class LobbyView(msgspec.Struct, frozen=True):
    """A match before its start, for its organiser or an invited player."""

    match_id: int
    game: Game
    options: dict[str, str]
    seats: int
    bots: int
    """The number of seats played by bots."""
    status: str
    """unconfirmed, open, running, over, called_off."""
    guests: tuple[InvitationView, ...]
    commitment: str
    mine: InvitationView | None
    """The viewer's invitation."""
    organised: bool
    """The viewer is the organiser."""
    created_at: datetime
    rule: Rule = Rule()
    """The time limit."""
    private: bool = False
    joinable: bool = False
    """It is listed, and anybody may take a free seat."""
    share: int = 0
    """The number of the link by which a free seat can be taken; 0: none, negative: it has ended."""
    again_of: int | None = None
    """The match whose rematch it is."""
    free: int = 0
    """Seats that nobody has and nobody was invited to."""

"""The parts of a match file, as records, and the error of a file that is none."""

from datetime import datetime
from typing import Annotated, TypeAlias

import msgspec

from app.engine.chance import Draw
from app.engine.game import Seat

LARGEST = 4_000_000
"""Bytes of a file. A long game with much talk takes a twentieth."""
LONGEST_LINE = 30_000
"""Characters of a line. The longest that are written are notes of which every character is written out."""
CALLED_OFF = "called_off"
"""The reason of an ending without a result."""


class BadFile(Exception):  # noqa: N818 - told to who brought the file
    """A file that can't be taken: the line, counted from 1 (0: the file as a whole), and what is wrong."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}" if line else what)
        self.line = line
        self.what = what


class Word(msgspec.Struct, frozen=True):
    """A player's word for the dice."""

    place: int
    """Of the player in the order of invitation, from 1."""
    seat: Seat
    text: str


# Parts of the operator's file are JSON without what is None: only of None is it sure that it is left out.
Moment: TypeAlias = Annotated[datetime, msgspec.Meta(tz=True)]


class Span(msgspec.Struct, frozen=True, omit_defaults=True):
    """A time in which clocks stand still."""

    begins: Moment
    ends: Moment | None = None
    """None: it goes on."""


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player, as the operator's file alone names them."""

    address: str
    language: str
    zone: str
    away: tuple[Span, ...] = ()
    """Absences that are not over, or that clocks still need."""


class Agreed(msgspec.Struct, frozen=True, omit_defaults=True):
    """The agreements of the players of a match that goes on: as all below, in the operator's file alone."""

    pauses: tuple[Span, ...] = ()
    """Times that the clocks which run don't count; the last goes on, so that moving takes nobody's time."""
    extended: int = 0
    """Days by which the host has extended deadlines, in all."""
    seats: str | None = None
    """The giver of open seats, if not the host: anybody."""


class Holding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's time on a seat, as it stands."""

    since: Moment | None = None
    """When it began, if not with the match."""
    open: Moment | None = None
    """Since then others may take the seat."""
    bank: float | None = None
    """Seconds of thinking time that the last turn left."""
    credited: float | None = None
    """Seconds given back because emails could not be delivered."""
    credited_until: Moment | None = None
    ply: int = -1
    """The last ply that an email told of."""
    notices: int = 0
    """How many of the notices emails told of."""


class Waiting(msgspec.Struct, frozen=True, omit_defaults=True):
    """An open question, with the clock of its turn as it stands still."""

    asks: str
    about: str
    number: int
    turn: int
    """The ply at which the seat's turn began."""
    ahead: bool = False
    """The seat's conditional moves are tried before its player is asked."""
    begun_at: Moment | None = None
    allowed: float | None = None
    """Seconds."""
    due_at: Moment | None = None
    remind_at: Moment | None = None
    late_at: Moment | None = None
    announced_at: Moment | None = None
    zone: str | None = None
    reminded: str | None = None


class Written(msgspec.Struct, frozen=True):
    """A private note."""

    text: str
    at: Moment


class Ahead(msgspec.Struct, frozen=True, omit_defaults=True):
    """A conditional move, or a policy for a kind of question."""

    kind: str
    """wish, policy."""
    text: str
    at: Moment
    ply: int
    """It was left after this ply."""
    name: str | None = None
    """The name of the policy."""
    until: Moment | None = None
    """When a policy ends by itself."""


class Played(msgspec.Struct, frozen=True):
    """A ply: a move in the notation, or undo or resign; without a seat the start, or a change of edition."""

    seat: Seat | None
    move: str
    draws: tuple[Draw, ...] = ()
    at: datetime | None = None
    by_clock: bool = False
    """The server made it because time had run out."""


class Said(msgspec.Struct, frozen=True):
    """An entry of the public log beside the moves, such as a message."""

    what: str
    seat: Seat | None
    by_seat: Seat | None
    facts: str
    """JSON."""
    at: datetime


class SeatResult(msgspec.Struct, frozen=True):
    """The result of one seat."""

    seat: Seat
    score: int | None
    place: int


class Ending(msgspec.Struct, frozen=True):
    """How the match ended."""

    reason: str
    results: tuple[SeatResult, ...] = ()
    at: datetime | None = None


class MatchFile(msgspec.Struct, frozen=True):
    """A match as its file tells it."""

    game: str
    edition: int
    """Of the rules at the start."""
    players: tuple[Seat, ...]
    """The seats, in turn order."""
    lines: tuple[Played | Said, ...]
    ending: Ending | None
    """None: the match goes on."""
    comments: tuple[str, ...] = ()
    """Above the headers."""
    options: tuple[tuple[str, str], ...] = ()
    """Those that differ from the game's usual ones."""
    seed: str | None = None
    """Of a made-up match, which nobody promised: the seed of its dice is the SHA-256 of this text. Its lines
    have moves alone."""
    private: bool = False
    clock: str = ""
    """JSON of its rule; empty: it has no clock."""
    host: Seat | None = None
    """In the operator's file alone."""
    bots: tuple[Seat, ...] = ()
    names: tuple[tuple[Seat, str], ...] = ()
    commitment: str = ""
    """The fingerprint that was shown before play, in hex."""
    dice: int = 0
    """The formula of its dice (`app.engine.dice`)."""
    words: tuple[Word, ...] = ()
    """In the order in which the formula takes them."""
    secret: str = ""
    """In hex."""
    people: tuple[tuple[Seat, Person], ...] = ()
    """In the operator's file alone, as all that follows."""
    agreed: Agreed | None = None
    holdings: tuple[tuple[Seat, Holding], ...] = ()
    waiting: tuple[tuple[Seat, Waiting], ...] = ()
    notes: tuple[tuple[Seat, Written], ...] = ()
    ahead: tuple[tuple[Seat, Ahead], ...] = ()

    @property
    def bare(self) -> bool:
        """It has moves alone, without draws and moments."""
        return self.seed is not None

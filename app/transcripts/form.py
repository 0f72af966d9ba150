"""The parts of a match file, as records, and the error of a file that is none."""

from datetime import datetime

import msgspec

from app.engine.chance import Draw
from app.engine.game import Seat

LARGEST = 4_000_000
"""Bytes of a file. A long game with much talk takes a twentieth."""
LONGEST_LINE = 20_000
"""Characters of a line. The longest that are written hold the shuffled cards of a set-up."""
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


class Person(msgspec.Struct, frozen=True):
    """A player, as the operator's file alone names them."""

    address: str
    language: str
    zone: str


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
    """In the operator's file alone."""

    @property
    def bare(self) -> bool:
        """It has moves alone, without draws and moments."""
        return self.seed is not None

"""A game played on in thought, in a world dealt anew from what one seat knows.

Nothing of the true state but the seat's view has any effect on it. The one who imagines plays all seats and
says what chance shows.
"""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import TypeVar

import msgspec

from app.engine.chance import Chance, ScriptedChance, UnfitDraw
from app.engine.errors import RulesError
from app.engine.game import Decision, Event, Game, Move, Outcome, Record, Seat, View

T = TypeVar("T")

MOST_LINES = 60
MOST_DRAWS = 12
"""Draws of one move whose result can be chosen."""
MOST_RESULTS = 60
"""Results to choose from; of more, chance chooses."""


class Line(msgspec.Struct, frozen=True):
    """A move in thought."""

    seat: Seat
    text: str
    """In the notation."""
    shown: tuple[str, ...] = ()
    """The results of its draws, in order; of further draws chance decides itself."""


class Draw(msgspec.Struct, frozen=True):
    """A draw, as the notation of positions writes its results."""

    shown: str
    possible: tuple[str, ...]


class Played(msgspec.Struct, frozen=True):
    """A line that was played."""

    line: Line
    move: Move
    view: View
    """That of its seat, before it."""
    events: tuple[Event, ...]
    """Those that the one who imagines would be told."""
    draws: tuple[Draw, ...]


class _Chosen(ScriptedChance):
    """Chance that shows what was chosen, and notes its draws."""

    def __init__(self, seed: bytes, ply: int, script: Sequence[str]) -> None:
        super().__init__(seed, ply, list(script))
        self.draws: list[Draw] = []

    def pick(self, items: Sequence[T]) -> T:
        """The next chosen result, or one at random. Raises UnfitDraw."""
        shown = super().pick(items)
        possible = tuple(dict.fromkeys(str(item) for item in items))
        if len(possible) <= MOST_RESULTS and len(self.draws) < MOST_DRAWS:
            self.draws.append(Draw(str(shown), possible))
        return shown

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in random order: nobody chooses it."""
        return Chance.shuffled(self, items)


class Imagined:
    """A world that a seat imagines, played on by lines as far as they are legal."""

    def __init__(self, game: Game, state: Record, seat: Seat, deal: int, lines: Sequence[Line] = ()) -> None:
        """Of all states that the seat can't tell apart, equal deals make equal worlds."""
        self._game, self._seat = game, seat
        self._seed = hashlib.sha256(f"what if {deal}".encode()).digest()
        self._state: Record = game.resample(state, seat, Chance(self._seed, 0))
        self.played: tuple[Played, ...] = ()
        self.dropped: tuple[Line, ...] = ()
        for n, line in enumerate(lines[:MOST_LINES]):
            try:
                self.add(line)
            except RulesError:
                self.dropped = tuple(lines[n:])
                break

    def __repr__(self) -> str:
        return f"<Imagined after {len(self.played)} lines>"

    @property
    def lines(self) -> tuple[Line, ...]:
        """Those that were played, in canonical text."""
        return tuple(one.line for one in self.played)

    @property
    def view(self) -> View:
        """The seat's own."""
        seen: View = self._game.view(self._state, self._seat)
        return seen

    @cached_property
    def outcome(self) -> Outcome | None:
        """Set if the game would be over."""
        return self._game.outcome(self._state)

    @property
    def asked(self) -> tuple[Decision, ...]:
        """The questions to all seats, mandatory ones first."""
        return tuple(sorted(self._game.decisions(self._state), key=lambda one: one.optional))

    def view_of(self, seat: Seat) -> View:
        """The view of another seat in this world."""
        seen: View = self._game.view(self._state, seat)
        return seen

    def by_bot(self) -> Line:
        """The bot's move for the first seat that is asked. Raises IndexError if none is."""
        decision = self.asked[0]
        view = self.view_of(decision.seat)
        move = self._game.bot(view, decision, Chance(self._seed, len(self.played), "bot"))
        return Line(decision.seat, self._game.format(move))

    def add(self, line: Line) -> None:
        """Play a line. Draws that can't be what was chosen are left to chance. Raises RulesError."""
        move = self._game.parse(self._state, line.seat, line.text)
        view = self.view_of(line.seat)
        chance, shown = _Chosen(self._seed, len(self.played) + 1, line.shown), line.shown
        try:
            step = self._game.apply(self._state, line.seat, move, chance)
        except UnfitDraw:
            chance, shown = _Chosen(self._seed, len(self.played) + 1, ()), ()
            step = self._game.apply(self._state, line.seat, move, chance)
        told = tuple(one.event for one in step.told if one.to is None or self._seat in one.to)
        line = Line(line.seat, self._game.format(move), shown)
        self.played += (Played(line, move, view, told, tuple(chance.draws)),)
        self._state = step.state
        self.__dict__.pop("outcome", None)

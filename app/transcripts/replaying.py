"""A match played again from its beginning, line by line, with all that chance showed."""

from collections.abc import Mapping

import msgspec

from app.engine import codec
from app.engine.chance import Draw, RecordedChance
from app.engine.game import Addressed, Game, Outcome, Record, Seat
from app.play.match.editions import rules_of, upgraded
from app.play.match.matches import Barrier
from app.play.moves.answering import ranked


class Fault(Exception):  # noqa: N818 - a fact about a line
    """The line can't follow here; the text says why."""


class Made(msgspec.Struct, frozen=True):
    """The result of a line."""

    move: str = ""
    """In the notation as it is written today: an older log may have written it otherwise."""
    told: tuple[Addressed, ...] = ()
    draws: tuple[Draw, ...] = ()


class _Before(msgspec.Struct, frozen=True):
    """The position before a move, and who made it."""

    state: Record
    seat: Seat


class Replay:
    """A match up to some line. It begins after its set-up; `first` is its result."""

    def __init__(
        self, slug: str, edition: int, seats: tuple[Seat, ...], options: Mapping[str, str], seed: bytes
    ) -> None:
        """Raises Closed("no_rules"), RulesError."""
        self.game: Game = rules_of(slug, edition)
        self.seats, self.seed = seats, seed
        chance = RecordedChance(seed, 0)
        step = self.game.setup(seats, options, chance)
        self.state: Record = step.state
        self.first = Made("start", step.told, tuple(chance.draws))
        self.ply = 0
        self.resigned: set[Seat] = set()
        self._barrier: tuple[int, Seat | None, Record | None] = (0, None, None)
        self._since = 0
        """Moves since the barrier that stand."""
        self._before: list[_Before] = []
        """Of the moves that stand and could be taken back."""

    def line(self, seat: Seat | None, move: str) -> Made:
        """Play the next ply of a log. Raises Fault, RulesError, Closed("no_rules")."""
        if self.outcome is not None:
            raise Fault("the game is over before this line")
        if seat is None:
            made = self._change(move)
        elif seat not in self.seats:
            raise Fault(f"{seat} isn't one of the players: {' '.join(self.seats)}")
        elif move == "undo":
            made = self._undo(seat)
        elif move == "resign":
            made = self._resign(seat)
        else:
            made = self._move(seat, move)
        self.ply += 1
        return made

    @property
    def barrier(self) -> Barrier:
        """Behind it nothing can be taken back, as `app.play` keeps it."""
        ply, seat, state = self._barrier
        return Barrier(ply, seat, "" if state is None else codec.dumps(state))

    def _bar(self) -> None:
        """Let nothing be taken back behind the line that is played now."""
        self._barrier, self._since = (self.ply + 1, None, None), 0

    @property
    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""
        left = [seat for seat in self.seats if seat not in self.resigned]
        if self.resigned and len(left) == 1:
            return Outcome({seat: 1 if seat in left else 2 for seat in self.seats}, {}, "resigned")
        return ranked(self.game.outcome(self.state), self.seats, self.resigned)

    def _move(self, seat: Seat, text: str) -> Made:
        chance = RecordedChance(self.seed, self.ply + 1)
        move = self.game.parse(self.state, seat, text)
        step = self.game.apply(self.state, seat, move, chance)
        if step.reveals:
            self._bar()
        elif self._barrier[1] != seat:
            self._barrier, self._since = (self.ply, seat, self.state), 1
        else:
            self._since += 1
        self._before = [] if step.reveals else [*self._before, _Before(self.state, seat)]
        self.state = step.state
        return Made(self.game.format(move), step.told, tuple(chance.draws))

    def _undo(self, seat: Seat) -> Made:
        if not self._before or self._before[-1].seat != seat:
            raise Fault(f"{seat} can't take back a move here")
        self.state = self._before.pop().state
        self._since -= 1
        if self._since <= 0:
            self._bar()
        return Made("undo")

    def _resign(self, seat: Seat) -> Made:
        if seat in self.resigned:
            raise Fault(f"{seat} has resigned before")
        self.resigned.add(seat)
        if self._barrier[1] in (None, seat):
            self._bar()
        return Made("resign")

    def _change(self, text: str) -> Made:
        """The change to newer rules, written `edition 1 2`."""
        _, before, after = text.split(" ")
        if int(before) != self.game.edition:
            raise Fault(f"the rules here are those of edition {self.game.edition}")
        newer = rules_of(self.game.slug, int(after))
        state = upgraded(newer, self.game.edition, self.state) if int(after) > int(before) else None
        if state is None:
            raise Fault(f"edition {after} can't go on from here")
        self.game, self.state, self._before = newer, state, []
        self._bar()
        return Made(text)

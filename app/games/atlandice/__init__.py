"""Atlandice: four players, or two and a neutral one, save what they can while the clock runs out."""

from typing import Any

from app.engine.base import BaseGame
from app.engine.chance import Chance
from app.engine.game import (
    Decision,
    Game,
    Move,
    Options,
    Outcome,
    Position,
    Seat,
    Step,
)
from app.games.atlandice import bot, notation, rules
from app.games.atlandice import position as positions
from app.games.atlandice import view as views
from app.games.atlandice.rules import scoring
from app.games.atlandice.state import State
from app.games.atlandice.view import AtlandiceView
from app.games.atlandice.words import ASKS, ENDINGS, EVENTS, MOVES, REASONS


class Atlandice(BaseGame[State, Move, AtlandiceView]):
    """The contract kept: every method says only who does the work."""

    slug = "atlandice"
    seats = range(2, 5)
    colours: tuple[Seat, ...] = ("red", "blue", "green", "yellow")
    state_type = State
    view_type = AtlandiceView
    move_types = MOVES
    event_types = EVENTS
    asks = ASKS
    reasons = REASONS
    endings = ENDINGS
    bags = positions.BAGS

    def setup(self, seats: tuple[Seat, ...], options: Options, chance: Chance) -> Step:  # noqa: ARG002 - no options
        """A new game; the first seat begins."""
        return rules.setup(seats, chance)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """The open questions."""
        return rules.decisions(state)

    def apply(self, state: State, seat: Seat, move: Move, chance: Chance) -> Step:
        """The state after the move. Raises IllegalMove."""
        return rules.apply(state, seat, move, chance)

    def outcome(self, state: State) -> Outcome | None:
        """The end result, or None."""
        return scoring.outcome(state)

    def view(self, state: State, seat: Seat | None) -> AtlandiceView:
        """What the seat may know."""
        return views.view_of(state, seat)

    def split(self, text: str) -> tuple[str, ...]:
        """A line as lines of one step each."""
        return notation.split(text)

    def parse(self, state: State, seat: Seat, text: str) -> Move:
        """The move that the text means. Raises UnreadableMove, AmbiguousMove or IllegalMove."""
        return notation.parse(state, seat, text)

    def format(self, move: Any) -> str:
        """The canonical text of a move."""
        return notation.text_of(move)

    def click_path(self, move: Any) -> tuple[str, ...]:
        """The names on the board that make the move."""
        return notation.click_path(move)

    def load(self, position: Position, seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:  # noqa: ARG002 - no options
        """The state of a position. Raises BadPosition."""
        return positions.load(position, seats, chance)

    def dump(self, state: State) -> Position:
        """The whole position of a state."""
        return positions.dump(state)

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        """Another state that the seat cannot tell from this one."""
        return views.resample(state, seat, chance)

    def bot(self, view: Any, decision: Decision, chance: Chance) -> Move:
        """A simple player's answer."""
        return bot.choose(view, decision, chance)


GAME: Game = Atlandice()

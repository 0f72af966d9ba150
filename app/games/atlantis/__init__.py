"""Atlantis: a sinking path of tiles, three figures each, and cards that carry them home."""

from typing import Any

from app.engine.base import BaseGame
from app.engine.chance import Chance
from app.engine.game import (
    Decision,
    Event,
    Game,
    Move,
    Options,
    Outcome,
    Position,
    Seat,
    Step,
)
from app.games.atlantis import bot, notation, spelling
from app.games.atlantis import position as positions
from app.games.atlantis import view as sight
from app.games.atlantis.rules import ending, play
from app.games.atlantis.rules import options as legal
from app.games.atlantis.rules.setup import new_game
from app.games.atlantis.state import State
from app.games.atlantis.words import COLOURS, EVENTS, MOVES, REASONS


class Atlantis(BaseGame[State, Any, sight.AtlantisView]):
    """The game as the house knows it: each promise is kept by the module that it calls."""

    slug: str = "atlantis"
    seats: range = range(2, 5)
    colours: tuple[Seat, ...] = COLOURS
    state_type = State
    view_type = sight.AtlantisView
    move_types: tuple[type[Move], ...] = MOVES
    event_types: tuple[type[Event], ...] = EVENTS
    asks: tuple[str, ...] = ("buy", "go")
    reasons: tuple[str, ...] = REASONS
    endings: tuple[str, ...] = ending.ENDINGS
    bags: frozenset[str] = positions.BAGS

    def setup(self, seats: tuple[Seat, ...], options: Options, chance: Chance) -> Step:  # noqa: ARG002
        """A new game."""
        return new_game(seats, chance)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """The question to the player whose turn it is."""
        decision = legal.decision(state)
        return (decision,) if decision else ()

    def apply(self, state: State, seat: Seat, move: Any, chance: Chance) -> Step:
        """The state after the move. Raises IllegalMove."""
        return play.apply(state, seat, move, chance)

    def outcome(self, state: State) -> Outcome | None:
        """The end result, None while the game goes on."""
        return ending.outcome(state)

    def view(self, state: State, seat: Seat | None) -> sight.AtlantisView:
        """What the seat may know."""
        return sight.view(state, seat)

    def split(self, text: str) -> tuple[str, ...]:
        """A line as its moves."""
        return notation.split(text)

    def parse(self, state: State, seat: Seat, text: str) -> Move:
        """The move that a line means. Raises UnreadableMove, AmbiguousMove."""
        return notation.parse(state, seat, text)

    def format(self, move: Any) -> str:
        """The canonical text of a move."""
        return spelling.text_of(move)

    def click_path(self, move: Any) -> tuple[str, ...]:
        """The names on the board to point at for a move."""
        return spelling.click_path(move)

    def load(
        self,
        position: Position,
        seats: tuple[Seat, ...],
        options: Options,  # noqa: ARG002
        chance: Chance,
    ) -> State:
        """The state of a position. Raises BadPosition."""
        return positions.load(position, seats, chance)

    def dump(self, state: State) -> Position:
        """The whole position of a state."""
        return positions.dump(state)

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        """A state that the seat cannot tell from this one."""
        return sight.resample(state, seat, chance)

    def bot(self, view: Any, decision: Decision, chance: Chance) -> Move:
        """A simple player's answer."""
        return bot.answer(view, decision, chance)


GAME: Game = Atlantis()

"""Atlantis: a sinking path of tiles, three figures each, and cards that carry them home."""

from typing import Any

from app.engine.chance import Chance
from app.engine.errors import BadOptions
from app.engine.game import (
    Decision,
    Event,
    Game,
    Move,
    Option,
    Options,
    Outcome,
    Policy,
    Position,
    Record,
    Seat,
    Step,
    View,
)
from app.engine.reading import said
from app.games.atlantis import bot, notation, spelling
from app.games.atlantis import position as positions
from app.games.atlantis import view as sight
from app.games.atlantis.rules import ending, play
from app.games.atlantis.rules import options as legal
from app.games.atlantis.rules.setup import new_game
from app.games.atlantis.state import State
from app.games.atlantis.words import COLOURS, EVENTS, MOVES, REASONS


class Atlantis:
    """The game as the house knows it: each promise is kept by the module that it calls."""

    slug: str = "atlantis"
    edition: int = 1
    seats: range = range(2, 5)
    colours: tuple[Seat, ...] = COLOURS
    options: tuple[Option, ...] = ()
    state_type: type[Record] = State
    view_type: type[View] = sight.AtlantisView
    move_types: tuple[type[Move], ...] = MOVES
    event_types: tuple[type[Event], ...] = EVENTS
    asks: tuple[str, ...] = ("buy", "go")
    reasons: tuple[str, ...] = REASONS
    endings: tuple[str, ...] = ending.ENDINGS
    bags: frozenset[str] = positions.BAGS
    policies: tuple[Policy, ...] = ()
    lasting: frozenset[str] = frozenset()

    def fill(self, seats: int, options: Options) -> Options:
        """No options to fill in. Raises BadOptions."""
        if seats not in self.seats:
            raise BadOptions("bad_seats", seats=seats, least=self.seats[0], most=self.seats[-1])
        for name in options:
            raise BadOptions("bad_option", option=name)
        return {}

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

    def view(self, state: State, seat: Seat | None) -> View:
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

    def touches(self, move: Any) -> tuple[str, ...]:
        """The names on the board to point at for a move."""
        return spelling.touches(move)

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

    def redeal(self, state: State, seat: Seat | None, chance: Chance) -> State:
        """A state that the seat cannot tell from this one."""
        return sight.redeal(state, seat, chance)

    def bot(self, view: Any, decision: Decision, chance: Chance) -> Move:
        """A simple player's answer."""
        return bot.answer(view, decision, chance)

    def read_policy(self, name: str, text: str) -> str:
        """Nobody reacts in another's turn, so there are none. Raises UnreadableMove."""
        return said(self.policies, name, text)

    def obey(self, view: Any, decision: Decision, text: str) -> Move | None:  # noqa: ARG002
        """Never: there is no policy."""
        return None


GAME: Game = Atlantis()

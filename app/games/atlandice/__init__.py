"""Atlandice: four players, or two and a neutral one, save what they can while the clock runs out."""

from collections.abc import Mapping

from app.engine.base import BaseGame
from app.engine.chance import Chance
from app.engine.game import (
    Asking,
    Count,
    Decision,
    Event,
    Game,
    Move,
    Options,
    Outcome,
    Position,
    Seat,
    Step,
    Telling,
)
from app.games.atlandice import bot, position_loader
from app.games.atlandice import position as positions
from app.games.atlandice import resample as resampling
from app.games.atlandice import telling as tellings
from app.games.atlandice import view as views
from app.games.atlandice.clock import CLOCKS
from app.games.atlandice.events import ENDINGS, EVENTS
from app.games.atlandice.moves import ASKS, MOVES, Take, Visit
from app.games.atlandice.notation import format as formatting
from app.games.atlandice.notation import parse as reading
from app.games.atlandice.notation import split as splitting
from app.games.atlandice.options import OPTIONS, PRESETS
from app.games.atlandice.rules import apply as applying
from app.games.atlandice.rules import legal, refuse, scoring, setup
from app.games.atlandice.state import State
from app.games.atlandice.view import AtlandiceView


class Atlandice(BaseGame[State, Move, AtlandiceView]):
    """The rules of Atlandice."""

    slug = "atlandice"
    seats = range(2, 5)
    colours: tuple[Seat, ...] = ("red", "blue", "green", "yellow")
    state_type = State
    view_type = AtlandiceView
    move_types = MOVES
    event_types = EVENTS
    asks = ASKS
    reasons = refuse.REASONS
    endings = ENDINGS
    bags = positions.BAGS
    options = OPTIONS
    presets = PRESETS
    clock = CLOCKS[OPTIONS[1].choices[0]]
    """The clock of new matches, for the rules page."""

    languages: tuple[str, ...] = ("en", "fa", "ja", "zh-Hans", "zh-Hant")
    figures = tellings.FIGURES

    def setup(self, seats: tuple[Seat, ...], options: Options, chance: Chance) -> Step:
        """The start of a game; the first seat begins."""
        return setup.new_game(seats, options, chance)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """The open questions."""
        return legal.decisions(state)

    def asking(self, state: State) -> tuple[Asking, ...]:
        """The questions alone, without listing what is legal."""
        return legal.asking(state)

    def apply(self, state: State, seat: Seat, move: Move, chance: Chance) -> Step:
        """The result of a move. Raises IllegalMove."""
        return applying.apply(state, seat, move, chance)

    def outcome(self, state: State) -> Outcome | None:
        """The result of the game, or None if it isn't over."""
        return scoring.outcome(state)

    def view(self, state: State, seat: Seat | None) -> AtlandiceView:
        """The seat's view; None: an onlooker's."""
        return views.view(state, seat)

    def telling(self, event: Event) -> Telling:
        """The event's weight in a report, and its course on the board."""
        return tellings.telling(event)

    def counts(self, event: Event) -> tuple[Count, ...]:
        """The counts that an event adds to the statistics."""
        return tellings.counts(event)

    def points(self, state: State) -> Mapping[str, int]:
        """The points so far."""
        return dict(zip(state.owners, scoring.totals(state), strict=True))

    def split(self, text: str) -> tuple[str, ...]:
        """The steps of a line, one text each."""
        return splitting.split(text)

    def parse(self, state: State, seat: Seat, text: str) -> Move:
        """The move that a text means. Raises UnreadableMove, AmbiguousMove or IllegalMove."""
        return reading.parse(state, seat, text)

    def format(self, move: Move) -> str:
        """The canonical text of a move."""
        return formatting.text_of(move)

    def click_path(self, move: Move) -> tuple[str, ...]:
        """The names on the board to click, in order, to make a move."""
        return formatting.click_path(move)

    def other_paths(self, move: Move) -> tuple[tuple[str, ...], ...]:
        """Two different resources can be taken in either order."""
        path = formatting.click_path(move)
        two = isinstance(move, Visit | Take) and len(set(move.kinds)) == len(move.kinds) > 1
        return ((*path[:-2], path[-1], path[-2]),) if two else ()

    def course(self, view: AtlandiceView, move: Move) -> tuple[str, ...]:
        """The areas of a move, before it is made."""
        return tellings.course(view, move)

    def load(
        self,
        position: Position,
        seats: tuple[Seat, ...],
        options: Options,
        chance: Chance,
    ) -> State:
        """The state of a position. Raises BadPosition."""
        return position_loader.load(position, seats, options, chance)

    def dump(self, state: State) -> Position:
        """The complete position of a state."""
        return positions.dump(state)

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        """A state drawn from those that the seat can't tell from this one."""
        return resampling.resample(state, seat, chance)

    def bot(self, view: AtlandiceView, decision: Decision, chance: Chance) -> Move:
        """A simple legal answer, from the seat's view alone."""
        return bot.choose(view, decision, chance)


GAME: Game = Atlandice()

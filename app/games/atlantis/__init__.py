"""Atlantis: a sinking path of tiles, three figures each, and cards that carry them home."""

from collections.abc import Mapping

from app.engine.base import BaseGame
from app.engine.chance import Chance
from app.engine.game import (
    Asking,
    Count,
    Decision,
    Event,
    Game,
    Options,
    Outcome,
    Position,
    Seat,
    Step,
    Telling,
)
from app.games.atlantis import bot
from app.games.atlantis import options as settings
from app.games.atlantis import position as positions
from app.games.atlantis import resample as resampling
from app.games.atlantis import telling as tellings
from app.games.atlantis import view as views
from app.games.atlantis.board import COLOURS
from app.games.atlantis.events import EVENTS
from app.games.atlantis.moves import MOVES, AtlantisMove
from app.games.atlantis.notation import format as formatting
from app.games.atlantis.notation import parse as reading
from app.games.atlantis.notation import split as splitting
from app.games.atlantis.rules import apply as applying
from app.games.atlantis.rules import legal, refuse, scoring, setup
from app.games.atlantis.state import State
from app.games.atlantis.view import AtlantisView


class Atlantis(BaseGame[State, AtlantisMove, AtlantisView]):
    """The rules of Atlantis."""

    slug = "atlantis"
    seats = range(2, 5)
    options = settings.OPTIONS
    presets = settings.PRESETS
    colours = COLOURS
    state_type = State
    view_type = AtlantisView
    move_types = MOVES
    event_types = EVENTS
    asks = ("buy", "go")
    reasons = refuse.REASONS
    endings = scoring.ENDINGS
    bags = positions.BAGS

    languages: tuple[str, ...] = ("en", "fa", "ja", "zh-Hans", "zh-Hant")
    figures = tellings.FIGURES

    def setup(self, seats: tuple[Seat, ...], options: Options, chance: Chance) -> Step:
        """The start of a game."""
        return setup.new_game(seats, settings.bridging(options), chance)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """The question to the player whose turn it is."""
        decision = legal.decision(state)
        return (decision,) if decision else ()

    def asking(self, state: State) -> tuple[Asking, ...]:
        """The question alone, without listing what is legal."""
        return legal.asking(state)

    def apply(self, state: State, seat: Seat, move: AtlantisMove, chance: Chance) -> Step:
        """The result of a move. Raises IllegalMove."""
        return applying.apply(state, seat, move, chance)

    def outcome(self, state: State) -> Outcome | None:
        """The result of the game, or None if it isn't over."""
        return scoring.outcome(state)

    def view(self, state: State, seat: Seat | None) -> AtlantisView:
        """The view of a seat. None: an onlooker."""
        return views.view(state, seat)

    def telling(self, event: Event) -> Telling:
        """The event's weight in a report, and its course on the board."""
        return tellings.telling(event)

    def counts(self, event: Event) -> tuple[Count, ...]:
        """The counts that an event adds to the statistics."""
        return tellings.counts(event)

    def points(self, state: State) -> Mapping[str, int]:
        """The points so far."""
        return scoring.points(state)

    def split(self, text: str) -> tuple[str, ...]:
        """The moves of a line, one text each."""
        return splitting.split(text)

    def parse(self, state: State, seat: Seat, text: str) -> AtlantisMove:
        """The move that a text means. Raises UnreadableMove, AmbiguousMove."""
        return reading.parse(state, seat, text)

    def format(self, move: AtlantisMove) -> str:
        """The canonical text of a move."""
        return formatting.text_of(move)

    def click_path(self, move: AtlantisMove) -> tuple[str, ...]:
        """The names on the board to click, in order, to make a move."""
        return formatting.click_path(move)

    def other_paths(self, move: AtlantisMove) -> tuple[tuple[str, ...], ...]:
        """The same names with the figure first."""
        return formatting.other_paths(move)

    def course(self, view: AtlantisView, move: AtlantisMove) -> tuple[str, ...]:
        """The way of a move along the path, before it is made."""
        return tellings.course(view, move)

    def alike(self, view: AtlantisView) -> Mapping[str, str]:
        """The seat's figures on Atlantis, each with the first of them."""
        waiting = [figure.name for figure in view.atlantis if figure.seat == view.seat]
        return {name: waiting[0] for name in waiting if name != waiting[0]}

    def variants(self, view: AtlantisView, move: AtlantisMove) -> tuple[AtlantisMove, ...]:
        """The same walk with other payments."""
        return views.other_payments(view, move)

    def load(self, position: Position, seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
        """The state of a position. Raises BadPosition."""
        return positions.load(position, seats, settings.bridging(options), chance)

    def dump(self, state: State) -> Position:
        """The complete position of a state."""
        return positions.dump(state)

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        """A state drawn from those that the seat can't tell from this one."""
        return resampling.resample(state, seat, chance)

    def bot(self, view: AtlantisView, decision: Decision, chance: Chance) -> AtlantisMove:
        """A simple legal answer, from the seat's view alone."""
        return bot.answer(view, decision, chance)


GAME: Game = Atlantis()

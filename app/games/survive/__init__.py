"""Survive: Escape from Atlantis, a race from a sinking island to the safe isles."""

from collections.abc import Mapping
from itertools import permutations
from types import MappingProxyType

from app.engine.base import BaseGame
from app.engine.chance import Chance
from app.engine.game import (
    Asking,
    Count,
    Decision,
    Event,
    Move,
    Option,
    Options,
    Outcome,
    Policy,
    Position,
    Preset,
    Seat,
    Secret,
    Step,
    Telling,
)
from app.games.survive import bot, hidden, policies, position_loader, resample
from app.games.survive import options as settings
from app.games.survive import position as positions
from app.games.survive import telling as tellings
from app.games.survive import view as views
from app.games.survive.board import COLOURS
from app.games.survive.events import EVENT_TYPES, route_of
from app.games.survive.moves import MOVE_TYPES, WALKS, Board
from app.games.survive.notation import format as writing
from app.games.survive.notation import parse as reading
from app.games.survive.notation import split as splitting
from app.games.survive.rules import apply, legal, refuse, scoring, setup
from app.games.survive.state import ENDINGS, STEPS, State
from app.games.survive.view import SurviveView


class Survive(BaseGame[State, Move, SurviveView]):
    """The rules of Survive. Each method delegates to the module it names."""

    slug = "survive"
    seats = settings.SEATS
    colours: tuple[Seat, ...] = COLOURS
    options: tuple[Option, ...] = settings.OPTIONS
    presets: tuple[Preset, ...] = settings.PRESETS
    state_type = State
    view_type = SurviveView
    move_types = MOVE_TYPES
    event_types = EVENT_TYPES
    asks: tuple[str, ...] = tuple(step for step in STEPS if step != "over")
    reasons: tuple[str, ...] = (*refuse.REASONS, *settings.REASONS, *position_loader.REASONS)
    endings: tuple[str, ...] = ENDINGS
    bags: frozenset[str] = frozenset({"hands", "water_moved"})
    policies: tuple[Policy, ...] = policies.POLICIES
    lasting: frozenset[str] = frozenset({"explorers", "ships"})
    languages: tuple[str, ...] = ("en", "fa", "ja", "zh-Hans", "zh-Hant")
    figures = tellings.FIGURES
    demo_options: Options = MappingProxyType({"setup": "random"})
    walks: tuple[type[Move], ...] = WALKS

    def __init__(self, edition: int) -> None:
        self.edition = edition
        self._last: tuple[State, tuple[Decision, ...]] | None = None
        """The last state and its decisions, cached because a page asks several times."""

    def complete_options(self, seats: int, options: Options) -> Options:
        """The options, with defaults for those not given. Raises BadOptions."""
        return settings.complete_options(seats, options)

    def setup(self, seats: tuple[Seat, ...], options: Options, chance: Chance) -> Step:
        """A new game; with `setup: random` the first turn has begun."""
        return setup.new_game(seats, options, chance, self.edition)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """The open decisions. Empty once the game is over."""
        last = self._last
        if last is not None and last[0] is state:
            return last[1]
        found = legal.decisions_of(state)
        self._last = (state, found)
        return found

    def asking(self, state: State) -> tuple[Asking, ...]:
        """The questions alone, without listing what is legal."""
        return legal.asking_of(state)

    def apply(self, state: State, seat: Seat, move: Move, chance: Chance) -> Step:
        """The state after the move, and its events. Raises IllegalMove."""
        return apply.apply(state, seat, move, self.decisions(state), chance)

    def outcome(self, state: State) -> Outcome | None:
        """The result, or None if the game isn't over."""
        return scoring.outcome_of(state)

    def view(self, state: State, seat: Seat | None) -> SurviveView:
        """The seat's view. None: an onlooker's."""
        return views.view(state, seat)

    def telling(self, event: Event) -> Telling:
        """The event's weight in a report, and its course on the board."""
        return tellings.telling(event, super().telling(event))

    def counts(self, event: Event) -> tuple[Count, ...]:
        """The counts that an event adds to the statistics."""
        return tellings.counts(event)

    def points(self, state: State) -> Mapping[str, int]:
        """The points so far."""
        return scoring.points_of(state)

    def split(self, text: str) -> tuple[str, ...]:
        """The steps of a text, one line each."""
        return splitting.split(text)

    def parse(self, state: State, seat: Seat, text: str) -> Move:
        """The move that the text of one step means. Raises UnreadableMove, AmbiguousMove, IllegalMove."""
        return reading.parse(state, seat, text)

    def format(self, move: Move) -> str:
        """The canonical text of a move."""
        return writing.written(move)

    def click_path(self, move: Move) -> tuple[str, ...]:
        """The names to click on the board for a move, in order."""
        return writing.click_path(move)

    def route(self, event: Event) -> tuple[str, ...]:
        """The spaces that a piece left, passed and reached; none for events that move nothing."""
        return route_of(event)

    def other_paths(self, move: Move) -> tuple[tuple[str, ...], ...]:
        """Swimmers can be named in any order."""
        return tuple(permutations(move.who))[1:] if isinstance(move, Board) else ()

    def load(self, position: Position, seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
        """The state of a position. Raises BadPosition, BadOptions."""
        return positions.load(position, seats, options, chance, self.edition)

    def dump(self, state: State) -> Position:
        """The position of a state."""
        return positions.dump(state)

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        """Another state with the same view for the seat."""
        return resample.resample(state, seat, chance)

    def secrets(self, state: State) -> Mapping[str, Secret]:
        """The explorers' values by their names. Empty until the set-up is over."""
        return hidden.secrets(state)

    def bot(self, view: SurviveView, decision: Decision, chance: Chance) -> Move:
        """A simple player's answer."""
        return bot.choose(view, decision, chance)

    def apply_policy(self, view: SurviveView, decision: Decision, text: str) -> Move | None:
        """The policy's answer to an attack, or None: ask the player."""
        return policies.apply_policy(view, decision, text)


GAME = Survive(2)
EARLIER = (Survive(1),)

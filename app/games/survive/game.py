"""Survive: Escape from Atlantis!, as the contract wants it: setup, questions, answers, sight and text."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, Final

from app.engine.base import BaseGame
from app.engine.chance import Chance
from app.engine.game import (
    Decision,
    Move,
    Option,
    Options,
    Outcome,
    Policy,
    Position,
    Seat,
    Step,
)
from app.games.survive import bot, choices, lines, loading, notation, policies, redeal, writing
from app.games.survive import position as positions
from app.games.survive import view as sight
from app.games.survive.board import (
    BACK_COUNT,
    COLOURS,
    CREATURES,
    EXPLORERS,
    FIRST_OF,
    ID,
    LOST,
    SERPENTS_AT,
    SHIPS,
    TERRAIN_COUNT,
    TERRAINS,
    UNPLACED,
)
from app.games.survive.rules import creatures, moving, placing, refusing, sinking, tiles, turns
from app.games.survive.rules.asking import decisions_of
from app.games.survive.rules.course import Course
from app.games.survive.rules.ground import teams, tile
from app.games.survive.tidings import EVENT_TYPES, SurviveView
from app.games.survive.words import (
    MOVE_TYPES,
    Allow,
    Board,
    Climb,
    Defend,
    Dolphin,
    Done,
    Go,
    Hunt,
    Jump,
    Land,
    Lure,
    Orders,
    Pass,
    Place,
    PlaceRandom,
    PutShip,
    Sail,
    Sink,
    State,
    Wind,
)

_FIRST_STEP: Final = {"orders": "orders", "live": "explorers", "random": "explorers"}
_MOVING: Final[dict[type[Move], Callable[[Course, Any], None]]] = {
    Dolphin: tiles.play,
    Wind: tiles.play,
    Lure: tiles.play,
    Go: moving.go,
    Climb: moving.climb,
    Jump: moving.jump,
    Land: moving.land,
    Sail: moving.sail,
}
_FREE: Final = (Dolphin, Wind, Lure)


class Survive(BaseGame[State, Move, SurviveView]):
    """The game. It has no state of its own but the questions of the state last asked about."""

    slug = "survive"
    seats = choices.SEATS
    colours: tuple[Seat, ...] = COLOURS
    options: tuple[Option, ...] = choices.OPTIONS
    state_type = State
    view_type = SurviveView
    move_types = MOVE_TYPES
    event_types = EVENT_TYPES
    asks: tuple[str, ...] = tuple(step for step in loading.STEPS if step != "over")
    reasons: tuple[str, ...] = (*refusing.REASONS, *choices.REASONS, *loading.REASONS)
    endings: tuple[str, ...] = loading.ENDINGS
    bags: frozenset[str] = frozenset({"hands", "water_moved"})
    policies: tuple[Policy, ...] = policies.POLICIES
    lasting: frozenset[str] = frozenset({"explorers", "ships"})
    demo_options: Options = MappingProxyType({"setup": "random"})

    def __init__(self) -> None:
        self._last: tuple[State, tuple[Decision, ...]] | None = None

    def complete_options(self, seats: int, options: Options) -> Options:
        """The options with the defaults filled in. Raises BadOptions."""
        return choices.complete(seats, options)

    def setup(self, seats: tuple[Seat, ...], options: Options, chance: Chance) -> Step:
        """A new game: the island is shuffled; with `setup: random` the first turn has begun."""
        variant = choices.variant_of(options, seats)
        kinds = chance.shuffled([terrain for terrain, n in TERRAIN_COUNT.items() for _ in range(n)])
        backs = {
            terrain: list(chance.shuffled(sorted(BACK_COUNT[terrain].elements()))) for terrain in TERRAINS
        }
        owner = teams(seats, variant.two).owner
        state = State(
            seats,
            variant,
            tiles=tuple(tile(kind, backs[kind].pop()) for kind in kinds),
            where=tuple(UNPLACED if mine >= 0 else LOST for mine in owner),
            worth=(0,) * len(EXPLORERS),
            ships=(-1,) * len(SHIPS),
            creatures=(
                *(ID[name] for name in SERPENTS_AT),
                *(-1,) * (len(CREATURES) - FIRST_OF["shark"]),
            ),
            appeared=(0, 0, 0),
            hands=((),) * len(seats),
            kills=(0,) * len(seats),
            number=0,
            step=_FIRST_STEP[variant.setup],
            orders=(None,) * len(seats) if variant.setup == "orders" else (),
        )
        if variant.setup != "random":
            return Step(state)
        course = Course(state)
        placing.place_all(course, (None,) * len(seats), chance)
        return course.finished()

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """The open questions; none when the game is over."""
        last = self._last
        if last is not None and last[0] is state:
            return last[1]
        found = decisions_of(state)
        self._last = (state, found)
        return found

    def apply(self, state: State, seat: Seat, move: Move, chance: Chance) -> Step:
        """The state after the move and what happened. Raises IllegalMove."""
        refusing.check(state, seat, move, self.decisions(state))
        course = Course(state)
        act = _MOVING.get(type(move))
        if act is not None:
            if type(move) not in _FREE:
                course.step = "move"
                course.points -= 1
            act(course, move)
            turns.settle(course)
        else:
            self._answer(course, seat, move, chance)
        return course.finished()

    def _answer(self, course: Course, seat: Seat, move: Move, chance: Chance) -> None:
        match move:
            case Sink():
                self._follow(course, sinking.sink(course, move), move.at, chance)
            case Done():
                turns.roll(course, chance)
            case Board():
                sinking.board(course, move)
                turns.roll(course, chance)
            case Hunt():
                if not creatures.hunt(course, move):
                    turns.finish(course)
            case Pass():
                creatures.rest(course)
                turns.finish(course)
            case Defend():
                creatures.defend(course)
                turns.finish(course)
            case Allow():
                if not creatures.allow(course):
                    turns.finish(course)
            case Orders():
                placing.seal(course, course.seats.index(seat), move, chance)
            case Place():
                placing.place(course, move)
            case PutShip():
                placing.put_ship(course, move)
            case PlaceRandom():
                placing.place_random(course, move, chance)

    def _follow(self, course: Course, after: str, at: str, chance: Chance) -> None:
        """What comes after a sunk tile."""
        if after == "volcano":
            turns.erupt(course, at)
        elif after == "submerged":
            turns.end(course, "submerged")
        elif after == "board":
            course.step = "board"
        else:
            turns.roll(course, chance)

    def outcome(self, state: State) -> Outcome | None:
        """The end result, or None while the game goes on."""
        return turns.outcome_of(state)

    def view(self, state: State, seat: Seat | None) -> SurviveView:
        """What the seat may know; None: an onlooker."""
        return sight.view(state, seat)

    def split(self, text: str) -> tuple[str, ...]:
        """A line as lines of one step each."""
        return lines.split(text)

    def parse(self, state: State, seat: Seat, text: str) -> Move:
        """The move that a one-step line means. Raises UnreadableMove, AmbiguousMove, IllegalMove."""
        return notation.parse(state, seat, text)

    def format(self, move: Move) -> str:
        """The canonical text of a move."""
        return writing.written(move)

    def click_path(self, move: Move) -> tuple[str, ...]:
        """The names on the board that make the move, one after another."""
        return writing.click_path(move)

    def load(self, position: Position, seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
        """The state of a position. Raises BadPosition, BadOptions."""
        return loading.load(position, seats, options, chance)

    def dump(self, state: State) -> Position:
        """The whole position of a state."""
        return positions.dump(state)

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        """Another state with the same view for the seat."""
        return redeal.resample(state, seat, chance)

    def bot(self, view: SurviveView, decision: Decision, chance: Chance) -> Move:
        """A simple player's answer."""
        return bot.choose(view, decision, chance)

    def apply_policy(self, view: SurviveView, decision: Decision, text: str) -> Move | None:
        """What the policy for an attack answers."""
        return policies.apply_policy(view, decision, text)

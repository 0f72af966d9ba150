"""Nim: take stones from one of three heaps; taking the last stone wins."""

import re
from itertools import pairwise
from typing import Any

from app.engine.base import BaseGame
from app.engine.chance import Chance
from app.engine.errors import BadPosition, IllegalMove, UnreadableMove
from app.engine.game import (
    Addressed,
    Decision,
    Event,
    Game,
    Move,
    Option,
    Options,
    Outcome,
    Position,
    Record,
    Seat,
    Step,
    View,
)
from app.engine.reading import nearest, tidy

HEAPS = ("A", "B", "C")
START = (3, 4, 5)
MOST = 9


class Take(Move, frozen=True, tag="Take"):
    heap: str
    stones: int


class Taken(Event, frozen=True, tag="Taken"):
    seat: Seat
    heap: str
    stones: int
    left: int


class State(Record, frozen=True, tag="Nim"):
    seats: tuple[Seat, ...]
    heaps: tuple[int, ...]
    turn: Seat
    """At the end: the seat that took the last stone."""
    misere: bool = False


class NimView(View, frozen=True, tag="NimView"):
    heaps: tuple[int, ...]
    turn: Seat
    over: bool


class Nim(BaseGame[State, Take, NimView]):
    """Everything is open, and a move is one step."""

    slug = "nim"
    seats = range(2, 4)
    colours = ("red", "blue", "green")
    options = (Option("misere", ("off", "on")),)
    state_type = State
    view_type = NimView
    move_types = (Take,)
    event_types = (Taken,)
    asks = ("take",)
    reasons = ("not_your_turn", "too_many", "bad_position", *BaseGame.OPTION_REASONS)
    endings = ("last_stone", "left_last_stone")
    open_information = True

    def setup(self, seats: tuple[Seat, ...], options: Options, chance: Chance) -> Step:  # noqa: ARG002
        return Step(State(seats, START, seats[0], options["misere"] == "on"))

    def decisions(self, state: State) -> tuple[Decision, ...]:
        if not any(state.heaps):
            return ()
        moves = tuple(
            Take(heap, n) for heap, size in zip(HEAPS, state.heaps, strict=True) for n in range(1, size + 1)
        )
        return (Decision(state.turn, "take", "", moves, moves[0]),)

    def apply(self, state: State, seat: Seat, move: Take, chance: Chance) -> Step:  # noqa: ARG002
        if seat != state.turn or not any(state.heaps):
            raise IllegalMove("not_your_turn")
        sizes = dict(zip(HEAPS, state.heaps, strict=True))
        if not 1 <= move.stones <= sizes[move.heap]:
            raise IllegalMove("too_many", heap=move.heap, stones=move.stones, left=sizes[move.heap])
        sizes[move.heap] -= move.stones
        heaps = tuple(sizes.values())
        after = dict(pairwise((*state.seats, state.seats[0])))[seat] if any(heaps) else seat
        told = Addressed(Taken(seat, move.heap, move.stones, sizes[move.heap]))
        return Step(State(state.seats, heaps, after, state.misere), (told,))

    def outcome(self, state: State) -> Outcome | None:
        if any(state.heaps):
            return None
        scores = {seat: int((seat == state.turn) != state.misere) for seat in state.seats}
        places = {seat: 1 if score else 1 + sum(scores.values()) for seat, score in scores.items()}
        return Outcome(places, scores, "left_last_stone" if state.misere else "last_stone")

    def view(self, state: State, seat: Seat | None) -> NimView:  # noqa: ARG002
        return NimView(state.heaps, state.turn, not any(state.heaps))

    def parse(self, state: State, seat: Seat, text: str) -> Take:  # noqa: ARG002
        found = re.fullmatch(r"(?:take )?([0-9]{1,3}) (?:from )?([abc])", tidy(text))
        if found is None:
            raise UnreadableMove(text, nearest=nearest(tidy(text)[:20], ["take 1 A"]))
        return Take(found[2].upper(), int(found[1]))

    def format(self, move: Take) -> str:
        return f"take {move.stones} {move.heap}"

    def click_path(self, move: Take) -> tuple[str, ...]:
        return (move.heap, f"{move.heap}{move.stones}")

    def load(self, position: Position, seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:  # noqa: ARG002
        heaps: Any = position.get("heaps", list(START))
        turn: Any = position.get("turn", seats[0])
        sizes = isinstance(heaps, list) and len(heaps) == len(HEAPS) and all(n in range(MOST) for n in heaps)
        if not sizes or turn not in list(seats) or set(position) - {"heaps", "turn"}:
            raise BadPosition("bad_position")
        return State(seats, tuple(heaps), turn, options["misere"] == "on")

    def dump(self, state: State) -> Position:
        return {"heaps": list(state.heaps), "turn": state.turn}


GAME: Game = Nim()

"""Checks moves. Refusals are a reason and facts; templates have the sentences.

A legal move is one that is offered. What is not listed (placing lists, given paths, a crowd round a new ship)
is judged here; all else that is not offered is only explained.
"""

from collections import Counter
from collections.abc import Container, Sequence

import msgspec

from app.engine.errors import IllegalMove
from app.engine.game import Decision, Move, Record, Seat
from app.games.survive.board import (
    ABOARD,
    COLOURS,
    CREATURE_ID,
    EXPLORER_ID,
    EXPLORERS,
    FAR,
    ID,
    ISLE_NAMES,
    KIND_OF,
    NEAR,
    RANGE,
    SHIP_ID,
    SHIPS,
)
from app.games.survive.moves import (
    MOVE_TYPES,
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
    Wind,
)
from app.games.survive.notation.format import written
from app.games.survive.rules import creatures, moving, placing, sinking, tiles
from app.games.survive.rules.explain import Explainer
from app.games.survive.rules.ground import seat_number, teams
from app.games.survive.rules.refusal import Refusal
from app.games.survive.state import State

REASONS = (
    *("over", "not_at_the_table", "not_your_turn", "one_action", "not_now", "not_legal"),
    *("orders_given", "wrong_values", "no_tile_there", "not_on_the_coast", "value_gone", "tile_taken"),
    *("space_taken", "which_colour", "wrong_piece", "not_held", "not_in_play", "not_yours", "nobody_left"),
    *("no_points", "not_adjacent", "too_far", "not_sea", "water_moved", "no_return", "already_there"),
    *("not_aboard", "not_at_isle", "other_isle", "ashore", "ship_full", "jump_first", "ship_in_the_way"),
    *("not_steering", "wrong_terrain", "not_at_sea", "still_land", "three_swimmers", "wrong_creature"),
    *("no_creature_reaches", "must_stop", "no_way", "not_vacant", "no_defence", "broken_path"),
    *("not_alongside", "not_swimming", "empty_ship"),
)

_STEPS: dict[type[Move], tuple[str, ...]] = {
    Orders: ("orders",),
    Place: ("explorers",),
    PutShip: ("ships",),
    PlaceRandom: ("explorers", "ships"),
    Dolphin: ("play",),
    Wind: ("play",),
    Lure: ("play",),
    **dict.fromkeys((Go, Climb, Jump, Land, Sail), ("play", "move", "sink")),
    Sink: ("play", "move", "sink"),
    Done: ("play", "move", "sink"),
    Board: ("board",),
    Hunt: ("creature",),
    Pass: ("creature",),
    Defend: ("defend",),
}
_NAMES: dict[str, Container[str]] = {
    "who": EXPLORER_ID,
    "ship": SHIP_ID,
    "creature": CREATURE_ID,
    "isle": ISLE_NAMES,
    **dict.fromkeys(("at", "to", "path", "tiles", "ships"), ID),
    "colour": ("", *COLOURS),
}
"""The names that each field of a move may contain."""


def check(state: State, seat: Seat, move: Move, decisions: Sequence[Decision]) -> None:
    """Raise IllegalMove, with the first reason, if the seat may not do this now."""
    if not decisions:
        raise IllegalMove("over")
    mine = next((decision for decision in decisions if decision.seat == seat), None)
    if mine is None:
        seat_number(state, seat)
        if state.step == "orders":
            raise IllegalMove("orders_given")
        raise IllegalMove("not_your_turn", waiting=tuple(decision.seat for decision in decisions))
    if move in mine.options:
        return
    if not makes_sense(move):
        raise IllegalMove("not_legal")
    if state.step not in _STEPS.get(type(move), ("defend",)):
        raise IllegalMove("not_now", move=written(move), step=state.step)
    judge = Judge(state, seat_number(state, seat), move, mine)
    judge.judge()


def makes_sense(move: Move) -> bool:
    """Whether a move has valid types and names. Moves from `parse` always have."""
    if type(move) not in MOVE_TYPES:
        return False
    try:
        if msgspec.convert(msgspec.to_builtins(move), type(move)) != move:
            return False
    except (msgspec.ValidationError, TypeError):
        return False
    wishes: tuple[Record, ...] = move.wishes if isinstance(move, Orders) else ()
    for record in (move, *wishes):
        for field in record.__struct_fields__:
            value = getattr(record, field)
            names = value if isinstance(value, tuple) else (value,)
            if field in _NAMES and not isinstance(value, bool) and not all(n in _NAMES[field] for n in names):
                return False
    return True


class Judge(Refusal):
    """Checks moves that are too many to list. All others are illegal if not listed."""

    def judge(self) -> None:
        """Raise IllegalMove if the move is not legal."""
        move = self.move
        if isinstance(move, Orders):
            self.orders(move)
        elif isinstance(move, Board):
            self.board(move)
        elif isinstance(move, Dolphin | Wind | Lure):
            self.play(move)
        elif isinstance(move, Hunt):
            self.hunt(move)
        else:
            Explainer(self.state, self.seat, move, self.asked).explain(move)

    def orders(self, move: Orders) -> None:
        """Check a placing list: every value, tiles of the island, spaces on its coast."""
        if move.random:
            if move.wishes or move.ships:
                raise self.no("not_legal")
            return
        own = teams(self.state.seats, self.state.variant.two).colours[self.seat]
        for colour in own:
            wanted = placing.values_left(self.state, colour)
            given = Counter(wish.value for wish in move.wishes if (wish.colour or own[0]) == colour)
            if wanted != given:
                raise self.no(
                    "wrong_values",
                    piece=colour,
                    missing=tuple(sorted((wanted - given).elements())),
                    extra=tuple(sorted((given - wanted).elements())),
                )
        if strangers := [wish.colour for wish in move.wishes if wish.colour and wish.colour not in own]:
            raise self.no("not_yours", piece=strangers[0])
        for wish in move.wishes:
            for name in wish.tiles:
                if name not in ID or self.sea >> ID[name] & 1:
                    raise self.no("no_tile_there", at=name)
        coast = placing.free_coast(self.state)
        for name in move.ships:
            if ID.get(name) not in coast:
                raise self.no("not_on_the_coast", at=name)

    def board(self, move: Board) -> None:
        """Check that exactly three of the swimmers around the new ship are named."""
        around = {EXPLORERS[n] for n in sinking.boarders(self.state)}
        if len(move.who) != ABOARD or len(set(move.who)) != ABOARD or not set(move.who) <= around:
            raise self.no("three_swimmers", swimmers=tuple(sorted(around, key=EXPLORER_ID.__getitem__)))

    def play(self, move: Dolphin | Wind | Lure) -> None:
        """Check a tile play: the tile, its piece and its path."""
        tile = tiles.tile_of(move)
        if tile not in self.state.hands[self.seat]:
            raise self.no("not_held", tile=tile)
        if isinstance(move, Lure):
            if self.state.creatures[CREATURE_ID[move.creature]] < 0:
                raise self.no("not_in_play", piece=move.creature)
            raise self.no("not_vacant", at=move.to)
        if isinstance(move, Wind):
            ship = SHIP_ID[move.ship]
            self.ship_in_play(move.ship)
            if ship not in tiles.carried(self.state):
                if ship in moving.crews_of(self.state):
                    raise self.no("not_steering", piece=move.ship)
                others = tuple(SHIPS[n] for n in tiles.carried(self.state))
                raise self.no("empty_ship", piece=move.ship, others=others)
            through, into = tiles.wind_spaces(self.state, ship)
            self.path(move.ship, self.state.ships[ship], move, through, into, FAR)
            return
        explorer = EXPLORER_ID[move.who]
        self.own(move.who)
        if explorer not in tiles.own_swimmers(self.state):
            raise self.no("not_swimming", piece=move.who)
        through, into = tiles.dolphin_spaces(self.state)
        self.path(move.who, self.state.where[explorer], move, through, into, FAR)

    def hunt(self, move: Hunt) -> None:
        """Check a creature move: its kind and its path."""
        creature = CREATURE_ID[move.creature]
        kind = KIND_OF[creature]
        if kind != self.state.die:
            raise self.no("wrong_creature", piece=move.creature, die=self.state.die)
        start = self.state.creatures[creature]
        if start < 0:
            raise self.no("not_in_play", piece=move.creature)
        through = creatures.passable(self.state, kind)
        self.path(move.creature, start, move, through, self.sea, RANGE[kind])

    def path(
        self, piece: str, start: int, move: Dolphin | Wind | Hunt, through: int, into: int, far: int
    ) -> None:
        """Check that a path is connected, short enough, free up to its end, and leads away."""
        to = ID[move.to]
        if move.path and move.path[-1] != move.to:
            raise self.no("broken_path", piece=piece, at=move.to)
        if to == start:
            raise self.no("already_there", piece=piece, at=move.to)
        if not self.sea >> to & 1:
            raise self.no("not_sea", piece=piece, at=move.to)
        if not into >> to & 1:
            raise self.no("ship_in_the_way", piece=piece, at=move.to)
        if not move.path:
            raise self.no("no_way", piece=piece, at=move.to, far=far)
        if len(move.path) > far:
            raise self.no("too_far", piece=piece, far=far)
        here = start
        for name in move.path:
            if not NEAR[here] >> ID[name] & 1:
                raise self.no("broken_path", piece=piece, at=name)
            here = ID[name]
        for name in move.path[:-1]:
            if not through >> ID[name] & 1:
                raise self.no("must_stop" if into >> ID[name] & 1 else "not_sea", piece=piece, at=name)

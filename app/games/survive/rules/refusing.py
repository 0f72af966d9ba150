"""Whether a move is legal, and if not, why not: a reason and facts, never a sentence.

A legal move is one that is offered. What is not listed (placing lists, given paths, a crowd round a new ship)
is judged here; all else that is not offered is only explained.
"""

from collections import Counter
from collections.abc import Container, Sequence
from typing import Any

import msgspec

from app.engine.errors import IllegalMove
from app.engine.game import Decision, Move, Record, Seat
from app.games.survive.board import (
    ABOARD,
    COLOURS,
    CREATURE_ID,
    CREATURES,
    EXPLORER_ID,
    EXPLORERS,
    FAR,
    ID,
    ISLE_NAMES,
    ISLE_OF,
    KIND_OF,
    LOST,
    NAME,
    NEAR,
    ON_ISLE,
    ON_SHIP,
    RANGE,
    SHIP_ID,
    SHIPS,
    UNPLACED,
)
from app.games.survive.rules import creatures, moving, placing, sinking, tiles
from app.games.survive.rules.ground import TILE_AT, ground, seat_number, spaces_of, teams, terrain_of
from app.games.survive.words import (
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
    State,
    Wind,
)
from app.games.survive.writing import click_path, written

REASONS = (
    *("over", "not_at_the_table", "not_your_turn", "one_action", "not_now", "not_legal"),
    *("orders_given", "wrong_values", "no_tile_there", "not_on_the_coast", "value_gone", "tile_taken"),
    *("space_taken", "which_colour", "wrong_piece", "not_held", "not_in_play", "not_yours", "nobody_left"),
    *("no_points", "not_adjacent", "too_far", "not_sea", "water_moved", "no_return", "already_there"),
    *("not_aboard", "not_at_isle", "other_isle", "ashore", "ship_full", "jump_first", "ship_in_the_way"),
    *("not_steering", "wrong_terrain", "not_at_sea", "still_land", "three_swimmers", "wrong_creature"),
    *("no_creature_reaches", "must_stop", "no_way", "not_vacant", "no_defence", "broken_path"),
    *("not_alongside", "not_swimming"),
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
"""What a field of a move may name."""
_MOST_INSTEAD = 8


def check(state: State, seat: Seat, move: Move, decisions: Sequence[Decision]) -> None:
    """Return if the seat may do this now. Raises IllegalMove with the first reason why not."""
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
    """Whether a move is one of this game's and names only what there is. What was read always does."""
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


class Judge:
    """Looks for the reason why a move that is not offered is illegal; a move made of more is judged whole."""

    def __init__(self, state: State, seat: int, move: Move, asked: Decision) -> None:
        self.state = state
        self.seat = seat
        self.move: Any = move
        self.asked = asked
        self.sea = ground(state.tiles).sea

    def no(self, reason: str, **facts: Any) -> IllegalMove:
        """The error, with what the same piece could do instead."""
        piece = _piece(self.move)
        instead = [written(move) for move in self.asked.options if piece and _piece(move) == piece]
        return IllegalMove(reason, move=written(self.move), instead=tuple(instead[:_MOST_INSTEAD]), **facts)

    def judge(self) -> None:
        """Return if the move is legal after all. Raises IllegalMove."""
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
            self.explain(move)

    def explain(self, move: Move) -> None:
        """Raises IllegalMove: the move was not offered."""
        if isinstance(move, Place | PutShip):
            self.placing(move)
        elif isinstance(move, Sink):
            self.sink(move)
        elif isinstance(move, Done):
            raise self.no("still_land")
        elif isinstance(move, Defend):
            raise self.no("no_defence", creature=CREATURES[self.state.attacker])
        elif isinstance(move, Sail):
            self.points()
            self.sail(move)
        elif isinstance(move, Go | Climb | Jump | Land):
            self.points()
            self.explorer(move)
        raise self.no("not_legal")

    def orders(self, move: Orders) -> None:
        """A placing list must name every explorer's value, tiles of the island and spaces on its coast."""
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

    def placing(self, move: Place | PutShip) -> None:
        """Raises IllegalMove."""
        space = ID[move.at]
        if isinstance(move, PutShip):
            if space in self.state.ships or space in self.state.creatures:
                raise self.no("space_taken", at=move.at)
            raise self.no("not_on_the_coast", at=move.at)
        own = teams(self.state.seats, self.state.variant.two).colours[self.seat]
        colour = move.colour or own[0]
        if colour not in own:
            raise self.no("not_yours", piece=colour)
        if move.value not in placing.values_left(self.state, colour):
            left = tuple(sorted(placing.values_left(self.state, colour)))
            raise self.no("value_gone", value=move.value, left=left)
        raise self.no("no_tile_there" if self.sea >> space & 1 else "tile_taken", at=move.at)

    def board(self, move: Board) -> None:
        """Exactly three of the swimmers round the new ship."""
        around = {EXPLORERS[n] for n in sinking.boarders(self.state)}
        if len(move.who) != ABOARD or len(set(move.who)) != ABOARD or not set(move.who) <= around:
            raise self.no("three_swimmers", swimmers=tuple(sorted(around, key=EXPLORER_ID.__getitem__)))

    def play(self, move: Dolphin | Wind | Lure) -> None:
        """A tile of the hand with a target; a given path is walked."""
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
                raise self.no("not_steering", piece=move.ship)
            through, into = tiles.wind_way(self.state, ship)
            self.path(move.ship, self.state.ships[ship], move, through, into, FAR)
            return
        explorer = EXPLORER_ID[move.who]
        self.own(move.who)
        if explorer not in tiles.own_swimmers(self.state):
            raise self.no("not_swimming", piece=move.who)
        through, into = tiles.dolphin_way(self.state)
        self.path(move.who, self.state.where[explorer], move, through, into, FAR)

    def hunt(self, move: Hunt) -> None:
        """A creature that the die shows, and a way for it."""
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
        """A given path must be whole, short enough, free up to its end, and lead away. Raises IllegalMove."""
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

    def sink(self, move: Sink) -> None:
        """Raises IllegalMove."""
        space = ID[move.at]
        code = self.state.tiles[TILE_AT[space]] if space in TILE_AT else 0
        if not code:
            raise self.no("no_tile_there", at=move.at)
        here = ground(self.state.tiles)
        current = next(terrain for terrain, left in here.left.items() if left)
        sinkable = tuple(NAME[n] for n in here.sinkable)
        if terrain_of(code) != current:
            raise self.no(
                "wrong_terrain", at=move.at, terrain=terrain_of(code), current=current, sinkable=sinkable
            )
        raise self.no("not_at_sea", at=move.at, sinkable=sinkable)

    def points(self) -> None:
        """Raises IllegalMove where nothing at all can be moved."""
        mine = teams(self.state.seats, self.state.variant.two).members[self.seat]
        if not any(0 <= self.state.where[n] < ON_ISLE for n in mine):
            raise self.no("nobody_left")
        if not self.state.points:
            raise self.no("no_points")
        if self.state.step == "sink":
            raise self.no("not_now", step="sink")

    def own(self, who: str) -> None:
        """Raises IllegalMove where an explorer is not the player's, or no longer in play."""
        explorer = EXPLORER_ID[who]
        at = self.state.where[explorer]
        if explorer not in teams(self.state.seats, self.state.variant.two).members[self.seat]:
            raise self.no("not_yours", piece=who)
        if at in (LOST, UNPLACED):
            raise self.no("not_in_play", piece=who)
        if at >= ON_ISLE:
            raise self.no("ashore", piece=who, isle=ISLE_NAMES[at - ON_ISLE])

    def ship_in_play(self, ship: str) -> None:
        """Raises IllegalMove."""
        if self.state.ships[SHIP_ID[ship]] < 0:
            raise self.no("not_in_play", piece=ship)

    def sail(self, move: Sail) -> None:
        """Raises IllegalMove."""
        ship = SHIP_ID[move.ship]
        self.ship_in_play(move.ship)
        if ship not in moving.steers(self.state, self.seat):
            raise self.no("not_steering", piece=move.ship)
        at, to = self.state.ships[ship], ID[move.to]
        self.next_to(move.ship, at, to)
        if not self.sea >> to & 1:
            raise self.no("not_sea", piece=move.ship, at=move.to)
        other = SHIPS[self.state.ships.index(to)] if to in self.state.ships else ""
        raise self.no("ship_in_the_way", piece=move.ship, at=move.to, other=other)

    def next_to(self, piece: str, at: int, to: int) -> None:
        """Raises IllegalMove where a space is not the next one."""
        if at == to:
            raise self.no("already_there", piece=piece, at=NAME[to])
        if not NEAR[at] >> to & 1:
            around = tuple(NAME[n] for n in spaces_of(NEAR[at]))
            raise self.no("not_adjacent", piece=piece, at=NAME[at], to=NAME[to], around=around)

    def explorer(self, move: Go | Climb | Jump | Land) -> None:
        """Raises IllegalMove."""
        state, who = self.state, move.who
        self.own(who)
        explorer = EXPLORER_ID[who]
        at = state.where[explorer]
        aboard = at >= ON_SHIP
        space = state.ships[at - ON_SHIP] if aboard else at
        swims = not aboard and bool(self.sea >> at & 1)
        tired = bool(state.water >> explorer & 1)
        if isinstance(move, Go):
            to = ID[move.to]
            self.next_to(who, space, to)
            if (aboard or swims) and not self.sea >> to & 1:
                raise self.no("no_return", piece=who, at=move.to)
            if aboard:
                raise self.no("jump_first", piece=who)
        elif isinstance(move, Climb):
            self.ship_in_play(move.ship)
            ship = SHIP_ID[move.ship]
            there = state.ships[ship]
            if at == ON_SHIP + ship:
                raise self.no("already_there", piece=who, at=move.ship)
            if swims and there != space:
                raise self.no("not_alongside", piece=who, at=NAME[there])
            if not swims:
                self.next_to(who, space, there)
            if sum(moving.crews_of(state).get(ship, ())) >= ABOARD:
                raise self.no("ship_full", piece=who, other=move.ship)
        elif isinstance(move, Jump):
            if not aboard:
                raise self.no("not_aboard", piece=who)
        elif space not in ISLE_OF or ISLE_NAMES[ISLE_OF[space]] != move.isle or (not aboard and not swims):
            raise self.no("not_at_isle", piece=who, at=NAME[space])
        if tired:
            raise self.no("water_moved", piece=who)


def _piece(move: Move) -> tuple[str, ...]:
    """What is moved or placed."""
    return (move.colour, str(move.value)) if isinstance(move, Place) else click_path(move)[:1]

"""Positions: states as YAML data (rule sheet, section 8)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from app.engine.chance import Chance
from app.engine.errors import BadPosition
from app.engine.game import Position, Seat
from app.games.atlantis.board import (
    ATLANTIS,
    CARDS_PER_ITEM,
    FIGURES,
    ITEM,
    ITEMS,
    LAYOUT,
    MAINLAND,
    SPACES,
    TILES_PER_ITEM,
    VALUE,
    Cards,
    Item,
    Tile,
)
from app.games.atlantis.path import Path
from app.games.atlantis.rules.scoring import HOME
from app.games.atlantis.state import HELD, SPENT, Bridging, Places, Stacks, State, counted, listed, ranked
from app.graphemes import cut

KEYS = ("path", "figures", "bridges", "hands", "won", "draw", "discard", "turn", "short")
STEPS = ("buy", "go", "over")
TALLEST = max(height for _, _, height in LAYOUT)
SPACE_NAMED: Mapping[Any, int] = {str(space): space for space in range(1, SPACES + 1)}
"""The spaces as JSON keys, which are text."""

BAGS = frozenset({"hands", "won", "discard"})


def load(position: Position, seats: tuple[Seat, ...], bridging: Bridging, chance: Chance) -> State:
    """The state of a position. Raises BadPosition with the key, the value there, and possible values."""
    position = dict(_map({"position": position}, "position"))
    _known(position, "position", KEYS)
    path = _path(_map(position, "path"))
    turn, step, idle = _turn(_map(position, "turn"), seats)
    by_seat = {key: _map(position, key) for key in ("figures", "bridges", "hands", "won", "short")}
    for key, entries in by_seat.items():
        _known(entries, key, seats)
    figures = tuple(_figures(by_seat["figures"].get(seat), seat, step) for seat in seats)
    _standing(path, figures)
    hands = tuple(_cards(by_seat["hands"].get(seat), f"hands.{seat}") for seat in seats)
    won = tuple(_tiles(by_seat["won"].get(seat), f"won.{seat}") for seat in seats)
    discard = _cards(position.get("discard"), "discard")
    short = tuple(_number(by_seat["short"].get(seat, 0), f"short.{seat}", range(10_000)) for seat in seats)
    _enough_tiles((*path, *won))
    draw = _draw(position.get("draw"), hands, discard, chance)
    return State(
        seats=seats,
        path=path,
        figures=figures,
        bridges=_bridges(by_seat["bridges"], seats, path),
        hands=hands,
        won=won,
        draw=draw,
        discard=discard,
        turn=turn,
        step=step,
        idle=idle,
        short=short if step == "over" else (),  # nothing is unpaid before the end, whatever the position says
        bridging=bridging,
    )


def dump(state: State) -> Position:
    """The complete position of a state."""

    def named(place: int) -> dict[str, int | str]:
        return {
            name: "home" if at == MAINLAND else at
            for name, at in zip(FIGURES, state.figures[place], strict=True)
        }

    each = range(len(state.seats))
    turn: dict[str, Any] = {"seat": state.seats[state.turn], "step": state.step}
    if state.idle:
        turn["idle"] = state.idle
    position: Position = {
        "path": {space: list(stack) for space, stack in enumerate(state.path, 1) if stack},
        "figures": {state.seats[place]: named(place) for place in each},
        "bridges": {
            state.seats[place]: "spent" if state.bridges[place] == SPENT else state.bridges[place]
            for place in each
            if state.bridges[place] != HELD
        },
        "hands": {state.seats[place]: list(listed(state.hands[place])) for place in each},
        "won": {state.seats[place]: list(state.won[place]) for place in each},
        "draw": list(state.draw),
        "discard": list(listed(state.discard)),
        "turn": turn,
    }
    if state.step == "over":
        position["short"] = {state.seats[place]: state.short[place] for place in each if state.short[place]}
    return position


def _bad(key: str, found: Any, could: Iterable[object] = ()) -> BadPosition:
    return BadPosition("bad_position", key=key, found=cut(str(found), 80), could=tuple(map(str, could)))


def _known(entries: Mapping[Any, Any], key: str, names: Iterable[str]) -> None:
    for name in entries:
        if name not in names:
            raise _bad(key, name, names)


def _map(position: Any, key: str) -> Mapping[Any, Any]:
    entries = position.get(key)
    if entries is None:
        return {}
    if not isinstance(entries, Mapping):
        raise _bad(key, entries, ("a list of names with their values",))
    return entries


def _list(entries: Any, key: str) -> list[Any]:
    if entries is None:
        return []
    if not isinstance(entries, list | tuple):
        raise _bad(key, entries, ("a list",))
    return list(entries)


def _number(value: Any, key: str, could: range) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value not in could:
        raise _bad(key, value, (could[0], could[-1]))
    return value


def _cards(entries: Any, key: str) -> Cards:
    return counted(_items(entries, key))


def _items(entries: Any, key: str) -> tuple[Item, ...]:
    cards = _list(entries, key)
    for card in cards:
        if card not in ITEMS:
            raise _bad(key, card, ITEMS)
    return tuple(cards)


def _tiles(entries: Any, key: str) -> tuple[Tile, ...]:
    tiles = _list(entries, key)
    for tile in tiles:
        if not isinstance(tile, str) or tile not in VALUE:
            raise _bad(key, tile, ("an item and a value, such as flag3",))
    return ranked(tiles)


def _path(entries: Mapping[Any, Any]) -> Stacks:
    stacks: list[tuple[Tile, ...]] = [()] * SPACES
    for space, stack in entries.items():
        at = _number(SPACE_NAMED.get(space, space), "path", range(1, SPACES + 1))
        tiles = _list(stack, f"path.{at}")
        _tiles(tiles, f"path.{at}")
        if len(tiles) > TALLEST:
            raise _bad(f"path.{at}", tiles, (f"{TALLEST} tiles at most",))
        stacks[at - 1] = tuple(tiles)
    return tuple(stacks)


def _turn(entries: Mapping[Any, Any], seats: tuple[Seat, ...]) -> tuple[int, Any, int]:
    _known(entries, "turn", ("seat", "step", "idle"))
    seat, step = entries.get("seat", seats[0]), entries.get("step", "buy")
    if seat not in seats:
        raise _bad("turn.seat", seat, seats)
    if step not in STEPS:
        raise _bad("turn.step", step, STEPS)
    most = len(seats) if step == "over" else len(seats) - 1
    least = -1 if step == "go" else 0
    return seats.index(seat), step, _number(entries.get("idle", 0), "turn.idle", range(least, most + 1))


def _figures(entries: Any, seat: Seat, step: str) -> Places:
    places = _map({"figures": entries}, "figures")
    _known(places, f"figures.{seat}", FIGURES)
    left_out = MAINLAND if step == "over" else ATLANTIS
    a, b, c = (
        MAINLAND
        if places.get(name) == "home"
        else _number(places.get(name, left_out), f"figures.{seat}.{name}", range(MAINLAND + 1))
        for name in FIGURES
    )
    if (step == "over") != ((a, b, c) == HOME):
        raise _bad(f"figures.{seat}", (a, b, c), ("all home, and step: over", "one not home"))
    return a, b, c


def _standing(path: Stacks, figures: tuple[Places, ...]) -> None:
    """Raises BadPosition if figures share a space or stand on one that is gone.

    Figures never stop on water in play, but one stands there in the rule sheet's example. It still has that
    gap ahead.
    """
    lying = [space for space, stack in enumerate(path, 1) if stack] or [MAINLAND]
    standing = [at for places in figures for at in places if ATLANTIS < at < MAINLAND]
    for at in standing:
        if not lying[0] <= at <= lying[-1]:
            raise _bad("figures", at, ("a space that isn’t gone",))
        if standing.count(at) > 1:
            raise _bad("figures", at, ("one figure on a space",))


def _bridges(entries: Mapping[Seat, Any], seats: tuple[Seat, ...], path: Stacks) -> tuple[int, ...]:
    gaps_of = Path(path, ())
    found = []
    for seat in seats:
        if seat not in entries or entries[seat] is None:
            found.append(HELD)
        elif entries[seat] == "spent":
            found.append(SPENT)
        else:
            gap = gaps_of.gap_at(_number(entries[seat], f"bridges.{seat}", range(1, SPACES + 1)))
            if gap is None:
                raise _bad(f"bridges.{seat}", entries[seat], ("spent", *(gap.first for gap in gaps_of.gaps)))
            found.append(gap.first)
    return tuple(found)


def _enough_tiles(stacks: Iterable[tuple[Tile, ...]]) -> None:
    """Raises BadPosition if there are more tiles of an item than are printed.

    The counts of the values aren't checked: they are a ruling, and another printing may differ.
    """
    for item, count in Counter(ITEM[tile] for stack in stacks for tile in stack).items():
        if count > TILES_PER_ITEM:
            raise _bad("tiles", f"{count} {item}", (f"{TILES_PER_ITEM} {item}",))


def _draw(entries: Any, hands: tuple[Cards, ...], discard: Cards, chance: Chance) -> tuple[Item, ...]:
    """The listed draw pile; if there is none, the cards not listed elsewhere, shuffled."""
    draw = _items(entries, "draw")
    listed_ones = [sum(counts) for counts in zip(*hands, discard, counted(draw), strict=True)]
    for item, count in zip(ITEMS, listed_ones, strict=True):
        if count > CARDS_PER_ITEM:
            raise _bad("cards", f"{count} {item}", (f"{CARDS_PER_ITEM} {item}",))
    if entries is not None:
        return draw
    left = tuple(CARDS_PER_ITEM - count for count in listed_ones)
    return chance.shuffled(listed(left))

"""A move read from text, against the state."""

import re
from functools import lru_cache
from typing import NoReturn

from app.engine.errors import AmbiguousMove, IllegalMove, UnreadableMove
from app.engine.game import Move, Seat
from app.engine.reading import nearest, tidy
from app.games.atlandice.board import AREAS, INDEX, KIND_INDEX, KINDS, MARKET, NEUTRAL, SOURCE
from app.games.atlandice.moves import Die, Donate, Fetch, Kinds, Pair, Put, Submarine, Swap, Take, Visit
from app.games.atlandice.notation.format import text_of
from app.games.atlandice.notation.names import ALIASES, FILLERS, NOTHING, VERBS, find
from app.games.atlandice.state import State

_BREAK = re.compile(r"[\s,:+&>]+")
_AT = re.compile(r"\s*@\s*")
_SHORT = 80
"""Characters of a text whose reading is kept: what the log says is shorter."""


def parse(state: State, seat: Seat, text: str) -> Move:
    """The move that the text means for the seat. Raises UnreadableMove, AmbiguousMove or IllegalMove."""
    turn, effect = state.turn, state.effect
    # Two players: what the third die has to be may be left out.
    third = (
        bool(state.served) and state.seats[turn] == seat and not state.served[turn] and state.taken[turn] == 2
    )
    read = _read if len(text) <= _SHORT else _read.__wrapped__
    move = read(text, effect.tile if effect else "", effect.area if effect else MARKET, third)
    if isinstance(move, Fetch) and not move.area:
        return Fetch(move.kind, _where(state, text, move.kind))
    return move


@lru_cache(maxsize=4096)
def _read(text: str, tile: str, area: int, third: bool) -> Move:
    """The move that the text means while the effect of a tile at an area is open.

    Without an effect, `tile` is empty and `area` the market. `third`: only the neutral player's die is left.
    The area of a Fetch is empty if none is named.
    """
    words = [ALIASES.get(word, word) for word in _BREAK.split(_AT.sub(" @", tidy(text))) if word]
    if not words:
        raise UnreadableMove(text)
    verb, rest = words[0], [word for word in words[1:] if word not in FILLERS]
    reader = _Reader(text, rest, tile, area, third=third)
    match verb:
        case "visit":
            return reader.visit()
        case "take":
            return reader.take()
        case "swap":
            return reader.swap()
        case "put":
            return reader.put()
        case "die":
            return reader.die()
        case "submarine":
            return Submarine(reader.only_area())
        case "donate":
            return reader.donate()
    raise UnreadableMove(text, verb, nearest(verb, VERBS))


def _where(state: State, text: str, kind: str) -> str:
    """The one other area where the kind lies. Raises AmbiguousMove or IllegalMove."""
    lying = [
        name
        for name, row in zip(AREAS, state.stock, strict=True)
        if row[KIND_INDEX[kind]] and name != "library"
    ]
    if len(lying) > 1:
        raise AmbiguousMove(text, tuple(text_of(Fetch(kind, name)) for name in lying))
    if not lying:
        raise IllegalMove("not_there", kind=kind, wanted=1, area="", there={})
    return lying[0]


class _Reader:
    """The words of one move, as the open effect means them."""

    def __init__(self, text: str, words: list[str], tile: str, area: int, *, third: bool) -> None:
        self.text = text
        self.words = words
        self.tile = tile
        self.area = area
        self.third = third

    def visit(self) -> Visit:
        neutral = NEUTRAL in self.words
        words = [word for word in self.words if word != NEUTRAL]
        if not words:
            self._unreadable("", AREAS)
        area = self._area(words[0])
        kinds = self._kinds([word for word in words[1:] if word not in NOTHING])
        return Visit(area, kinds, neutral or self.third)

    def take(self) -> Take | Fetch:
        kinds, areas = self._sorted()
        if self.tile == "L1" and len(kinds) == 1:
            return Fetch(kinds[0], areas[0] if areas else "")
        if not kinds:
            self._unreadable("", KINDS)
        if areas:
            return Take(kinds, areas[0])
        return Take(kinds, AREAS[SOURCE.get(self.tile, self.area)])

    def swap(self) -> Swap:
        kinds, areas = self._sorted(in_order=True)
        if len(kinds) != 2:
            self._unreadable("", KINDS)
        # "weapon@smith gem": what has the other area's name behind it is the other one.
        others = [area for area in areas if area != "jewelers"]
        if not others:
            self._unreadable("", AREAS[1:])
        if self._kind_before(others[0]) == kinds[0] and not self._named_last(others[0]):
            kinds = (kinds[1], kinds[0])
        return Swap(kinds[0], kinds[1], others[0])

    def put(self) -> Put:
        kinds, areas = self._sorted()
        if len(kinds) != 1:
            self._unreadable("", KINDS)
        origin = {"L2": "library", "B2": "smith", "": "market" if areas else "library"}.get(
            self.tile, "market"
        )
        targets = [area for area in areas if area != origin] or areas
        if not targets and origin != "library":
            self._unreadable("", AREAS)
        return Put(kinds[0], origin, targets[0] if targets else "market")

    def die(self) -> Die:
        words = [word.removeprefix("@") for word in self.words]
        if len(words) != 2:
            self._unreadable(words[2] if len(words) > 2 else "", AREAS)
        value = words[1] if words[1].isdecimal() else str(1 + INDEX[self._area(words[1])])
        if len(value) > 2:
            raise IllegalMove("no_value", value=value, would_do=(1, 2, 3, 4, 5, 6))
        return Die(self._area(words[0]), int(value))

    def only_area(self) -> str:
        if len(self.words) != 1:
            self._unreadable(self.words[1] if self.words else "", AREAS)
        return self._area(self.words[0])

    def donate(self) -> Donate:
        words = [word for word in self.words if word != "donate"]
        if words and all(word in NOTHING for word in words):
            return Donate()
        if not words:
            self._unreadable("", (*KINDS, "-"))
        kinds = [self._kind(word) for word in words]
        if len(kinds) % 2:
            raise IllegalMove("odd_gift", given=len(kinds))
        pairs: list[Pair] = []
        for first, second in zip(kinds[::2], kinds[1::2], strict=True):
            one, two = _in_order((first, second))
            pairs.append((one, two))
        return Donate(tuple(sorted(pairs, key=lambda pair: [KIND_INDEX[kind] for kind in pair])))

    def _sorted(self, *, in_order: bool = False) -> tuple[Kinds, list[str]]:
        """The words as kinds and areas."""
        kinds: list[str] = []
        areas: list[str] = []
        for word in self.words:
            kind = find(word, KINDS)
            if kind and not word.startswith("@"):
                kinds.append(kind)
            else:
                areas.append(self._area(word, (*KINDS, *AREAS)))
        return (tuple(kinds) if in_order else _in_order(tuple(kinds))), areas

    def _kind_before(self, area: str) -> str | None:
        """The kind that stands directly before the area's name."""
        before: str | None = None
        for word in self.words:
            if word.startswith("@") and find(word, AREAS) == area:
                return before
            before = find(word, KINDS)
        return None

    def _named_last(self, area: str) -> bool:
        return find(self.words[-1], AREAS) == area

    def _kinds(self, words: list[str]) -> Kinds:
        return _in_order(tuple(self._kind(word) for word in words))

    def _kind(self, word: str) -> str:
        kind = find(word, KINDS)
        if kind is None:
            self._unreadable(word, KINDS)
        return kind

    def _area(self, word: str, known: tuple[str, ...] = AREAS) -> str:
        area = find(word, AREAS)
        if area is None:
            self._unreadable(word, known)
        return area

    def _unreadable(self, at: str, known: tuple[str, ...]) -> NoReturn:
        raise UnreadableMove(self.text, at, nearest(at, known) if at else known)


def _in_order(kinds: Kinds) -> Kinds:
    return tuple(sorted(kinds, key=KIND_INDEX.__getitem__))

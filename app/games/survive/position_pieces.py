"""Reads the pieces of a position: tiles, explorers, ships, creatures (rules, section 10)."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from app.engine.chance import Chance
from app.engine.errors import BadPosition
from app.games.survive.board import (
    ABOARD,
    BACK_COUNT,
    BACKS,
    COLOURS,
    EACH,
    EXPLORER_ID,
    EXPLORERS,
    FIRST_OF,
    ID,
    ISLAND,
    ISLE_NAMES,
    LOST,
    ON_ISLE,
    ON_SHIP,
    SHIP_ID,
    SHIPS,
    TERRAINS,
    UNPLACED,
    VALUES,
)
from app.games.survive.position_fields import given_in, mapping, number, one_of
from app.games.survive.rules.ground import Teams, tile
from app.games.survive.state import SETUP_STEPS


class PieceLoader:
    """Places the listed pieces. Values and backs left out are drawn from the rest of the supply."""

    def __init__(self, given: Mapping[str, Any], step: str, playing: Teams, chance: Chance) -> None:
        self.given = given
        self.step = step
        self.teams = playing
        self.chance = chance

    def tiles(self) -> tuple[int, ...]:
        """The tiles. Backs left out are drawn from the rest of the terrain's."""
        given: dict[str, tuple[str, str]] = {}
        for name, text in mapping(self.given.get("terrain"), "terrain", ISLAND).items():
            if text is None:
                continue
            terrain, _, back = str(text).partition("/")
            one_of(terrain, TERRAINS, f"terrain.{name}")
            given[name] = (terrain, one_of(back, BACKS, f"terrain.{name}") if back else "")
        codes = dict.fromkeys(ISLAND, 0)
        for kind in TERRAINS:
            backs = [back for terrain, back in given.values() if terrain == kind]
            left = (BACK_COUNT[kind] - Counter(filter(None, backs))).elements()
            pool = list(self.chance.shuffled(sorted(left, key=BACKS.index)))
            if backs.count("") > len(pool):
                raise BadPosition("too_many", key="terrain", name=kind)
            for name in ISLAND:
                terrain, back = given.get(name, ("", ""))
                if terrain == kind:
                    codes[name] = tile(terrain, back or pool.pop())
        return tuple(codes.values())

    def pieces(self, key: str, known: Mapping[str, int], sea: int) -> list[int]:
        """The spaces of ships or creatures, -1 for those not listed."""
        places = [-1] * len(known)
        for name, at in mapping(self.given.get(key), key).items():
            one_of(name, known, key)
            if at is None:
                continue
            space = ID[one_of(at, ID, f"{key}.{name}")]
            if not sea >> space & 1:
                raise BadPosition("cannot_be_there", key=key, name=name)
            places[known[name]] = space
        return places

    def explorers(self, ships: list[int], sea: int) -> tuple[list[int], list[int]]:
        """The explorers' places and values. Values left out are drawn from the rest of the colour's."""
        away = UNPLACED if self.step in SETUP_STEPS else LOST
        where = [away if owner >= 0 else LOST for owner in self.teams.owner]
        worth = [0] * len(EXPLORERS)
        listed: list[int] = []
        for name, entry in mapping(self.given.get("explorers"), "explorers").items():
            inner = {"at": entry} if isinstance(entry, str) else entry
            inner = mapping(inner, f"explorers.{name}", ("at", "value"))
            if inner.get("at") is None and "value" not in inner:
                one_of(name, EXPLORER_ID, "explorers")
                continue
            explorer = self.known(name)
            where[explorer] = self.place(name, str(inner.get("at")), ships, sea)
            worth[explorer] = self.value(inner.get("value"), name)
            listed.append(explorer)
        for name, value in mapping(self.given.get("lost"), "lost").items():
            where[self.known(name)] = LOST
            worth[self.known(name)] = self.value(None if value == 0 else value, name)
        for ship in range(len(SHIPS)):
            if where.count(ON_SHIP + ship) > ABOARD:
                raise BadPosition("too_many", key="explorers", name=SHIPS[ship])
        for first in range(0, len(EXPLORERS), EACH):
            open_ones = [n for n in set(listed) if first <= n < first + EACH and not worth[n]]
            left = (Counter(VALUES) - Counter(worth[first : first + EACH])).elements()
            pool = list(self.chance.shuffled(sorted(left)))
            if len(open_ones) > len(pool):
                raise BadPosition("too_many", key="explorers", name=COLOURS[first // EACH])
            for n in sorted(open_ones):
                worth[n] = pool.pop()
        return where, worth

    def known(self, name: str) -> int:
        """The number of an explorer in play. Raises BadPosition."""
        explorer = EXPLORER_ID[one_of(name, EXPLORER_ID, "explorers")]
        if self.teams.owner[explorer] < 0:
            raise BadPosition("unknown_name", key="explorers", name=name)
        return explorer

    def value(self, value: Any, name: str) -> int:
        """An explorer's value, or 0 where none is given. Raises BadPosition."""
        if value is None:
            return 0
        if isinstance(value, bool) or not isinstance(value, int) or value not in VALUES:
            raise BadPosition("bad_value", key=f"explorers.{name}.value", value=str(value))
        return value

    def place(self, name: str, at: str, ships: list[int], sea: int) -> int:
        """The place of an explorer: `F5`, `sea:E3`, `ship1`, `isle:NW`. Raises BadPosition."""
        key = f"explorers.{name}.at"
        kind, _, inner = at.partition(":")
        if kind == "isle":
            return ON_ISLE + ISLE_NAMES.index(one_of(inner, ISLE_NAMES, key))
        if at in SHIP_ID:
            if ships[SHIP_ID[at]] < 0:
                raise BadPosition("cannot_be_there", key=key, name=name)
            return ON_SHIP + SHIP_ID[at]
        space = ID[one_of(inner if kind == "sea" else at, ID, key)]
        if kind == "sea" and not sea >> space & 1:
            raise BadPosition("cannot_be_there", key=key, name=name)
        return space

    def appeared(self, ships: list[int], beasts: list[int]) -> tuple[int, int, int]:
        """The highest numbers of a shark, whale and ship so far: at least the highest listed."""
        given = mapping(self.given.get("appeared"), "appeared", ("shark", "whale", "ship"))
        rows = {
            "shark": beasts[FIRST_OF["shark"] : FIRST_OF["whale"]],
            "whale": beasts[FIRST_OF["whale"] :],
            "ship": ships,
        }
        shark, whale, ship = (
            max(
                number(given_in(given, kind, 0), f"appeared.{kind}"),
                max((n for n, at in enumerate(row, 1) if at >= 0), default=0),
            )
            for kind, row in rows.items()
        )
        return shark, whale, ship

"""The legal answers of Survive told plainly from a position: slow, without bits or tables."""

from collections import Counter
from itertools import combinations
from typing import Any

from app.games.survive.board import AXIAL, ISLES

AROUND = {(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)}
NEXT = {
    name: [other for other, (a, b) in AXIAL.items() if (a - q, b - r) in AROUND]
    for name, (q, r) in AXIAL.items()
}
ORDER = ("beach", "forest", "mountain")


class Plain:
    """A position, and what may be done in it."""

    def __init__(
        self, position: dict[str, Any], colours: dict[str, tuple[str, ...]], *, free_landing: bool = False
    ) -> None:
        self.free_landing = free_landing
        self.seat = position["turn"]["seat"]
        self.turn = position["turn"]
        self.terrain = {name: text.split("/")[0] for name, text in position["terrain"].items()}
        self.at = {name: entry["at"] for name, entry in position["explorers"].items()}
        self.ships = position["ships"]
        self.creatures = position["creatures"]
        self.hands = position["hands"]
        self.position = position
        self.seat_of = {colour: seat for seat, theirs in colours.items() for colour in theirs}

    def owner(self, explorer: str) -> str:
        return self.seat_of[explorer.rstrip("0123456789")]

    def mine(self) -> list[str]:
        return [name for name in self.at if self.owner(name) == self.seat]

    def sea(self, name: str) -> bool:
        return name not in self.terrain

    def swimmers(self, space: str) -> list[str]:
        return [name for name, at in self.at.items() if at == f"sea:{space}"]

    def crew(self, ship: str) -> list[str]:
        return [name for name, at in self.at.items() if at == ship]

    def ship_on(self, space: str) -> str | None:
        return next((ship for ship, at in self.ships.items() if at == space), None)

    def creature_on(self, space: str, *kinds: str) -> bool:
        return any(at == space and name.startswith(kinds) for name, at in self.creatures.items())

    def steers(self, ship: str) -> bool:
        count = Counter(self.owner(name) for name in self.crew(ship))
        return not count or count[self.seat] == max(count.values())

    def isle_at(self, space: str) -> bool:
        return any(space in two for two in ISLES.values())

    def answers(self) -> set[str]:
        """Every legal answer of the seat that is asked, as text."""
        step = self.turn["step"]
        if step == "defend":
            asked, kind = (
                self.position["attack"]["asked"],
                self.position["attack"]["creature"].rstrip("123456"),
            )
            return {"allow", "defend"} if f"{kind}-defence" in self.hands[asked] else {"allow"}
        if step == "creature":
            return {"creature pass"} | {f"creature {a}>{b}" for a, b in self.hunts()}
        if step == "board":
            around = self.swimmers(self.position["boarding"]["at"])
            return {f"board {' '.join(three)}" for three in combinations(around, 3)}
        found = self.sinks()
        if step != "sink":
            found |= {f"move {a}>{b}" for a, b in self.steps()}
        if step == "play":
            found |= self.plays()
        return found

    def sinks(self) -> set[str]:
        for kind in ORDER:
            tiles = [name for name in self.terrain if self.terrain[name] == kind]
            if tiles:
                at_sea = [name for name in tiles if any(self.sea(other) for other in NEXT[name])]
                return {f"sink {name}" for name in at_sea or tiles}
        return {"done"}

    def steps(self) -> set[tuple[str, str]]:
        found: set[tuple[str, str]] = set()
        if not self.turn["points"] or all(self.at[name].startswith("isle:") for name in self.mine()):
            return found
        for who in self.mine():
            found |= {(who, to) for to in self.ways(who)}
        for ship, at in self.ships.items():
            if self.steers(ship):
                found |= {(ship, to) for to in NEXT[at] if self.sea(to) and not self.ship_on(to)}
        return found

    def ways(self, who: str) -> set[str]:
        at, fresh = self.at[who], who not in self.turn["water_moved"]
        if at.startswith("isle:"):
            return set()
        if at.startswith("ship"):
            space = self.ships[at]
            found = self.beside(space)
            return found | ({"sea"} if fresh else set()) | ({"isle"} if self.isle_at(space) else set())
        if at.startswith("sea:"):
            space = at[4:]
            ship = self.ship_on(space)
            found = {to for to in NEXT[space] if self.sea(to)} | ({"isle"} if self.isle_at(space) else set())
            found |= {ship} if ship and len(self.crew(ship)) < 3 else set()
            if fresh:
                return found
            return found & {"isle"} if self.free_landing else set()
        return {to for to in NEXT[at] if fresh or not self.sea(to)} | self.beside(at)

    def beside(self, space: str) -> set[str]:
        return {ship for ship, at in self.ships.items() if at in NEXT[space] and len(self.crew(ship)) < 3}

    def walks(self, start: str, far: int, enter: Any, stop: Any) -> set[str]:
        """Where ways of 1 to `far` spaces end; `enter` and `stop` say what of a space."""
        ends: set[str] = set()
        edge = {start}
        for _ in range(far):
            edge = {to for here in edge for to in NEXT[here] if enter(to)}
            ends |= edge
            edge = {here for here in edge if here == start or not stop(here)}
        return ends - {start}

    def hunts(self) -> set[tuple[str, str]]:
        die = self.turn["die"]
        far = {"serpent": 1, "shark": 2, "whale": 3}[die]

        def stop(space: str) -> bool:
            ship = self.ship_on(space)
            return bool(self.swimmers(space)) if die == "shark" else bool(ship and self.crew(ship))

        return {
            (name, to)
            for name, at in self.creatures.items()
            if name.startswith(die)
            for to in self.walks(at, far, self.sea, stop)
        }

    def plays(self) -> set[str]:
        found: set[str] = set()
        hand = self.hands[self.seat]
        if "dolphin" in hand:
            for who in self.mine():
                if self.at[who].startswith("sea:"):
                    ends = self.walks(
                        self.at[who][4:],
                        3,
                        self.sea,
                        lambda space: self.creature_on(space, "shark", "serpent"),
                    )
                    found |= {f"play dolphin {who} {to}" for to in ends}
        if "wind" in hand:
            for ship, at in self.ships.items():
                if self.crew(ship) and self.steers(ship):
                    found |= {f"play wind {ship} {to}" for to in self.sailing(ship, at)}
        for kind in ("serpent", "shark", "whale"):
            if f"move-{kind}" in hand:
                found |= {
                    f"play move-{kind} {name} {to}"
                    for name in self.creatures
                    if name.startswith(kind)
                    for to in AXIAL
                    if self.vacant(to)
                }
        return found

    def kills_swimmers(self, space: str) -> bool:
        return self.creature_on(space, "shark", "serpent")

    def sailing(self, ship: str, at: str) -> set[str]:
        def enter(space: str) -> bool:
            return self.sea(space) and self.ship_on(space) in (None, ship)

        def stop(space: str) -> bool:
            return bool(self.crew(ship)) and self.creature_on(space, "serpent", "whale")

        return self.walks(at, 3, enter, stop)

    def vacant(self, space: str) -> bool:
        return (
            self.sea(space)
            and not self.swimmers(space)
            and not self.ship_on(space)
            and not self.creature_on(space, "")
        )

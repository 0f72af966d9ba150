"""A simple player: brings its explorers home, fills ships, and sinks and hunts the others.

It knows its view and its question, nothing else. Each answer on offer gets a number; the best is taken.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from app.engine.chance import Chance
from app.engine.game import Decision, Move
from app.games.survive import bot_setup
from app.games.survive.board import (
    ABOARD,
    CREATURE_ID,
    EVERYWHERE,
    ID,
    ISLE_OF,
    KIND_OF,
    NEAR,
    RANGE,
    TERRAINS,
    near,
)
from app.games.survive.moves import (
    Board,
    Climb,
    Dolphin,
    Go,
    Hunt,
    Jump,
    Land,
    Lure,
    PlaceRandom,
    PutShip,
    Sail,
    Sink,
    Wind,
)
from app.games.survive.rules.ground import spaces_of
from app.games.survive.view import ExplorerSeen, SurviveView

GUESS: Final = 3
"""The value of an explorer that the seat may not see."""
NOTHING: Final = -1.0
"""The worth of going on to the next step. Moves worth less aren't made."""
USELESS: Final = -5.0
CARE: Final = 3
"""Worth of moving an explorer on, for each point of its value."""
OWN_LOSS: Final = 1.5
"""How many times worse a loss is than the same loss of an opponent is good."""


def choose(view: SurviveView, decision: Decision, chance: Chance) -> Move:
    """A legal answer: the one that looks best, chosen at random among equals."""
    if decision.asks == "orders":
        return bot_setup.placing_list(view, decision.seat, chance)
    if not decision.options:
        assert decision.default is not None
        return decision.default
    if decision.asks == "defend":
        return decision.options[0]
    if decision.asks == "explorers":
        return bot_setup.next_explorer(view, decision, chance)
    mind = Mind(view, decision.seat)
    worth = [mind.worth(move) for move in decision.options]
    best = max(worth)
    return chance.pick([move for move, one in zip(decision.options, worth, strict=True) if one == best])


def distances(goals: Iterable[int], through: int) -> dict[int, int]:
    """Steps to the nearest goal from each space that has a path to one."""
    steps: dict[int, int] = {}
    edge = sum(1 << n for n in set(goals)) & through
    seen = edge
    far = 0
    while edge:
        steps.update(dict.fromkeys(spaces_of(edge), far))
        edge = near(edge) & through & ~seen
        seen |= edge
        far += 1
    return steps


class Mind:
    """A seat's view, prepared for judging moves."""

    def __init__(self, view: SurviveView, seat: str) -> None:
        self.terrain = {ID[name]: kind for name, kind in view.terrain.items()}
        self.land = sum(1 << n for n in self.terrain)
        self.sea = EVERYWHERE & ~self.land
        colours = next(player.colours for player in view.players if player.seat == seat)
        self.value = {explorer.name: explorer.value or GUESS for explorer in view.explorers}
        self.mine = {explorer.name for explorer in view.explorers if explorer.colour in colours}
        self.ships = {name: ID[at] for name, at in view.ships.items()}
        self.creatures = {name: ID[at] for name, at in view.creatures.items()}
        self.place_of: dict[str, int] = {}
        """The space of each explorer that is left, its ship's for a passenger."""
        self.ship_of: dict[str, str] = {}
        for explorer in view.explorers:
            self._note(explorer)
        self.crews = {
            ship: [name for name, other in self.ship_of.items() if other == ship] for ship in self.ships
        }
        killers = self._stood_on(("serpent", "shark"))
        wreckers = self._stood_on(("serpent", "whale"))
        self.killers, self.wreckers = killers, wreckers
        self.swim_home = distances(ISLE_OF, self.sea & ~killers)
        self.sail_home = distances(ISLE_OF, self.sea & ~wreckers)
        berths = [at for ship, at in self.ships.items() if len(self.crews[ship]) < ABOARD]
        quays = {n for at in berths if not wreckers >> at & 1 for n in spaces_of(NEAR[at] & self.land)}
        self.to_quay = distances(quays, self.land)
        self._menace: dict[tuple[str, int], float] = {}

    def _note(self, explorer: ExplorerSeen) -> None:
        if explorer.place in ("land", "sea"):
            self.place_of[explorer.name] = ID[explorer.at]
        elif explorer.place == "ship":
            self.place_of[explorer.name] = self.ships[explorer.at]
            self.ship_of[explorer.name] = explorer.at

    def _stood_on(self, kinds: tuple[str, ...]) -> int:
        bits = 0
        for name, at in self.creatures.items():
            if name.startswith(kinds):
                bits |= 1 << at
        return bits

    def worth(self, move: Move) -> float:
        """How good a move looks."""
        judge = _JUDGES.get(type(move))
        return judge(self, move) if judge else USELESS if isinstance(move, _AIMLESS) else NOTHING

    def harm(self, names: Iterable[str]) -> float:
        """The worth of losing these explorers: negative for the seat's own."""
        return sum(-OWN_LOSS * self.value[name] if name in self.mine else GUESS for name in names)

    def standing(self, space: int, *, aboard: bool) -> list[str]:
        """The explorers on a space, either aboard a ship or not."""
        return [
            name for name, at in self.place_of.items() if at == space and (name in self.ship_of) == aboard
        ]

    def sink(self, move: Sink) -> float:
        """Best under opponents, worst under the seat's own."""
        return NOTHING + self.harm(self.standing(ID[move.at], aboard=False)) / 100

    def land_on_isle(self, move: Land) -> float:
        """The best move there is."""
        return 100.0 + self.value[move.who]

    def climb(self, move: Climb) -> float:
        """Boards ships that are safe; changes ships only to get home faster."""
        at = self.ships[move.ship]
        if self.wreckers >> at & 1:
            return USELESS
        mates = sum(name in self.mine for name in self.crews[move.ship])
        if move.who in self.ship_of:
            gain = self.sail_home.get(self.place_of[move.who], 0) - self.sail_home.get(at, 99)
            return 5.0 + gain if gain > 1 else USELESS
        return 20.0 + self.value[move.who] + mates

    def go(self, move: Go) -> float:
        """Walks to the nearest ship, swims to the nearest isle or ship."""
        here, to = self.place_of[move.who], ID[move.to]
        if self.land >> to & 1:
            gain = self.to_quay.get(here, 99) - self.to_quay.get(to, 99)
            return 8.0 + CARE * self.value[move.who] if gain > 0 else USELESS
        if self.killers >> to & 1:
            return USELESS
        berth = any(at == to and len(self.crews[ship]) < ABOARD for ship, at in self.ships.items())
        if self.land >> here & 1:
            doomed = self.terrain[here] == min(self.terrain.values(), key=TERRAINS.index)
            return NOTHING + 0.5 if doomed and here not in self.to_quay else USELESS
        if berth and not self.wreckers >> to & 1:
            return 7.0 + CARE * self.value[move.who]
        gain = self.swim_home.get(here, 99) - self.swim_home.get(to, 99)
        return 5.0 + CARE * self.value[move.who] if gain > 0 else USELESS

    def sail(self, move: Sail) -> float:
        """Sails home, unless more of its own are about to board; an empty ship goes where they wait."""
        here, to = self.ships[move.ship], ID[move.to]
        return self.voyage(move.ship, here, to, waits=True)

    def voyage(self, ship: str, here: int, to: int, *, waits: bool) -> float:
        """The worth of moving a ship from `here` to `to`."""
        crew = self.crews[ship]
        if crew and self.wreckers >> to & 1:
            return self.harm(crew)
        ashore = [name for name in self.mine if name in self.place_of and name not in self.ship_of]
        waiting = {self.place_of[name] for name in ashore}
        if not crew:
            reached = any(NEAR[to] >> n & 1 for n in waiting)
            left = any(NEAR[here] >> n & 1 for n in waiting)
            return 3.0 if reached and not left and not self.wreckers >> to & 1 else USELESS
        gain = self.sail_home.get(here, 99) - self.sail_home.get(to, 99)
        if gain <= 0:
            return USELESS
        full = len(crew) == ABOARD
        if waits and not full and any(NEAR[here] & self.land & 1 << n for n in waiting):
            return NOTHING + 0.2
        return 10.0 + gain + sum(self.value[name] for name in crew if name in self.mine)

    def dolphin(self, move: Dolphin) -> float:
        """Worth it for a good stretch."""
        to = ID[move.to]
        gain = self.swim_home.get(self.place_of[move.who], 20) - self.swim_home.get(to, 99)
        return 30.0 + gain if gain > 1 and not self.killers >> to & 1 else USELESS

    def wind(self, move: Wind) -> float:
        """Worth it for a good stretch with its own aboard, or to wreck opponents."""
        here, to = self.ships[move.ship], ID[move.to]
        worth = self.voyage(move.ship, here, to, waits=False)
        return worth if self.crews[move.ship] and worth > 12 else USELESS

    def menace(self, kind: str, space: int) -> float:
        """The threat of a creature from a space: opponents count for it, the seat's own against."""
        key = (kind, space)
        if key not in self._menace:
            region = 1 << space
            for _ in range(RANGE[kind]):
                region |= near(region) & self.sea
            prey = [
                name
                for name, at in self.place_of.items()
                if region >> at & 1 and self.sea >> at & 1 and self.hunts(kind, name)
            ]
            self._menace[key] = self.harm(prey)
        return self._menace[key]

    def hunts(self, kind: str, name: str) -> bool:
        """Whether a creature of a kind harms a swimmer, or a passenger."""
        return kind == "serpent" or (name in self.ship_of) == (kind == "whale")

    def lure(self, move: Lure) -> float:
        """Moves creatures away from its own, towards opponents."""
        kind = KIND_OF[CREATURE_ID[move.creature]]
        gain = self.menace(kind, ID[move.to]) - self.menace(kind, self.creatures[move.creature])
        return 30.0 + gain if gain > 2 * GUESS else USELESS

    def hunt(self, move: Hunt) -> float:
        """Kills opponents, spares its own, and goes near the right ones."""
        kind = KIND_OF[CREATURE_ID[move.creature]]
        to = ID[move.to]
        prey = [
            name
            for name, at in self.place_of.items()
            if at == to and self.sea >> at & 1 and self.hunts(kind, name)
        ]
        share = 0.4 if kind == "whale" and not self.killers >> to & 1 else 1.0
        drift = self.menace(kind, to) - self.menace(kind, self.creatures[move.creature])
        return NOTHING + share * self.harm(prey) + drift / 10

    def board(self, move: Board) -> float:
        """Its own aboard first, the most valuable before the others."""
        return float(sum(10 + self.value[name] if name in self.mine else -1 for name in move.who))

    def launch(self, move: PutShip) -> float:
        """Beside its own explorers, whatever they are worth: a ship's place is public."""
        around = NEAR[ID[move.at]] & self.land
        near_by = [name for name, at in self.place_of.items() if around >> at & 1]
        return sum(1.0 if name in self.mine else -0.25 for name in near_by)


_AIMLESS: Final = (Jump, PlaceRandom)
_JUDGES: Final[dict[type[Move], Callable[[Mind, Any], float]]] = {
    Sink: Mind.sink,
    Land: Mind.land_on_isle,
    Climb: Mind.climb,
    Go: Mind.go,
    Sail: Mind.sail,
    Dolphin: Mind.dolphin,
    Wind: Mind.wind,
    Lure: Mind.lure,
    Hunt: Mind.hunt,
    Board: Mind.board,
    PutShip: Mind.launch,
}

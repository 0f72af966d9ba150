"""The simple player's set-up: good tiles, and values that nothing public tells (rules, section 3)."""

from typing import Final

from app.engine.chance import Chance
from app.engine.game import Decision
from app.games.survive.board import HOLE, ID, ISLAND, NAME, NEAR, NEIGHBOURS, TERRAINS, VALUES, near
from app.games.survive.moves import Orders, Place, Wish
from app.games.survive.rules.ground import spaces_of
from app.games.survive.view import SurviveView

WISHES: Final = 12
"""Tiles named for each explorer in a placing list."""


def place_worth(terrain: str, *, coast: bool) -> float:
    """How good a tile is to start on, as everybody can see: late to sink, and beside open water."""
    return TERRAINS.index(terrain) + (2.0 if coast else 0.0)


def worth_of_tiles(terrain: dict[str, str]) -> dict[str, float]:
    """The worth of each tile of an island, by space."""
    return {
        at: place_worth(kind, coast=any(n not in terrain and n != HOLE for n in NEIGHBOURS[at]))
        for at, kind in terrain.items()
    }


def next_explorer(view: SurviveView, decision: Decision, chance: Chance) -> Place:
    """A good tile for an explorer drawn from those left.

    The value is drawn apart from the tile, so that neither number nor place tells it.
    """
    worth = worth_of_tiles(view.terrain)
    placings = [move for move in decision.options if isinstance(move, Place)]
    best = max(worth[move.at] for move in placings)
    at = chance.pick(sorted({move.at for move in placings if worth[move.at] == best}, key=ISLAND.index))
    placed = [(one.colour, one.value) for one in view.explorers if one.value]
    left = [
        move
        for move in placings
        if move.at == at
        for _ in range(VALUES.count(move.value) - placed.count((move.colour or decision.seat, move.value)))
    ]
    return chance.pick(left)


def placing_list(view: SurviveView, seat: str, chance: Chance) -> Orders:
    """The explorers in a drawn order on the best tiles, and the ships beside those."""
    worth = worth_of_tiles(view.terrain)
    tiles = sorted(chance.shuffled(sorted(worth, key=ISLAND.index)), key=lambda at: -worth[at])
    colours = next(player.colours for player in view.players if player.seat == seat)
    wanted = chance.shuffled([(value, colour) for value in VALUES for colour in colours])
    wishes = tuple(
        Wish(value, tuple(tiles[turn : turn + WISHES]), colour if colours[1:] else "")
        for turn, (value, colour) in enumerate(wanted)
    )
    land = sum(1 << ID[at] for at in view.terrain)
    best = sum(1 << ID[at] for at in tiles[: len(wanted)])
    coast = [n for n in spaces_of(near(land) & ~land) if NAME[n] and NAME[n] not in view.creatures.values()]
    ranked = sorted(coast, key=lambda n: -(NEAR[n] & best).bit_count())
    return Orders(wishes, tuple(NAME[n] for n in ranked))

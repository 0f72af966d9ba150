"""Sets up a new game (rules, section 3)."""

from typing import Final

from app.engine.chance import Chance
from app.engine.game import Options, Seat, Step
from app.games.survive.board import (
    BACK_COUNT,
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
from app.games.survive.options import variant_of
from app.games.survive.rules import lists
from app.games.survive.rules.draft import Draft
from app.games.survive.rules.ground import teams, tile
from app.games.survive.state import State

_FIRST_STEP: Final = {"orders": "orders", "live": "explorers", "random": "explorers"}


def new_game(seats: tuple[Seat, ...], options: Options, chance: Chance, edition: int) -> Step:
    """The first state; with `setup: random` the first turn has begun. `options` are complete."""
    variant = variant_of(options, seats, edition)
    kinds = chance.shuffled([terrain for terrain, n in TERRAIN_COUNT.items() for _ in range(n)])
    backs = {terrain: list(chance.shuffled(sorted(BACK_COUNT[terrain].elements()))) for terrain in TERRAINS}
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
    draft = Draft(state)
    lists.place_all(draft, (None,) * len(seats), chance)
    return draft.finished()

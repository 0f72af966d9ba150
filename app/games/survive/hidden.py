"""The values of explorers as secrets, for the test that nothing public tells them."""

from app.engine.game import Secret
from app.games.survive.board import EXPLORERS, NAME
from app.games.survive.bot_setup import worth_of_tiles
from app.games.survive.rules.ground import TILE_AT, terrain_of
from app.games.survive.state import SETUP_STEPS, State


def secrets(state: State) -> dict[str, Secret]:
    """The value of each explorer, with the worth of its tile. Empty until the set-up is over."""
    if state.step in SETUP_STEPS:
        return {}
    terrain = {NAME[at]: terrain_of(state.tiles[n]) for at, n in TILE_AT.items() if state.tiles[n]}
    worth = worth_of_tiles(terrain)
    return {
        name: Secret(name.rstrip("0123456789"), state.worth[n], worth[NAME[at]] if at in TILE_AT else 0.0)
        for n, (name, at) in enumerate(zip(EXPLORERS, state.where, strict=True))
        if state.worth[n]
    }

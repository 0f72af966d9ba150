"""All moves that can be listed, created once because listing is the hot path."""

from typing import Final

from app.games.survive.board import CREATURES, EXPLORERS, ISLE_NAMES, NAME, NEXT, SHIPS, SIZE
from app.games.survive.moves import Climb, Dolphin, Go, Hunt, Jump, Land, Lure, Sail, Sink, Wind

GO: Final = tuple(tuple(Go(who, NAME[n]) for n in range(SIZE)) for who in EXPLORERS)
"""By explorer and space."""
GO_ROUND: Final = tuple(tuple(tuple(row[n] for n in NEXT[at]) for at in range(SIZE)) for row in GO)
"""By explorer and the space it leaves: into each neighbour."""
JUMP: Final = tuple(tuple(Jump(who, NAME[n]) for n in range(SIZE)) for who in EXPLORERS)
CLIMB: Final = tuple(tuple(Climb(who, ship) for ship in SHIPS) for who in EXPLORERS)
LAND: Final = tuple(tuple(Land(who, isle) for isle in ISLE_NAMES) for who in EXPLORERS)
SAIL: Final = tuple(tuple(Sail(ship, NAME[n]) for n in range(SIZE)) for ship in SHIPS)
SAIL_ROUND: Final = tuple(tuple(tuple(row[n] for n in NEXT[at]) for at in range(SIZE)) for row in SAIL)
SINK: Final = tuple(Sink(NAME[n]) for n in range(SIZE))
HUNT: Final = tuple(tuple(Hunt(creature, NAME[n]) for n in range(SIZE)) for creature in CREATURES)
LURE: Final = tuple(tuple(Lure(creature, NAME[n]) for n in range(SIZE)) for creature in CREATURES)
DOLPHIN: Final = tuple(tuple(Dolphin(who, NAME[n]) for n in range(SIZE)) for who in EXPLORERS)
WIND: Final = tuple(tuple(Wind(ship, NAME[n]) for n in range(SIZE)) for ship in SHIPS)

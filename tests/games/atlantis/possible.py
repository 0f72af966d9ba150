"""Positions that can come from the set-up of our printing. `load` takes those of other printings too."""

from collections import Counter

from app.games.atlantis.board import HALVES, LAYOUT, SPACES, half_of


def faults(position):
    """The ways in which a position can't have come from the set-up."""
    found = []
    tallest = [height for _, spaces, height in LAYOUT for _ in range(spaces)]
    path = position["path"]
    for half, printed in HALVES.items():
        tiles = Counter(tile for space, stack in path.items() if half_of(space) == half for tile in stack)
        for tile, count in tiles.items():
            if tile not in printed:
                found.append(f"half {half} has no {tile}")
            elif count > 1:
                found.append(f"half {half} has one {tile}, not {count}")
    found += [
        f"space {space} has too many tiles"
        for space in range(1, SPACES + 1)
        if len(path.get(space, ())) > tallest[space - 1]
    ]
    everywhere = Counter(tile for stack in (*path.values(), *position["won"].values()) for tile in stack)
    printed = Counter(tile for half in HALVES.values() for tile in half)
    found += [
        f"there are {'two' if printed[tile] == 2 else printed[tile]} {tile}, not {count}"
        for tile, count in everywhere.items()
        if count > printed[tile]
    ]
    standing = [at for places in position["figures"].values() for at in places.values()]
    found += ["a figure is on water" for at in standing if at not in (0, "home") and at not in path]
    return found

"""The canonical text of a move, and its path of clicks on the board."""

from app.engine.game import Move
from app.games.atlandice.board import AREAS, NEUTRAL
from app.games.atlandice.moves import Die, Donate, Fetch, Put, Submarine, Swap, Take, Visit


def text_of(move: Move) -> str:
    """The canonical text of a move."""
    match move:
        case Visit(area, kinds, neutral):
            return " ".join(("visit", area, *(kinds or ("-",)), *((NEUTRAL,) if neutral else ())))
        case Take(kinds, _):
            return " ".join(("take", *kinds))
        case Fetch(kind, area):
            return f"take {kind}@{area}"
        case Swap(kind, other, area):
            return f"swap {kind} {other}@{area}"
        case Put(kind, origin, to):
            return f"put {kind}" if origin == "library" else f"put {kind} {to}"
        case Die(area, value):
            return f"die {area} {value}"
        case Submarine(area):
            return f"submarine {area}"
        case Donate(pairs):
            return "donate " + (", ".join(" ".join(pair) for pair in pairs) or "-")
    raise TypeError(move)


def click_path(move: Move) -> tuple[str, ...]:
    """The names on the board: `kind@area`, an area, `die@area`, the neutral marker, `kind@own`."""
    match move:
        case Visit(area, kinds, neutral):
            marker = (NEUTRAL,) if neutral else ()
            return (*marker, *(f"{kind}@{area}" for kind in kinds or ()), *(() if kinds else (area,)))
        case Take(kinds, area):
            return tuple(f"{kind}@{area}" for kind in kinds)
        case Fetch(kind, area):
            return (f"{kind}@{area}",)
        case Swap(kind, other, area):
            return (f"{kind}@jewelers", f"{other}@{area}")
        case Put(kind, origin, to):
            return (f"{kind}@{origin}", to)
        case Die(area, value):
            return (f"die@{area}", AREAS[value - 1])
        case Submarine(area):
            return (area,)
        case Donate(pairs):
            return tuple(f"{kind}@own" for pair in pairs for kind in pair)
    raise TypeError(move)

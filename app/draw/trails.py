"""Arrows and rings over a board that show recent events, each with the letter of its seat."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from math import hypot
from typing import Any

import msgspec
from markupsafe import Markup

from app import templating
from app.draw.looks import look
from app.engine.game import Game, Seat, View

INKS: Mapping[Seat, tuple[str, str]] = {
    "red": ("#b3261e", "#fff"),
    "yellow": ("#e5b820", "#1c1a17"),
    "green": ("#1f7a3d", "#fff"),
    "blue": ("#2b62b8", "#fff"),
    "white": ("#f4f4f0", "#1c1a17"),
    "black": ("#22282c", "#fff"),
    "purple": ("#7a4a9e", "#fff"),
    "orange": ("#d9772b", "#1c1a17"),
}
"""For each seat its colour and that of a letter on it."""
KEPT = 5000
"""Trails and rings kept; a board has up to a few hundred places."""
NOBODY = ("#53646c", "#fff")
PLANNED = "planned"
"""In place of a seat: what is only intended."""
INK_OF_PLANS = "#6a1b9a"
EDGE, EDGE_OF_WHITE = "#fff", "#22282c"
"""The outline of a trail, which parts it from the ground."""
Place = tuple[float, float, float]
"""The middle of a place on the board, and its radius."""


class Trail(msgspec.Struct, frozen=True):
    """Something that happened on the board."""

    ply: int
    seat: Seat | None
    """None: no seat did it. `PLANNED`: it isn't done yet."""
    course: tuple[str, ...]
    """Names of places, in order."""


def places(game: Game, view: View, language: str) -> dict[str, Place]:
    """Where on the board the places are that events can name; empty if the game's drawing doesn't say."""
    macro = getattr(look(game.slug, "board.svg", language), "places", None)
    found: dict[str, Place] = {}
    if macro is not None:
        macro(view, found)
    return found


def trails(shown: Iterable[Trail], marked: Iterable[str], where: Mapping[str, Place]) -> str:
    """A layer for the board: the trails, and a ring that a script can show for each name in `marked`.

    Names that have no place in `where` are left out.
    """
    drawn = "".join(
        [
            _trail(one, points)
            for one in shown
            if (points := tuple([where[name] for name in one.course if name in where]))
        ]
    )
    rings = "".join([_ring(name, *where[name]) for name in dict.fromkeys(marked) if name in where])
    return str(_template().layer(Markup(drawn), Markup(rings))) if drawn or rings else ""  # noqa: S704 - escaped by the template


@lru_cache(KEPT)
def _trail(one: Trail, points: tuple[Place, ...]) -> str:
    return str(_template().trail(_drawn(one, points)))


@lru_cache(KEPT, typed=True)
def _ring(name: str, x: float, y: float, radius: float) -> str:
    return str(_template().ring(name, x, y, radius))


@cache
def _template() -> Any:
    return templating.environment().get_template("draw/trails.svg").module


def _drawn(trail: Trail, points: Sequence[Place]) -> "_Drawn":
    planned = trail.seat == PLANNED
    colour, ink = (INK_OF_PLANS, "") if planned else INKS.get(trail.seat or "", NOBODY)
    x, y, radius = points[-1]
    size = round(min(max(radius * 0.36, 6), 10))
    way, head = _arrow(points, size) if len(points) > 1 else ("", "")
    badge = (round(x + radius * 0.75), round(y - radius * 0.75))
    letter = "" if planned else (trail.seat or "")[:1].upper()
    edge = EDGE_OF_WHITE if trail.seat == "white" else EDGE
    return _Drawn(trail.ply, letter, colour, ink, edge, size, x, y, radius, *badge, way, head)


class _Drawn(msgspec.Struct, frozen=True):
    """A trail in coordinates of its board."""

    ply: int
    letter: str
    colour: str
    ink: str
    edge: str
    size: int
    x: float
    y: float
    radius: float
    badge_x: int
    badge_y: int
    way: str
    """Empty: all happened in one place."""
    head: str


def _arrow(points: Sequence[Place], size: int) -> tuple[str, str]:
    """A line through the points, and a head that ends at the last one."""
    (x0, y0, _), (x1, y1, radius) = points[-2:]
    length = hypot(x1 - x0, y1 - y0) or 1
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    tip = (x1 - dx * radius * 0.35, y1 - dy * radius * 0.35)
    foot = (tip[0] - dx * size * 1.3, tip[1] - dy * size * 1.3)
    side = (-dy * size * 0.75, dx * size * 0.75)
    corners = (tip, (foot[0] + side[0], foot[1] + side[1]), (foot[0] - side[0], foot[1] - side[1]))
    return _line([*((x, y) for x, y, _ in points[:-1]), foot]), f"{_line(corners)}Z"


def _line(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)

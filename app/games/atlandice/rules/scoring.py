"""Rankings by kind, and the final score (sections 4 and 5)."""

from collections.abc import Sequence

from app.engine.game import Outcome
from app.games.atlandice.board import FIRST_POINTS, KINDS, SECOND_POINTS, TILE_POINTS
from app.games.atlandice.state import State


def ranking(counts: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The owners with the most, and those with the second most; zero ranks nowhere.

    There are no seconds where several are first.
    """
    most = max(counts)
    if not most:
        return (), ()
    firsts = tuple(owner for owner, count in enumerate(counts) if count == most)
    if len(firsts) > 1:
        return firsts, ()
    second = max((count for count in counts if count < most), default=0)
    return firsts, tuple(owner for owner, count in enumerate(counts) if count == second and second)


def gained(state: State) -> tuple[int, ...]:
    """Each owner's points so far: gained ones, and three for every tile."""
    return tuple(
        points + TILE_POINTS * len(tiles) for points, tiles in zip(state.points, state.tiles, strict=True)
    )


def kind_rankings(state: State) -> tuple[tuple[str, tuple[int, ...], tuple[int, ...]], ...]:
    """For every kind still in the game its name, its firsts and its seconds."""
    return tuple(
        (kind, *ranking([row[at] for row in state.owned])) for at, kind in enumerate(KINDS) if state.piles[at]
    )


def totals(state: State) -> tuple[int, ...]:
    """Each owner's points if the game ended now (section 5), the neutral player's too."""
    points = list(gained(state))
    for _, firsts, seconds in kind_rankings(state):
        for owner in firsts:
            points[owner] += FIRST_POINTS
        for owner in seconds:
            points[owner] += SECOND_POINTS
    return tuple(points)


def outcome(state: State) -> Outcome | None:
    """The result: most points win, ties share. The neutral player has no place."""
    if state.step != "over":
        return None
    points = totals(state)[: len(state.seats)]
    places = {
        seat: 1 + sum(other > own for other in points) for seat, own in zip(state.seats, points, strict=True)
    }
    return Outcome(places, dict(zip(state.seats, points, strict=True)), "flood")

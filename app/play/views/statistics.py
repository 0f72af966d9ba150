"""The statistics of a match that is over: the points after each move, and what the game counts."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from app import games
from app.engine.codec import load_told
from app.engine.game import Game
from app.play.match import log, reading
from app.play.match.log import Logged
from app.play.match.records import NotFound
from app.play.match.replay import kind_of, positions
from app.store.session import Store

ALL_PLIES = 1_000_000


class Statistics(msgspec.Struct, frozen=True):
    """The figures of a match. They never change once it is over."""

    game: Game
    points: Mapping[str, tuple[tuple[int, int], ...]]
    """For each seat the plies after which its points changed, with the points; a neutral player's too."""
    figures: Mapping[str, Mapping[str, Mapping[str, int]]]
    """For each figure its rows, and for each of these its columns."""


def statistics(store: Store, match_id: int) -> Statistics:
    """The statistics of a match. Raises NotFound: there is no such match, or it is not over."""
    with store.reading() as connection:
        snapshot = reading.by_match(connection, match_id)
        if snapshot is None or snapshot.status != "over":
            raise NotFound("match")
        points: dict[str, list[tuple[int, int]]] = {}
        last: Mapping[str, int] = {}
        for ply, game, state in positions(connection, match_id):
            last = game.points(state)
            for owner, many in last.items():
                told = points.setdefault(owner, [])
                if not told or told[-1][1] != many:
                    told.append((ply, many))
        for owner, many in last.items():
            points[owner].append((snapshot.ply, many))
        plies = log.told(connection, snapshot.slug, match_id, -1, ALL_PLIES)
    types = games.event_types(snapshot.slug)
    standing: list[Logged] = []
    for one in plies:
        if kind_of(one.move) == "undo":
            standing.pop()
        elif kind_of(one.move) == "move":
            standing.append(one)
    counts: dict[str, dict[str, Counter[str]]] = {}
    for one in standing:
        for told_one in load_told(types, one.told):
            for count in snapshot.game.counts(told_one.event):
                rows = counts.setdefault(count.figure, {})
                rows.setdefault(count.row, Counter())[count.column] += count.many
    return Statistics(snapshot.game, {owner: tuple(told) for owner, told in points.items()}, counts)

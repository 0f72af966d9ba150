"""The page of statistics of a match that is over: plots, each with the same figures as a table."""

from collections.abc import Mapping

import msgspec
from flask import Blueprint, Response
from markupsafe import Markup

from app import narrate
from app.draw import plots
from app.engine.game import Game, Seat
from app.play.match.records import NotFound, PlayerView
from app.play.views.statistics import Statistics, statistics
from app.web.core.context import site, store
from app.web.core.rendering import page_words, render, unchanging
from app.web.match.match_request import MatchRequest
from app.words import formats
from app.words.isolation import turned

pages = Blueprint("statistics", __name__)

PARTS = 10
"""Looks of the parts of a bar, each with a shade and a pattern of its own."""


class Plot(msgspec.Struct, frozen=True):
    """A plot and its twin in words."""

    title: str
    svg: Markup
    columns: tuple[tuple[str, str], ...]
    """The look of each column in the plot, and its name."""
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    """The name of each row, and its numbers."""


@pages.get("/m/<int(max=2147483647):match_id>/statistics")
def show(match_id: int) -> Response:
    """The statistics. Raises NotFound while the match goes on."""
    match_request = MatchRequest(match_id=match_id)
    if match_request.version.status != "over":
        raise NotFound("match")
    view, language = match_request.view(), match_request.language
    found = statistics_of(view)
    name = _Names(view, language)
    shown = [_points(found, name)] if found.points else []
    shown += [_figure(found, one, name) for one in found.game.figures if one in found.figures]
    return unchanging(
        render(
            "play/statistics.html",
            language=language,
            match=view,
            name=narrate.match_name(view.game, language, view.match_id),
            plots=shown,
        )
    )


def statistics_of(view: PlayerView) -> Statistics:
    """The statistics of a match that is over; kept, as working them out means to play all moves again."""
    key = (view.match_id, view.commitment)
    found = site().statistics.get(key)
    return found if found is not None else site().statistics.put(key, statistics(store(), view.match_id))


class _Names:
    """The names of seats and columns in the reader's language, and their looks."""

    def __init__(self, view: PlayerView, language: str) -> None:
        self.view = view
        self.language = language
        self.seats = [info.seat for info in view.sittings]

    def owner(self, owner: str) -> str:
        """The player on a seat, or the name of an owner without one."""
        if owner in self.seats:
            return self._player(owner)
        game: Game = self.view.game
        return narrate.owner(game, self.language, owner)

    def column(self, figure: str, column: str) -> str:
        """The player on a seat, or the column in the game's words."""
        if column in self.seats:
            return self._player(column)
        return narrate.column(self.view.game, self.language, figure, column)

    def _player(self, seat: Seat) -> str:
        """A player's name, in its own direction beside words of another."""
        return str(formats(self.language).bdi(turned(self.view.name(seat))))

    def look(self, column: str, number: int) -> str:
        """The class of a seat's colour, or of a part."""
        return f"seat-{column}" if column in self.view.game.colours else f"part-{number % PARTS}"


def _points(found: Statistics, name: _Names) -> Plot:
    title = page_words(name.language, "play.points_over_moves")
    owners = sorted(found.points, key=lambda one: name.seats.index(one) if one in name.seats else PARTS)
    series = [
        (name.look(one, number), name.owner(one), found.points[one]) for number, one in enumerate(owners)
    ]
    moves = sorted({ply for points in found.points.values() for ply, _ in points})
    moves = [*moves[:: max(1, len(moves) // PARTS)], *moves[-1:]]
    columns = tuple((look, owner) for look, owner, _ in series)
    rows = tuple(
        (
            page_words(name.language, "play.after_move", ply=ply),
            tuple(_at(points, ply) for _, _, points in series),
        )
        for ply in dict.fromkeys(moves)
    )
    return Plot(title, Markup(plots.lines(title, series)), columns, rows)  # noqa: S704 - just drawn


def _at(points: tuple[tuple[int, int], ...], ply: int) -> int:
    return next((many for then, many in reversed(points) if then <= ply), 0)


def _figure(found: Statistics, figure: str, name: _Names) -> Plot:
    table: Mapping[str, Mapping[str, int]] = found.figures[figure]
    title = narrate.figure(found.game, name.language, figure)
    columns = sorted({column for row in table.values() for column in row})
    columns.sort(key=lambda one: name.seats.index(one) if one in name.seats else len(name.seats))
    owners = sorted(table, key=lambda one: name.seats.index(one) if one in name.seats else PARTS)
    rows = [(name.owner(one), tuple(table[one].get(column, 0) for column in columns)) for one in owners]
    series = [
        (name.look(column, n), name.column(figure, column), [row[n] for _, row in rows])
        for n, column in enumerate(columns)
    ]
    svg = Markup(plots.bars(title, [row for row, _ in rows], series))  # noqa: S704 - just drawn
    return Plot(title, svg, tuple((look, label) for look, label, _ in series), tuple(rows))

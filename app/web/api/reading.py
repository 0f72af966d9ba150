"""Operations that look at a match that has begun."""

from typing import Annotated, Any

import msgspec
from flask import Response, g, make_response
from msgspec import Meta

from app import draw
from app.people.errors import NotFound, Refused
from app.play.match.records import PlayerView, Viewer
from app.play.match.version import PageVersion, page_version
from app.play.views.player_view import player_view
from app.play.views.positions import open_position
from app.web.api import cursors
from app.web.api.callers import Caller
from app.web.api.match_records import History, Match, history_of, match_of
from app.web.api.operations import Asked, operation
from app.web.match.match_request import MatchRequest
from app.web.match.pictures import picture_of
from app.web.match.statistics import statistics_of
from app.web.match.text import text_response

MATCH = "/matches/<int(max=2147483647):match_id>"
PLIES = 100
"""On a page of the log."""

PlyNumber = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class Moment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A moment of a match, and the eyes that see it."""

    ply: PlyNumber | None = None
    """Left out: now. While the game runs, earlier ones are shown as onlookers saw them."""
    eyes: Annotated[str, Meta(max_length=20)] = msgspec.field(default="", name="as")
    """Once the game is over: the seat whose knowledge an earlier position shows, or `all`."""


class Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of a list."""

    cursor: Annotated[str, Meta(max_length=400)] = ""
    """As an earlier answer gave it; left out: the first page."""


class Spot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position of a match."""

    ply: PlyNumber | None = None
    """Left out: now."""


class Points(msgspec.Struct, frozen=True):
    """Points after a ply."""

    ply: int
    points: int
    """Of the seat from then on."""


class Figures(msgspec.Struct, frozen=True):
    """The statistics of a match that is over."""

    points: dict[str, tuple[Points, ...]]
    """By seat, also of a neutral player: the plies after which its points changed."""
    figures: dict[str, dict[str, dict[str, int]]]
    """Counts of the game: for each figure its rows, and for each of these its columns."""


@operation("GET", MATCH, Match, query=Moment)
def get_match(asked: Asked[Moment], match_id: int) -> Match:
    """A match that has begun, as the caller's seat sees it, or as everybody does: also without a key."""
    view = seen(asked, match_id, asked.query.ply, asked.query.eyes)
    return shown(asked, view)


@operation("GET", f"{MATCH}/history", History, query=Page)
def get_history(asked: Asked[Page], match_id: int) -> History:
    """The log of a match, page by page, the latest page first."""
    version = visible(asked, match_id)
    until = cursors.read(asked.query.cursor, int)
    if until is not None and not 0 <= until <= version.ply:
        raise NotFound("match")
    view = player_view(
        asked.store, match_id, asked.caller.viewer, ply=None if until == version.ply else until, last=PLIES
    )
    earlier = cursors.written(view.ply - PLIES) if view.ply >= PLIES else ""
    return history_of(view, asked.caller.language, earlier)


@operation("GET", f"{MATCH}/board.svg", None, query=Spot, mime="image/svg+xml")
def get_board_svg(asked: Asked[Spot], match_id: int) -> Response:
    """The board as a picture, as the caller's seat sees it, or as everybody does."""
    view = seen(asked, match_id, asked.query.ply)
    response = make_response(draw.board(view.game, view.view, language=asked.caller.language).strip())
    response.mimetype = "image/svg+xml"
    return response


@operation("GET", f"{MATCH}/board.txt", None, query=Spot, mime="text/plain")
def get_board_text(asked: Asked[Spot], match_id: int) -> Response:
    """The board in characters, for a fixed-width font, and below it what the caller's seat alone knows."""
    view = seen(asked, match_id, asked.query.ply)
    spoken = asked.caller.language
    own = draw.mine(view.game, view.view, language=spoken)
    response = make_response(draw.text(view.game, view.view, language=spoken) + (f"\n{own}\n" if own else ""))
    response.mimetype = "text/plain"
    return response


@operation("GET", f"{MATCH}/board.png", None, query=Spot, mime="image/png")
def get_board_png(asked: Asked[Spot], match_id: int) -> Response:
    """The public board as a picture of pixels; none of private matches.

    429 where many are asked for: then it is being made, and there some seconds later.
    """
    version = visible(asked, match_id)
    ply = version.ply if asked.query.ply is None else asked.query.ply
    png = picture_of(match_id, ply)
    if png is None:
        raise Refused("picture_later")
    response = make_response(png)
    response.mimetype = "image/png"
    return response


@operation("GET", f"{MATCH}/match.txt", None, mime="text/plain")
def get_match_text(asked: Asked, match_id: int) -> Response:
    """The match as a text file: once it is over all of it, before that what the caller's seat may know.

    409 for onlookers while it goes on.
    """
    visible(asked, match_id)
    return text_response(_ByKey(asked.caller, match_id))


@operation("GET", f"{MATCH}/statistics", Figures)
def get_statistics(asked: Asked, match_id: int) -> Figures:
    """The points and what the game counts, once a match is over. 404 before."""
    view = seen(asked, match_id)
    if view.status != "over":
        raise NotFound("match")
    found = statistics_of(view)
    points = {one: tuple(Points(ply, many) for ply, many in told) for one, told in found.points.items()}
    figures = msgspec.to_builtins(found.figures)
    return Figures(points, figures)


class _ByKey(MatchRequest):
    """A request for a match by a program's key: cookies are not read."""

    def __init__(self, caller: Caller, match_id: int) -> None:
        super().__init__(match_id=match_id)
        self._caller = caller

    @property
    def viewer(self) -> Viewer:
        """The key's player."""
        return self._caller.viewer

    @property
    def language(self) -> str:
        """The caller's."""
        return self._caller.language


def visible(asked: Asked[Any, Any], match_id: int) -> PageVersion:
    """The version of a match that the caller may see. Raises NotFound."""
    found = page_version(asked.store, asked.caller.viewer, match_id)
    if found is None:
        raise NotFound("match")
    return found


def seen(asked: Asked[Any, Any], match_id: int, ply: int | None = None, eyes: str = "") -> PlayerView:
    """The match as the caller may see it. Raises NotFound."""
    visible(asked, match_id)
    view = player_view(asked.store, match_id, asked.caller.viewer, ply=ply, last=1, eyes=eyes)
    g.game = view.game
    return view


def shown(asked: Asked[Any, Any], view: PlayerView) -> Match:
    """The record of a match that the caller may see."""
    return match_of(view, asked.caller.language, open_position(asked.store, view.match_id, view.ply))

"""Pictures of boards: as SVG for lists, and as PNG of each ply for pages elsewhere that link here."""

import io
from functools import cache

from flask import Blueprint, Response, abort, make_response
from PIL import Image

from app import draw
from app.play.match.records import NotFound
from app.play.views import public_boards
from app.web.core.allowances import PICTURES, spares
from app.web.core.context import site, store
from app.web.core.drawings import drawing
from app.web.core.rendering import language, unchanging
from app.web.match.match_request import MatchRequest

pages = Blueprint("pictures", __name__)

KEPT = 24 * 3600
"""Seconds for which others may keep a picture: that of a ply never changes."""
SOON = 10
"""Seconds after which a picture that is being made can be asked for again."""
SIZE = (1176, 616)
"""Of the placeholder."""
SEA = (23, 85, 110)


@pages.get("/m/<int(max=2147483647):match_id>/board.svg")
def small(match_id: int) -> Response:
    """The public board as it stands, for all who may see the match."""
    version = MatchRequest(match_id=match_id).version
    spoken = language()
    key = (match_id, version.ply, spoken)
    svg = site().boards.get(key)
    if svg is None:
        game, view = public_boards.board_now(store(), match_id)
        svg = site().boards.put(key, draw.board(game, view, language=spoken).strip())
    return unchanging(drawing(svg, spoken))


@pages.get("/m/<int(max=2147483647):match_id>/<int(max=99999):ply>/board.png")
def large(match_id: int, ply: int) -> Response:
    """The public board after a ply, made at once; none of private matches.

    Where many are asked for, a worker makes them, and there is a placeholder meanwhile.
    """
    found = picture_of(match_id, ply)
    response = make_response(found or placeholder())
    response.mimetype = "image/png"
    response.headers["Cache-Control"] = f"public, max-age={KEPT if found else SOON}"
    return response


def picture_of(match_id: int, ply: int) -> bytes | None:
    """The picture of a public board after a ply; None: too many are asked for, and a worker makes it.

    Raises NotFound; a ply that the match has not reached is 404.
    """
    last = public_boards.last_public_ply(store(), match_id)
    if last is None:
        raise NotFound("match")
    if ply > last:
        abort(404)
    found = public_boards.kept_picture(store(), match_id, ply)
    if found is None and spares(PICTURES):
        found = _at_once(match_id, ply)
        if found is None:
            site().draw(match_id, ply)
    return found


def _at_once(match_id: int, ply: int) -> bytes | None:
    folder = site().settings.data_dir
    try:
        return public_boards.make_at_once(
            store(), match_id, ply, lambda game, view: draw.picture(game, view, folder)
        )
    except draw.FontsMissing:
        return None


@cache
def placeholder() -> bytes:
    """An empty sea."""
    out = io.BytesIO()
    Image.new("RGB", SIZE, SEA).save(out, "PNG")
    return out.getvalue()

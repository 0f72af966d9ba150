"""The whole report of a match, a page at a time."""

from flask import Response

from app import narrate
from app.play.match.records import NotFound
from app.web.core.rendering import render, unchanging
from app.web.match.clock_view import clock_view
from app.web.match.log import log_items
from app.web.match.match_request import MatchRequest

PLIES = 100
"""Plies on a page. A page costs the same however long the match is."""


def log_page(match_request: MatchRequest, until: int | None) -> Response:
    """The plies up to one, or the last ones. Raises NotFound."""
    last = match_request.version.ply
    if until is not None and not 0 <= until <= last:
        raise NotFound("match")
    view = match_request.view(None if until in (None, last) else until, last=PLIES)
    language = match_request.language
    time_format = clock_view(view, language, match_request.reader).time_format
    return unchanging(
        render(
            "play/log.html",
            language=language,
            match=view,
            title=narrate.title(view.game, language),
            items=log_items(view, time_format),
            earlier=view.ply - PLIES if view.ply >= PLIES else None,
            later=min(view.ply + PLIES, last) if view.ply < last else None,
        )
    )

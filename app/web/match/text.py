"""The download of a match as a text: all of it once it is over, before that what the viewer may know."""

import hashlib

from flask import Response, request

from app.play.match.records import Closed
from app.transcripts.export import finished
from app.transcripts.sight import text_for
from app.transcripts.writing import text_of
from app.web.core.context import site, store
from app.web.core.rendering import kept_by
from app.web.match.match_request import MatchRequest


def text_response(match_request: MatchRequest) -> Response:
    """The text, as a file to keep. Raises NotFound as the page does, Closed("no_text_yet") for onlookers."""
    version = match_request.version
    over = version.status == "over"
    if not over and version.seat is None:
        raise Closed("no_text_yet", match_id=version.match_id)
    body, tag = _finished(match_request) if over else (_seen(match_request), "")
    response = Response(body, mimetype="text/plain")
    name = f"tidepost-{version.match_id}{'' if over else f'-{version.seat}'}.match"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = kept_by(shared=over and not version.private)
    response.headers["Vary"] = "Cookie"
    if tag:
        response.set_etag(tag)
        response.make_conditional(request)
    return response


def _finished(match_request: MatchRequest) -> tuple[bytes, str]:
    """The whole file and its ETag. They are kept: working out all draws means to play all moves again."""
    version = match_request.version
    reader = version.holder.player_id if version.holder else None
    key = ("text", version.match_id, version.news, version.noted, version.sitters, reader)
    kept = site().pages.get(key)
    if kept is not None:
        return kept
    body = text_of(finished(store(), version.match_id, reader)).encode()
    return site().pages.put(key, (body, hashlib.blake2b(body, digest_size=12).hexdigest()))


def _seen(match_request: MatchRequest) -> bytes:
    return text_for(match_request.view(last=match_request.version.ply + 1)).encode()

"""The response with a match's page: cached by its version, answered with 304 when unchanged."""

import hashlib

from flask import Response, request

from app.play.moves.orders import Orders
from app.web.core.context import site
from app.web.core.player_addresses import player_path
from app.web.core.rendering import kept_by, render_text
from app.web.match.match_request import MatchRequest
from app.web.match.page import SharedPicture, Submission, match_page
from app.web.match.unchanged import period_of, remember

UNTAGGED = b' data-tag=""'
"""Where the page's script finds the ETag."""
LONGEST_CACHED_QUERY = 120
"""Characters. Picking on the board needs few, and strangers should not be able to fill the cache."""


def match_response(
    match_request: MatchRequest,
    status: int = 200,
    sent: Submission | None = None,
    *,
    ply: int | None = None,
) -> Response:
    """The page of the match, with what was sent if it was refused. 304 when the browser's copy is current.

    `ply`: an earlier position. A page that shows a refusal is rendered anew each time, and not kept. Raises
    NotFound.
    """
    if sent is None and len(request.query_string) <= LONGEST_CACHED_QUERY and "played" not in request.args:
        version = match_request.version
        # Cached by everybody: nothing that an onlooker sees of it is anybody's own, and it hardly changes.
        shared = version.status == "over" and not version.private
        period = period_of(version)
        response = _conditional(*_cached(match_request, ply), status, shared=shared)
        if not match_request.token:
            remember(version, period, response)
        return response
    body, _ = _rendered(match_request, ply, sent)
    return _conditional(*(_tagged(body) if sent is None else (body, "")), status)


def _cached(match_request: MatchRequest, ply: int | None) -> tuple[bytes, str]:
    """The page from the cache, else rendered and put there, with its ETag."""
    version, reader = match_request.version, match_request.reader
    period = period_of(version)
    known = reader and (reader.id, reader.name, reader.zone, reader.bounces, reader.unreached)
    key = (version, match_request.language, known, request.query_string, period, ply)
    cached = site().pages.get(key)
    if cached is not None:
        return cached
    body, rendered_ply = _rendered(match_request, ply, None)
    if rendered_ply != version.ply:  # a move came in between: the page is newer than its version
        return body, ""
    return site().pages.put(key, _tagged(body))


def _tagged(body: bytes) -> tuple[bytes, str]:
    """The page with its ETag, by which its script asks for news, and the ETag."""
    tag = hashlib.blake2b(body, digest_size=12).hexdigest()
    return body.replace(UNTAGGED, b' data-tag="%s"' % tag.encode(), 1), tag


def _conditional(body: bytes, tag: str, status: int, *, shared: bool = False) -> Response:
    quoted = f'"{tag}"'
    # Browsers send back the tag that they got, or its weak form where the page was compressed.
    unchanged = tag and request.environ.get("HTTP_IF_NONE_MATCH") in (quoted, f"W/{quoted}")
    response = Response(status=304) if unchanged else Response(body, status, mimetype="text/html")
    if tag:
        headers = response.headers
        if request.path.startswith("/m/"):  # no browser keeps the page of a link
            headers["Cache-Control"] = kept_by(shared=shared)
            headers["Vary"] = "Accept-Language, Cookie"
        headers["ETag"] = quoted
        if "HTTP_IF_NONE_MATCH" in request.environ and not unchanged:
            response.make_conditional(request)
    return response


def _rendered(match_request: MatchRequest, ply: int | None, sent: Submission | None) -> tuple[bytes, int]:
    """The page's HTML, and the last ply of the match that it knows of."""
    view = match_request.view(ply, _steps(sent))
    reader, language = match_request.reader, match_request.language
    page = match_page(
        view,
        language,
        reader,
        sent,
        past_ply=ply,
        notes=match_request.notes() if ply is None else (),
        orders=match_request.orders() if ply is None else Orders(),
        noted=match_request.version.noted,
        bounces=match_request.version.bounces,
        unreached=match_request.version.unreached,
        shared=_shared(match_request, view.ply),
        players=tuple(
            (one.name, player_path(one.player_id))
            for one in match_request.version.sitters
            if one.shows and one.player_id is not None
        ),
    )
    return render_text("play/match.html", language=language, person=reader, page=page).encode(), view.last_ply


def _shared(match_request: MatchRequest, ply: int) -> SharedPicture | None:
    """The public addresses of the match and its board; None: it is private."""
    if match_request.version.private:
        return None
    page = f"{site().settings.url}/m/{match_request.match_id}"
    return SharedPicture(page, f"{page}/{ply}/board.png")


def _steps(sent: Submission | None) -> tuple[str, ...]:
    """The planned moves of the form that was refused, else of the address, else of a letter's link."""
    if sent is not None and sent.steps:
        return sent.steps
    return tuple(request.args.getlist("step") or request.args.getlist("do")[:1])

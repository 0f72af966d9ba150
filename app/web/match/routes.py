"""Routes of a match: by the token in a letter's link, and by the match's number."""

from urllib.parse import quote

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app.people import service as people
from app.web.core import once
from app.web.core.context import store
from app.web.core.rendering import field
from app.web.match import watching
from app.web.match.actions import act
from app.web.match.log_page import log_page
from app.web.match.match_request import MatchRequest
from app.web.match.page_response import match_response
from app.web.match.text import text_response

pages = Blueprint("play", __name__)

SUBPAGES = frozenset({"table", "away", "text"})
"""Pages below the address of a turn."""
LINKS = "links"
MOST_DIGITS = 9
"""Digits of a ply in an address."""


@pages.get("/t/<token>")
def turn(token: str) -> BaseResponse:
    """The page of a letter's link; once the turn is over, the browser's own seat, else the public view.

    A cached page holds no token, so its links to the subpages go through `?go=` of this address.
    """
    if request.args.get("go") in SUBPAGES:
        return redirect(f"{request.path}/{request.args['go']}")
    match_request = MatchRequest(token=token)
    if "ply" in request.args:  # earlier positions are the same by every link
        return redirect(_position(match_request.match_id))
    if "log" in request.args:
        return redirect(f"/m/{match_request.match_id}/log")
    if (own := match_request.own) is not None:
        return redirect(f"{own.path}?{request.query_string.decode('ascii', 'replace')}")
    watching.keep(match_request)
    return match_response(match_request)


@pages.post("/t/<token>")
@once.keyed
def act_in_turn(token: str) -> BaseResponse:
    """Carry out an action, or mail fresh links, which the page offers when the turn is over."""
    if field("do", 20) == LINKS:
        people.ask_links_by_turn(store(), token)
        return redirect(f"{request.path}?sent=1#now", 303)
    match_request = MatchRequest(token=token)
    return act(match_request.own or match_request)


@pages.get("/m/<int(max=2147483647):match_id>")
def match(match_id: int) -> BaseResponse:
    """The page to bookmark: as the signed-in player or this browser's seat sees it, else as everybody."""
    match_request = MatchRequest(match_id=match_id)
    if "ply" in request.args:  # the slider's form, and links of old emails
        return redirect(_position(match_request.version.match_id))
    if "log" in request.args:
        return redirect(f"/m/{match_request.version.match_id}/log")
    watching.keep(match_request)
    return watching.counted(match_response(match_request))


@pages.get("/m/<int(max=2147483647):match_id>/text")
def text_of_match(match_id: int) -> Response:
    """The match as a text file. Raises NotFound, Closed."""
    return text_response(MatchRequest(match_id=match_id))


@pages.get("/t/<token>/text")
def text_of_turn(token: str) -> Response:
    """The match of a link as a text file. Raises NotFound, Closed."""
    match_request = MatchRequest(token=token)
    return text_response(match_request.own or match_request)


@pages.get("/m/<int(max=2147483647):match_id>/<int(max=2147483647):ply>")
def position(match_id: int, ply: int) -> BaseResponse:
    """An earlier position. The last one is the match's own page. Raises NotFound."""
    match_request = MatchRequest(match_id=match_id)
    if ply == match_request.version.ply:
        return redirect(match_request.path)
    return match_response(match_request, ply=ply)


@pages.get("/m/<int(max=2147483647):match_id>/log")
def whole_log(match_id: int) -> Response:
    """The whole report of a match, page by page, the latest first. Raises NotFound."""
    return log_page(MatchRequest(match_id=match_id), request.args.get("to", type=int))


def _position(match_id: int) -> str:
    """The address of the position that the query names; the match's own where it names none."""
    ply = request.args["ply"]
    known = ply.isascii() and ply.isdecimal() and len(ply) <= MOST_DIGITS
    eyes = request.args.get("as", "")
    query = f"?as={quote(eyes[:20])}" if eyes else ""
    return f"/m/{match_id}/{int(ply)}{query}" if known else f"/m/{match_id}"


@pages.post("/m/<int(max=2147483647):match_id>")
@once.keyed
def act_in_match(match_id: int) -> BaseResponse:
    """Carry out an action as the signed-in player, or for the seat that this browser may play."""
    return act(MatchRequest(match_id=match_id))

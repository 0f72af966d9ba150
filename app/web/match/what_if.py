"""A board that only its player sees, played on in thought (“what if”)."""

from flask import Blueprint, Response, redirect, request
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from app import draw, narrate
from app.engine.errors import RulesError
from app.play.match.imagined import Line
from app.play.match.records import PlayerView, SiteError
from app.play.seats import what_if
from app.play.seats.what_if import Thought
from app.web.core import once
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field, render
from app.web.match.match_request import MatchRequest
from app.web.match.what_if_page import WhatIfPage, what_if_page

pages = Blueprint("what_if", __name__)
ADDRESS = "/m/<int(max=2147483647):match_id>/what-if"
LONGEST_MOVE = 400


@pages.get(ADDRESS)
def show(match_id: int) -> Response:
    """The page of a player of a running match, signed in or by this browser's seat. Raises NotFound."""
    return _page(MatchRequest(match_id=match_id))


@pages.post(ADDRESS)
@once.by_itself("an added move says how many stand before it; the rest sets what it is about")
def act(match_id: int) -> BaseResponse:
    """Carry out the pressed button's action, or show the page with the refusal."""
    found = MatchRequest(match_id=match_id)
    try:
        _carry_out(found, field("do", 20))
    except (RulesError, SiteError) as error:
        sentence = narrate.refusal(found.view().game, found.language, error)
        return _page(found, status_of(error), sentence)
    done = "?done=orders#done" if field("do", 20) == "orders" else "#board"
    return redirect(f"/m/{found.match_id}/what-if{done}", 303)


def _carry_out(found: MatchRequest, action: str) -> None:
    """Carry out an action. Raises NotFound, Closed, Refused, RulesError."""
    viewer, match_id = found.viewer, found.match_id
    if action == "add":
        line = Line(field("seat", 40), field("move", LONGEST_MOVE))
        what_if.play_on(store(), viewer, match_id, line, after=_number("after"))
    elif action == "bot":
        what_if.play_on(store(), viewer, match_id, None, after=_number("after"))
    elif action == "own":
        what_if.until_own(store(), viewer, match_id)
    elif action == "choose":
        shown = tuple(one[:60] for one in request.form.getlist("shown")[: _number("draw") + 1])
        what_if.choose(store(), viewer, match_id, _number("at"), shown)
    elif action == "back":
        what_if.go_back(store(), viewer, match_id, _number("at"))
    elif action == "deal":
        what_if.deal_anew(store(), viewer, match_id, _number("deal"))
    elif action == "afresh":
        what_if.forget(store(), viewer, match_id)
    elif action == "orders":
        what_if.as_orders(store(), viewer, match_id)


def _number(name: str) -> int:
    """A number of the form; 0 if it is none."""
    sent = field(name, 8)
    return int(sent) if sent.isascii() and sent.isdecimal() else 0


def _page(found: MatchRequest, status: int = 200, refusal: str = "") -> Response:
    thought = what_if.thought(store(), found.viewer, found.match_id)
    view = found.view(last=1, steps=thought.begun)
    language = found.language
    made: WhatIfPage = what_if_page(
        thought, view, language, refusal, field("move", LONGEST_MOVE) if refusal else ""
    )
    return render(
        "play/what_if.html", status, language=language, page=made, board=_board(thought, view, made)
    )


def _board(thought: Thought, view: PlayerView, made: WhatIfPage) -> Markup:
    world = thought.world
    last = world.played[-1].events if world.played else ()
    drawn = draw.page(
        view.game,
        world.view,
        pick=made.links,
        picked=made.picked,
        marks=draw.named(last),
        kinds=made.kinds,
        labels=made.labels,
        language=made.language,
    )
    return Markup(drawn)  # noqa: S704 - made by the board's own template, which escapes

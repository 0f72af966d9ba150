"""Routes of an invitation's link: to a match before its start, or to an open seat of a running one."""

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app.play.lobby.snapshot import accepted_player, is_fresh, lobby_by_token
from app.play.match.records import Viewer
from app.play.match.version import page_version
from app.play.seats import offers
from app.web.core import once, sessions
from app.web.core.context import store
from app.web.core.rendering import field
from app.web.core.security import same_site
from app.web.core.signing_in import link_needs_session
from app.web.lobby import seat_offer, table

pages = Blueprint("invitation", __name__)

ENTER = "enter"
"""The button that leads from an accepted invitation to one's own board."""


@pages.get("/i/<token>")
def show(token: str) -> BaseResponse:
    """The table page as the invited player may see it, or the page of the offered seat."""
    if (refused := link_needs_session(token)) is not None:
        return refused
    if offer := offers.offer_by_token(store(), token):
        return seat_offer.offer_page(token, offer)
    return table.table_page(lobby_by_token(store(), token), token=token)


@pages.post("/i/<token>")
@once.keyed
def answer(token: str) -> BaseResponse:
    """Accept, decline, or carry out an organiser's action."""
    if (refused := link_needs_session(token)) is not None:
        return refused
    if field("do", 40) == ENTER:
        return _enter(token)
    if offers.offer_by_token(store(), token) is not None:
        return seat_offer.answer(token)
    return table.act(Viewer(token=token), lambda: lobby_by_token(store(), token), token)


def _enter(token: str) -> BaseResponse:
    """Lead to the board. By a fresh link this browser may play the seat, unless it can already.

    An older link leads there too, as any other way does: to the seat of the session, or to look on.
    """
    match_id, player_id = accepted_player(store(), token)
    found = page_version(store(), Viewer(player_id=player_id), match_id)
    if found is None:  # the game has not begun
        return redirect(request.path, 303)
    known = page_version(store(), sessions.viewer(match_id), match_id)
    if (
        found.holder is not None
        and is_fresh(store(), token)
        and same_site()
        and (known is None or known.seat is None)
    ):
        once.may_come_again()  # the answer to a second press sets the cookie too
        sessions.NewSeat(match_id, player_id, found.holder.chair_id).remember()
    return redirect(f"/m/{match_id}", 303)

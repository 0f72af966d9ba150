"""Routes of an invitation's link: to a match before its start, or to an open seat of a running one."""

from flask import Blueprint
from werkzeug.wrappers import Response as BaseResponse

from app.play.lobby.snapshot import lobby_by_token
from app.play.match.records import Viewer
from app.play.seats import offers
from app.web.core import once
from app.web.core.context import store
from app.web.core.signing_in import link_needs_session
from app.web.lobby import seat_offer, table

pages = Blueprint("invitation", __name__)


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
    if offers.offer_by_token(store(), token) is not None:
        return seat_offer.answer(token)
    return table.act(Viewer(token=token), lambda: lobby_by_token(store(), token), token)

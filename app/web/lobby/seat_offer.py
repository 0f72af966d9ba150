"""The page of an open seat that is offered to somebody."""

import msgspec
from flask import Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import narrate
from app.play.lobby.snapshot import invited_player
from app.play.match.records import NotFound, SiteError
from app.play.seats import offers, silencing, takeover
from app.play.seats.offers import Offer
from app.play.views.player_view import player_view
from app.web.core import sessions
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, render
from app.web.core.security import same_site
from app.web.core.self_form import SelfForm, plays_as, posted_self, self_form
from app.web.lobby.game_cards import GameCard, game_card


class SeatOfferPage(msgspec.Struct, frozen=True):
    """The contents of the page."""

    offer: Offer
    card: GameCard
    seat_taken: bool
    can_accept: bool
    expired: bool
    """The offer has expired and the seat is still open."""
    asked: bool
    """The reader has asked for the seat, and waits for an answer."""
    must_ask: bool
    """Those who may give the seat must agree."""
    name: str
    """Of the seat's player so far."""
    clock_rule: str
    refusal: str
    self_form: SelfForm
    can_block: bool
    """The reader is a player, who can block the host."""
    done: str
    """"block" or "asked_block" where that was just done."""
    plays_as: str
    """The name of the player whose address got the link, if this browser isn't theirs; else empty."""


def offer_page(token: str, offer: Offer, status: int = 200, refusal: str = "") -> Response:
    """The page with the offer's state and the form to accept it."""
    view = player_view(store(), offer.match_id, last=1)
    info = next(info for info in view.sittings if info.seat == offer.seat)
    is_open = view.status == "running" and info.open_since is not None
    page = SeatOfferPage(
        offer=offer,
        card=game_card(offer.game),
        seat_taken=info.open_since is None,
        can_accept=is_open and offer.stands,
        expired=is_open and offer.ended,
        asked=is_open and offer.status == "asked",
        must_ask=not offer.given and view.seat_giver != "anybody",
        name=info.name,
        clock_rule=narrate.clock_rule(language(), view.rule),
        refusal=refusal,
        self_form=self_form(sessions.person()),
        can_block=silencing.can_block_host(store(), token),
        done=request.args.get("done", "") if offer.status == "declined" else "",
        plays_as=plays_as(invited_player(store(), token)),
    )
    return render("table/seat.html", status, page=page)


def answer(token: str) -> BaseResponse:
    """Accept or decline the offer."""
    try:
        if field("do", 40) == "accept":
            takeover.take(store(), token, *posted_self(invited_player(store(), token)))
        elif field("do", 40) == "block":
            known = sessions.person()
            by = known.id if known is not None and same_site() else None
            done = "block" if silencing.block_host(store(), token, by) else "asked_block"
            return redirect(f"{request.path}?done={done}", 303)
        else:
            offers.decline(store(), token)
    except NotFound:
        raise
    except SiteError as error:
        offer = offers.offer_by_token(store(), token)
        if offer is None:
            raise
        return offer_page(token, offer, status_of(error), narrate.refusal(None, language(), error))
    return redirect(request.path, 303)

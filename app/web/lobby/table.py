"""A table before it is a match: the organiser's page, and that of each who is invited."""

from collections.abc import Callable
from zoneinfo import available_timezones

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as Answer

from app import clock, narrate
from app.engine.errors import BadOptions
from app.play.lobby import changes, invitations
from app.play.lobby.snapshot import table_by_token, table_of
from app.play.match.records import NotFound, SiteError, Table, Viewer
from app.play.seats import offers
from app.play.seats.offers import Offer
from app.play.views.player_view import player_view
from app.web.core import sessions
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, language_names, render
from app.web.core.security import REQUESTS, allow
from app.web.match import admin
from app.web.match.match_request import MatchRequest

pages = Blueprint("table", __name__)

ODD = ("Etc/", "SystemV/", "posix/", "right/", "US/", "Brazil/", "Canada/", "Chile/", "Mexico/")
ZONES = ("UTC", *sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith(ODD)))
"""Time zones as places; the old names for the same places are left out."""


@pages.get("/i/<token>")
def invitation(token: str) -> Response:
    """The table as the bearer of an invitation may see it; or the seat of a running match that it offers."""
    if offer := offers.offer_by_token(store(), token):
        return _seat(offer)
    return _shown(table_by_token(store(), token))


@pages.post("/i/<token>")
def answer(token: str) -> Answer:
    """Accept, decline, or do what an organiser may."""
    if offers.offer_by_token(store(), token) is not None:
        return _answer_offer(token)
    return _act(Viewer(token=token), lambda: table_by_token(store(), token), token)


@pages.get("/m/<int(max=2147483647):match_id>/table")
def organiser(match_id: int) -> Response:
    """The same for a signed-in organiser; of a running match, its table for everybody."""
    if admin.has_started(match_id):
        return admin.table_page(MatchRequest(match_id=match_id))
    return _shown(_own(match_id))


@pages.post("/m/<int(max=2147483647):match_id>/table")
def organise(match_id: int) -> Answer:
    """The same for a signed-in organiser."""
    if admin.has_started(match_id):
        return admin.carry_out(MatchRequest(match_id=match_id))
    _own(match_id)
    return _act(sessions.viewer(), lambda: _own(match_id))


def _own(match_id: int) -> Table:
    reader = sessions.person()
    if reader is None:
        raise NotFound("table")
    return table_of(store(), match_id, reader.id)


def _act(bearer: Viewer, table: Callable[[], Table], token: str = "") -> Answer:
    act = field("do", 40)
    try:
        if act == "accept" and token:
            invitations.accept(
                store(), token, field("name"), field("language", 20), field("zone", 80), field("word")
            )
        elif act == "decline" and token:
            invitations.decline(store(), token)
        else:
            _organise(bearer, table().match_id, act)
    except NotFound:
        raise
    except (SiteError, BadOptions) as error:
        return _shown(table(), status_of(error), narrate.refusal(table().game, language(), error))
    return redirect(request.path, 303)


def _organise(bearer: Viewer, match_id: int, act: str) -> None:
    whom = field("invitation", 12)
    guest = int(whom) if whom.isascii() and whom.isdecimal() else 0
    if act == "send_again":
        allow(REQUESTS)
        changes.send_again(store(), bearer, guest)
    elif act == "withdraw":
        changes.withdraw(store(), bearer, guest)
    elif act == "replace":
        allow(REQUESTS)
        changes.replace(store(), bearer, guest, field("address", 320))
    elif act == "start_with_fewer":
        changes.start_with_fewer(store(), bearer, match_id)
    elif act == "call_off":
        changes.call_off(store(), bearer, match_id)
    else:
        raise NotFound("act")


def _answer_offer(token: str) -> Answer:
    try:
        if field("do", 40) == "accept":
            offers.take(store(), token, field("name"), field("language", 20), field("zone", 80))
        else:
            offers.decline(store(), token)
    except NotFound:
        raise
    except SiteError as error:
        offer = offers.offer_by_token(store(), token)
        if offer is None:
            raise
        return _seat(offer, status_of(error), narrate.refusal(None, language(), error))
    return redirect(request.path, 303)


def _seat(offer: Offer, status: int = 200, refusal: str = "") -> Response:
    seen = player_view(store(), offer.match_id, last=1)
    sitting = next(one for one in seen.sittings if one.seat == offer.seat)
    return render(
        "table/seat.html",
        status,
        offer=offer,
        can=offer.stands(clock.now()) and seen.status == "running" and sitting.open_since is not None,
        taken=sitting.open_since is None,
        ended=offer.ended(clock.now()) and seen.status == "running" and sitting.open_since is not None,
        name=sitting.name,
        title=narrate.title(offer.game, language()),
        blurb=narrate.blurb(offer.game, language()),
        clock_rule=narrate.clock_rule(language(), seen.rule),
        refusal=refusal,
        kept=request.form,
        known=sessions.person(),
        zones=ZONES,
        language_names=language_names(),
    )


def _shown(table: Table, status: int = 200, refusal: str = "") -> Response:
    reader = sessions.person()
    return render(
        "table/table.html",
        status,
        table=table,
        beside=f"{request.path}/table" if request.path.startswith("/i/") else "",
        title=narrate.title(table.game, language()),
        blurb=narrate.blurb(table.game, language()),
        refusal=refusal,
        kept=request.form,
        known=reader,
        narrate=narrate,
        zones=ZONES,
        language_names=language_names(),
    )

"""The absence form's routes: it previews the effect of an absence and then enters it."""

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app.engine.errors import RulesError
from app.people import confirming
from app.play.match import presence
from app.play.match.records import NotFound, SiteError
from app.web.account import days
from app.web.account.absence_page import Traveller, absence_page
from app.web.account.sign_in import signed_out
from app.web.core import once, sessions
from app.web.core.context import store
from app.web.core.rendering import field
from app.web.match.match_request import MatchRequest
from app.web.match.stale import stale_page

pages = Blueprint("away", __name__)


@pages.get("/profile/away")
def show() -> BaseResponse:
    """The form for the signed-in player."""
    known = sessions.person()
    return absence_page(Traveller(known.id)) if known is not None else redirect("/sign-in", 303)


@pages.post("/profile/away")
@once.keyed
def change() -> BaseResponse:
    """Enter or cancel an absence."""
    known = sessions.person()
    return _act(Traveller(known.id)) if known is not None else signed_out()


@pages.get("/t/<token>/away")
def show_in_turn(token: str) -> BaseResponse:
    """The form for the holder of a turn's link; once the turn is over, the page of the link."""
    return (
        redirect(f"/t/{token}", 303) if MatchRequest(token).version.stale else absence_page(_by_token(token))
    )


@pages.post("/t/<token>/away")
@once.keyed
def change_in_turn(token: str) -> BaseResponse:
    """Enter or cancel an absence as the holder of a turn's link: a second email asks to confirm it.

    Where this browser is signed in as the same player it is done at once.
    """
    match_request = MatchRequest(token)
    if match_request.version.stale:
        return stale_page(match_request)
    traveller = _by_token(token)
    if match_request.trusted:
        return _act(traveller)
    action = field("do", 20)
    try:
        if action == "away":
            days.check(store(), traveller, field)
        elif action != "cancel":
            raise NotFound("act")
        names = days.fields(traveller) if action == "away" else ("absence",)
        facts = {name: typed for name in names if (typed := field(name, 40))}
        what = confirming.AWAY if action == "away" else confirming.BACK
        confirming.request(store(), traveller.player_id, traveller.match_id, what, facts)
    except NotFound:
        raise
    except (SiteError, RulesError) as error:
        return absence_page(traveller, error)
    return redirect(f"/t/{token}?asked={what}#now", 303)


def _by_token(token: str) -> Traveller:
    player_id, match_id = presence.reader_of(store(), token)
    return Traveller(player_id, token, match_id)


def _act(traveller: Traveller) -> BaseResponse:
    action = field("do", 20)
    try:
        if action == "away":
            days.enter(store(), traveller, field)
        elif action == "cancel":
            days.cancel(store(), traveller, field)
        else:
            raise NotFound("act")
    except NotFound:
        raise
    except (SiteError, RulesError) as error:
        return absence_page(traveller, error)
    return redirect(f"{request.path}?done={action}#now", 303)

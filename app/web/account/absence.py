"""The absence form's routes: it previews the effect of an absence and then enters it."""

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app.engine.errors import RulesError
from app.people.dates import read_date
from app.play.deadlines import absences
from app.play.match import presence
from app.play.match.records import NotFound, SiteError, Viewer
from app.play.moves import orders
from app.web.account.absence_page import Traveller, absence_page, policy_fields
from app.web.core import once, sessions
from app.web.core.context import store
from app.web.core.rendering import field

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
    return _act(Traveller(known.id)) if known is not None else redirect("/sign-in", 303)


@pages.get("/t/<token>/away")
def show_in_turn(token: str) -> Response:
    """The form for the holder of a turn's link, while the turn lasts."""
    return absence_page(_by_token(token))


@pages.post("/t/<token>/away")
@once.keyed
def change_in_turn(token: str) -> BaseResponse:
    """Enter or cancel an absence as the holder of a turn's link."""
    return _act(_by_token(token))


def _by_token(token: str) -> Traveller:
    player_id, match_id = presence.reader_of(store(), token)
    return Traveller(player_id, token, match_id)


def _act(traveller: Traveller) -> BaseResponse:
    action = field("do", 20)
    try:
        if action == "away":
            _enter(traveller)
        elif action == "cancel":
            number = field("absence", 12)
            absence_id = int(number) if number.isascii() and number.isdecimal() else 0
            absences.cancel(store(), traveller.player_id, absence_id)
        else:
            raise NotFound("act")
    except NotFound:
        raise
    except (SiteError, RulesError) as error:
        return absence_page(traveller, error)
    return redirect(f"{request.path}?done={action}#now", 303)


def _enter(traveller: Traveller) -> None:
    """Enter the absence and set the chosen policies until its end."""
    first, last = read_date(field("first", 40)), read_date(field("last", 40))
    chosen = [
        (one, one.game.read_policy(one.policy.name, text))
        for one in policy_fields(traveller)
        if (text := field(one.name, 40))
    ]
    entered = absences.enter(store(), traveller.player_id, first, last)
    viewer = Viewer(player_id=traveller.player_id)
    for one, text in chosen:
        orders.set_policy(store(), viewer, one.match_id, one.policy.name, text, until=entered.ends)

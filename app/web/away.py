"""When a player is away: a form that shows what it would do, and then does it."""

from datetime import date, datetime, time

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as Answer

from app import narrate
from app.people import service as people
from app.people.absence import MOST_DAYS, read_date
from app.play import absence
from app.play.glance import glance
from app.play.records import Bearer, HouseError, NotFound
from app.web import signed
from app.web.errors import status_of
from app.web.house import store
from app.web.rendering import field, language, render
from app.web.times import Times

pages = Blueprint("away", __name__)


@pages.get("/profile/away")
def profile() -> Answer:
    """The form, for who is signed in."""
    known = signed.person()
    return _shown(known.id, "") if known is not None else redirect("/sign-in", 303)


@pages.post("/profile/away")
def enter() -> Answer:
    """Enter an absence, or cancel one."""
    known = signed.person()
    return _act(known.id, "") if known is not None else redirect("/sign-in", 303)


@pages.get("/t/<token>/away")
def turn(token: str) -> Response:
    """The form, for the holder of a turn's link, as long as the turn goes on."""
    return _shown(absence.player_of(store(), token), token)


@pages.post("/t/<token>/away")
def enter_by_turn(token: str) -> Answer:
    """Enter an absence, or cancel one."""
    return _act(absence.player_of(store(), token), token)


def _act(player_id: int, token: str) -> Answer:
    what = field("do", 20)
    try:
        if what == "away":
            absence.enter(store(), player_id, read_date(field("first", 40)), read_date(field("last", 40)))
        elif what == "cancel":
            number = field("absence", 12)
            absence_id = int(number) if number.isascii() and number.isdecimal() else 0
            absence.cancel(store(), player_id, absence_id)
        else:
            raise NotFound("act")
    except NotFound:
        raise
    except HouseError as error:
        return _shown(player_id, token, error)
    return redirect(f"{request.path}?done={what}#now", 303)


def _shown(player_id: int, token: str, error: HouseError | None = None) -> Response:
    person = people.player(store(), player_id)
    if person is None:
        raise NotFound("player")
    speaks = person.language if token else language()
    asked, effects = request.values, None
    first = last = None
    if error is None and "first" in request.args:
        try:
            first, last = read_date(asked.get("first", "")[:40]), read_date(asked.get("last", "")[:40])
            effects = absence.preview(store(), player_id, first, last)
        except HouseError as refused:
            error = refused
    own = glance(store(), Bearer(token=token)) if token else None
    return render(
        "people/away.html",
        status_of(error) if error is not None else 200,
        language=speaks,
        leave=absence.absences(store(), player_id),
        effects=effects,
        shows=lambda effect: own is None or effect.match_id == own.match_id,
        first=first or asked.get("first", "")[:40],
        last=last or asked.get("last", "")[:40],
        refusal=narrate.refusal(None, speaks, error) if error is not None else "",
        done=request.args.get("done", ""),
        day=lambda one: _day(speaks, one),
        times=Times(speaks, person.zone),
        narrate=narrate,
        most=MOST_DAYS,
        by_token=bool(token),
        base=f"/t/{token}" if token else "/profile",
    )


def _day(speaks: str, one: date) -> str:
    return narrate.say(narrate.HOUSE, speaks, "day", datetime.combine(one, time(12)))

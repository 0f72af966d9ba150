"""When a player is away: a form that shows what it would do, and then does it."""

from datetime import date, datetime, time

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as Answer

from app import narrate
from app.engine.errors import RulesError
from app.engine.game import Game, Policy
from app.people import service as people
from app.people.absence import MOST_DAYS, read_date
from app.play import absence, orders
from app.play.glance import glance
from app.play.records import Bearer, HouseError, NotFound
from app.web import signed
from app.web.errors import status_of
from app.web.house import store
from app.web.rendering import field, language, render
from app.web.times import Times

pages = Blueprint("away", __name__)


class Ahead(msgspec.Struct, frozen=True):
    """A policy that a player may set in one of his matches for the time away."""

    match_id: int
    game: Game
    policy: Policy

    @property
    def field(self) -> str:
        """Of the form."""
        return f"policy-{self.match_id}-{self.policy.name}"

    @property
    def choices(self) -> list[str]:
        """What it may say here; with numbers, as others, it can be set on the page of the match."""
        return [choice for choice in self.policy.choices[1:] if "N" not in choice.split()]


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
            first, last = read_date(field("first", 40)), read_date(field("last", 40))
            wanted = [
                (one, one.game.read_policy(one.policy.name, text))
                for one in _ahead(player_id, token)
                if (text := field(one.field, 40))
            ]
            entered = absence.enter(store(), player_id, first, last)
            for one, text in wanted:
                bearer = Bearer(player_id=player_id)
                orders.set_policy(store(), bearer, one.match_id, one.policy.name, text, until=entered.ends)
        elif what == "cancel":
            number = field("absence", 12)
            absence_id = int(number) if number.isascii() and number.isdecimal() else 0
            absence.cancel(store(), player_id, absence_id)
        else:
            raise NotFound("act")
    except NotFound:
        raise
    except (HouseError, RulesError) as error:
        return _shown(player_id, token, error)
    return redirect(f"{request.path}?done={what}#now", 303)


def _ahead(player_id: int, token: str) -> list[Ahead]:
    """What he can leave ahead for the time away; by a turn's link in its own match only."""
    own = glance(store(), Bearer(token=token)) if token else None
    return [
        Ahead(match_id, game, policy)
        for match_id, game in absence.games_of(store(), player_id)
        for policy in game.policies
        if own is None or own.match_id == match_id
    ]


def _shown(player_id: int, token: str, error: HouseError | RulesError | None = None) -> Response:
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
        ahead=_ahead(player_id, token) if effects is not None else [],
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

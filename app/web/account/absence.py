"""When a player is away: a form that shows what it would do, and then does it."""

from datetime import date, datetime, time

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as Answer

from app import narrate
from app.engine.errors import RulesError
from app.engine.game import Game, Policy
from app.people import service as people
from app.people.absences import MOST_DAYS
from app.people.dates import read_date
from app.play.deadlines import absences
from app.play.match import presence
from app.play.match.records import NotFound, SiteError, Viewer
from app.play.moves import orders
from app.web.core import sessions
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, render
from app.web.match.clock_view import TimeFormat

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


class Leaver(msgspec.Struct, frozen=True):
    """Who goes away: a signed-in player, or the reader of a turn's letter, who sees its match alone."""

    player_id: int
    token: str = ""
    match_id: int = 0

    def sees(self, match_id: int) -> bool:
        """Whether the match is shown to him here."""
        return self.match_id in (0, match_id)


@pages.get("/profile/away")
def profile() -> Answer:
    """The form, for who is signed in."""
    known = sessions.person()
    return _shown(Leaver(known.id)) if known is not None else redirect("/sign-in", 303)


@pages.post("/profile/away")
def enter() -> Answer:
    """Enter an absence, or cancel one."""
    known = sessions.person()
    return _act(Leaver(known.id)) if known is not None else redirect("/sign-in", 303)


@pages.get("/t/<token>/away")
def turn(token: str) -> Response:
    """The form, for the holder of a turn's link, as long as the turn goes on."""
    return _shown(_by_token(token))


@pages.post("/t/<token>/away")
def enter_by_turn(token: str) -> Answer:
    """Enter an absence, or cancel one."""
    return _act(_by_token(token))


def _by_token(token: str) -> Leaver:
    player_id, match_id = presence.reader_of(store(), token)
    return Leaver(player_id, token, match_id)


def _act(leaver: Leaver) -> Answer:
    what = field("do", 20)
    try:
        if what == "away":
            first, last = read_date(field("first", 40)), read_date(field("last", 40))
            wanted = [
                (one, one.game.read_policy(one.policy.name, text))
                for one in _ahead(leaver)
                if (text := field(one.field, 40))
            ]
            entered = absences.enter(store(), leaver.player_id, first, last)
            for one, text in wanted:
                bearer = Viewer(player_id=leaver.player_id)
                orders.set_policy(store(), bearer, one.match_id, one.policy.name, text, until=entered.ends)
        elif what == "cancel":
            number = field("absence", 12)
            absence_id = int(number) if number.isascii() and number.isdecimal() else 0
            absences.cancel(store(), leaver.player_id, absence_id)
        else:
            raise NotFound("act")
    except NotFound:
        raise
    except (SiteError, RulesError) as error:
        return _shown(leaver, error)
    return redirect(f"{request.path}?done={what}#now", 303)


def _ahead(leaver: Leaver) -> list[Ahead]:
    """What he can leave ahead for the time away."""
    return [
        Ahead(match_id, game, policy)
        for match_id, game in absences.running_matches(store(), leaver.player_id)
        for policy in game.policies
        if leaver.sees(match_id)
    ]


def _shown(leaver: Leaver, error: SiteError | RulesError | None = None) -> Response:
    player_id, token = leaver.player_id, leaver.token
    person = people.player(store(), player_id)
    if person is None:
        raise NotFound("player")
    speaks = person.language if token else language()
    asked, effects = request.values, None
    first = last = None
    if error is None and "first" in request.args:
        try:
            first, last = read_date(asked.get("first", "")[:40]), read_date(asked.get("last", "")[:40])
            effects = absences.preview(store(), player_id, first, last)
        except SiteError as refused:
            error = refused
    return render(
        "people/away.html",
        status_of(error) if error is not None else 200,
        language=speaks,
        leave=absences.absences_of(store(), player_id),
        effects=effects,
        ahead=_ahead(leaver) if effects is not None else [],
        shows=lambda effect: leaver.sees(effect.match_id),
        first=first or asked.get("first", "")[:40],
        last=last or asked.get("last", "")[:40],
        refusal=narrate.refusal(None, speaks, error) if error is not None else "",
        done=request.args.get("done", ""),
        day=lambda one: _day(speaks, one),
        time_format=TimeFormat(speaks, person.zone),
        narrate=narrate,
        most=MOST_DAYS,
        by_token=bool(token),
        base=f"/t/{token}" if token else "/profile",
    )


def _day(speaks: str, one: date) -> str:
    return narrate.say(narrate.SITE, speaks, "day", datetime.combine(one, time(12)))

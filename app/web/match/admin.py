"""The table of a running match: a pause, what the organiser may do, seats that look for somebody."""

from collections.abc import Callable

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as Answer

from app import clock, narrate
from app.engine.reading import tidy
from app.play.deadlines import pauses
from app.play.lobby.snapshot import accepted_player
from app.play.match import vacancies
from app.play.match.records import ANYBODY, NotFound, Refused, SiteError, Viewer
from app.play.match.version import glance
from app.play.seats import offers, organiser
from app.web.core import sessions
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field, render
from app.web.core.security import REQUESTS, allow
from app.web.match import clock_view
from app.web.match.routes import Visit

pages = Blueprint("running", __name__)

CALL_OFF = "call off"
"""The words that confirm it, in every language."""
LONGEST_MARKS = 400


@pages.get("/t/<token>/table")
def table(token: str) -> Response:
    """The table, for the holder of a turn's link."""
    return shown(Visit(token=token))


@pages.post("/t/<token>/table")
def act(token: str) -> Answer:
    """What its player or its organiser does there."""
    return done(Visit(token=token))


class Invited(Visit):
    """A request by the link of an invitation that was accepted: at the table it stands for its player."""

    def __init__(self, token: str) -> None:
        match_id, self.player_id = accepted_player(store(), token)
        super().__init__(match_id=match_id)

    @property
    def bearer(self) -> Viewer:
        """Its player, whoever may be signed in on this browser."""
        return Viewer(player_id=self.player_id)

    @property
    def speaks(self) -> str:
        """His language."""
        return self.glance.language or super().speaks


@pages.get("/i/<token>/table")
def invited(token: str) -> Response:
    """The table, for the holder of an invitation's link: the organiser has but that until his turn comes."""
    return shown(Invited(token))


@pages.post("/i/<token>/table")
def act_invited(token: str) -> Answer:
    """What its player or its organiser does there."""
    return done(Invited(token))


def begun(match_id: int) -> bool:
    """The match has started, so that this is its table."""
    return glance(store(), ANYBODY, match_id) is not None


def shown(visit: Visit, status: int = 200, refusal: str = "") -> Response:
    """The table as the bearer may see it."""
    seen = visit.look()
    language = visit.speaks
    return render(
        "play/table.html",
        status,
        language=language,
        sight=seen,
        title=narrate.title(seen.game, language),
        clock=clock_view.of(seen, language, None if visit.token or seen.seat else sessions.person()),
        now=clock.now(),
        base=f"/t/{visit.token}" if visit.token else f"/m/{seen.match_id}",
        refusal=refusal,
        done=request.args.get("done", "") if not refusal else "",
        kept=request.form,
        words=CALL_OFF,
        most_days=organiser.MOST_DAYS,
    )


def done(visit: Visit) -> Answer:
    """Do what a button says, and show the table again."""
    what = field("do", 20)
    try:
        ACTS.get(what, _nothing)(visit.bearer, visit.glance.match_id)
    except NotFound:
        raise
    except SiteError as error:
        return shown(visit, status_of(error), narrate.refusal(None, visit.speaks, error))
    return redirect(f"{request.path}?done={what}#now", 303)


def _nothing(_bearer: Viewer, _match_id: int) -> None:
    raise NotFound("act")


def _extend(bearer: Viewer, match_id: int) -> None:
    days = field("days", 4)
    number = int(days) if days.isascii() and days.isdecimal() else 0
    organiser.extend(
        store(), bearer, match_id, number, field("seat", 20) or None, seen=field("seen", LONGEST_MARKS)
    )


def _call_off(bearer: Viewer, match_id: int) -> None:
    if tidy(field("word", 40)) != CALL_OFF:
        raise Refused("unsure", word=CALL_OFF)
    organiser.call_off(store(), bearer, match_id)


def _offer(bearer: Viewer, match_id: int) -> None:
    allow(REQUESTS)
    offers.offer(store(), bearer, match_id, field("seat", 20), field("address", 320))


def _ask_seat(_bearer: Viewer, match_id: int) -> None:
    allow(REQUESTS)
    offers.request_offer(store(), match_id, field("seat", 20), field("address", 320))


ACTS: dict[str, Callable[[Viewer, int], object]] = {
    "pause": lambda bearer, match: pauses.request(store(), bearer, match),
    "no_pause": lambda bearer, match: pauses.withdraw_request(store(), bearer, match),
    "resume": lambda bearer, match: pauses.resume(store(), bearer, match),
    "back": lambda bearer, match: vacancies.come_back(store(), bearer, match),
    "extend": _extend,
    "open_seat": lambda bearer, match: organiser.open_silent_seat(store(), bearer, match, field("seat", 20)),
    "hand_over": lambda bearer, match: organiser.hand_over(store(), bearer, match, field("seat", 20)),
    "call_off": _call_off,
    "offer": _offer,
    "ask_seat": _ask_seat,
}
"""What the buttons do. Each raises what its service raises, and twice is once."""

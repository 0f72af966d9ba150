"""The table page of a running match: pauses, open seats and the organiser's tools."""

from collections.abc import Callable

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import clock, narrate
from app.people import confirming, webhooks
from app.people import service as people
from app.play.deadlines import pauses
from app.play.lobby.snapshot import accepted_player, is_fresh
from app.play.match import vacancies
from app.play.match.records import NotFound, PlayerView, Refused, SiteError, Viewer
from app.play.match.version import page_version
from app.play.seats import offers, organiser, requests
from app.web.core import once, sessions
from app.web.core.allowances import JOINS, REQUESTS, allow
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, render
from app.web.core.signing_in import link_needs_session
from app.web.match.admin_page import AdminPage, HookOfGame
from app.web.match.clock_view import clock_view
from app.web.match.match_request import MatchRequest
from app.web.match.stale import stale_page
from app.words import commands

pages = Blueprint("running", __name__)

LONGEST_MARKS = 400
HOST_LINK = "host_link"
KEYS = frozenset({"extend", "open_seat", "hand_over", "call_off", "offer"})
"""The organiser's actions: they need a session or a fresh link."""
DECISIONS = frozenset({"give_seat", "refuse_seat"})
"""Decisions on requests for open seats, by whichever player: they need a session or a fresh link too."""


ASKED = frozenset({confirming.PAUSE, confirming.NO_PAUSE, confirming.RESUME})
"""Actions that outlast a turn and aren't the organiser's alone: by a bare link an email asks first."""
BACK = "back"
"""It serves the viewer's own seat, so a turn's link may do it; by an old invitation's an email asks."""


class InvitationRequest(MatchRequest):
    """A request by the link of an accepted invitation, with the rights of its player.

    It is the only link an organiser has until their first turn.
    """

    def __init__(self, token: str) -> None:
        match_id, self._player_id = accepted_player(store(), token)
        self._link = token
        super().__init__(match_id=match_id)

    @property
    def trusted(self) -> bool:
        """The link is fresh, or this browser is signed in as its player."""
        return is_fresh(store(), self._link) or super().trusted

    @property
    def viewer(self) -> Viewer:
        """The invited player; the browser's session is ignored."""
        return Viewer(player_id=self._player_id)

    @property
    def language(self) -> str:
        """The language chosen on this browser, else the invited player's."""
        return language(self.version.language)


@pages.get("/t/<token>/table")
def table(token: str) -> Response:
    """The table page for the holder of a turn's link."""
    return show(MatchRequest(token=token))


@pages.post("/t/<token>/table")
@once.keyed
def act(token: str) -> BaseResponse:
    """Carry out an action as the holder of a turn's link."""
    match_request = MatchRequest(token=token)
    return stale_page(match_request) if match_request.version.stale else carry_out(match_request)


@pages.get("/i/<token>/table")
def invited(token: str) -> BaseResponse:
    """The table page for the holder of an invitation's link."""
    return link_needs_session(token) or show(InvitationRequest(token))


@pages.post("/i/<token>/table")
@once.keyed
def act_invited(token: str) -> BaseResponse:
    """Carry out an action as the holder of an invitation's link."""
    return link_needs_session(token) or carry_out(InvitationRequest(token))


def has_started(match_id: int) -> bool:
    """Whether the match has started, so that this is its table page, and the reader may see it."""
    return page_version(store(), sessions.viewer(), match_id) is not None


def show(match_request: MatchRequest, status: int = 200, refusal: str = "") -> Response:
    """The table page as the viewer may see it."""
    view, language = match_request.view(), match_request.language
    token = match_request.token
    page = AdminPage(
        match=view,
        title=narrate.title(view.game, language),
        clock=clock_view(view, language, None if token or view.seat else sessions.person()),
        now=clock.now(),
        address=f"/t/{token}" if token else f"/m/{view.match_id}",
        done="" if refusal else request.args.get("done", ""),
        refusal=refusal,
        form=request.form,
        locked=_locked(match_request),
        may_play=view.seat is None and MatchRequest(match_id=view.match_id).version.seat is not None,
        trusted=match_request.trusted,
        public=not match_request.version.private,
        hooks=_hooks(match_request, view),
        no_mailbox=frozenset(
            one.seat for one in match_request.version.sitters if one.bounces or one.unreached == "full"
        ),
        not_reached=frozenset(
            one.seat
            for one in match_request.version.sitters
            if one.unreached not in ("", "full") and not one.bounces
        ),
    )
    return render("play/table.html", status, language=language, page=page)


def _hooks(match_request: MatchRequest, view: PlayerView) -> tuple[HookOfGame, ...]:
    """The webhooks of a running game that all may see, and who set them."""
    if match_request.version.private or view.status != "running":
        return ()
    names = {one.player_id: view.name(one.seat) for one in match_request.version.sitters}
    found = webhooks.of_match(store(), view.match_id)
    return tuple(HookOfGame(one.format, names.get(one.player_id, "")) for one in found)


def carry_out(match_request: MatchRequest) -> BaseResponse:
    """Carry out the pressed button's action and show the table page again."""
    action = field("do", 20)
    if action == HOST_LINK:
        return _email_host_link(match_request)
    if action not in ACTIONS:
        raise NotFound("act")
    if (action in KEYS and _locked(match_request)) or (action in DECISIONS and not match_request.trusted):
        sentence = narrate.refusal(None, match_request.language, Refused("host_link"))
        return show(match_request, 403, sentence)
    what = _asks_first(match_request, action)
    try:
        if what:
            confirming.request(store(), _player(match_request), match_request.match_id, what, {})
            return redirect(f"{request.path}?done=asked#now", 303)
        ACTIONS[action](match_request.viewer, match_request.match_id)
    except NotFound:
        raise
    except SiteError as error:
        sentence = narrate.refusal(None, match_request.language, error)
        return show(match_request, status_of(error), sentence)
    return redirect(f"{request.path}?done={action}#now", 303)


def _asks_first(match_request: MatchRequest, action: str) -> str:
    """The request of a second email, where the viewer's link is not enough for the action; else empty."""
    if match_request.version.seat is None or match_request.trusted:
        return ""
    if action == BACK and isinstance(match_request, InvitationRequest):
        return confirming.KEEP_SEAT
    return action if action in ASKED else ""


def _locked(match_request: MatchRequest) -> bool:
    """Whether the viewer is the organiser, but by a link that gives no powers: an old one, or a turn's."""
    view = match_request.view()
    return view.seat is not None and view.keys == view.seat and not match_request.trusted


def _email_host_link(match_request: MatchRequest) -> BaseResponse:
    """Email a link that signs in and leads back to the organiser, or to the seat that this browser plays."""
    try:
        people.ask_host_link(store(), _player(match_request), match_request.match_id)
    except Refused as error:
        sentence = narrate.refusal(None, match_request.language, error)
        return show(match_request, status_of(error), sentence)
    done = HOST_LINK if match_request.version.seat is not None else "sign_in"
    return redirect(f"{request.path}?done={done}#now", 303)


def _player(match_request: MatchRequest) -> int:
    """The player of the viewer's seat, or of the one that this browser may play. Raises NotFound."""
    holder = match_request.version.holder or MatchRequest(match_id=match_request.match_id).version.holder
    if holder is None or holder.player_id is None:
        raise NotFound("act")
    return holder.player_id


def _extend(viewer: Viewer, match_id: int) -> None:
    days = field("days", 4)
    number = int(days) if days.isascii() and days.isdecimal() else 0
    organiser.extend(
        store(), viewer, match_id, number, field("seat", 20) or None, seen=field("seen", LONGEST_MARKS)
    )


def _call_off(viewer: Viewer, match_id: int) -> None:
    if not commands.calls_off(field("word", 40)):
        raise Refused("unsure", word=commands.word_to_call_off(language()))
    organiser.call_off(store(), viewer, match_id)


def _offer(viewer: Viewer, match_id: int) -> None:
    allow(REQUESTS, viewer)
    offers.offer(store(), viewer, match_id, field("seat", 20), field("address", 320))


def _ask_seat(viewer: Viewer, match_id: int) -> None:
    known = sessions.person()
    by = known.id if known is not None else None
    allow(REQUESTS if by is not None else JOINS, viewer)
    offers.request_offer(store(), match_id, field("seat", 20), field("address", 320), by, language())


def _decide(viewer: Viewer, match_id: int, *, agree: bool) -> None:
    number = field("request", 12)
    chosen = int(number) if number.isascii() and number.isdecimal() else 0
    requests.decide(store(), viewer, match_id, chosen, agree=agree)


ACTIONS: dict[str, Callable[[Viewer, int], object]] = {
    "pause": lambda viewer, match: pauses.request(store(), viewer, match),
    "no_pause": lambda viewer, match: pauses.withdraw_request(store(), viewer, match),
    "resume": lambda viewer, match: pauses.end(store(), viewer, match),
    "back": lambda viewer, match: vacancies.come_back(store(), viewer, match),
    "extend": _extend,
    "open_seat": lambda viewer, match: organiser.open_silent_seat(store(), viewer, match, field("seat", 20)),
    "hand_over": lambda viewer, match: organiser.hand_over(store(), viewer, match, field("seat", 20)),
    "call_off": _call_off,
    "offer": _offer,
    "ask_seat": _ask_seat,
    "give_seat": lambda viewer, match: _decide(viewer, match, agree=True),
    "refuse_seat": lambda viewer, match: _decide(viewer, match, agree=False),
}
"""The action of each button. Each raises the errors of its service; repeating one has no further effect."""

"""A match: the board of a letter's link, and the same at its bookmark."""

from functools import cached_property

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as Answer

from app import narrate
from app.engine.errors import RulesError
from app.engine.reading import tidy
from app.people import service as people
from app.play.deadlines import nudges
from app.play.match import presence
from app.play.match.records import Closed, Done, NotFound, PlayerView, SiteError, Viewer
from app.play.match.version import PageVersion, glance
from app.play.moves import orders, service
from app.play.moves.orders import Orders
from app.play.views import talk
from app.play.views.player_view import player_view, player_view_by_token
from app.web.core import sessions
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language
from app.web.core.security import REQUESTS, allow
from app.web.match import chat_forms, order_forms
from app.web.match.board import Attempt, board_page

pages = Blueprint("play", __name__)

LATEST = 40
"""Plies of the log on a page; the whole log has its own address."""
ALL = 100_000
LONGEST_KEPT = 120
"""Characters of a query whose page is kept: pointing needs few, and a stranger should not fill the shelf."""
BESIDE = frozenset({"table", "away"})
"""Pages beside that of a turn."""
LINKS = "links"
SEEN, TRY_AGAIN, LETTERS = "seen", "try_again", "letters"
ASIDE = chat_forms.ACTS | order_forms.ACTS
"""What changes nothing of the game."""
PARTS = chat_forms.PARTS | dict.fromkeys(order_forms.ACTS, order_forms.PART)
"""Where on the page one goes on after each of these."""
NUDGE = "nudge"
RESIGN = "resign"
"""The word that confirms it, in every language as in the notation."""


class Visit:
    """One request for a board: who asks, and where."""

    def __init__(self, token: str = "", match_id: int = 0) -> None:
        self.token = token
        self.match_id = match_id

    @property
    def bearer(self) -> Viewer:
        """Who asks. A token's bearer is nobody else, whoever may be signed in on this browser."""
        return Viewer(token=self.token) if self.token else sessions.viewer()

    def look(self, ply: int | None = None) -> PlayerView:
        """What the bearer may see now."""
        last = ALL if request.args.get("log") == "all" else LATEST
        if self.token:
            return player_view_by_token(store(), self.token, last=last)
        return player_view(store(), self.match_id, self.bearer, ply=ply, last=last)

    @cached_property
    def glance(self) -> PageVersion:
        """What the bearer's page depends on. Raises NotFound."""
        seen = glance(store(), self.bearer, self.match_id)
        if seen is None:
            raise NotFound("match")
        return seen

    @property
    def speaks(self) -> str:
        """The language of the page: that of whom the link was sent to, else of who is signed in or looks."""
        return (self.glance.language if self.token else None) or language()

    def show(self, status: int = 200, attempt: Attempt | None = None) -> Response:
        """The board as it is, with what was tried."""
        ply = request.args.get("ply", type=int)
        if ply is not None and not 0 <= ply <= ALL:
            abort(404)
        reader = None if self.token else sessions.person()
        kept = attempt is None and ply is None and len(request.query_string) <= LONGEST_KEPT
        return board_page(
            lambda: self.look(ply),
            self.speaks,
            reader,
            self.glance if kept else None,
            status,
            attempt,
            notes=self.notes if ply is None else tuple,
            left=self.left if ply is None else Orders,
            bounces=self.glance.bounces,
        )

    def notes(self) -> tuple[talk.Note, ...]:
        """What the bearer wrote to himself."""
        seen = self.glance
        return talk.notes(store(), self.bearer, seen.match_id) if seen.seat and seen.noted else ()

    def left(self) -> Orders:
        """What the bearer left ahead."""
        seen = self.glance
        return orders.orders(store(), self.bearer, seen.match_id) if seen.seat and seen.noted else Orders()


@pages.get("/t/<token>")
def turn(token: str) -> Answer:
    """The board of a letter's link. When its turn is over: how things stand now.

    A page that is kept holds nobody's token, so it leads to the pages beside it by way of this one.
    """
    if request.args.get("go") in BESIDE:
        return redirect(f"{request.path}/{request.args['go']}")
    return Visit(token=token).show()


@pages.post("/t/<token>")
def move(token: str) -> Answer:
    """Answer, take back or resign; or have fresh links mailed, as the page of a turn that is over offers."""
    if field("do", 20) == LINKS:
        allow(REQUESTS)
        people.ask_links_by_turn(store(), token)
        return redirect(f"{request.path}?sent=1#now", 303)
    return _act(Visit(token=token))


@pages.get("/m/<int(max=2147483647):match_id>")
def match(match_id: int) -> Response:
    """The bookmark: one's own board for a signed-in player, else the public one."""
    return Visit(match_id=match_id).show()


@pages.post("/m/<int(max=2147483647):match_id>")
def move_signed(match_id: int) -> Answer:
    """Answer, take back or resign."""
    return _act(Visit(match_id=match_id))


def _act(visit: Visit) -> Answer:
    act = field("do", 20)
    if act == "show":
        return visit.show(200, _attempt())
    try:
        if act in ASIDE:
            ASIDE[act](store(), visit.bearer, visit.glance.match_id)
            return redirect(f"{request.path}#{PARTS[act]}", 303)
        if act == NUDGE:
            done_now = nudges.nudge(store(), visit.bearer, visit.glance.match_id, field("seat", 20))
            return redirect(f"{request.path}?nudged={int(done_now)}#now", 303)
        if act == SEEN:
            presence.saw(store(), visit.bearer, visit.glance.match_id)
            return redirect(f"{request.path}?seen=1#now", 303)
        if act == LETTERS:  # a page that is kept knows no token to make a link of
            return redirect(f"{request.path}/letters", 303)
        if act == TRY_AGAIN:
            return _try_again(visit)
        if act == "take_back":
            done = service.take_back(store(), visit.bearer, visit.glance.match_id)
        elif act == RESIGN:
            if tidy(field("word", 40)) != RESIGN:
                return visit.show(422, Attempt(refusal="", unsure=True))
            done = service.resign(store(), visit.bearer, visit.glance.match_id)
        else:
            done = _answer(visit)
    except NotFound:
        raise
    except (RulesError, SiteError) as error:
        return _refused(visit, error)
    return redirect(f"{request.path}{'?again=1' if done.again else ''}#now", 303)


def _try_again(visit: Visit) -> Answer:
    """Letters to the seat's player go out again. Raises NotFound."""
    player_id = presence.sitter(store(), visit.bearer, visit.glance.match_id)
    if player_id is None:
        raise NotFound("match")
    people.try_letters_again(store(), player_id)
    return redirect(f"{request.path}?tried=1#now", 303)


def _answer(visit: Visit) -> Done:
    if len(request.form.get("answer", "")) > 4000:
        abort(413)
    return service.play(store(), visit.bearer, field("question", 80), _attempt().text, source="web")


def _attempt() -> Attempt:
    """What the form holds. An answer may come in pieces: in their order they make the line."""
    pieces = tuple(piece[:80].replace("\0", "").strip() for piece in request.form.getlist("piece"))
    typed = field("answer")
    return Attempt(text=typed or " ".join(piece for piece in pieces if piece), pieces=pieces)


def _refused(visit: Visit, error: RulesError | SiteError) -> Response:
    attempt = _attempt()
    now = visit.look()
    sentence = narrate.refusal(now.game, visit.speaks, error)
    closed = isinstance(error, Closed)
    typed = {field("do", 20): request.form.get("text", "")}
    return visit.show(
        status_of(error),
        Attempt(attempt.text, attempt.pieces, sentence, closed=closed, error=error, typed=typed),
    )

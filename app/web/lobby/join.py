"""The pages of a game that anybody may join: while it is listed, and by its link to share."""

from collections.abc import Callable

import msgspec
from flask import Blueprint, Response, redirect, request
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.wrappers import Response as BaseResponse

from app import narrate
from app.people.service import Person
from app.play.lobby import joining
from app.play.lobby.records import LobbyView
from app.play.lobby.snapshot import lobby_of
from app.play.match.records import Closed, NotFound, SiteError
from app.play.match.version import page_version
from app.web.core import once, sessions
from app.web.core.allowances import JOINS, allow
from app.web.core.context import site, store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, render
from app.web.lobby.game_cards import GameCard, game_card

pages = Blueprint("join", __name__)


class JoinPage(msgspec.Struct, frozen=True):
    """The contents of the page."""

    table: LobbyView
    card: GameCard
    options: list[str]
    """The options that differ from the usual ones, in words."""
    clock_rule: str
    joined: bool
    """The signed-in player has a seat."""
    asked: bool
    """An email is on its way, if the address may have one."""
    address: str
    refusal: str

    @property
    def host(self) -> str:
        """The name of the organiser."""
        return next((one.name for one in self.table.guests if one.organiser), "")

    @property
    def names(self) -> list[str]:
        """The people who have joined."""
        return [one.name for one in self.table.guests if one.status == "accepted"]


@pages.get("/m/<int(max=2147483647):match_id>/join")
def show(match_id: int) -> BaseResponse:
    """A listed game before its start; once it has begun, its own page is shown to those who may see it."""
    try:
        return _page(joining.joinable(store(), match_id))
    except NotFound:
        if page_version(store(), sessions.viewer(match_id), match_id) is None:
            raise
        return redirect(f"/m/{match_id}")


@pages.post("/m/<int(max=2147483647):match_id>/join")
@once.keyed
def join(match_id: int) -> BaseResponse:
    """Take a seat as the signed-in player, or send an email that confirms an address."""
    return _act(match_id, 0, lambda: joining.joinable(store(), match_id))


@pages.get("/join/<token>")
def show_shared(token: str) -> BaseResponse:
    """A game by the link that its host has shared; who plays it comes to its own page once it has begun."""
    match_id, number = shared_game(token)
    try:
        return _page(_shared(match_id, number))
    except Closed:
        known = sessions.person()
        if known is None or not _plays(known, match_id):
            raise
        return redirect(f"/m/{match_id}")


@pages.post("/join/<token>")
@once.keyed
def join_shared(token: str) -> BaseResponse:
    """As `join`, by the link."""
    match_id, number = shared_game(token)
    return _act(match_id, number, lambda: _shared(match_id, number))


def share_path(match_id: int, number: int) -> str:
    """The path of a game's link to share."""
    return f"/join/{_signer().dumps([match_id, number])}"


def shared_game(token: str) -> tuple[int, int]:
    """The match and the number of a link to share. Raises NotFound."""
    try:
        match_id, number = _signer().loads(token)
    except (BadSignature, TypeError, ValueError):
        raise NotFound("match") from None
    return int(match_id), int(number)


def _shared(match_id: int, number: int) -> LobbyView:
    """Raises Closed("full"): the game has begun, or the host has ended the link."""
    try:
        return joining.joinable(store(), match_id, number)
    except NotFound:
        raise Closed("full") from None


def _act(match_id: int, number: int, table: Callable[[], LobbyView]) -> BaseResponse:
    known, address = sessions.person(), field("address", 320)
    try:
        if known is not None and field("do", 20) == "join":
            view = joining.join(store(), known.id, match_id, number)
            begun = view.status in ("running", "over")
            return redirect(f"/m/{match_id}" if begun else f"/m/{match_id}/table?done=join", 303)
        allow(JOINS)
        joining.ask_to_join(store(), address, match_id, number, language())
    except NotFound:
        if number:
            raise Closed("full") from None
        raise
    except SiteError as error:
        return _page(table(), status_of(error), narrate.refusal(None, language(), error), address)
    return redirect(f"{request.path}?asked=1", 303)


def _page(table: LobbyView, status: int = 200, refusal: str = "", address: str = "") -> Response:
    spoken, known = language(), sessions.person()
    page = JoinPage(
        table=table,
        card=game_card(table.game),
        options=narrate.variants(table.game, spoken, table.options),
        clock_rule=narrate.clock_rule(spoken, table.rule),
        joined=known is not None and _plays(known, table.match_id),
        asked="asked" in request.args and not refusal,
        address=address,
        refusal=refusal,
    )
    return render("finding/join.html", status, page=page)


def _plays(known: Person, match_id: int) -> bool:
    try:
        mine = lobby_of(store(), match_id, known.id).mine
    except NotFound:
        return False
    return mine is not None and mine.status == "accepted"


def _signer() -> URLSafeSerializer:
    # The settings list the newest key first, the signer expects it last.
    return URLSafeSerializer(list(reversed(site().settings.secret_keys)), salt="join")

"""The page of a rematch: of a finished game, and by the link of its last email. Its button acts."""

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import games, narrate
from app.engine.errors import BadOptions
from app.people import confirming
from app.play.lobby import rematch
from app.play.lobby.records import LobbyView
from app.play.lobby.rematch import Finished
from app.play.lobby.snapshot import lobby_of
from app.play.match import presence
from app.play.match.records import NotFound, Refused, SiteError
from app.web.core import once, sessions
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import language, render

pages = Blueprint("again", __name__)


class AgainPage(msgspec.Struct, frozen=True):
    """The contents of the page."""

    match_id: int
    """The finished match."""
    slug: str
    title: str
    """Of the game."""
    others: list[str]
    """The other people of the match, by name."""
    bots: int
    clock_rule: str
    table: LobbyView | None
    """The rematch, if there is one."""
    asked: bool
    """An email asks about the rematch."""
    signed_in: bool
    """The reader can open the pages of their games."""
    refusal: str


@pages.get("/m/<int(max=2147483647):match_id>/again")
def show(match_id: int) -> Response:
    """The rematch of a match in which the reader has a seat, or the offer of one."""
    return _page(match_id, _player(match_id))


@pages.post("/m/<int(max=2147483647):match_id>/again")
@once.by_itself("a match has one rematch")
def press(match_id: int) -> BaseResponse:
    """Start the rematch, or accept the invitation to it.

    A browser that only plays a seat joins no other game: an email asks about it.
    """
    player_id = _player(match_id)
    if sessions.is_player(player_id):
        return _press(match_id, player_id)
    try:
        confirming.request(store(), player_id, match_id, confirming.REMATCH, {})
    except Refused as error:
        return _page(match_id, player_id, status_of(error), narrate.refusal(None, language(), error))
    return redirect(f"{request.path}?asked=1", 303)


@pages.get("/r/<token>")
def show_by_link(token: str) -> Response:
    """As `show`, by the link of the match's last email."""
    return _page(*rematch.by_link(store(), token))


@pages.post("/r/<token>")
@once.by_itself("a match has one rematch")
def press_by_link(token: str) -> BaseResponse:
    """As `press`, by the link of the match's last email."""
    return _press(*rematch.by_link(store(), token))


def _player(match_id: int) -> int:
    """The player that the session or the seat cookie names. Raises NotFound: it names none of the match."""
    found = presence.sitter(store(), sessions.viewer(match_id), match_id)
    if found is None:
        raise NotFound("match")
    return found


def _press(match_id: int, player_id: int) -> BaseResponse:
    try:
        rematch.rematch(store(), match_id, player_id)
    except NotFound:
        raise
    except (SiteError, BadOptions) as error:
        game = games.all_games().get(rematch.finished_match(store(), match_id).slug)
        return _page(match_id, player_id, status_of(error), narrate.refusal(game, language(), error))
    return redirect(request.path, 303)


def _page(match_id: int, player_id: int, status: int = 200, refusal: str = "") -> Response:
    finished, spoken = rematch.finished_match(store(), match_id), language()
    new_id = rematch.rematch_of(store(), match_id, player_id)
    page = AgainPage(
        match_id=match_id,
        slug=finished.slug,
        title=_title(finished),
        others=[one.name for one in finished.but(player_id)],
        bots=finished.bots,
        clock_rule=narrate.clock_rule(spoken, finished.rule),
        table=_table(new_id, player_id) if new_id is not None else None,
        asked="asked" in request.args and not refusal,
        signed_in=sessions.is_player(player_id),
        refusal=refusal,
    )
    return render("finding/again.html", status, page=page)


def _table(new_id: int, player_id: int) -> LobbyView | None:
    """The rematch as the player may see it; None: they are not invited to it, or have not accepted."""
    try:
        return lobby_of(store(), new_id, player_id)
    except NotFound:
        return None


def _title(finished: Finished) -> str:
    game = games.all_games().get(finished.slug)
    return narrate.title(game, language()) if game is not None else finished.slug

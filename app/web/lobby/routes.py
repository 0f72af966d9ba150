"""The first page and the form for lost links."""

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import narrate, words
from app.play.lobby.links import ask_links
from app.play.match import presence
from app.play.match.records import Refused
from app.play.views import lists, mine
from app.play.views.open_games import open_games
from app.web.core import once
from app.web.core.allowances import REQUESTS, allow
from app.web.core.context import store
from app.web.core.drawings import drawing
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, render
from app.web.core.sessions import person
from app.web.lobby.game_cards import GameCard, find_game, game_cards
from app.web.lobby.games import MatchItem, OpenItem, match_items, open_items, time_format
from app.web.lobby.sample_boards import sample
from app.web.match.clock_view import TimeFormat

pages = Blueprint("lobby", __name__)

PUBLIC_MATCHES = 6
"""Public matches on the first page, of those that run and of those that are over."""
MINE, OPEN = 12, 6
"""Games of each list of the player's, and games to join."""


class LobbyPage(msgspec.Struct, frozen=True):
    """The contents of the first page."""

    games: list[GameCard]
    own: dict[str, list[MatchItem]]
    """The signed-in player's games by list, without finished ones; empty for a guest."""
    counts: mine.Counts
    open: list[OpenItem]
    """Games to join."""
    public: list[MatchItem]
    time_format: TimeFormat
    marked_seen: bool
    """All waiting turns have just been marked as seen."""


@pages.get("/")
def lobby() -> Response:
    """The first page: the player's matches, games to join, and public matches; for a guest what this is."""
    reader = person()
    own = (
        {one: mine.page(store(), reader.id, one, MINE) for one in (mine.TURN, mine.WAITING)} if reader else {}
    )
    page = LobbyPage(
        games=game_cards(),
        own={name: match_items(lines) for name, lines in own.items()},
        counts=mine.counts(store(), reader.id) if reader else mine.Counts(0, 0, 0),
        open=open_items(open_games(store(), OPEN, but=reader.id if reader else 0)),
        public=match_items(lists.public_lines(store(), PUBLIC_MATCHES, reader.id if reader else None)),
        time_format=time_format(),
        marked_seen="seen" in request.args,
    )
    response = render("lobby/lobby.html", page=page)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@pages.post("/seen")
@once.by_itself("seen twice is seen")
def mark_seen() -> BaseResponse:
    """Mark all turns that wait for the signed-in player as seen."""
    reader = person()
    if reader is None:
        return redirect("/", 303)
    presence.saw_all(store(), reader.id)
    return redirect("/?seen=1", 303)


@pages.get("/pictures/<slug>.svg")
def picture(slug: str) -> Response:
    """A board of the game some moves into a match, as SVG, with words of the language in the address."""
    wanted = request.args.get("language", "")
    spoken = wanted if wanted in words.available() else words.FALLBACK
    response = drawing(sample(find_game(slug).slug, spoken), spoken)
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response


@pages.get("/links")
def links() -> Response:
    """The form to have all open links sent again."""
    return render("lobby/links.html", sent="sent" in request.args, refusal="", address="")


@pages.post("/links")
@once.keyed
def request_links() -> BaseResponse:
    """Send all open links again. The response is the same for unknown addresses."""
    known = person()
    try:
        allow(REQUESTS)
        ask_links(store(), field("address", 320), known.id if known is not None else None)
    except Refused as error:
        refusal = narrate.refusal(None, language(), error)
        address = field("address", 320)
        return render("lobby/links.html", status_of(error), sent=False, refusal=refusal, address=address)
    return redirect("/links?sent=1", 303)

"""A player's public page, and the choice of what it shows."""

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import narrate
from app.people import profiles
from app.people.profiles import Profile
from app.play.match.records import MatchLine, NotFound
from app.play.views.open_games import finished_games
from app.play.views.punctuality import Punctuality, punctuality
from app.web.core import once, sessions
from app.web.core.context import store
from app.web.core.player_addresses import player_of
from app.web.core.rendering import language, render
from app.web.match.clock_view import TimeFormat

pages = Blueprint("player", __name__)

LATEST = 20
"""Finished games on the page."""


class PlayerGame(msgspec.Struct, frozen=True):
    """A finished game on a player's page."""

    line: MatchLine
    title: str


class PlayerPage(msgspec.Struct, frozen=True):
    """The contents of the page."""

    key: str
    name: str
    shows: frozenset[str]
    games: list[PlayerGame]
    more: bool
    punctuality: Punctuality | None
    time_format: TimeFormat
    own: bool
    """The reader's own."""
    gone: bool = False
    """The account was deleted."""


@pages.get("/p/<key>")
def show(key: str) -> Response:
    """The name, and what the player has chosen to show."""
    found, reader = player_at(key), sessions.person()
    lines: tuple[MatchLine, ...] = ()
    if profiles.GAMES in found.shows:
        lines = finished_games(store(), LATEST + 1, player_id=found.id)
    page = PlayerPage(
        key=key,
        name=found.name,
        shows=found.shows,
        games=[PlayerGame(one, narrate.title(one.game, language())) for one in lines[:LATEST]],
        more=len(lines) > LATEST,
        punctuality=punctuality(store(), found.id) if profiles.PUNCTUALITY in found.shows else None,
        time_format=TimeFormat(language(), reader.zone if reader else None),
        own=reader is not None and reader.id == found.id,
        gone=found.gone,
    )
    return render("finding/player.html", 410 if found.gone else 200, page=page)


@pages.post("/profile/page")
@once.by_itself("the same choice twice is one choice")
def choose() -> BaseResponse:
    """Keep what the signed-in player's page shows."""
    known = sessions.person()
    if known is None:
        return redirect("/sign-in", 303)
    profiles.choose(store(), known.id, frozenset(request.form.getlist("shows")))
    return redirect("/profile?page=1#page", 303)


def player_at(key: str) -> Profile:
    """The player of a page's address. Raises NotFound."""
    player_id = player_of(key)
    found = profiles.profile(store(), player_id) if player_id is not None else None
    if found is None:
        raise NotFound("player")
    return found

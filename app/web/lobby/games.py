"""Lists of games: those to join and to watch, finished ones, and a player's own."""

from datetime import UTC, datetime
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import games, narrate
from app.people import profiles
from app.play.match.records import MatchLine
from app.play.views import lists, mine
from app.play.views.open_games import OpenGame, finished_games, open_games
from app.play.views.pending import next_match
from app.web.core.context import store
from app.web.core.rendering import language, language_names, render
from app.web.core.sessions import person
from app.web.lobby.player_pages import player_at
from app.web.match.clock_view import TimeFormat

pages = Blueprint("games", __name__)

A_PAGE = 20
"""Games on one page of a list."""
LAST = 5000
"""The farthest page of a player's own games."""


class MatchItem(msgspec.Struct, frozen=True):
    """A match in a list."""

    line: MatchLine
    title: str
    """Of the game."""
    others: tuple[tuple[str, str], ...] = ()
    """The names of the other seats, each with its seat."""

    @property
    def started(self) -> bool:
        """The match has a page."""
        return self.line.status in ("running", "over")

    @property
    def address(self) -> str:
        """Of the page; before the start, of the page of its settings."""
        return f"/m/{self.line.match_id}" if self.started else f"/m/{self.line.match_id}/table"

    @property
    def picture(self) -> str:
        """The address of its small board; before the start, of a board of the game."""
        if not self.started:
            return f"/pictures/{self.line.game.slug}.svg?language={language()}"
        return f"/m/{self.line.match_id}/board.svg?{self.line.ply}"


class OpenItem(msgspec.Struct, frozen=True):
    """A game to join, in words."""

    game: OpenGame
    title: str
    options: list[str]
    clock_rule: str
    host_language: str
    """Its own name."""


class GamesPage(msgspec.Struct, frozen=True):
    """The contents of the list of games to join and to watch."""

    titles: dict[str, str]
    """Of all games, by slug."""
    slug: str
    """Only games of this one; empty: of all."""
    open: list[OpenItem]
    older: str
    """The query of the next page of games to join; empty on the last."""
    public: list[MatchItem]
    time_format: TimeFormat


class FinishedPage(msgspec.Struct, frozen=True):
    """The contents of the list of finished games."""

    titles: dict[str, str]
    slug: str
    seats: int
    most_seats: int
    player: str
    """The key of a player's public page; empty: games of all."""
    player_name: str
    games: list[MatchItem]
    older: str
    time_format: TimeFormat


class MinePage(msgspec.Struct, frozen=True):
    """The contents of one of a player's lists."""

    which: str
    counts: dict[str, int]
    games: list[MatchItem]
    newer: str
    older: str
    time_format: TimeFormat
    marked_seen: bool


@pages.get("/games")
def show() -> Response:
    """Games to join, then games to watch."""
    slug = _slug()
    found = open_games(store(), A_PAGE + 1, _before(), slug)
    reader = person()
    page = GamesPage(
        titles=_titles(),
        slug=slug,
        open=open_items(found[:A_PAGE]),
        older=_query(slug=slug, before=found[A_PAGE - 1].created_at) if len(found) > A_PAGE else "",
        public=match_items(lists.public_lines(store(), A_PAGE, reader.id if reader else None)),
        time_format=time_format(),
    )
    return render("finding/games.html", page=page)


@pages.get("/games/finished")
def finished() -> Response:
    """Finished games, narrowed down by game, seats and player."""
    slug, key = _slug(), request.args.get("player", "")[:80]
    seats = request.args.get("seats", 0, type=int)
    most = max(max(game.seats) for game in games.all_games().values())
    seats = seats if 0 < seats <= most else 0
    player = player_at(key) if key else None
    shown = player is not None and profiles.GAMES in player.shows
    lines = finished_games(
        store(),
        A_PAGE + 1,
        _before(),
        slug=slug,
        seats=seats,
        player_id=player.id if shown and player else None,
    )
    if player is not None and not shown:
        lines = ()
    page = FinishedPage(
        titles=_titles(),
        slug=slug,
        seats=seats,
        most_seats=most,
        player=key,
        player_name=player.name if player else "",
        games=match_items(lines[:A_PAGE]),
        older=_query(slug=slug, seats=seats or "", player=key, before=lines[A_PAGE - 1].at)
        if len(lines) > A_PAGE
        else "",
        time_format=time_format(),
    )
    return render("finding/finished.html", page=page)


@pages.get("/games/mine")
def my_games() -> BaseResponse:
    """One of the signed-in player's lists, by pages."""
    reader = person()
    if reader is None:
        return redirect("/sign-in", 303)
    which = request.args.get("list", mine.TURN)
    which = which if which in mine.LISTS else mine.TURN
    number = min(max(request.args.get("page", 0, type=int), 0), LAST)
    lines = mine.page(store(), reader.id, which, A_PAGE + 1, number * A_PAGE)
    page = MinePage(
        which=which,
        counts=msgspec.structs.asdict(mine.counts(store(), reader.id)),
        games=match_items(lines[:A_PAGE]),
        newer=_query(list=which, page=number - 1) if number else "",
        older=_query(list=which, page=number + 1) if len(lines) > A_PAGE else "",
        time_format=time_format(),
        marked_seen="seen" in request.args,
    )
    response = render("finding/mine.html", page=page)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@pages.get("/games/next")
def next_game() -> BaseResponse:
    """To the game, but for the one in the query, where the player's turn has the nearest deadline."""
    reader = person()
    if reader is None:
        return redirect("/sign-in", 303)
    found = next_match(store(), reader.id, but=request.args.get("but", 0, type=int))
    return redirect(f"/m/{found}" if found is not None else "/games/mine")


def match_items(lines: tuple[MatchLine, ...]) -> list[MatchItem]:
    """The matches of a list, in words."""
    return [
        MatchItem(
            line,
            narrate.title(line.game, language()),
            tuple((one.name, one.seat) for one in line.sittings if one.seat != line.seat),
        )
        for line in lines
    ]


def open_items(found: list[OpenGame]) -> list[OpenItem]:
    """The games to join, in words."""
    spoken = language()
    return [
        OpenItem(
            one,
            narrate.title(one.game, spoken),
            narrate.variants(one.game, spoken, one.options),
            narrate.clock_rule(spoken, one.rule),
            language_names().get(one.host_language, ""),
        )
        for one in found
    ]


def time_format() -> TimeFormat:
    """How the reader's moments are written."""
    reader = person()
    return TimeFormat(language(), reader.zone if reader else None)


def _titles() -> dict[str, str]:
    return {slug: narrate.title(game, language()) for slug, game in games.all_games().items()}


def _slug() -> str:
    slug = request.args.get("game", "")
    return slug if slug in games.all_games() else ""


def _before() -> datetime | None:
    """The moment in the query, in UTC."""
    try:
        found = datetime.fromisoformat(request.args.get("before", "")[:40])
        return found.astimezone(UTC) if found.tzinfo is not None else None
    except (ValueError, OverflowError):  # the second: in UTC it lies before the first year, or after the last
        return None


def _query(**facts: object) -> str:
    """The query with those facts that are not empty."""
    named = {name: fact.isoformat() if isinstance(fact, datetime) else fact for name, fact in facts.items()}
    return "?" + urlencode({name: fact for name, fact in named.items() if fact != ""})

"""The first page, and opening a table."""

import re

from flask import Blueprint, Response, abort, make_response, redirect, request
from werkzeug.wrappers import Response as Answer

from app import games, narrate
from app.engine.errors import BadOptions
from app.engine.game import Game
from app.play.lobby.create import create_match
from app.play.lobby.links import ask_links
from app.play.match import presence
from app.play.match.records import MatchLine, Refused
from app.play.views import lists
from app.web.core.context import store
from app.web.core.rendering import field, language, render
from app.web.core.security import REQUESTS, allow
from app.web.core.sessions import person
from app.web.lobby import clock_form, options_form
from app.web.lobby.sample_boards import sample
from app.web.match.clock_view import TimeFormat

pages = Blueprint("lobby", __name__)

SHOWN = 12
"""So many public matches stand on the first page."""


@pages.get("/")
def lobby() -> Response:
    """What this is, the games, one's own matches and the public ones."""
    reader = person()
    mine: tuple[MatchLine, ...] = lists.mine(store(), reader.id) if reader else ()
    response = render(
        "lobby/lobby.html",
        games=list(games.all_games().values()),
        mine=mine,
        public=lists.public_lines(store(), SHOWN),
        time_format=TimeFormat(language(), reader.zone if reader else None),
        narrate=narrate,
        seen="seen" in request.args,
    )
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@pages.post("/seen")
def seen() -> Answer:
    """The signed-in player has seen all that waits for him."""
    reader = person()
    if reader is not None:
        presence.saw_all(store(), reader.id)
        return redirect("/?seen=1", 303)
    return redirect("/", 303)


@pages.get("/pictures/<slug>.svg")
def picture(slug: str) -> Response:
    """A board of the game, some moves old."""
    game = _game(slug)
    response = make_response(sample(game.slug))
    response.mimetype = "image/svg+xml"
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response


@pages.get("/open/<slug>")
def opening(slug: str) -> Response:
    """The form for a new table."""
    return _form(_game(slug))


@pages.post("/open/<slug>")
def open_table(slug: str) -> Answer:
    """Open the table; its organiser gets a letter and confirms from it."""
    game = _game(slug)
    allow(REQUESTS)
    others = _addresses(field("others"))
    seats = _number(field("seats", 4))
    try:
        create_match(
            store(),
            game.slug,
            seats,
            options_form.chosen(game, seats),
            field("organiser", 320),
            others,
            bots=_number(field("bots", 4) or "0"),
            rule=clock_form.rule(),
        )
    except (BadOptions, Refused) as error:
        return _form(game, 422, narrate.refusal(game, language(), error))
    return redirect("/opened", 303)


@pages.get("/opened")
def opened() -> Response:
    """What happens next."""
    return render("lobby/opened.html")


@pages.get("/links")
def links() -> Response:
    """A lost letter is no lost game."""
    return render("lobby/links.html", sent="sent" in request.args, refusal="")


@pages.post("/links")
def request_links() -> Answer:
    """Send all links again. Nobody learns whether the address is known."""
    allow(REQUESTS)
    try:
        ask_links(store(), field("address", 320))
    except Refused as error:
        return render("lobby/links.html", 422, sent=False, refusal=narrate.refusal(None, language(), error))
    return redirect("/links?sent=1", 303)


def _game(slug: str) -> Game:
    return games.all_games().get(slug) or abort(404)


def _addresses(text: str) -> tuple[str, ...]:
    """The addresses in a list as people paste it: between blanks, commas or semicolons, some after a name."""
    found: list[str] = []
    for entry in re.split(r"[,;\n]", text):
        words = entry.split()
        named = any(word.startswith("<") and "@" in word for word in words)
        found += [word.strip("<>") for word in words if "@" in word] if named else words
    return tuple(found)


def _number(text: str) -> int:
    """What was typed as a number; -1, which no game takes, for all that is none."""
    return int(text) if text.isascii() and text.isdecimal() else -1


def _newcomer(game: Game) -> bool:
    """Whether the reader, as far as is known, has never played the game."""
    reader = person()
    return reader is None or all(line.game.slug != game.slug for line in lists.mine(store(), reader.id))


def _form(game: Game, status: int = 200, refusal: str = "") -> Response:
    return render(
        "lobby/open.html",
        status,
        game=game,
        title=narrate.title(game, language()),
        blurb=narrate.blurb(game, language()),
        takes=narrate.game_length(game, language()),
        refusal=refusal,
        kept=request.form,
        options=options_form.shown(game, newcomer=_newcomer(game)),
        clock=clock_form.kept(),
        days=clock_form.DAYS,
        weekdays=[narrate.weekday(language(), day) for day in range(7)],
        say=lambda name: narrate.say(narrate.SITE, language(), name),
        narrate=narrate,
    )

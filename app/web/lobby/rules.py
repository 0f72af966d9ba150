"""The help page and the rules pages."""

import re
from collections.abc import Callable
from html import unescape

import msgspec
from flask import Blueprint, Response, abort
from jinja2 import TemplateNotFound

from app import games
from app.engine.game import Game
from app.web.core.context import site
from app.web.core.drawings import drawing
from app.web.core.rendering import STATIC, environment, language, language_names, render, unchanging
from app.web.lobby.game_cards import GameCard, find_game, game_card, game_cards
from app.web.lobby.sample_boards import drawn, size_of, worked

pages = Blueprint("rules", __name__)

_SECTION = re.compile(r'<h2 id="([\w-]+)"[^>]*>(.*?)</h2>', re.DOTALL)
_TAG = re.compile(r"<[^>]+>")


class RulesPage(msgspec.Struct, frozen=True):
    """The contents of a game's rules page."""

    card: GameCard
    template: str
    """With the text of the rules; empty if there is none."""

    @property
    def language(self) -> str:
        """Of the text: English where the reader's language has none."""
        return self.template.rpartition("/")[2].removesuffix(".html")

    def sections(self, text: str) -> list[tuple[str, str]]:
        """The sections of the text that can be linked to: the anchor and the heading of each."""
        return [(anchor, unescape(_TAG.sub("", title)).strip()) for anchor, title in _SECTION.findall(text)]


@pages.get("/help")
def help_page() -> Response:
    """How to play by letter."""
    own = f"letter-{language()}.png"
    picture = own if (STATIC / own).exists() else "letter.png"
    return unchanging(
        render("rules/help.html", games=game_cards(), replies=site().settings.inbox, picture=picture),
        shared=True,
    )


@pages.get("/help/api")
def for_programs() -> Response:
    """How programs use the API, with one that plays a turn."""
    return unchanging(render("rules/programs.html"), shared=True)


@pages.get("/rules")
def index() -> Response:
    """The list of games."""
    return unchanging(render("rules/every.html", games=game_cards()), shared=True)


@pages.get("/rules/<slug>")
def show(slug: str) -> Response:
    """The rules of a game with rulings and notation."""
    game = find_game(slug)
    page = RulesPage(game_card(game), rules_template(game, language()))
    # `game` and `size_of` are names that the rules' own templates use.
    return unchanging(
        render("rules/one.html", page=page, game=game, size_of=_sizes(slug, language())), shared=True
    )


@pages.get("/rules/<slug>/<language>/<name>.svg")
def picture(slug: str, language: str, name: str) -> Response:
    """A picture of a rules page: a worked position as SVG."""
    if slug not in games.all_games() or language not in language_names() or name not in worked(slug):
        abort(404)
    response = drawing(drawn(slug, name, language), language)
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response


def rules_template(game: Game, language: str) -> str:
    """The name of the template with the rules in the language, else in English; empty if there is none."""
    for code in (language, "en"):
        name = f"games/{game.slug}/rules/{code}.html"
        try:
            environment().get_template(name)
        except TemplateNotFound:
            continue
        return name
    return ""


def _sizes(slug: str, language: str) -> Callable[[str], tuple[int, int]]:
    return lambda name: size_of(slug, name, language)

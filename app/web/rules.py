"""How to play: by letter, and each game."""

from flask import Blueprint, Response, abort
from jinja2 import TemplateNotFound

from app import games, narrate
from app.engine.game import Game
from app.web.rendering import environment, language, render

pages = Blueprint("rules", __name__)


@pages.get("/help")
def by_letter() -> Response:
    """How a game goes by letter, whatever the game."""
    return render("rules/help.html", games=_known())


@pages.get("/rules")
def every() -> Response:
    """The games there are."""
    return render("rules/every.html", games=_known())


@pages.get("/rules/<slug>")
def one(slug: str) -> Response:
    """The rules of one game, with our rulings and its notation."""
    game = games.shelf().get(slug) or abort(404)
    return render(
        "rules/one.html",
        game=game,
        title=narrate.title(game, language()),
        blurb=narrate.blurb(game, language()),
        takes=narrate.takes(game, language()),
        text=rules_of(game, language()),
    )


def rules_of(game: Game, language: str) -> str:
    """The name of the template with the rules: in the language, else in English; else empty."""
    for tongue in (language, "en"):
        name = f"games/{game.slug}/rules/{tongue}.html"
        try:
            environment().get_template(name)
        except TemplateNotFound:
            continue
        return name
    return ""


def _known() -> list[tuple[Game, str, str]]:
    return [
        (game, narrate.title(game, language()), narrate.blurb(game, language()))
        for game in games.shelf().values()
    ]

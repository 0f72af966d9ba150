"""How to play: by letter, and each game."""

from flask import Blueprint, Response, abort, make_response
from jinja2 import TemplateNotFound

from app import games, narrate
from app.engine.game import Game
from app.web.core.context import site
from app.web.core.rendering import environment, language, language_names, render
from app.web.lobby.sample_boards import drawn, size_of, worked

pages = Blueprint("rules", __name__)


@pages.get("/help")
def by_letter() -> Response:
    """How a game goes by letter, whatever the game."""
    return render("rules/help.html", games=_known(), replies=site().settings.inbox)


@pages.get("/rules")
def every() -> Response:
    """The games there are."""
    return render("rules/every.html", games=_known())


@pages.get("/rules/<slug>")
def one(slug: str) -> Response:
    """The rules of one game, with our rulings and its notation."""
    game = games.all_games().get(slug) or abort(404)
    return render(
        "rules/one.html",
        game=game,
        title=narrate.title(game, language()),
        blurb=narrate.blurb(game, language()),
        takes=narrate.game_length(game, language()),
        text=rules_of(game, language()),
        size_of=lambda name: size_of(slug, name, language()),
    )


@pages.get("/rules/<slug>/<language>/<name>.svg")
def picture(slug: str, language: str, name: str) -> Response:
    """A picture of the rules page: one of our own boards."""
    if slug not in games.all_games() or language not in language_names() or name not in worked(slug):
        abort(404)
    response = make_response(drawn(slug, name, language))
    response.mimetype = "image/svg+xml"
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response


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
        for game in games.all_games().values()
    ]

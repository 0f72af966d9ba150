"""Drawing a view as SVG, HTML or text, by the templates `games/<slug>/board.{svg,html,txt}`."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec
from markupsafe import Markup

from app.draw.looks import look, look_with, words
from app.draw.pictures import FontsMissing, PrivateView, picture
from app.engine.game import Event, Game, View
from app.words import FALLBACK

__all__ = ["FontsMissing", "PrivateView", "board", "listener", "mine", "named", "page", "picture", "text"]


def board(
    game: Game,
    view: View,
    *,
    pick: Mapping[str, str] | None = None,
    picked: Collection[str] = (),
    marks: Collection[str] = (),
    language: str = "en",
) -> str:
    """The board as SVG. Names in `pick` become links, those in `picked` and `marks` are highlighted.

    `pick` has an address for each name, `picked` is the choice so far, `marks` are recent changes. Names are
    those of `Game.click_path`; names that are not on the board are ignored.
    """
    macros = look(game.slug, "board.svg", language)
    return str(macros.board(view, pick or {}, picked, marks))


def page(
    game: Game,
    view: View,
    *,
    pick: Mapping[str, str] | None = None,
    picked: Collection[str] = (),
    marks: Collection[str] = (),
    language: str = "en",
) -> str:
    """The board as HTML: the picture and the rest of the view around it.

    The macro `page` may take `pick` and `picked` too, for things that can be picked beside the picture.
    """
    svg = Markup(board(game, view, pick=pick, picked=picked, marks=marks, language=language))  # noqa: S704 - just drawn
    macro = look(game.slug, "board.html", language).page
    offered = {"pick": pick or {}, "picked": picked}
    return str(macro(view, svg, **{name: offered[name] for name in offered if name in macro.arguments}))


def text(game: Game, view: View, *, language: str = "en") -> str:
    """The board as text for a fixed-width font, in lines of at most 76 characters."""
    return str(look(game.slug, "board.txt", language).board(view)).strip("\n") + "\n"


def mine(game: Game, view: View, *, language: str = "en") -> str:
    """The information private to the view's seat, as lines of text; empty for onlookers."""
    return str(look(game.slug, "board.txt", language).mine(view)).strip()


def listener(game: Game, note: Callable[..., None]) -> Callable[[View], None]:
    """A function that draws a view in all forms and tells `note` each sentence with its facts."""
    english = words(game.slug, FALLBACK)[1]

    def say(name: str, *facts: Any) -> str:
        note(name, *facts)
        return " ".join(getattr(english, name)(*facts).split())

    svg, html, txt = (look_with(game.slug, f"board.{form}", say) for form in ("svg", "html", "txt"))

    def draw(view: View) -> None:
        svg.board(view, {}, (), ())
        html.page(view, "")
        txt.board(view)
        txt.mine(view)

    return draw


def named(events: Iterable[Event]) -> tuple[str, ...]:
    """All strings in the events, each once, in order: the names that a board highlights as changed."""
    names: dict[str, None] = {}

    def walk(value: Any) -> None:
        if isinstance(value, str):
            names[value] = None
        elif isinstance(value, (list, tuple)):
            for one in value:
                walk(one)

    for event in events:
        for value in msgspec.structs.asdict(event).values():
            walk(value)
    return tuple(names)

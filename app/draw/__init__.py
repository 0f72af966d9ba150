"""A view as a picture, a page or a text. The looks are templates: `games/<slug>/board.{svg,html,txt}`."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
from markupsafe import Markup

from app.draw.looks import look
from app.draw.pictures import FontsMissing, Unfit, picture
from app.engine.game import Event, Game, View

__all__ = ["FontsMissing", "Unfit", "board", "mine", "named", "page", "picture", "text"]


def board(
    game: Game,
    view: View,
    *,
    pick: Mapping[str, str] | None = None,
    picked: Collection[str] = (),
    marks: Collection[str] = (),
    language: str = "en",
) -> str:
    """The board as SVG. `pick` makes what it names a link, `picked` is chosen, `marks` changed lately.

    Names are those of `Game.click_path`; one that is not on the board is passed over.
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
    """The board as HTML: the picture, and around it what the seat knows besides.

    A page that has `pick` and `picked` among its arguments gets them too, for what is no part of the picture.
    """
    svg = Markup(board(game, view, pick=pick, picked=picked, marks=marks, language=language))  # noqa: S704 - just drawn
    macro = look(game.slug, "board.html", language).page
    offered = {"pick": pick or {}, "picked": picked}
    return str(macro(view, svg, **{name: offered[name] for name in offered if name in macro.arguments}))


def text(game: Game, view: View, *, language: str = "en") -> str:
    """The whole board as characters, for a fixed-width font; no line is longer than 76."""
    return str(look(game.slug, "board.txt", language).board(view)).strip("\n") + "\n"


def mine(game: Game, view: View, *, language: str = "en") -> str:
    """What only the seat of the view knows, as lines of text; empty for onlookers."""
    return str(look(game.slug, "board.txt", language).mine(view)).strip()


def named(events: Iterable[Event]) -> tuple[str, ...]:
    """All names in the events, each once, in order: what a board marks as changed."""
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

"""Drawing a view as SVG, HTML or text, by the templates `games/<slug>/board.{svg,html,txt}`."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec
from markupsafe import Markup, escape

from app.draw.looks import look, look_with, words
from app.draw.pictures import FontsMissing, PrivateView, picture
from app.draw.trails import PLANNED, Trail, places, trails
from app.engine.game import Event, Game, View
from app.words import FALLBACK, direction
from app.words.isolation import isolated_lines

_LINK = re.compile(r'<a href="[^"]*" data-at="([^"]*)"')

__all__ = [
    "PLANNED",
    "FontsMissing",
    "PrivateView",
    "Trail",
    "board",
    "listener",
    "mine",
    "named",
    "page",
    "picture",
    "places",
    "text",
    "trails",
]


def board(
    game: Game,
    view: View,
    *,
    pick: Mapping[str, str] | None = None,
    picked: Collection[str] = (),
    marks: Collection[str] = (),
    others: Mapping[str, str] | None = None,
    routes: Collection[tuple[str, ...]] = (),
    kinds: Mapping[str, str] | None = None,
    language: str = "en",
) -> str:
    """The board as SVG. Names in `pick` become links, those in `picked` and `marks` are highlighted.

    `pick` has an address for each name, `picked` is the choice so far, `marks` are recent changes. Names are
    those of `Game.click_path`; names that are not on the board are ignored. Where the macro `board` takes
    them, `others` are links without a mark, `routes` are ways over spaces to show as arrows, and `kinds` say
    what each pick is: a `piece` to move, a `target` for one, or a `tile`, which is a whole move.
    """
    macro = look(game.slug, "board.svg", language).board
    offered = {"others": others or {}, "routes": routes, "kinds": kinds or {}}
    taken = {name: offered[name] for name in offered if name in macro.arguments}
    return str(macro(view, pick or {}, picked, marks, **taken))


def page(
    game: Game,
    view: View,
    *,
    pick: Mapping[str, str] | None = None,
    picked: Collection[str] = (),
    marks: Collection[str] = (),
    others: Mapping[str, str] | None = None,
    routes: Collection[tuple[str, ...]] = (),
    kinds: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    over: str = "",
    language: str = "en",
) -> str:
    """The board as HTML: the picture in a frame, with the layer `over` it, and the rest around it.

    The macro `page` may take `pick` and `picked` too, for things that can be picked beside the picture. Links
    get `data-pick` from `kinds` and `data-does` from `labels`, by name.
    """
    drawn, end, rest = board(
        game,
        view,
        pick=pick,
        picked=picked,
        marks=marks,
        others=others,
        routes=routes,
        kinds=kinds,
        language=language,
    ).rpartition("</svg>")
    svg = Markup(f'<div class="picture">{drawn}{over}{end}{rest}</div>')  # noqa: S704 - just drawn
    macro = look(game.slug, "board.html", language).page
    offered = {"pick": pick or {}, "picked": picked}
    html = str(macro(view, svg, **{name: offered[name] for name in offered if name in macro.arguments}))
    return (
        _LINK.sub(lambda found: found[0] + _told(found[1], kinds or {}, labels or {}), html)
        if kinds
        else html
    )


def _told(name: str, kinds: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """The further attributes of a link on the board."""
    told = f' data-pick="{escape(kinds[name])}"' if name in kinds else ""
    return f'{told} data-does="{escape(labels[name])}"' if name in labels else told


def text(game: Game, view: View, *, language: str = "en") -> str:
    """The board as text for a fixed-width font, in lines of at most 76 columns.

    In a language from right to left, each line is isolated from left to right.
    """
    board = str(look(game.slug, "board.txt", language).board(view)).strip("\n") + "\n"
    return isolated_lines(board) if direction(language) == "rtl" else board


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

"""The page of a match, made of what its reader may see. The same page is made once."""

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from flask import Response, request
from markupsafe import Markup

from app import clock, draw, narrate
from app.engine.errors import RulesError
from app.people.service import Person
from app.play.match.records import PlayerView, SiteError
from app.play.match.version import PageVersion
from app.play.moves.orders import Orders
from app.play.views.talk import LONGEST_NOTE, LONGEST_SAID, Note
from app.web.core.context import site
from app.web.core.rendering import environment, render_text
from app.web.match import chat_forms, clock_view, order_forms
from app.web.match.log import lately, story
from app.web.match.move_picker import Pointing, choices, point

EXAMPLES = 2
"""Of how an answer is written."""
PAGE_LASTS = 600
"""Seconds for which a page is kept that tells how much time is left."""
CHOOSE = "choose"
"""The part of the page where one answers."""


class Attempt(msgspec.Struct, frozen=True):
    """What somebody tried to do, and what came of it."""

    text: str = ""
    pieces: tuple[str, ...] = ()
    refusal: str = ""
    closed: bool = False
    unsure: bool = False
    """Wanted to resign and did not type the word."""
    error: RulesError | SiteError | None = None
    typed: dict[str, str] = {}
    """What was written to say, to note or to leave ahead, by what was to be done with it."""


def board_page(
    look: Callable[[], PlayerView],
    language: str,
    reader: Person | None,
    glance: PageVersion | None = None,
    status: int = 200,
    attempt: Attempt | None = None,
    *,
    notes: Callable[[], tuple[Note, ...]] = tuple,
    left: Callable[[], Orders] = Orders,
    bounces: bool = False,
) -> Response:
    """The answer to a request for a board: 304 where the reader has it already.

    With a glance the page is kept by it, and made again only when something that it shows has changed.
    """
    if glance is None:
        return Response(
            _made(look(), language, reader, attempt, notes(), left(), bounces=bounces).encode(),
            status,
            mimetype="text/html",
        )
    # What a page says of time is in days and hours: a page some minutes old still says the same.
    hour = clock.now().timestamp() // PAGE_LASTS if glance.timed else 0
    known = reader and (reader.id, reader.name, reader.zone, reader.bounces)
    key = (glance, language, known, request.query_string, hour)
    kept = site().pages.get(key)
    if kept is None:
        sight = look()
        page = _made(sight, language, reader, None, notes(), left(), bounces=bounces).encode()
        tag = hashlib.blake2b(page, digest_size=12).hexdigest()
        # Somebody may have moved in between: then this is no page of that glance.
        kept = site().pages.put(key, (page, tag)) if sight.ply == glance.ply else (page, "")
    body, tag = kept
    response = Response(body, status, mimetype="text/html")
    if tag and request.path.startswith("/m/"):
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["Vary"] = "Cookie"
        response.headers["ETag"] = f'"{tag}"'
        if "HTTP_IF_NONE_MATCH" in request.environ:
            response.make_conditional(request)
    return response


def _made(
    sight: PlayerView,
    language: str,
    reader: Person | None,
    attempt: Attempt | None,
    notes: tuple[Note, ...],
    left: Orders,
    *,
    bounces: bool,
) -> str:
    offered = choices(sight.game, sight.asked)
    pointing = point(offered, tuple(request.args.getlist("pick"))[:8], request.args.get("do", ""))
    clocks = clock_view.of(sight, language, reader)
    then, since = story(sight, clocks.times)
    tried = attempt or Attempt(text=request.args.get("do", "") if not pointing.ready else "")
    forms = _forms(sight)
    pick = {**_points(sight, forms), **pointing.following}
    drawn = draw.page(
        sight.game, sight.view, pick=pick, picked=pointing.picked, marks=lately(sight), language=language
    )
    return render_text(
        "play/match.html",
        language=language,
        person=reader,
        sight=sight,
        title=narrate.title(sight.game, language),
        names=[sight.name(seat) for seat in sight.to_move],
        options=_options(sight, language),
        clock=clocks,
        board=Markup(drawn),  # noqa: S704 - made by the board's own template, which escapes
        pointing=pointing,
        pointed=lambda name: narrate.pointed(sight.game, language, name, sight.view),
        buttons=_buttons(sight, pointing, language) if not forms or pointing.picked else [],
        asks=[narrate.asks(sight.game, language, one.decision, sight.view) for one in sight.asked],
        forms=[
            Markup(form.ask(sight.view, question, tried.pieces, tried.text))  # noqa: S704 - as the board
            for question, form in forms.items()
        ],
        then=then,
        since=since,
        ending=narrate.ending(sight.game, language, sight.outcome, sight.name) if sight.outcome else "",
        attempt=tried,
        notes=notes,
        orders=order_forms.card(sight, language, left),
        occasion=chat_forms.occasion(sight, notes),
        longest_said=LONGEST_SAID,
        longest_note=LONGEST_NOTE,
        prepared=request.args.get("do", ""),
        again="again" in request.args,
        sent="sent" in request.args,
        nudged=request.args.get("nudged", ""),
        seen="seen" in request.args,
        tried="tried" in request.args,
        bounces=bounces,
        whole=request.args.get("log") == "all",
        past=request.args.get("ply", type=int),
        offered=len(offered),
        examples=[choice.answer for choice in offered[:: max(1, len(offered) // EXAMPLES)]][:EXAMPLES],
    )


def _buttons(sight: PlayerView, pointing: Pointing, language: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """For each open question its buttons: what each does in words, and its canonical text."""
    shown: dict[str, list[tuple[str, str]]] = {}
    for choice in pointing.ready:
        label = narrate.label(sight.game, language, choice.move, sight.view)
        shown.setdefault(choice.asked.question_id, []).append((label, choice.answer))
    return list(shown.items())


def _options(sight: PlayerView, language: str) -> list[str]:
    """The choices that make this game another than the plain one, in words."""
    return [
        f"{narrate.option(sight.game, language, option)}: "
        f"{narrate.choice(sight.game, language, option, sight.options[option.name])}"
        for option in sight.game.options
        if sight.options.get(option.name, option.choices[0]) != option.choices[0]
    ]


def _forms(sight: PlayerView) -> dict[str, Any]:
    """The questions that a game asks by a form of its own, each with the macros of its template.

    `ask_<asks>.html` has two. `points(view)`: the names on the board, separated by blanks, that a click puts
    into a `select` marked `data-point` of a form marked `data-pointing`. `ask(view, question, pieces, text)`:
    the forms themselves. A form gives the answer as one field `answer` or in many named `piece`, which are
    joined in their order; `pieces` and `text` are what was sent before, when that could not be used.
    """
    names = {one.question_id: f"games/{sight.game.slug}/ask_{one.decision.asks}.html" for one in sight.asked}
    return {
        question: environment().get_template(name).module
        for question, name in names.items()
        if name in _ask_templates()
    }


def _points(sight: PlayerView, forms: dict[str, Any]) -> dict[str, str]:
    """The names on the board that fill a form's fields; the link leads to the form where nothing does so."""
    return {name: f"#{CHOOSE}" for form in forms.values() for name in form.points(sight.view).split()}


@cache
def _ask_templates() -> frozenset[str]:
    return frozenset(name for name in environment().list_templates() if "/ask_" in name)

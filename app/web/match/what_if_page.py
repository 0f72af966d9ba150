"""The page of a game that is played on in thought, as one record."""

from datetime import UTC, datetime

import msgspec
from flask import request

from app import narrate
from app.engine.game import Decision, Seat, View
from app.play.match.records import Asked, PlayerView
from app.play.seats.what_if import Thought
from app.web.match.move_picker import FEW, LegalAnswer, Selection, address, legal_answers, pick
from app.web.match.question_card import NameLink
from app.words import formats

NEVER = datetime.min.replace(tzinfo=UTC)
"""When these questions were asked."""
MOST_PICKS = 8
MOST_LISTED = 200


class Choice(msgspec.Struct, frozen=True):
    """A draw of a move, and what it could show."""

    number: int
    shown: str
    possible: tuple[tuple[str, str], ...]
    """The results, and each in words."""
    before: tuple[str, ...]
    """The results of the draws before it."""


class ThoughtLine(msgspec.Struct, frozen=True):
    """A move in thought, in words."""

    number: int
    seat: Seat
    name: str
    label: str
    text: str
    told: str
    """The events that followed, in sentences."""
    choices: tuple[Choice, ...]


class Move(msgspec.Struct, frozen=True):
    """A move that can be added."""

    label: str
    text: str


class WhatIfPage(msgspec.Struct, frozen=True):
    """The contents of the page. All of it follows from the seat's view and the number of the deal."""

    match: PlayerView
    language: str
    name: str
    """Of the match, in short."""
    lines: list[ThoughtLine]
    dropped: list[str]
    deal: int
    seat: Seat | None
    """The seat whose move comes next; None: the game is over in thought."""
    who: str
    """Its player."""
    asks: list[str]
    ending: str
    links: dict[str, str]
    kinds: dict[str, str]
    picked: tuple[str, ...]
    picked_names: list[str]
    """The same in words."""
    chosen: bool
    """A whole move was chosen on the board, and waits for its button."""
    labels: dict[str, str]
    """The moves that names on the board would choose, in words."""
    following: list[NameLink]
    moves: list[Move]
    own: bool
    """Some of the moves are the viewer's, so they can become conditional moves."""
    playable: str
    """The game's page with the moves with which the lines begin; empty if none can be played there now."""
    refusal: str
    typed: str
    """The move that was refused."""
    left: bool
    """The conditional moves were just left."""


def what_if_page(thought: Thought, view: PlayerView, language: str, refusal: str, typed: str) -> WhatIfPage:
    """The page for the current request's query. `typed`: a refused move, to be mended."""
    world, game = thought.world, view.game
    seat, decisions = _next(world.asked)
    selection, moves = _moves(thought, view, language, decisions, seat)
    seen = world.view_of(seat) if seat else world.view

    labels = {name: narrate.label(game, language, one.move, seen) for name, one in selection.targets.items()}

    def named(name: str) -> str:
        return narrate.board_name(game, language, name, seen)

    return WhatIfPage(
        match=view,
        language=language,
        name=narrate.match_name(game, language, view.match_id),
        lines=_lines(thought, view, language),
        dropped=[one.text for one in world.dropped],
        deal=thought.deal,
        seat=seat,
        who=view.name(seat) if seat else "",
        asks=[narrate.asks(game, language, one, seen) for one in decisions],
        ending=narrate.ending(game, language, world.outcome, view.name) if world.outcome else "",
        links=selection.following,
        kinds=selection.kinds,
        picked=selection.picked,
        picked_names=[named(name) for name in selection.picked],
        chosen="step" in request.args and len(moves) == 1,
        labels=labels,
        following=[
            NameLink(name, named(name), to, 0, labels.get(name, ""))
            for name, to in selection.following.items()
        ],
        moves=moves,
        own=any(one.line.seat == view.seat for one in world.played),
        playable=_playable(view),
        refusal=refusal,
        typed=typed,
        left=request.args.get("done") == "orders",
    )


def _playable(view: PlayerView) -> str:
    codes = view.plan.codes if view.plan is not None else ()
    return f"/m/{view.match_id}{address(codes)}#board" if codes else ""


def _next(asked: tuple[Decision, ...]) -> tuple[Seat | None, list[Decision]]:
    """The seat that plays next, which the query may name where several are asked, and its questions."""
    seats = list(dict.fromkeys(one.seat for one in asked))
    if not seats:
        return None, []
    wished = request.args.get("as", "")
    seat = wished if wished in seats else seats[0]
    return seat, [one for one in asked if one.seat == seat]


def _moves(
    thought: Thought, view: PlayerView, language: str, decisions: list[Decision], seat: Seat | None
) -> tuple[Selection, list[Move]]:
    """The names to pick on the board, and the moves that are ready to be added."""
    if seat is None:
        return pick(()), []
    game, seen = view.game, thought.world.view_of(seat)
    asked = [Asked("", one, NEVER) for one in decisions]
    answers = legal_answers(game, asked, game.alike(seen))
    chosen = request.args.getlist("step")[-1:]
    selection = pick(answers, tuple(request.args.getlist("pick"))[:MOST_PICKS])
    ready: tuple[LegalAnswer, ...] = tuple(one for one in answers if [one.code] == chosen)
    if not ready:
        ready = selection.ready if selection.picked or len(answers) <= FEW else _pathless(answers)
    if "list" in request.args:
        ready = answers[:MOST_LISTED]
    return selection, [Move(narrate.label(game, language, one.move, seen), one.text) for one in ready]


def _pathless(answers: tuple[LegalAnswer, ...]) -> tuple[LegalAnswer, ...]:
    return tuple(one for one in answers if not one.click_path)


def _lines(thought: Thought, view: PlayerView, language: str) -> list[ThoughtLine]:
    lines = []
    for number, one in enumerate(thought.world.played):
        shown = [draw.shown for draw in one.draws]
        lines.append(
            ThoughtLine(
                number,
                one.line.seat,
                view.name(one.line.seat),
                narrate.label(view.game, language, one.move, one.view),
                one.line.text,
                formats(language).together(narrate.sentences(view.game, language, one.events, view.name)),
                tuple(
                    Choice(n, draw.shown, _worded(view, language, one.view, draw.possible), tuple(shown[:n]))
                    for n, draw in enumerate(one.draws)
                    if len(draw.possible) > 1
                ),
            )
        )
    return lines


def _worded(
    view: PlayerView, language: str, seen: View, results: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """The results of a draw, each with what it is in the language: a number, or a name on the board."""
    return tuple(
        (
            one,
            formats(language).digits(one)
            if one.isdigit()
            else narrate.board_name(view.game, language, one, seen),
        )
        for one in results
    )

"""A position of each game to try at once, against the computer, without an address and without a match.

Nothing is stored: the address holds the visitor's moves, and the position follows from them. The world is the
same for everybody, so it has no secrets.
"""

from functools import cache, lru_cache
from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, has_request_context, redirect, request
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from app import draw, games, narrate
from app.engine.chance import Chance
from app.engine.errors import RulesError
from app.engine.game import Decision, Event, Game, Move, Record, Seat
from app.play.match.records import Refused
from app.web.core.allowances import TRIES, spares
from app.web.core.rendering import language, page_words, render
from app.web.lobby.game_cards import GameCard, find_game, game_card

pages = Blueprint("try", __name__)

SEED = b"a position to try, the same for all"
BEFORE = 40
"""Plies that the computer has played before the visitor's first."""
MOST = 24
"""Moves of the visitor. Each costs the computer's turns that follow, once."""
MOST_PLIES = 60
"""Of the computer, between two moves of the visitor."""
LONGEST = 80
"""Characters of a move in the address."""
KEPT = 200
"""Positions that a process keeps."""
FEW = 8
"""Up to this many answers are all shown as buttons at once."""
OWN = "own:"
"""Prefix of names that only the seat knows. Addresses have a number in their place."""


class Position(msgspec.Struct, frozen=True):
    """A position, and the events that led to it since the visitor's last move."""

    state: Any
    ply: int
    seat: Seat
    seats: tuple[Seat, ...]
    events: tuple[Event, ...] = ()


class Choice(msgspec.Struct, frozen=True):
    """A name that can be picked next."""

    label: str
    address: str


class Answer(msgspec.Struct, frozen=True):
    """A move as a button."""

    label: str
    text: str


class TryPage(msgspec.Struct, frozen=True):
    """The contents of the page."""

    card: GameCard
    seat: Seat
    board: Markup
    moves: tuple[str, ...]
    happened: list[str]
    asks: str
    """The question; empty where the game is over or the visitor has tried enough."""
    ending: str
    picked: list[str]
    choices: list[Choice]
    answers: list[Answer]
    again: str
    """The query with nothing picked."""
    back: str
    """The query without the last move; empty at the beginning."""


@pages.get("/try/<slug>")
def show(slug: str) -> BaseResponse:
    """The position after the moves in the query. A move that can't be made leads to the one before it."""
    game, moves = find_game(slug), _moves()
    try:
        return _page(game, after(slug, moves), moves)
    except RulesError:
        return redirect(f"/try/{slug}{_query(moves[:-1])}")


@cache
def first(slug: str) -> Position:
    """The position at the beginning: a game between bots, some plies old, when a seat's turn begins."""
    game = games.all_games()[slug]
    seats = game.colours[: max(2, game.seats[0])]
    options = game.complete_options(len(seats), game.demo_options)
    state, ply, last = game.setup(seats, options, Chance(SEED, 0)).state, 0, ""
    while True:
        decision = _asked(game, state)
        if decision is None or (ply >= BEFORE and decision.seat != last):
            assert decision is not None, "the game is over before it can be tried"
            return Position(state, ply, decision.seat, seats)
        state, ply, last = _bots_move(game, state, decision, ply + 1)[0], ply + 1, decision.seat


@lru_cache(KEPT)
def after(slug: str, moves: tuple[str, ...]) -> Position:
    """The position after the visitor's moves and the computer's. Raises RulesError, Refused("too_often").

    What is worked out for a visitor is counted; what is kept costs nothing.
    """
    if not moves:
        return first(slug)
    game, before = games.all_games()[slug], after(slug, moves[:-1])
    if has_request_context() and not spares(TRIES):
        raise Refused("too_often", most=TRIES.most)
    ply = before.ply + 1
    move = game.parse(before.state, before.seat, moves[-1])
    step = game.apply(before.state, before.seat, move, Chance(SEED, ply))
    state, events = step.state, [one.event for one in step.told if one.to is None or before.seat in one.to]
    for _ in range(MOST_PLIES):
        decision = _asked(game, state)
        if decision is None or decision.seat == before.seat:
            break
        ply += 1
        state, told = _bots_move(game, state, decision, ply)
        events += [one.event for one in told if one.to is None or before.seat in one.to]
    return msgspec.structs.replace(before, state=state, ply=ply, events=tuple(events))


def _bots_move(game: Game, state: Record, decision: Decision, ply: int) -> tuple[Record, Any]:
    move = game.bot(game.view(state, decision.seat), decision, Chance(SEED, ply, "bot"))
    step = game.apply(state, decision.seat, move, Chance(SEED, ply))
    return step.state, step.told


def _asked(game: Game, state: Record) -> Decision | None:
    """The question that the game waits for, or None if it is over."""
    return next((one for one in game.decisions(state) if not one.optional), None)


def _moves() -> tuple[str, ...]:
    return tuple(one[:LONGEST] for one in request.args.getlist("m")[:MOST])


def _query(moves: tuple[str, ...], picked: tuple[str, ...] = ()) -> str:
    """The query of a position with names picked on its board."""
    found = urlencode([*(("m", one) for one in moves), *(("pick", one) for one in picked)])
    return f"?{found}" if found else ""


def _page(game: Game, position: Position, moves: tuple[str, ...]) -> Response:
    spoken, seat = language(), position.seat
    view = game.view(position.state, seat)
    decision = _asked(game, position.state)
    asked = decision if decision is not None and decision.seat == seat and len(moves) < MOST else None
    options = asked.options if asked is not None else ()
    shown, picked = _picked(game, options, tuple(request.args.getlist("pick")[:6]))
    matching = [one for one in options if game.click_path(one)[: len(picked)] == picked]
    following = _names(game, matching, len(picked))
    links = {name: f"{_query(moves, (*shown, key))}#board" for key, name in following.items()}
    outcome = game.outcome(position.state)

    def name(which: Seat) -> str:
        return page_words(spoken, "finding.practice_name", you=which == seat, seat=which)

    def label(named: str) -> str:
        return narrate.board_name(game, spoken, named, view)

    page = TryPage(
        card=game_card(game),
        seat=seat,
        board=Markup(  # noqa: S704 - made by the board's own template, which escapes
            draw.page(
                game, view, pick=links, picked=picked, marks=draw.named(position.events), language=spoken
            )
        ),
        moves=moves,
        happened=narrate.sentences(game, spoken, position.events, name),
        asks=narrate.asks(game, spoken, asked, view) if asked is not None else "",
        ending=narrate.ending(game, spoken, outcome, name) if outcome is not None else "",
        picked=[label(one) for one in picked],
        choices=[Choice(label(name), address) for name, address in links.items()],
        answers=[
            Answer(narrate.label(game, spoken, one, view), game.format(one))
            for one in _ready(game, matching, len(picked))
        ],
        again=f"{_query(moves) or '?'}#board",
        back=f"{_query(moves[:-1]) or '?'}#board" if moves else "",
    )
    return render("finding/try.html", page=page)


def _picked(
    game: Game, options: tuple[Move, ...], wanted: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names picked so far, as the address has them and as the board does; those that lead on."""
    shown: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    for one in wanted:
        matching = [move for move in options if game.click_path(move)[: len(path)] == path]
        name = _names(game, matching, len(path)).get(one)
        if name is None:
            break
        shown, path = (*shown, one), (*path, name)
    return shown, path


def _names(game: Game, moves: list[Move], depth: int) -> dict[str, str]:
    """The names that can be picked next, by their form in an address."""
    paths = (game.click_path(one) for one in moves)
    names = dict.fromkeys(path[depth] for path in paths if len(path) > depth)
    own = sorted(name for name in names if name.startswith(OWN))
    return {f"{OWN}{own.index(name)}" if name.startswith(OWN) else name: name for name in names}


def _ready(game: Game, moves: list[Move], depth: int) -> list[Move]:
    """The moves to show as buttons: those picked whole, and those that aren't made on the board."""
    if not depth and len(moves) <= FEW:
        return moves
    return [one for one in moves if len(game.click_path(one)) == depth]

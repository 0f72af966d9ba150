"""Picking moves on the board: what can be picked next, and where each pick leads.

A page's address holds the plan, a `step` for each planned step, and the names picked of the next one. The
last name of a move puts it into the plan.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from urllib.parse import quote_plus

import msgspec

from app.engine.game import Game, Move, View
from app.play.match.plan import OWN, Way, codes
from app.play.match.records import Asked

_quoted = lru_cache(10_000)(quote_plus)
FEW = 8
"""Up to this many answers are all listed at once."""
PIECE, TARGET, TILE, OTHER = "piece", "target", "tile", "other"
"""The kinds of picks: a first one, one that completes a move, one that is a move by itself, and another first
one, instead of the name that is picked."""


class LegalAnswer(msgspec.Struct, frozen=True):
    """A legal answer to an open question."""

    question_id: str
    move: Move
    text: str
    """Canonical."""
    click_path: tuple[str, ...]
    """The names to click, in order."""
    code: str
    """Its form in an address."""
    other_paths: tuple[tuple[str, ...], ...] = ()
    """Other orders of the names."""


class Target(msgspec.Struct, frozen=True):
    """A pick that completes a move, or a way of several."""

    move: Move
    """The last one."""
    view: View | None
    """Before it; None: the page's own."""
    count: int
    """Moves."""


class Selection(msgspec.Struct, frozen=True):
    """The names picked so far and what they lead to."""

    picked: tuple[str, ...]
    following: dict[str, str]
    """The names that can be picked next, each with its address."""
    kinds: dict[str, str]
    """PIECE, TARGET or TILE by name."""
    targets: dict[str, Target]
    """The moves that the names of TARGET and TILE complete."""
    ready: tuple[LegalAnswer, ...]
    """The answers to choose from by their words: they have no names, or the same ones."""


def legal_answers(
    game: Game, asked: Iterable[Asked], alike: Mapping[str, str] | None = None
) -> tuple[LegalAnswer, ...]:
    """All listed answers to the open questions; those with pieces that are `alike` once."""
    asked = tuple(asked)
    coded = codes(game, (one.decision for one in asked))
    found = (
        LegalAnswer(
            one.question_id,
            move,
            text := game.format(move),
            game.click_path(move),
            coded.get(text, text),
            game.other_paths(move),
        )
        for one in asked
        for move in one.decision.options
    )
    return tuple(one for one in found if not alike or alike.keys().isdisjoint(one.click_path))


def address(steps: Sequence[str], picked: Iterable[str] = (), **more: str) -> str:
    """The query of the page with this plan and these picks."""
    fields = [f"step={_quoted(step)}" for step in steps]
    fields += [f"pick={_quoted(name)}" for name in picked]
    fields += [f"{name}={_quoted(value)}" for name, value in more.items()]
    return f"?{'&'.join(fields)}"


def pick(
    answers: tuple[LegalAnswer, ...],
    picked: tuple[str, ...] = (),
    steps: Sequence[str] = (),
    ways: Mapping[str, Sequence[Way]] | None = None,
    *,
    begin: bool = True,
) -> Selection:
    """The selection after `picked`. Names that lead to no answer are dropped, with all others.

    `steps` is the plan to which a completed move is added. `ways` has the further ways of the piece picked.
    With `begin`, a piece that is the only name to begin with counts as picked.
    """
    path: list[str] = []
    matching = tuple(one for answer in answers for one in _orders(answer))
    names = _names(matching, 0)
    alone: tuple[LegalAnswer, ...] = ()
    if begin and not picked and len(names) == 1 and sum(bool(one.click_path) for one in answers) > 1:
        picked, alone = tuple(names), tuple(one for one in answers if not one.click_path)
    for shown in picked:
        name = names.get(shown)
        if name is None:
            break
        path.append(name)
        matching = tuple(one for one in matching if one.click_path[len(path) - 1 : len(path)] == (name,))
        names = _names(matching, len(path))
    depth = len(path)
    shown_path = picked[:depth]
    following, kinds, targets = {}, {}, {}
    for shown, name in names.items():
        leading = [one for one in matching if one.click_path[depth : depth + 1] == (name,)]
        # Several of a kind are one press.
        if len(leading) == 1 and set(leading[0].click_path[depth:]) == {name}:
            following[name] = f"{address((*steps, leading[0].code))}#board"
            kinds[name] = TARGET if depth else TILE
            targets[name] = Target(leading[0].move, None, 1)
        else:
            following[name] = f"{address(steps, (*shown_path, shown))}#board"
            kinds[name] = PIECE
    for way in (ways or {}).get(path[0], ()) if depth == 1 else ():
        if way.target not in following:
            following[way.target] = f"{address((*steps, *way.texts))}#board"
            kinds[way.target] = TARGET
            targets[way.target] = Target(way.last, way.view, len(way.texts))
    if depth:
        ready = (*(one for one in matching if len(one.click_path) == depth), *alone)
    elif len(answers) <= FEW:
        ready = answers
    else:
        ready = tuple(one for one in answers if not one.click_path)
    return Selection(tuple(path), following, kinds, targets, ready)


def _orders(answer: LegalAnswer) -> Iterator[LegalAnswer]:
    """The answer with each order of its names."""
    yield answer
    for path in answer.other_paths:
        yield msgspec.structs.replace(answer, click_path=path)


def _names(answers: tuple[LegalAnswer, ...], depth: int) -> dict[str, str]:
    """The names that can be picked at this depth, keyed by their form in an address."""
    names = dict.fromkeys(one.click_path[depth] for one in answers if len(one.click_path) > depth)
    own = sorted(name for name in names if name.startswith(OWN))
    return {f"{OWN}{own.index(name)}" if name.startswith(OWN) else name: name for name in names}

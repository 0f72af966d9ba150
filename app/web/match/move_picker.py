"""Picking a move on the board: the names that can be picked next and the moves that are complete."""

from collections.abc import Iterable
from urllib.parse import urlencode

import msgspec

from app.engine.game import Game, Move
from app.engine.reading import tidy
from app.play.match.records import Asked

FEW = 8
"""Up to this many answers are all shown as buttons at once."""
OWN = "own:"
"""Prefix of names that only the seat may know. Addresses have a number in their place."""


class LegalAnswer(msgspec.Struct, frozen=True):
    """A legal answer to an open question."""

    question_id: str
    move: Move
    text: str
    """Canonical."""
    click_path: tuple[str, ...]
    """The names to click, in order."""


class Selection(msgspec.Struct, frozen=True):
    """The names picked so far and what they lead to."""

    picked: tuple[str, ...]
    following: dict[str, str]
    """The names that can be picked next, each with its address."""
    ready: tuple[LegalAnswer, ...]
    """The answers to show as buttons."""


def legal_answers(game: Game, asked: Iterable[Asked]) -> tuple[LegalAnswer, ...]:
    """All listed answers to the open questions."""
    return tuple(
        LegalAnswer(one.question_id, move, game.format(move), game.click_path(move))
        for one in asked
        for move in one.decision.options
    )


def pick(answers: tuple[LegalAnswer, ...], picked: tuple[str, ...] = (), prepared: str = "") -> Selection:
    """The selection after `picked`. Names that lead to no answer are dropped, with all others.

    `prepared` is the text of an answer from a letter's link; if legal, only that answer is ready.
    """
    wanted = tidy(prepared)
    named = tuple(answer for answer in answers if wanted and tidy(answer.text) == wanted)
    if named:
        return Selection(named[0].click_path, {}, named)
    path: list[str] = []
    matching, names = answers, _names(answers, 0)
    for shown in picked:
        name = names.get(shown)
        if name is None:
            return pick(answers)
        matching = tuple(one for one in matching if one.click_path[len(path) : len(path) + 1] == (name,))
        path.append(name)
        names = _names(matching, len(path))
    depth = len(path)
    following = {
        name: "?" + urlencode([("pick", one) for one in (*picked, shown)]) + "#board"
        for shown, name in names.items()
    }
    if depth:
        ready = tuple(answer for answer in matching if len(answer.click_path) == depth)
    elif len(answers) <= FEW:
        ready = answers
    else:
        ready = tuple(answer for answer in answers if not answer.click_path)
    return Selection(tuple(path), following, ready)


def _names(answers: tuple[LegalAnswer, ...], depth: int) -> dict[str, str]:
    """The names that can be picked at this depth, keyed by their form in an address."""
    names = dict.fromkeys(one.click_path[depth] for one in answers if len(one.click_path) > depth)
    own = sorted(name for name in names if name.startswith(OWN))
    return {f"{OWN}{own.index(name)}" if name.startswith(OWN) else name: name for name in names}

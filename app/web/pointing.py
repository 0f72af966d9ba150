"""A board to point at: which names come next, and which moves are fully named."""

from collections.abc import Iterable
from urllib.parse import urlencode

import msgspec

from app.engine.game import Game, Move
from app.engine.reading import tidy
from app.play.records import Asked

FEW = 8
"""So many answers are shown as buttons at once."""


class Choice(msgspec.Struct, frozen=True):
    """One legal answer to an open question."""

    asked: Asked
    move: Move
    answer: str
    """Its canonical text."""
    touches: tuple[str, ...]


class Pointing(msgspec.Struct, frozen=True):
    """How far the player has pointed."""

    picked: tuple[str, ...]
    following: dict[str, str]
    """The names that may be pointed at next, each with its address."""
    ready: tuple[Choice, ...]
    """The answers to offer as buttons."""


def choices(game: Game, asked: Iterable[Asked]) -> tuple[Choice, ...]:
    """All listed answers to the open questions."""
    return tuple(
        Choice(one, move, game.format(move), game.touches(move))
        for one in asked
        for move in one.decision.options
    )


def point(offered: tuple[Choice, ...], picked: tuple[str, ...] = (), prepared: str = "") -> Pointing:
    """What the board and the buttons offer after `picked`; names that lead nowhere are forgotten.

    `prepared` is the text of one answer, from a link in a letter: where it is offered, it alone is ready.
    """
    wanted = tidy(prepared)
    asked_for = tuple(choice for choice in offered if wanted and tidy(choice.answer) == wanted)
    if asked_for:
        return Pointing(asked_for[0].touches, {}, asked_for)
    depth = len(picked)
    meant = [choice for choice in offered if choice.touches[:depth] == picked]
    if not meant:
        return point(offered) if picked else Pointing((), {}, ())
    following = {
        name: "?" + urlencode([("pick", one) for one in (*picked, name)]) + "#board"
        for name in dict.fromkeys(choice.touches[depth] for choice in meant if len(choice.touches) > depth)
    }
    if depth:
        ready = tuple(choice for choice in meant if len(choice.touches) == depth)
    elif len(offered) <= FEW:
        ready = offered
    else:
        ready = tuple(choice for choice in offered if not choice.touches)
    return Pointing(picked, following, ready)

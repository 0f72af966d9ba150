"""A board to point at: which names come next, and which moves are fully named."""

from collections.abc import Iterable
from urllib.parse import urlencode

import msgspec

from app.engine.game import Game, Move
from app.engine.reading import tidy
from app.play.match.records import Asked

FEW = 8
"""So many answers are shown as buttons at once."""
OWN = "own:"
"""How names begin that only the seat may know. In an address a number stands for each."""


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
        Choice(one, move, game.format(move), game.click_path(move))
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
    path: list[str] = []
    meant, names = offered, _names(offered, 0)
    for one in picked:
        name = names.get(one)
        if name is None:
            return point(offered)
        meant = tuple(choice for choice in meant if choice.touches[len(path) : len(path) + 1] == (name,))
        path.append(name)
        names = _names(meant, len(path))
    depth = len(path)
    following = {
        name: "?" + urlencode([("pick", one) for one in (*picked, shown)]) + "#board"
        for shown, name in names.items()
    }
    if depth:
        ready = tuple(choice for choice in meant if len(choice.touches) == depth)
    elif len(offered) <= FEW:
        ready = offered
    else:
        ready = tuple(choice for choice in offered if not choice.touches)
    return Pointing(tuple(path), following, ready)


def _names(meant: tuple[Choice, ...], depth: int) -> dict[str, str]:
    """The names that may follow, each under what stands for it in an address."""
    names = dict.fromkeys(choice.touches[depth] for choice in meant if len(choice.touches) > depth)
    own = sorted(name for name in names if name.startswith(OWN))
    return {f"{OWN}{own.index(name)}" if name.startswith(OWN) else name: name for name in names}

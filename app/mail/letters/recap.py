"""The events of a match in sentences for a letter: moves of one seat together, with notices between them."""

from collections.abc import Callable, Sequence

import msgspec
from markupsafe import escape

from app import narrate
from app.mail.core.context import LetterContext
from app.play.match.records import LogEntry, Notice, PlayerView

MOST_EVENTS, LAST_EVENTS = 14, 8
"""Events of one stretch: of a longer one the last are told. A random set-up has some forty."""
ALIKE = ("what", "seat", "by_clock", "by_orders")
"""The fields that consecutive plies must share to be told together."""
MOST_TOLD = 9_000
"""Bytes of HTML for all events; a whole letter stays under 30,000."""
A_STRETCH, A_SENTENCE = 520, 30
"""Bytes of markup around each."""


class Passage(msgspec.Struct, frozen=True):
    """A stretch of moves, or a notice, in sentences."""

    when: str
    sentences: tuple[str, ...]
    seat: str = ""
    """The seat that played or wrote; empty where it was nobody."""
    said: bool = False
    """It is a message of a player."""


def told(
    context: LetterContext, view: PlayerView, plies: list[LogEntry], notices: Sequence[Notice] = ()
) -> tuple[list[Passage], bool]:
    """The plies in sentences, grouped by seat, with the notices between them, and whether these are all.

    If they are too many for a letter, the earliest are left out.
    """
    stretches: list[list[LogEntry] | Notice] = []
    waiting = list(notices)
    for ply in plies:
        while waiting and waiting[0].ply < ply.ply:
            stretches.append(waiting.pop(0))
        last = stretches[-1] if stretches else None
        if isinstance(last, list) and ply.what == "move" and _goes_on(last[0], ply):
            last.append(ply)
        else:
            stretches.append([ply])
    stretches += waiting
    written = _written(context, view, stretches)
    room, kept = MOST_TOLD, 0
    for one in reversed(written):
        room -= A_STRETCH + sum(len(escape(text).encode()) + A_SENTENCE for text in one.sentences)
        if kept and room < 0:
            break
        kept += 1
    all_told = kept == len(written)
    if not all_told:  # again, because a player is named with the colour the first time
        written = _written(context, view, stretches[-kept:])
    return [one for one in written if one.sentences], all_told


def _written(
    context: LetterContext, view: PlayerView, stretches: Sequence[list[LogEntry] | Notice]
) -> list[Passage]:
    """Each stretch in sentences, perhaps none."""
    known: set[str] = set()
    written = []
    for stretch in stretches:
        at = stretch.at if isinstance(stretch, Notice) else stretch[0].at
        name = _naming(context, view, known, view.names_then(at))
        if isinstance(stretch, Notice):
            sentences = [narrate.notice(context.language, stretch, name, context.local)]
        else:
            sentences = _played(context, view, stretch, name)
        said = isinstance(stretch, Notice) and stretch.what == "said"
        seat = (stretch.by_seat if isinstance(stretch, Notice) else stretch[0].seat) or ""
        when = context.formats.short_moment(context.local(at))
        written.append(Passage(when, tuple(sentences), seat, said))
    return written


def _played(
    context: LetterContext, view: PlayerView, stretch: list[LogEntry], name: Callable[[str], str]
) -> list[str]:
    """The sentences for consecutive moves of one seat."""
    first = stretch[0]
    events = [event for ply in stretch for event in ply.events]
    sentences = narrate.remarks(context.language, first, name)
    if len(events) > MOST_EVENTS:
        sentences.append(context.say("left_out", len(events) - LAST_EVENTS))
        events = events[-LAST_EVENTS:]
    return sentences + narrate.sentences(view.game, context.language, events, name)


def _goes_on(first: LogEntry, ply: LogEntry) -> bool:
    return all(getattr(first, name) == getattr(ply, name) for name in ALIKE)


def name_in(context: LetterContext, view: PlayerView) -> Callable[[str], str]:
    """A function that names seats in sentences: with the colour the first time, or if two share a name."""
    return _naming(context, view, set(), view.name)


def _naming(
    context: LetterContext, view: PlayerView, told_of: set[str], name_of: Callable[[str], str]
) -> Callable[[str], str]:
    """As `name_in`; `told_of` holds the players named before, and grows."""
    names = [name_of(one.seat).casefold() for one in view.sittings]

    def name(seat: str) -> str:
        who, colour = name_of(seat), context.site("seat", seat)
        known = f"{seat} {who}" in told_of
        plain = who.casefold() == colour.casefold() or (known and names.count(who.casefold()) == 1)
        told_of.add(f"{seat} {who}")
        return who if plain else context.site("name_and_colour", who, colour)

    return name

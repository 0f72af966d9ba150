"""Plies, notices and results of standing orders in words."""

from collections.abc import Callable
from datetime import date, datetime

from app.narrate.words import SITE, Name, say
from app.play.match.records import LogEntry, Notice

MOMENTS = ("until", "since", "begins", "ends", "due")
"""Facts of a notice that are moments in ISO format, or null."""
DAYS = ("first", "last")
"""Facts of a notice that are days in ISO format."""


def remarks(language: str, one: LogEntry, name: Name) -> list[str]:
    """Sentences about a ply besides its events: played by the clock or by orders, taken back, resigned."""
    texts = []
    if one.by_orders:
        texts.append(say(SITE, language, "did_by_orders"))
    if one.by_clock and one.what == "move" and one.seat:
        texts.append(say(SITE, language, "did_by_clock", name(one.seat)))
    lost = one.what == "resign" and one.by_clock  # there is a notice of it
    if one.what in ("undo", "resign") and one.seat and not lost:
        texts.append(say(SITE, language, f"did_{one.what}", name(one.seat)))
    elif one.what in ("start", "edition"):
        texts.append(say(SITE, language, f"did_{one.what}"))
    return texts


def notice(language: str, one: Notice, name: Name, local: Callable[[datetime], datetime]) -> str:
    """A notice as a sentence, its moments converted by `local`. Raises LookupError.

    The macro gets the facts, `seat` and `by_seat`, and the function for names.
    """
    moments = {
        key: local(datetime.fromisoformat(one.facts[key]))
        for key in MOMENTS
        if one.facts.get(key) is not None
    }
    days = {key: date.fromisoformat(one.facts[key]) for key in DAYS if key in one.facts}
    facts = {**one.facts, **moments, **days, "seat": one.seat, "by_seat": one.by_seat}
    return say(SITE, language, f"notice_{one.what}", facts, name)


def order_result(language: str, result: str) -> str:
    """The result of a closed order, as the end of a line."""
    return say(SITE, language, f"order_{result}")

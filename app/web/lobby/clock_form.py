"""The clock that a form chooses: plain numbers of days and hours into a rule."""

import re

from flask import request

from app.play.clock.rules import DAY, HOUR, THENS, Rule
from app.play.match.records import Refused
from app.web.core.rendering import field

DAYS = (1, 2, 3, 5, 7, 14)
"""Plain choices for a turn."""
USUAL = {
    "clock": "per_move",
    "days": "3",
    "bank": "10",
    "increment": "24",
    "cap": "15",
    "grace": "12",
    "then": "default",
}
"""What a form shows that nobody has filled in."""
MINUTE = 60
"""Seconds: a shorter span is nothing that words could tell."""
_NUMBER = re.compile(r"\d{1,4}([.,]\d{1,3})?")


def rule() -> Rule:
    """The rule of the clock that the form names; none where it names none.

    Fields of another kind of clock than the one chosen are not read. Raises Refused("clock_number").
    """
    kind = field("clock", 20) or "none"
    if kind == "none":
        return Rule()
    off = tuple(day for day in range(7) if field(f"off-{day}", 4))
    grace, then = _seconds("grace", HOUR, empty=0), field("then", 20) or THENS[0]
    if kind == "bank":
        return Rule(
            kind,
            bank=_seconds("bank", DAY),
            increment=_seconds("increment", HOUR),
            cap=_seconds("cap", DAY),
            off=off,
            grace=grace,
            then=then,
        )
    days = "other-days" if field("other-days", 20) else "days"
    return Rule(kind, per_move=_seconds(days, DAY), off=off, grace=grace, then=then)


def kept() -> dict[str, str]:
    """The fields as they were sent; on a fresh form the usual ones."""
    return dict(request.form) if "clock" in request.form else USUAL


def _seconds(name: str, unit: int, empty: int | None = None) -> int:
    text = field(name, 20)
    if not text and empty is not None:
        return empty
    if not _NUMBER.fullmatch(text):
        raise Refused("clock_number", text=text)
    return round(float(text.replace(",", ".")) * unit / MINUTE) * MINUTE

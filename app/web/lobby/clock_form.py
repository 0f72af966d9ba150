"""The clock fields of the form for a new game: days and hours to a clock rule."""

import re
from collections.abc import Mapping

from app.engine.reading import one_form
from app.play.clock.rules import DAY, HOUR, THENS, Rule
from app.play.match.records import Refused
from app.web.core.rendering import field

DAYS = (1, 2, 3, 5, 7, 14)
"""Choices of days per turn."""
USUAL = {
    "clock": "per_move",
    "days": "3",
    "bank": "10",
    "increment": "24",
    "cap": "15",
    "grace": "12",
    "then": "default",
}
"""The values of a fresh form."""
MINUTE = 60
"""Seconds. Times are rounded to minutes, the smallest unit in words."""
_NUMBER = re.compile(r"\d{1,4}([.,]\d{1,3})?")


def rule() -> Rule:
    """The clock rule of the form; without a choice there is no clock.

    Only the fields of the chosen kind of clock are read. Raises Refused("clock_number").
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


def values(form: Mapping[str, str]) -> dict[str, str]:
    """The fields of a form that was sent or prefilled, else those of a fresh one."""
    return dict(form) if "clock" in form else USUAL


def fields_of(rule: Rule) -> dict[str, str]:
    """The fields that give the rule."""
    found = {"clock": rule.kind, "grace": _written(rule.grace, HOUR), "then": rule.then}
    found |= {f"off-{day}": "on" for day in rule.off}
    if rule.kind == "bank":
        found |= {
            "bank": _written(rule.bank, DAY),
            "increment": _written(rule.increment, HOUR),
            "cap": _written(rule.cap, DAY),
        }
    elif rule.kind == "per_move":
        days = _written(rule.per_move, DAY)
        found |= {"days": days} if days in map(str, DAYS) else {"other-days": days}
    return found


def _written(seconds: float, unit: int) -> str:
    return f"{seconds / unit:g}"


def _seconds(name: str, unit: int, empty: int | None = None) -> int:
    text = one_form(field(name, 20))
    if not text and empty is not None:
        return empty
    if not _NUMBER.fullmatch(text):
        raise Refused("clock_number", text=text)
    return round(float(text.replace(",", ".")) * unit / MINUTE) * MINUTE

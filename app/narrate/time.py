"""Moments, durations and clock rules in words."""

from datetime import datetime, timedelta

from app.narrate.words import SITE, say
from app.play.clock.rules import Rule
from app.words import formats


def moment(language: str, local: datetime) -> str:
    """A moment in its own zone: the weekday, date, time and zone."""
    return formats(language).moment(local)


def weekday(language: str, day: int) -> str:
    """The name of a weekday, 0 = Monday."""
    return formats(language).weekday(day)


def clock_rule(language: str, rule: Rule) -> str:
    """The time limit of a match and the action when time is up, in sentences."""
    return say(SITE, language, "clock_rule", rule)


def left(language: str, span: timedelta) -> str:
    """The remaining time, in days and hours."""
    return say(SITE, language, "left", span.total_seconds())

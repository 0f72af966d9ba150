"""Moments, durations, clock rules and lists in words."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from app.narrate.words import SITE, say
from app.play.clock.rules import Rule


def listed(language: str, words: Sequence[str]) -> str:
    """The words as a list within a sentence: "a, b and c"."""
    return say(SITE, language, "listed", list(words))


def moment(language: str, local: datetime) -> str:
    """A moment in its own zone: the weekday, date, time and zone."""
    return say(SITE, language, "moment", local)


def weekday(language: str, day: int) -> str:
    """The name of a weekday, 0 = Monday."""
    return say(SITE, language, "weekday", day)


def clock_rule(language: str, rule: Rule) -> str:
    """The time limit of a match and the action when time is up, in sentences."""
    return say(SITE, language, "clock_rule", rule)


def left(language: str, span: timedelta) -> str:
    """The remaining time, in days and hours."""
    return say(SITE, language, "left", span.total_seconds())


def duration(language: str, span: timedelta) -> str:
    """A duration in days and hours, or in minutes if shorter than an hour."""
    return say(SITE, language, "duration", span.total_seconds())

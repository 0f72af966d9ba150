"""A deadline in a letter: a moment in the reader's zone, true whenever he reads it, and a span."""

from app import clock
from app.mail.core.context import LetterContext
from app.play.clock.rules import Rule
from app.play.match.records import Deadline

MOST = 3
"""Standstills of the house that are told of."""


def sentences(errand: LetterContext, deadline: Deadline, rule: Rule) -> list[str]:
    """Until when the reader should answer, and what follows; how much is left is said as of now."""
    said = []
    if deadline.due_at is not None:
        until = errand.house("moment", errand.local(deadline.due_at))
        if deadline.late:
            said.append(errand.say("grace_until", until, errand.house(f"clock_then_{rule.then}")))
        else:
            said.append(errand.say("answer_by", until))
    if deadline.overdue(clock.now()):
        said.append(errand.say("time_past"))
    else:
        said.append(errand.say("time_left", errand.house("left", deadline.left.total_seconds())))
    if deadline.skips(clock.now()):
        said.append(errand.say("time_between"))
    if deadline.stands:
        why = errand.house(f"stands_{deadline.why}")
        until = ""
        if deadline.stands_until is not None:
            until = errand.house("moment", errand.local(deadline.stands_until))
        said.append(errand.say("stands_still", until, why))
    if deadline.stood:
        spans = [
            [errand.house("moment", errand.local(at)) for at in (stop.begins, stop.ends) if at is not None]
            for stop in deadline.stood[-MOST:]
        ]
        said.append(errand.say("stood_still", spans, len(deadline.stood) - len(spans)))
    return said

"""A deadline in a letter: a moment in the reader's time zone, and the time left."""

from app import clock
from app.mail.core.context import LetterContext
from app.play.clock.rules import Rule
from app.play.match.records import Deadline

MOST = 3
"""Standstills of the server that are told, at most."""


def sentences(context: LetterContext, deadline: Deadline, rule: Rule) -> list[str]:
    """The deadline, its consequence, and the time left as of now."""
    said = []
    if deadline.due_at is not None:
        until = context.formats.moment(context.local(deadline.due_at))
        if deadline.late:
            said.append(context.say("grace_until", until, rule.then))
        else:
            said.append(context.say("answer_by", until))
    if deadline.overdue(clock.now()):
        said.append(context.say("time_past"))
    else:
        said.append(context.say("time_left", context.site("left", deadline.left.total_seconds())))
    if deadline.skips(clock.now()):
        said.append(context.say("time_between"))
    if deadline.stands:
        until = ""
        if deadline.stands_until is not None:
            until = context.formats.moment(context.local(deadline.stands_until))
        said.append(context.say("stands_still", deadline.why, until))
    if deadline.stood:
        spans = [
            tuple(context.local(at) for at in (stop.begins, stop.ends) if at is not None)
            for stop in deadline.stood[-MOST:]
        ]
        said.append(context.say("stood_still", spans, len(deadline.stood) - len(spans)))
    return said

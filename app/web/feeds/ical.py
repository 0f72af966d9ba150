"""A player's deadlines as an iCalendar file."""

from datetime import UTC, datetime, timedelta

from icalendar import Calendar, Event

from app import narrate
from app.play.views.pending import Turn
from app.web.core.context import site

SEQUENCE_START = datetime(2026, 1, 1, tzinfo=UTC)


def calendar(turns: tuple[Turn, ...], language: str, now: datetime) -> bytes:
    """The calendar with one event for each deadline."""
    found = Calendar()
    found.add("prodid", "-//Tidepost//Deadlines//EN")
    found.add("version", "2.0")
    found.add("method", "PUBLISH")
    found.add("x-wr-calname", narrate.say(narrate.SITE, language, "feed_deadlines"))
    found.add("refresh-interval", timedelta(hours=1), parameters={"VALUE": "DURATION"})
    for turn in turns:
        if turn.deadline is not None and turn.deadline.due_at is not None:
            found.add_component(_event(turn, turn.deadline.due_at, language, now, late=turn.deadline.late))
    return bytes(found.to_ical())


def _event(turn: Turn, due: datetime, language: str, now: datetime, *, late: bool) -> Event:
    title = narrate.match_name(turn.game, language, turn.match_id)
    macro = "feed_grace_ends" if late else "feed_turn_ends"
    event = Event()
    event.add("uid", f"m{turn.match_id}-{turn.seat}-{turn.ply}@{site().settings.mail_domain}")
    # Deadlines only move later, so their time can be the version. The counter of a turn starts again, as
    # after an extension of an overdue turn.
    event.add("sequence", int((due - SEQUENCE_START).total_seconds()))
    event.add("dtstamp", now.replace(microsecond=0))
    event.add("dtstart", due.astimezone(UTC).replace(microsecond=0))
    event.add("summary", narrate.say(narrate.SITE, language, macro, title))
    event.add("url", f"{site().settings.url}/m/{turn.match_id}")
    event.add("transp", "TRANSPARENT")
    return event

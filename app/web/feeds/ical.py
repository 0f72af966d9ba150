"""A player's deadlines as an iCalendar file."""

from datetime import UTC, datetime, timedelta

from icalendar import Alarm, Calendar, Event, Timezone, TimezoneStandard

from app import narrate
from app.play.views.pending import Turn
from app.web.core.context import site

SEQUENCE_START = datetime(2026, 1, 1, tzinfo=UTC)
LASTS = timedelta(minutes=15)
"""Of an event. It begins at the deadline; without a length some calendars show none."""
ALARMS = (timedelta(days=1), timedelta(hours=3))
"""How long before a deadline the calendar reminds."""
FORMAT = 2
"""Rises when the same deadlines are written in another way, so that calendars fetch them again."""


def calendar(turns: tuple[Turn, ...], language: str, now: datetime) -> bytes:
    """The calendar with one event for each deadline, and alarms before it."""
    found = Calendar()
    found.add("prodid", "-//Tidepost//Deadlines//EN")
    found.add("version", "2.0")
    found.add("method", "PUBLISH")
    found.add("x-wr-calname", narrate.say(narrate.SITE, language, "feed_deadlines"))
    found.add("refresh-interval", timedelta(hours=1), parameters={"VALUE": "DURATION"})
    found.add_component(_utc())  # a calendar must have a component, even while no deadline is near
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
    event.add("duration", LASTS)
    summary = narrate.say(narrate.SITE, language, macro, title)
    event.add("summary", summary)
    event.add("url", f"{site().settings.url}/m/{turn.match_id}")
    event.add("transp", "TRANSPARENT")
    for before in ALARMS:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", summary)
        alarm.add("trigger", -before)
        event.add_component(alarm)
    return event


def _utc() -> Timezone:
    """The time zone of all moments in the calendar."""
    zone, standard = Timezone(), TimezoneStandard()
    zone.add("tzid", "UTC")
    standard.add("dtstart", datetime(1970, 1, 1))  # noqa: DTZ001 - a local time, as the format wants
    standard.add("tzoffsetfrom", timedelta(0))
    standard.add("tzoffsetto", timedelta(0))
    zone.add_component(standard)
    return zone

"""Operations on the caller's settings: days away, and when emails come."""

from datetime import date, datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from app.people import preferences
from app.people.absences import Absence
from app.people.api_keys import ACCOUNT, READ
from app.people.errors import NotFound, Refused
from app.play.clock import reminders as offsets
from app.play.deadlines import absences
from app.play.match import presence
from app.web.api.operations import Asked, operation
from app.web.api.small_records import Did

Hour = Annotated[int, Meta(ge=0, le=23)]
Short = Annotated[str, Meta(max_length=40)]


class Away(msgspec.Struct, frozen=True):
    """Days on which the caller is away and their clocks stand still."""

    id: int
    first: date
    last: date
    begins: datetime
    ends: datetime
    cancelled_at: datetime | None


class AwayList(msgspec.Struct, frozen=True):
    """The caller's absences that are not over."""

    zone: str
    """In which their days are counted."""
    left: int
    """Days that are left this year."""
    absences: tuple[Away, ...]


class NewAway(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Days to be away: whole days in the caller's time zone."""

    first: date
    last: date


class Emails(msgspec.Struct, frozen=True):
    """When emails come."""

    digest_hour: int
    quiet_from: int | None
    quiet_to: int | None
    """Hours of the caller's day between which emails that can wait are held back."""
    reminders: str
    """Such as `50% 24h`; empty: the default."""
    chosen: dict[str, dict[str, str]]
    """The choices by event that differ from the default, by the number of the match; 0: all matches."""
    choices: dict[str, tuple[str, ...]]
    """All choices for each event, the default first."""


class NewTimes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Times for emails."""

    digest_hour: Hour
    quiet_from: Hour | None = None
    quiet_to: Hour | None = None
    reminders: Annotated[str, Meta(max_length=preferences.LONGEST_REMINDERS)] = ""


class NewChoices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Choices for events, for a match or (0) for all."""

    events: dict[Short, Short]
    """An empty choice restores the default."""
    match: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0


@operation("GET", "/my/absences", AwayList, scope=READ)
def get_absences(asked: Asked) -> AwayList:
    """The caller's absences that are not over."""
    found = absences.absences_of(asked.store, asked.caller.own.id)
    return AwayList(found.zone, found.left(found.today.year), tuple(map(_away, found.ahead)))


@operation("POST", "/my/absences", Away, scope=ACCOUNT, takes=NewAway)
def post_absence(asked: Asked[None, NewAway]) -> Away:
    """Be away: the clocks of all the caller's matches stand still, and the other players see it."""
    return _away(absences.enter(asked.store, asked.caller.own.id, asked.body.first, asked.body.last))


@operation("DELETE", "/my/absences/<int(max=2147483647):absence_id>", Away, scope=ACCOUNT)
def delete_absence(asked: Asked, absence_id: int) -> Away:
    """Cancel an absence, or come back early. No deadline moves earlier."""
    return _away(absences.cancel(asked.store, asked.caller.own.id, absence_id))


@operation("GET", "/my/emails", Emails, scope=READ)
def get_emails(asked: Asked) -> Emails:
    """When the caller gets emails."""
    found = preferences.settings_of(asked.store, asked.caller.own.id)
    chosen = {str(match): dict(choices) for match, choices in found.chosen.items()}
    return Emails(
        found.digest_hour,
        found.quiet_from,
        found.quiet_to,
        found.reminders,
        chosen,
        dict(preferences.CHOICES),
    )


@operation("PUT", "/my/emails/times", Did, scope=ACCOUNT, takes=NewTimes)
def put_times(asked: Asked[None, NewTimes]) -> Did:
    """Set the hour of the daily email, the quiet hours and the reminders."""
    own, body = asked.caller.own, asked.body
    if (body.quiet_from is None) != (body.quiet_to is None):
        raise Refused("quiet_half")
    quiet = (body.quiet_from, body.quiet_to)
    preferences.save_schedule(
        asked.store,
        own.id,
        body.digest_hour,
        None if quiet[0] is None or quiet[1] is None else (quiet[0], quiet[1]),
        offsets.check(body.reminders),
    )
    presence.changed(asked.store, own.id)
    return Did()


@operation("PUT", "/my/emails/choices", Did, scope=ACCOUNT, takes=NewChoices)
def put_choices(asked: Asked[None, NewChoices]) -> Did:
    """Choose when emails about events come, in one running match of the caller or in all."""
    own, body = asked.caller.own, asked.body
    if body.match and all(one[0] != body.match for one in absences.running_matches(asked.store, own.id)):
        raise NotFound("match")
    preferences.choose(asked.store, own.id, body.match, body.events)
    return Did()


def _away(one: Absence) -> Away:
    return Away(one.absence_id, one.first, one.last, one.begins, one.ends, one.cancelled_at)

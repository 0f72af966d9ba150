"""Operations on the caller's settings: the profile, days away, and when emails come."""

from datetime import date, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from app.people import preferences, profiles
from app.people import service as people
from app.people.absences import Absence
from app.people.api_keys import ACCOUNT, PLAY, READ
from app.people.errors import NotFound, Refused
from app.people.profiles import PARTS
from app.play.clock import reminders as offsets
from app.play.deadlines import absences
from app.play.match import presence
from app.web.api.operations import Asked, operation
from app.web.api.small_records import Did
from app.web.core.player_addresses import player_path

Hour = Annotated[int, Meta(ge=0, le=23)]
Short = Annotated[str, Meta(max_length=40)]


class NewSelf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the caller is called, and what they read."""

    name: Short
    language: Annotated[str, Meta(max_length=20)]
    """Of pages and emails: a code, such as `en`."""
    zone: Annotated[str, Meta(max_length=80)]
    """Their time zone, such as `Europe/Lisbon`."""


class OwnPage(msgspec.Struct, frozen=True):
    """A player's public page."""

    path: str
    """Its address on this site."""
    shows: tuple[str, ...]
    """games: with their results; punctuality: how often deadlines were kept."""


class Shown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parts that a public page shows beside the name."""

    shows: Annotated[list[Literal["games", "punctuality"]], Meta(max_length=2)]
    """games: with their results; punctuality: how often deadlines were kept."""


class Away(msgspec.Struct, frozen=True):
    """Days on which the caller is away and their clocks stand still."""

    id: int
    first: date
    """The first day."""
    last: date
    """The last day."""
    begins: datetime
    """The first moment."""
    ends: datetime
    """The moment after the last one."""
    cancelled_at: datetime | None
    """When it was cancelled; null: it counts."""


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
    """The first day."""
    last: date
    """The last day."""


class Emails(msgspec.Struct, frozen=True):
    """When emails come."""

    digest_hour: int
    """Of the caller's day, at which the daily email comes."""
    quiet_from: int | None
    """The hour from which emails that can wait are held back."""
    quiet_to: int | None
    """The hour until which they are."""
    reminders: str
    """Such as `50% 24h`; empty: the default."""
    chosen: dict[str, dict[str, str]]
    """The choices by event that differ from the default, by the number of the match; 0: all matches."""
    choices: dict[str, tuple[str, ...]]
    """All choices for each event, the default first."""


class NewTimes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Times for emails."""

    digest_hour: Hour
    """Of the caller's day, at which the daily email comes."""
    quiet_from: Hour | None = None
    """The hour from which emails that can wait are held back."""
    quiet_to: Hour | None = None
    """The hour until which they are."""
    reminders: Annotated[str, Meta(max_length=preferences.LONGEST_REMINDERS)] = ""
    """Such as `50% 24h`; empty: the default."""


class NewChoices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Choices for events, for a match or (0) for all."""

    events: dict[Short, Short]
    """An empty choice restores the default."""
    match: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    """Its number; 0: all matches."""


@operation("PUT", "/me", Did, scope=ACCOUNT, takes=NewSelf)
def put_me(asked: Asked[None, NewSelf]) -> Did:
    """Change the caller's name, language and time zone."""
    own, body = asked.caller.own, asked.body
    presence.change_profile(asked.store, own, body.name, body.language, body.zone)
    return Did()


@operation("GET", "/my/page", OwnPage, scope=READ)
def get_page(asked: Asked) -> OwnPage:
    """The caller's public page, and what it shows beside the name."""
    found = profiles.profile(asked.store, asked.caller.own.id)
    shows = tuple(one for one in PARTS if found is not None and one in found.shows)
    return OwnPage(player_path(asked.caller.own.id), shows)


@operation("PUT", "/my/page", Did, scope=ACCOUNT, takes=Shown)
def put_page(asked: Asked[None, Shown]) -> Did:
    """Choose what the caller's public page shows beside the name."""
    profiles.choose(asked.store, asked.caller.own.id, frozenset(asked.body.shows))
    return Did()


@operation("POST", "/my/seen", Did, scope=PLAY)
def post_all_seen(asked: Asked) -> Did:
    """Keep that the caller has seen all turns that wait for them: no emails about them are needed."""
    presence.saw_all(asked.store, asked.caller.own.id)
    return Did()


@operation("POST", "/my/emails/again", Did, scope=ACCOUNT)
def post_emails_again(asked: Asked) -> Did:
    """Have emails sent to the caller's address again, after they came back or were refused."""
    people.try_letters_again(asked.store, asked.caller.own.id)
    return Did()


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

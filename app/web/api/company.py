"""Operations on the people that the caller meets: mute, block and report them, and hear from them again."""

from typing import Annotated

import msgspec
from msgspec import Meta

from app.people import blocks
from app.people.api_keys import ACCOUNT, READ
from app.people.reports import LONGEST
from app.play.seats import silencing
from app.web.api.entering import Key
from app.web.api.operations import Asked, operation
from app.web.api.reading import MATCH
from app.web.api.small_records import Did
from app.web.core.context import site


class Somebody(msgspec.Struct, frozen=True):
    """A person that the caller has met in a match, or silenced."""

    id: int
    name: str
    silenced: str
    """empty: the caller hears from them; muted: no messages and reminders; blocked: no invitations either."""


class Company(msgspec.Struct, frozen=True):
    """People, who learn nothing of it."""

    people: tuple[Somebody, ...]
    """By name, or in the order of seats."""


class Silence(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="silence"):
    """Mute or block a person of a match of the caller. The last choice holds."""

    match: Key
    person: Key
    """Their number."""
    block: bool
    """Keep also their invitations from the caller."""


class Lift(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="lift"):
    """Hear from a person again."""

    person: Key
    """Their number."""


class Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="report"):
    """Tell the operator about a person of a match."""

    match: Key
    person: Key
    """Their number."""
    text: Annotated[str, Meta(max_length=LONGEST)]
    """For the operator: their words or deeds."""


@operation("GET", "/my/people", Company, scope=READ)
def get_people(asked: Asked) -> Company:
    """The people that the caller has muted or blocked."""
    found = blocks.silenced_by(asked.store, asked.caller.own.id)
    return Company(tuple(Somebody(one.other_id, one.name, _said(blocked=one.invitations)) for one in found))


@operation("GET", f"{MATCH}/people", Company, scope=READ)
def get_people_of_match(asked: Asked, match_id: int) -> Company:
    """The other people of a match of the caller."""
    found = silencing.company_of(asked.store, asked.caller.own.id, match_id)
    return Company(
        tuple(
            Somebody(
                one.player_id,
                one.name,
                _said(blocked=found.silenced[one.player_id]) if one.player_id in found.silenced else "",
            )
            for one in found.others
        )
    )


@operation("POST", "/my/people", Did, scope=ACCOUNT, takes=Silence | Lift | Report)
def post_people(asked: Asked[None, Silence | Lift | Report]) -> Did:
    """Mute, block or report a person, or hear from them again."""
    own, body = asked.caller.own, asked.body
    if isinstance(body, Silence):
        silencing.silence(asked.store, own.id, body.match, body.person, invitations=body.block)
    elif isinstance(body, Lift):
        silencing.lift(asked.store, own.id, body.person)
    else:
        operator = site().settings.operator
        silencing.report(asked.store, own.id, body.match, body.person, body.text, operator)
    return Did()


def _said(*, blocked: bool) -> str:
    return "blocked" if blocked else "muted"

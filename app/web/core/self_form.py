"""The form fields for a player's name, language and time zone."""

from functools import cache
from zoneinfo import available_timezones

import msgspec
from flask import request

from app.people.service import Person
from app.web.core import sessions
from app.web.core.rendering import field, language, language_names, page_words
from app.words.zones import UTC, Zone, zone_named, zones


class ZoneChoice(msgspec.Struct, frozen=True):
    """A time zone in the list."""

    name: str
    label: str
    """Its country and city in the reader's language."""
    also: str
    """Its former names, separated by spaces. A browser may know it by one of them."""


class SelfForm(msgspec.Struct, frozen=True):
    """The values of the fields and the choices for them."""

    name: str
    language: str
    zone: str
    guess_zone: bool
    """The page's script may select the browser's zone."""
    languages: dict[str, str]
    """Native names by code."""
    zones: tuple[ZoneChoice, ...]


def posted_self(invited: Person | None) -> tuple[str, str, str]:
    """Name, language and zone for accepting an invitation.

    A link that was sent to a player doesn't change their profile, which counts in all their games: only
    their own session does.
    """
    if invited is not None and not sessions.is_player(invited.id):
        return invited.name, invited.language, invited.zone
    return field("name"), field("language", 20), field("zone", 80)


def plays_as(invited: Person | None) -> str:
    """The name of a player whose profile the page's form doesn't change; empty: it asks for all."""
    return "" if invited is None or sessions.is_player(invited.id) else invited.name


def self_form(known: Person | None) -> SelfForm:
    """The form as it was sent, else with the player's own values."""
    sent = request.form
    zone = sent.get("zone") or (known.zone if known else UTC)
    choices = zone_choices(language())
    if all(one.name != zone for one in choices):  # a former name, or a refused one
        other = zone_named(zone, language()) if zone in available_timezones() else Zone(zone, "", zone)
        choices = (_choice(other, language()), *choices)
    return SelfForm(
        name=sent.get("name") or (known.name if known else ""),
        language=sent.get("language") or (known.language if known else language()),
        zone=zone,
        guess_zone=known is None and not sent.get("zone"),
        languages=language_names(),
        zones=choices,
    )


@cache
def zone_choices(spoken: str) -> tuple[ZoneChoice, ...]:
    """All zones of places in a language, by country."""
    return tuple(_choice(one, spoken) for one in zones(spoken))


def _choice(zone: Zone, spoken: str) -> ZoneChoice:
    label = page_words(spoken, "people.zone", country=zone.country, city=zone.city)
    return ZoneChoice(zone.name, label, " ".join(zone.also))

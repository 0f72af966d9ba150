"""The form fields for a player's name, language and time zone."""

from zoneinfo import available_timezones

import msgspec
from flask import request

from app.people.service import Person
from app.web.core.rendering import language, language_names

OBSOLETE = ("Etc/", "SystemV/", "posix/", "right/", "US/", "Brazil/", "Canada/", "Chile/", "Mexico/")
"""Prefixes of zones that are no places, or old names of places."""
ZONES = (
    "UTC",
    *sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith(OBSOLETE)),
)


class SelfForm(msgspec.Struct, frozen=True):
    """The values of the fields and the choices for them."""

    name: str
    language: str
    zone: str
    guess_zone: bool
    """The page's script may select the browser's zone."""
    languages: dict[str, str]
    """Native names by code."""
    zones: tuple[str, ...] = ZONES


def self_form(known: Person | None) -> SelfForm:
    """The form as it was sent, else with the player's own values."""
    sent = request.form
    return SelfForm(
        name=sent.get("name") or (known.name if known else ""),
        language=sent.get("language") or (known.language if known else language()),
        zone=sent.get("zone") or (known.zone if known else "UTC"),
        guess_zone=known is None and not sent.get("zone"),
        languages=language_names(),
    )

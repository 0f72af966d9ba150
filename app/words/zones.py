"""Time zones by country and city, as a language names them."""

import unicodedata
from functools import cache
from zoneinfo import available_timezones

import msgspec
from babel.core import get_global
from babel.dates import get_timezone_location

from app.words.formats import formats

UTC = "UTC"
NONE = "ZZ"
"""The country of zones that are nowhere."""
PERSIAN = "آابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی"
"""The alphabet. By their numbers, its four own letters would come last."""


class Zone(msgspec.Struct, frozen=True):
    """A time zone of a place, or UTC."""

    name: str
    """In the time zone database: Europe/Lisbon."""
    country: str
    """Empty for UTC."""
    city: str
    also: tuple[str, ...] = ()
    """Its former names, which browsers still send."""


@cache
def zones(language: str) -> tuple[Zone, ...]:
    """The zones of all countries, UTC first, then by country and city."""
    places = available_timezones() - {UTC}
    found = [
        zone_named(name, language)
        for name, country in _countries().items()
        if name in places and "/" in name and country != NONE
    ]
    return (zone_named(UTC, language), *sorted(found, key=lambda one: (_key(one.country), _key(one.city))))


def zone_named(name: str, language: str) -> Zone:
    """A zone under the name given, be it a former one."""
    if name == UTC:
        return Zone(UTC, "", UTC)
    locale = formats(language).locale
    country = locale.territories.get(_countries().get(_aliases().get(name, name), ""), "")
    city = get_timezone_location(name, locale=locale, return_city=True)
    return Zone(name, country, str(city), _former().get(name, ()))


@cache
def _countries() -> dict[str, str]:
    """Countries by zone."""
    return dict(get_global("zone_territories"))


@cache
def _aliases() -> dict[str, str]:
    """Names of today by former name."""
    return dict(get_global("zone_aliases"))


@cache
def _former() -> dict[str, tuple[str, ...]]:
    """Former names by the name of today."""
    found: dict[str, tuple[str, ...]] = {}
    for old, new in sorted(_aliases().items()):
        found[new] = (*found.get(new, ()), old)
    return found


def _key(text: str) -> tuple[str, ...]:
    """The place of a name in a list: letters with marks are beside those without."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return tuple(f"\u0600{PERSIAN.index(c):02}" if c in PERSIAN else c for c in plain)

"""Time zones by country and city, in each language."""

from zoneinfo import available_timezones

import pytest

from app.words import zones as module
from app.words.formats import Formats
from app.words.persian import JalaliFormats
from app.words.zones import Zone, zone_named, zones

NO_PLACES = ("Etc/", "SystemV/", "posix/", "right/")
LOCALES = {"en": "en_GB", "fa": "fa", "ja": "ja", "zh-Hans": "zh_Hans", "zh-Hant": "zh_Hant"}


@pytest.fixture
def five(monkeypatch):
    """As if all five languages had files."""
    made = {code: (JalaliFormats if code == "fa" else Formats)(locale) for code, locale in LOCALES.items()}
    monkeypatch.setattr(module, "formats", made.__getitem__)
    zones.cache_clear()
    yield
    zones.cache_clear()


@pytest.mark.usefixtures("five")
@pytest.mark.parametrize(
    ("language", "country", "city"),
    [
        ("en", "Portugal", "Lisbon"),
        ("fa", "پرتغال", "لیسبون"),
        ("ja", "ポルトガル", "リスボン"),
        ("zh-Hans", "葡萄牙", "里斯本"),
        ("zh-Hant", "葡萄牙", "里斯本"),
    ],
)
def test_a_zone_is_named_by_country_and_city_in_the_readers_language(language, country, city):
    found = next(one for one in zones(language) if one.name == "Europe/Lisbon")
    assert (found.country, found.city) == (country, city)


@pytest.mark.usefixtures("five")
@pytest.mark.parametrize("language", LOCALES)
def test_every_zone_of_the_database_is_listed_once_by_its_present_or_a_former_name(language):
    listed = zones(language)
    names = [name for one in listed for name in (one.name, *one.also)]
    assert listed[0] == Zone("UTC", "", "UTC")
    assert len(names) == len(set(names))
    places = {one for one in available_timezones() if "/" in one and not one.startswith(NO_PLACES)}
    assert places - set(names) == set()
    assert all(one.country and one.city for one in listed[1:])


def test_zones_stand_by_country_then_city_and_marks_on_letters_do_not_matter():
    order = [(one.country, one.city) for one in zones("en")]
    countries = list(dict.fromkeys(country for country, _ in order))
    assert countries.index("Åland Islands") < countries.index("Albania") < countries.index("Zambia")
    germany = [city for country, city in order if country == "Germany"]
    assert germany == ["Berlin", "Büsingen"]


@pytest.mark.usefixtures("five")
def test_persian_countries_stand_in_the_order_of_the_alphabet():
    countries = list(dict.fromkeys(one.country for one in zones("fa")))
    assert countries.index("بلژیک") < countries.index("پرتغال") < countries.index("تاجیکستان")
    assert countries.index("فنلاند") < countries.index("گرجستان") < countries.index("مالت")


def test_a_former_name_keeps_itself_and_gets_the_country_of_today():
    found = zone_named("Asia/Calcutta", "en")
    assert (found.name, found.country, found.city) == ("Asia/Calcutta", "India", "Kolkata")

"""Languages by their tags, and dates, numbers and lists as each writes them."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from app.words import languages
from app.words.formats import Formats, JalaliFormats, formats
from app.words.languages import Language, available, resolve

MOMENT = datetime(2026, 3, 2, 9, 30, tzinfo=ZoneInfo("America/Sao_Paulo"))


@pytest.fixture
def five(monkeypatch):
    """As if all five languages had files."""
    codes = ("en", "fa", "ja", "zh-Hans", "zh-Hant")
    found = {code: languages._language(code) for code in codes}
    monkeypatch.setattr(languages, "available", lambda: found)
    return found


@pytest.mark.parametrize(
    ("tags", "code"),
    [
        (["zh-TW"], "zh-Hant"),
        (["zh-HK"], "zh-Hant"),
        (["zh-MO", "en"], "zh-Hant"),
        (["zh-Hant-HK"], "zh-Hant"),
        (["zh"], "zh-Hans"),
        (["zh-CN"], "zh-Hans"),
        (["zh_SG"], "zh-Hans"),
        (["zh-Hans"], "zh-Hans"),
        (["ja-JP"], "ja"),
        (["fa-IR", "en"], "fa"),
        (["de-AT", "ja;q"], "en"),
        (["en-US"], "en"),
        (["EN"], "en"),
        (["de", "fa"], "fa"),
        (["", "*", "-", "x y", "\N{SNOWMAN}", "a" * 400], "en"),
        ([], "en"),
    ],
)
@pytest.mark.usefixtures("five")
def test_a_reader_gets_the_first_language_that_there_is_by_language_and_script(tags, code):
    assert resolve(tags) == code


def test_languages_are_files():
    assert next(iter(available())) == "en"
    assert available()["en"] == Language("en", "English", "ltr", "en_GB")


def test_each_language_has_its_own_name_and_direction(five):
    assert [one.name for one in five.values()] == ["English", "فارسی", "日本語", "简体中文", "繁體中文"]
    assert [code for code, one in five.items() if one.direction == "rtl"] == ["fa"]


def test_english_dates_are_british_and_name_the_zone():
    english = formats("en")
    assert english.moment(MOMENT) == "Monday 2 March 2026, 09:30 (UTC−03:00)"
    assert english.short_moment(MOMENT) == "Mon 2 Mar, 09:30"
    berlin = MOMENT.astimezone(ZoneInfo("Europe/Berlin"))
    assert english.moment(berlin) == "Monday 2 March 2026, 13:30 (CET, UTC+01:00)"
    assert english.moment(MOMENT.astimezone(ZoneInfo("UTC"))).endswith("12:30 (UTC)")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 minutes"),
        (59, "0 minutes"),
        (60, "1 minute"),
        (3600, "1 hour"),
        (5400, "1 hour, 30 minutes"),
        (86400, "1 day"),
        (2 * 86400 + 3 * 3600 + 1800, "2 days, 3 hours"),
        (86400 + 300, "1 day, 5 minutes"),
    ],
)
def test_durations_are_said_in_their_largest_units(seconds, text):
    assert formats("en").duration(seconds) == text


def test_lists_and_plurals_follow_the_language():
    english = formats("en")
    assert [english.listed("abc"[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert english.either(["a", "b", "c"]) == "a, b or c"
    assert [english.plural(n, one="move", other="moves") for n in (0, 1, 2)] == ["moves", "move", "moves"]
    assert Formats("ja").plural(1, one="x", other="枚") == "枚"
    assert Formats("zh_Hans").listed(["甲", "乙", "丙"]) == "甲、乙和丙"
    assert english.number(12345) == "12,345"


def test_persian_has_its_calendar_and_digits_and_the_gregorian_date_where_it_matters():
    persian = JalaliFormats("fa")
    assert persian.moment(MOMENT) == "دوشنبه ۱۱ اسفند ۱۴۰۴ (۲ مارس ۲۰۲۶)،\u200f ۰۹:۳۰ (UTC−03:00)"
    assert persian.short_moment(MOMENT) == "دوشنبه ۱۱ اسفند،\u200f ۰۹:۳۰"
    assert persian.duration(93784) == "۱ روز و ۲ ساعت"


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("zh_Hans", "2026年3月2日星期一 09:30 (UTC−03:00)"),
        ("zh_Hant", "2026年3月2日 星期一 09:30 (UTC−03:00)"),
        ("ja", "2026年3月2日月曜日 09:30 (UTC−03:00)"),
    ],
)
def test_the_parts_of_a_date_stand_in_the_order_of_the_language(locale, text):
    assert Formats(locale).moment(MOMENT) == text


@pytest.mark.parametrize(
    ("code", "written"), [("fa", "rtl"), ("ar-EG", "rtl"), ("zh-Hant", "ltr"), ("x!", "ltr")]
)
def test_a_language_keeps_its_direction_though_it_has_no_files(code, written):
    assert languages.direction(code) == written

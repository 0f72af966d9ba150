"""Languages by their tags, and dates, numbers and lists as each writes them."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from markupsafe import Markup

from app.words import languages
from app.words.formats import formats, formats_of
from app.words.han import closed_up
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
    assert english.number(12345) == "12,345"
    assert english.ltr("E5") == "E5"


def of(code):
    """The formats of a language, whether or not it has files."""
    return formats_of(languages._language(code))


@pytest.mark.parametrize(
    ("code", "zone", "moment", "short", "dated"),
    [
        (
            "fa",
            "Asia/Tehran",
            "دوشنبه ۱۱ اسفند ۱۴۰۴ (۲ مارس ۲۰۲۶)، ساعت ۹:۰۵ (\u2066UTC+03:30\u2069)",
            "دوشنبه ۱۱ اسفند، ساعت ۹:۰۵",
            "۱۱ اسفند ۱۴۰۴، ساعت ۹:۰۵ (\u2066UTC+03:30\u2069)",
        ),
        (
            "ja",
            "Asia/Tokyo",
            "2026年3月2日（月）9:05（JST、UTC+09:00）",
            "3月2日（月）9:05",
            "2026年3月2日 9:05 JST",
        ),
        (
            "zh-Hans",
            "Asia/Shanghai",
            "2026年3月2日星期一 09:05（CST，UTC+08:00）",
            "3月2日（周一）09:05",
            "2026年3月2日 09:05 CST",
        ),
        (
            "zh-Hant",
            "Asia/Taipei",
            "2026年3月2日星期一 09:05（CST，UTC+08:00）",
            "3月2日（週一）09:05",
            "2026年3月2日 09:05 CST",
        ),
    ],
)
def test_moments_are_written_as_the_language_writes_them(code, zone, moment, short, dated):
    at = datetime(2026, 3, 2, 9, 5, tzinfo=ZoneInfo(zone))
    assert (of(code).moment(at), of(code).short_moment(at), of(code).dated_moment(at)) == (
        moment,
        short,
        dated,
    )


@pytest.mark.parametrize(
    ("day", "full", "short", "with_year"),
    [
        (date(2026, 11, 27), "جمعه ۶ آذر ۱۴۰۵ (۲۷ نوامبر ۲۰۲۶)", "۶ آذر", "۶ آذر ۱۴۰۵"),
        (date(2026, 3, 20), "جمعه ۲۹ اسفند ۱۴۰۴ (۲۰ مارس ۲۰۲۶)", "۲۹ اسفند", "۲۹ اسفند ۱۴۰۴"),
        (date(2026, 3, 21), "شنبه ۱ فروردین ۱۴۰۵ (۲۱ مارس ۲۰۲۶)", "۱ فروردین", "۱ فروردین ۱۴۰۵"),
        (date(2025, 3, 20), "پنجشنبه ۳۰ اسفند ۱۴۰۳ (۲۰ مارس ۲۰۲۵)", "۳۰ اسفند", "۳۰ اسفند ۱۴۰۳"),
        (date(2026, 12, 1), "سه\u200cشنبه ۱۰ آذر ۱۴۰۵ (۱ دسامبر ۲۰۲۶)", "۱۰ آذر", "۱۰ آذر ۱۴۰۵"),
    ],
)
def test_persian_days_are_of_the_jalali_calendar_and_full_ones_name_the_gregorian_too(
    day, full, short, with_year
):
    persian = of("fa")
    assert (persian.day(day), persian.short_day(day), persian.short_day(day, year=True)) == (
        full,
        short,
        with_year,
    )


@pytest.mark.parametrize(
    ("code", "one", "two", "three", "either"),
    [
        ("fa", "D10", "D10 و E9", "D10،\u200f E9 و F11", "D10،\u200f E9 یا F11"),
        ("ja", "D10", "D10、E9", "D10、E9、F11", "D10、E9またはF11"),
        ("zh-Hans", "D10", "D10 和 E9", "D10、E9 和 F11", "D10、E9 或 F11"),
        ("zh-Hant", "D10", "D10 和 E9", "D10、E9 和 F11", "D10、E9 或 F11"),
    ],
)
def test_lists_are_joined_as_the_language_joins_them(code, one, two, three, either):
    notation = ["D10", "E9", "F11"]
    assert [of(code).listed(notation[:n]) for n in range(4)] == ["", one, two, three]
    assert [of(code).either(notation[:n]) for n in (0, 1, 3)] == ["", one, either]


def test_chinese_has_a_space_beside_latin_letters_alone():
    assert of("zh-Hans").listed(["红方", "黄方", "绿方"]) == "红方、黄方和绿方"
    assert of("zh-Hant").listed(["紅方", "Ada"]) == "紅方和 Ada"
    assert of("zh-Hant").either([Markup("<bdi>Ada</bdi>"), "紅方"]) == Markup("<bdi>Ada</bdi> 或紅方")


def test_a_list_with_markup_is_markup_and_escapes_the_rest():
    for code in ("en", "fa", "ja", "zh-Hans", "zh-Hant"):
        listed = of(code).listed(["<i>", "Ada"], lambda name: Markup("<bdi>{}</bdi>").format(name))
        assert isinstance(listed, Markup)
        assert "<bdi>&lt;i&gt;</bdi>" in listed
        assert "&lt;i&gt;" in of(code).either(["<i>", Markup("<b>x</b>")])
        assert of(code).listed(["<i>", "<b>"]).startswith("<i>")


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ("fa", ["۰ دقیقه", "۱ ساعت", "۱ روز و ۲ ساعت", "۱۲ روز و ۵ دقیقه"]),
        ("ja", ["0分", "1時間", "1日2時間", "12日5分"]),
        ("zh-Hans", ["0 分钟", "1 小时", "1 天 2 小时", "12 天 5 分钟"]),
        ("zh-Hant", ["0 分鐘", "1 小時", "1 天 2 小時", "12 天 5 分鐘"]),
    ],
)
def test_durations_have_the_units_of_the_language(code, texts):
    assert [of(code).duration(n) for n in (59, 3600, 93784, 12 * 86400 + 300)] == texts
    assert of(code).span(2 * 86400 + 300) == of(code).duration(2 * 86400)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "1,095 days"),
        ("ja", "1,095日"),
        ("zh-Hans", "1,095 天"),
        ("zh-Hant", "1,095 天"),
        ("fa", "۱٬۰۹۵ روز"),
    ],
)
def test_a_long_duration_counts_its_days_once(code, text):
    assert of(code).duration(1095 * 86400) == text


@pytest.mark.parametrize(
    ("code", "weekday", "number", "forms"),
    [
        ("fa", "یکشنبه", "۱۲٬۳۴۵٫۵", ["one", "one", "other"]),
        ("ja", "日曜日", "12,345.5", ["other"] * 3),
        ("zh-Hans", "星期日", "12,345.5", ["other"] * 3),
        ("zh-Hant", "星期日", "12,345.5", ["other"] * 3),
    ],
)
def test_weekdays_numbers_and_plurals_are_those_of_the_language(code, weekday, number, forms):
    made = of(code)
    assert (made.weekday(6), made.number(12345.5)) == (weekday, number)
    assert [made.plural(n, one="one", other="other") for n in (0, 1, 2)] == forms


def test_what_reads_from_left_to_right_is_isolated_in_persian_once_and_nothing_stays_nothing():
    persian = of("fa")
    assert persian.ltr("sink E5") == "\u2066sink E5\u2069"
    assert persian.ltr(persian.ltr("E5")) == "\u2066E5\u2069"
    assert persian.ltr("") == persian.ltr(None) == ""
    assert persian.ltr(12) == "\u206612\u2069"
    assert persian.either(["D10", "E9"], persian.ltr) == "\u2066D10\u2069 یا \u2066E9\u2069"
    marked = persian.ltr(Markup("<b>E5</b>"))
    assert isinstance(marked, Markup)
    assert marked == Markup("\u2066<b>E5</b>\u2069")
    assert [of(code).ltr("E5") for code in ("ja", "zh-Hans", "zh-Hant")] == ["E5"] * 3


def test_sentences_and_lists_on_boards_are_joined_as_the_language_writes_them():
    assert [of(code).joint for code in ("en", "fa", "ja", "zh-Hans", "zh-Hant")] == [" ", " ", "", "", ""]
    assert {(of(code).colon, of(code).comma) for code in ("en", "fa")} == {(":", ", ")}
    assert {(of(code).colon, of(code).comma) for code in ("ja", "zh-Hans", "zh-Hant")} == {("：", "、")}


def test_names_keep_their_own_direction():
    persian = of("fa")
    assert persian.bdi("Ada") == "\u2068Ada\u2069"
    assert persian.bdi(persian.bdi("آدا")) == "\u2068آدا\u2069"
    assert persian.bdi("") == persian.bdi(None) == ""
    assert persian.bdi(Markup("<b>Ada</b>")) == Markup("\u2068<b>Ada</b>\u2069")
    assert [of(code).bdi("Ada") for code in ("en", "ja", "zh-Hans", "zh-Hant")] == ["Ada"] * 4


@pytest.mark.parametrize(
    ("code", "written"), [("fa", "rtl"), ("ar-EG", "rtl"), ("zh-Hant", "ltr"), ("x!", "ltr")]
)
def test_a_language_keeps_its_direction_though_it_has_no_files(code, written):
    assert languages.direction(code) == written


def test_wide_sentences_behind_each_other_have_no_space_between_them():
    assert (
        of("ja").together(["赤の番です。", "E5に移動します。", "待ちます。"])
        == "赤の番です。E5に移動します。待ちます。"
    )
    assert of("zh-Hans").together(["轮到红方。", "请走棋。"]) == "轮到红方。请走棋。"
    assert of("en").together(["Red moved.", "Blue is next."]) == "Red moved. Blue is next."
    assert of("fa").together(["تمام شد.", "نوبت شماست."]) == "تمام شد. نوبت شماست."
    assert closed_up("<b>期限です。</b> <i>今日は</i>") == "<b>期限です。</b><i>今日は</i>"
    assert closed_up("こちら。 https://a.example/") == "こちら。 https://a.example/"
    assert closed_up("終わり。\n次の行") == "終わり。\n次の行"

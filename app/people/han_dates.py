"""Dates in Chinese and Japanese, which share their words for days, weeks and months."""

import re
from collections.abc import Iterator
from datetime import date

from app.people.date_readings import WAVES, Reading, replaced
from app.people.date_words import DAY, MONTHS, WEEKDAYS, weeks_end
from app.people.han_numbers import in_digits

_SUNDAY = 6


def chinese_and_japanese(text: str, now: date) -> Iterator[str]:
    """The meanings of a line; a bare 3日 is a day of the month or a number of days."""
    text = in_digits(text.translate(WAVES))
    text = _DROPPED.sub(" ", _written_closely(text))
    monday = weeks_end(now) - 6 * DAY
    sunday = now - (now.weekday() + 1) % 7 * DAY
    elsewhere = now.weekday() == _SUNDAY or _BY_SUNDAYS.search(text) is not None
    for days in (False, True) if _BARE_DAY.search(text) else (False,):
        for week in (monday, sunday) if elsewhere and _OF_A_WEEK.search(text) else (monday,):
            yield _postpositions(replaced(text, _han_words(now, week=week, days=days)))


_DROPPED = re.compile(
    r"^\s*(?:我|私は)[\s,、]*|[のにはを](?=\s*$)|(?:お願いします|です|谢谢|謝謝|期间|期間|之间|の間)"
    r"|(?:だけ|のみ|当天|當天|当日|當日)\s*$"
)
_GAPS = re.compile(r"(?<=\d)\s+(?=[年月日号號])|(?<=[年月])(?:\s+|の)(?=\d)|(?:次年|翌年|隔年)の?\s*(?=\d)")
_NUMBERS = re.compile(r"^(\d{1,2})-(\d{1,2})\s*[到至]\s*(\d{1,2})-(\d{1,2})$")
_LAST_DAY = re.compile(r"(月\d{1,2}[日号號]?\s*(?:到|至|-)\s*\d{1,2})\s*$")


def _written_closely(text: str) -> str:
    """The text without blanks inside a date, with the sign of a day where only its number stands."""
    text = _NUMBERS.sub(r"\1月\2日到\3月\4日", _GAPS.sub("", text.strip()))
    return _LAST_DAY.sub(r"\1日", text)


_WEEK = "周|週|星期|礼拜|禮拜"
_WEEKDAYS = "一二三四五六日"
_JAPANESE_DAYS = "月火水木金土日"
_SHORT_DAY = rf"(?:(?:{_WEEK})?[一二三四五六日天]|[月火水木金土日](?:曜日?)?)"
_BESIDE = (
    rf"(?:\(\s*)?(?P<of>(?<=\()\s*{_SHORT_DAY}|(?:{_WEEK})[一二三四五六日天]|[月火水木金土日]曜日?)\s*\)?"
)
"""The day of the week behind a date."""
_BARE_DAY = re.compile(r"(?:^|から)\s*\d{1,2}\s*日\s*$")
_THIS = "这个?|這個?|本|今"
_NEXT = "下个?|下個?|来|來"
_AFTER_NEXT = "下下个?|下下個?|再来|再來"
_BY_SUNDAYS = re.compile("[週曜禮]")
"""Signs of Japanese and traditional Chinese, whose calendars begin the week with a Sunday."""
_OF_A_WEEK = re.compile(rf"(?:{_THIS}|{_NEXT}|{_AFTER_NEXT})(?:{_WEEK})")
_DAY_OF_WEEK = rf"(?:(?P<ja>[月火水木金土日])曜日?|(?:{_WEEK})の?\s*(?P<han>[一二三四五六日天]))"


def _han_words(now: date, *, week: date, days: bool) -> tuple[tuple[str, Reading], ...]:
    """The words of both languages, the longest forms first, and what stands for them in English."""
    next_month = now.replace(day=28) + 4 * DAY

    def relative(ahead: int) -> Reading:
        return lambda _: (now + ahead * DAY).isoformat()

    def in_week(weeks: int) -> Reading:
        return lambda found: (
            week + (7 * weeks + (_weekday_of(found) - week.weekday()) % 7) * DAY
        ).isoformat()

    def whole_week(_: re.Match[str]) -> str:
        first = week + 14 * DAY
        return f"{first} to {first + 6 * DAY}"

    def named(year: int, month: str, day: str) -> str:
        return f"{year}-{month}-{day}"

    day = "[日号號]?"
    return (
        (
            rf"(?P<date>(?:\d{{4}}年)?\d{{1,2}}月\d{{1,2}}{day})\s*{_BESIDE}",
            lambda found: f"{_short_weekday(found['of'])} {found['date']}",
        ),
        (
            rf"(?<![月\d])(?P<date>\d{{1,2}}[日号號])\s*\((?P<of>{_SHORT_DAY})\)",
            lambda found: f"{_short_weekday(found['of'])} {found['date']}",
        ),
        (
            rf"(\d{{4}})年(\d{{1,2}})月(\d{{1,2}}){day}",
            lambda found: named(int(found[1]), found[2], found[3]),
        ),
        (
            rf"令和(\d{{1,2}})年(\d{{1,2}})月(\d{{1,2}}){day}",
            lambda found: named(2018 + int(found[1]), found[2], found[3]),
        ),
        (
            rf"民[国國](\d{{2,3}})年(\d{{1,2}})月(\d{{1,2}}){day}",
            lambda found: named(1911 + int(found[1]), found[2], found[3]),
        ),
        (
            rf"今年の?(\d{{1,2}})月(\d{{1,2}}){day}",
            lambda found: named(now.year, found[1], found[2]),
        ),
        (
            rf"(?:明年|来年|來年)の?(\d{{1,2}})月(\d{{1,2}}){day}",
            lambda found: named(now.year + 1, found[1], found[2]),
        ),
        (rf"(\d{{1,2}})月(\d{{1,2}}){day}", lambda found: f"{found[2]} {_month(found[1])}"),
        (
            r"(?:下个?月|下個月|来月|來月)の?(\d{1,2})[日号號]",
            lambda found: named(next_month.year, str(next_month.month), found[1]),
        ),
        (
            r"(?:这个?月|這個?月|本月|今月)の?(\d{1,2})[日号號]",
            lambda found: named(now.year, str(now.month), found[1]),
        ),
        (r"(\d{1,3})\s*(?:天|日間|日间)", lambda found: f"for {found[1]} days"),
        (r"(\d{1,2})\s*(?:个|個)?(?:周|週間?|星期|礼拜|禮拜)(?!末)", lambda found: f"for {found[1]} weeks"),
        (r"(\d{1,2})\s*(?:个|個|か|ヶ|ケ|カ|箇)月間?", lambda found: f"for {found[1]} months"),
        (rf"(?:{_AFTER_NEXT})(?:{_WEEK})の?\s*{_in_week()}", in_week(2)),
        (rf"(?:{_NEXT})(?:{_WEEK})の?\s*{_in_week()}", in_week(1)),
        (rf"(?:{_THIS})(?:{_WEEK})の?\s*{_in_week()}", in_week(0)),
        (rf"(?:{_AFTER_NEXT})(?:{_WEEK})(?!末)", whole_week),
        (rf"(?:{_NEXT})(?:{_WEEK})末", lambda _: "next weekend"),
        (rf"(?:{_THIS})?(?:周|週)末", lambda _: "the weekend"),
        (rf"(?:{_NEXT})(?:{_WEEK})", lambda _: "next week"),
        (rf"(?:{_THIS})(?:{_WEEK})", lambda _: "this week"),
        (_DAY_OF_WEEK, lambda found: WEEKDAYS[_weekday_of(found)]),
        (r"下个?月|下個月|来月|來月", lambda _: "next month"),
        (r"这个?月|這個?月|本月|今月", lambda _: "this month"),
        (r"大后天|大後天|明々後日|しあさって", relative(3)),
        (r"后天|後天|明後日|あさって", relative(2)),
        (r"明天|明日|あした|あす", relative(1)),
        (r"今天|今日|本日|きょう", relative(0)),
        (r"(\d{1,2})\s*[号號]", _ordinal),
        (r"(\d{1,2})\s*日", (lambda found: f"for {found[1]} days") if days else _ordinal),
    )


_ISO = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")


def _postpositions(text: str) -> str:
    """The text with the words that stand before and behind dates in their English places."""
    text = re.sub(r"(?:直到|到|至)", " to ", text)
    text = re.sub(r"从|從|自", " from ", text)
    if " to " in text:
        text = re.sub(r"(?:结束|結束)\s*$", " ", text)
    text, ends = re.subn(r"(?:为止|為止|止)\s*$", " ", text)
    if ends and not re.search(r" to | from |から|より|-", _ISO.sub("", text)):
        text = f"until {text}"
    text = re.sub(r"\s(?:和|与|與|及|と|、)\s", " and ", re.sub(r"([和与與及と、])", r" \1 ", text))
    before, until, after = text.rpartition("まで")
    if until and not after.strip():
        since = re.search(r"から|より| to |-", _ISO.sub("", before))
        text = before if since else f"until {before}"
    text = re.sub(r"(?:から|より|起|开始|開始)の?\s*(?=for )", " ", text)
    text = re.sub(r"(?:から|より)\s*(?=\S)", " to ", text)
    text = re.sub(r"(?:から|より|起|开始|開始)\s*(?=to |$)", " onwards ", text)
    text = re.sub(r"onwards\s+to", "to", text)
    text = re.sub(r"\s*(?:今後|これから|接下来|接下來|未来|未來)\s*(?=for )", " ", text)
    return " ".join(text.split())


def _in_week() -> str:
    return rf"(?:(?P<ja>[月火水木金土日])曜日?|(?:{_WEEK})?(?P<han>[一二三四五六日天]))"


def _weekday_of(found: re.Match[str]) -> int:
    if found["ja"]:
        return _JAPANESE_DAYS.index(found["ja"])
    return _WEEKDAYS.index(found["han"].replace("天", "日"))


def _short_weekday(said: str) -> str:
    sign = said.removesuffix("日").removesuffix("曜")[-1:] or "日"
    return WEEKDAYS[(_JAPANESE_DAYS if sign in "月火水木金土" else _WEEKDAYS).index(sign.replace("天", "日"))]


def _month(number: str) -> str:
    """The name of a month; for a number that has none, a word that is none either."""
    return MONTHS[int(number) - 1] if 1 <= int(number) <= len(MONTHS) else "monthless"


def _ordinal(found: re.Match[str]) -> str:
    return f"{found[1]}th"

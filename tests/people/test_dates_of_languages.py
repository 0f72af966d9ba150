"""Days away as they are written in Chinese, Japanese and Persian. NOW is a Saturday, the seventh of Azar."""

from datetime import date

import pytest

from app.people.dates import dates_in, is_dated, read_date
from app.people.errors import Refused

NOW = date(2026, 11, 28)
READ = """
zh-Hans 12月3日 = 2026-12-03/2026-12-03
zh-Hans 十二月三日 = 2026-12-03/2026-12-03
zh-Hans 12月3号 = 2026-12-03/2026-12-03
zh-Hant 十二月三號 = 2026-12-03/2026-12-03
zh-Hant 十二月廿三日 = 2026-12-23/2026-12-23
zh-Hans 十二月二十三日 = 2026-12-23/2026-12-23
zh-Hans 2026年12月3日 = 2026-12-03/2026-12-03
zh-Hans 二〇二六年十二月三日 = 2026-12-03/2026-12-03
zh-Hans １２月３日 = 2026-12-03/2026-12-03
zh-Hans 12月3日到12月10日 = 2026-12-03/2026-12-10
zh-Hans 从12月3日到10日 = 2026-12-03/2026-12-10
zh-Hans 从 12月3日 至 12月10日 = 2026-12-03/2026-12-10
zh-Hant 從十二月三日到十二月十日 = 2026-12-03/2026-12-10
zh-Hans 12月28日－1月3日 = 2026-12-28/2027-01-03
zh-Hans 12月28日～1月3日 = 2026-12-28/2027-01-03
zh-Hans 12月3日—5日 = 2026-12-03/2026-12-05
zh-Hans 12/3 = 2026-12-03/2026-12-03
zh-Hant 12/3-12/10 = 2026-12-03/2026-12-10
zh-Hant 12/3～12/10 = 2026-12-03/2026-12-10
zh-Hans 12.3-12.10 = 2026-12-03/2026-12-10
zh-Hans 2026/12/3 = 2026-12-03/2026-12-03
zh-Hans 2026-12-3 到 2026-12-10 = 2026-12-03/2026-12-10
zh-Hans 明年1月3日 = 2027-01-03/2027-01-03
zh-Hant 民國115年12月3日 = 2026-12-03/2026-12-03
zh-Hans 下个月3号 = 2026-12-03/2026-12-03
zh-Hans 12月3日（周四） = 2026-12-03/2026-12-03
zh-Hans 12月3日 星期四 = 2026-12-03/2026-12-03
zh-Hans 今天 = 2026-11-28/2026-11-28
zh-Hans 明天 = 2026-11-29/2026-11-29
zh-Hant 後天 = 2026-11-30/2026-11-30
zh-Hans 大后天 = 2026-12-01/2026-12-01
zh-Hans 从明天到下周五 = 2026-11-29/2026-12-04
zh-Hans 周五 = 2026-12-04/2026-12-04
zh-Hans 星期五 = 2026-12-04/2026-12-04
zh-Hant 禮拜五 = 2026-12-04/2026-12-04
zh-Hans 下周五 = 2026-12-04/2026-12-04
zh-Hant 下週五 = 2026-12-04/2026-12-04
zh-Hans 下个星期五 = 2026-12-04/2026-12-04
zh-Hans 下下周五 = 2026-12-11/2026-12-11
zh-Hans 下周日 = 2026-12-06/2026-12-06
zh-Hans 下周 = 2026-11-30/2026-12-06
zh-Hans 下下周 = 2026-12-07/2026-12-13
zh-Hans 周一到周三 = 2026-11-30/2026-12-02
zh-Hans 到周日 = 2026-11-28/2026-11-29
zh-Hant 到週五 = 2026-11-28/2026-12-04
zh-Hans 直到12月5日 = 2026-11-28/2026-12-05
zh-Hans 到12月5日为止 = 2026-11-28/2026-12-05
zh-Hans 三天 = 2026-11-28/2026-11-30
zh-Hans 3天 = 2026-11-28/2026-11-30
zh-Hans 两个星期 = 2026-11-28/2026-12-11
zh-Hant 兩週 = 2026-11-28/2026-12-11
zh-Hans 一周 = 2026-11-28/2026-12-04
zh-Hans 一个月 = 2026-11-28/2026-12-27
zh-Hans 明天起三天 = 2026-11-29/2026-12-01
zh-Hans 从明天开始三天 = 2026-11-29/2026-12-01
zh-Hans 12月3日和4日 = 2026-12-03/2026-12-04
zh-Hans 下个月 = 2026-12-01/2026-12-31
ja 12月3日 = 2026-12-03/2026-12-03
ja 十二月三日 = 2026-12-03/2026-12-03
ja 2026年12月3日（木） = 2026-12-03/2026-12-03
ja 令和8年12月3日 = 2026-12-03/2026-12-03
ja 12月3日から12月10日まで = 2026-12-03/2026-12-10
ja 12月3日から10日まで = 2026-12-03/2026-12-10
ja 12月3日（木）から12月10日（木）まで = 2026-12-03/2026-12-10
ja 12月3日から10日までの間 = 2026-12-03/2026-12-10
ja 12月3日〜10日 = 2026-12-03/2026-12-10
ja 12/3〜12/10 = 2026-12-03/2026-12-10
ja １２／３ = 2026-12-03/2026-12-03
ja 12/3から12/10まで = 2026-12-03/2026-12-10
ja 12月28日から1月3日まで = 2026-12-28/2027-01-03
ja 明日 = 2026-11-29/2026-11-29
ja あさって = 2026-11-30/2026-11-30
ja 明後日まで = 2026-11-28/2026-11-30
ja 来週の金曜日 = 2026-12-04/2026-12-04
ja 来週金曜 = 2026-12-04/2026-12-04
ja 再来週の月曜日 = 2026-12-07/2026-12-07
ja 金曜日 = 2026-12-04/2026-12-04
ja 金曜日まで = 2026-11-28/2026-12-04
ja 月曜日から水曜日まで = 2026-11-30/2026-12-02
ja 3日間 = 2026-11-28/2026-11-30
ja 明日から3日間 = 2026-11-29/2026-12-01
ja 12月3日から三日間 = 2026-12-03/2026-12-05
ja 1週間 = 2026-11-28/2026-12-04
ja 今週 = 2026-11-28/2026-11-29
ja 来週 = 2026-11-30/2026-12-06
ja 週末 = 2026-11-28/2026-11-29
ja 来月 = 2026-12-01/2026-12-31
ja 来月3日 = 2026-12-03/2026-12-03
ja 12月3日と4日 = 2026-12-03/2026-12-04
ja 1か月 = 2026-11-28/2026-12-27
ja 13/12 = 2026-12-13/2026-12-13
fa ۱۲ آذر = 2026-12-03/2026-12-03
fa 12 آذر = 2026-12-03/2026-12-03
fa ١٢ آذر = 2026-12-03/2026-12-03
fa ۱۲ آذرماه = 2026-12-03/2026-12-03
fa دوازدهم آذر = 2026-12-03/2026-12-03
fa ۱۲ام آذر = 2026-12-03/2026-12-03
fa ۱۲ آذر ۱۴۰۵ = 2026-12-03/2026-12-03
fa ۱۲ آذر سال ۱۴۰۵ = 2026-12-03/2026-12-03
fa ۱۴۰۵/۹/۱۲ = 2026-12-03/2026-12-03
fa ۱۴۰۵/۰۹/۱۲ = 2026-12-03/2026-12-03
en 1405/9/12 = 2026-12-03/2026-12-03
fa ۱۲/۹/۱۴۰۵ = 2026-12-03/2026-12-03
fa ۱۴۰۵-۹-۱۲ تا ۱۴۰۵-۹-۱۵ = 2026-12-03/2026-12-06
fa ۱۲ آذر تا ۱۵ آذر = 2026-12-03/2026-12-06
fa از ۱۲ آذر تا ۱۵ آذر = 2026-12-03/2026-12-06
fa از ۱۲ تا ۱۵ آذر = 2026-12-03/2026-12-06
fa ۱۲–۱۵ آذر = 2026-12-03/2026-12-06
fa بین ۱۲ و ۱۵ آذر = 2026-12-03/2026-12-06
fa ۱۲ و ۱۳ آذر = 2026-12-03/2026-12-04
fa ۲۵ اسفند تا ۵ فروردین = 2027-03-16/2027-03-25
fa ۲۵ اسفند ۱۴۰۵ تا ۵ فروردین ۱۴۰۶ = 2027-03-16/2027-03-25
fa ۳ دسامبر = 2026-12-03/2026-12-03
fa ۳ تا ۱۰ دسامبر ۲۰۲۶ = 2026-12-03/2026-12-10
fa تا ۱۵ آذر = 2026-11-28/2026-12-06
fa تا جمعه = 2026-11-28/2026-12-04
fa جمعه = 2026-12-04/2026-12-04
fa سه‌شنبه = 2026-12-01/2026-12-01
fa سه شنبه = 2026-12-01/2026-12-01
fa از یک‌شنبه تا چهارشنبه = 2026-11-29/2026-12-02
fa جمعه‌ی هفته‌ی آینده = 2026-12-11/2026-12-11
fa جمعه هفته بعد = 2026-12-11/2026-12-11
fa هفته‌ی آینده = 2026-12-05/2026-12-11
fa هفته بعد = 2026-12-05/2026-12-11
fa این هفته = 2026-11-28/2026-12-04
fa فردا = 2026-11-29/2026-11-29
fa پس‌فردا = 2026-11-30/2026-11-30
fa از فردا تا جمعه = 2026-11-29/2026-12-04
fa ۳ روز = 2026-11-28/2026-11-30
fa سه روز = 2026-11-28/2026-11-30
fa به مدت ۳ روز = 2026-11-28/2026-11-30
fa از فردا به مدت سه روز = 2026-11-29/2026-12-01
fa یک هفته = 2026-11-28/2026-12-04
fa دو هفته = 2026-11-28/2026-12-11
fa ۹/۲۰ = 2026-12-11/2026-12-11
fa ۲۰/۹ تا ۲۲/۹ = 2026-12-11/2026-12-13
en 12 Azar = 2026-12-03/2026-12-03
en ۳ Dec = 2026-12-03/2026-12-03
en ３ Dec = 2026-12-03/2026-12-03
"""
ASKED = """
ja 3日 = away_unclear
zh-Hans 3日 = away_unclear
ja 12月3日から10日 = away_unclear
ja 来週の日曜日 = away_unclear
zh-Hant 下週日 = away_unclear
ja 土曜日 = away_unclear
ja 12月3日から = away_open
zh-Hans 从明天起 = away_open
zh-Hans 12月3日起 = away_open
ja 明日から = away_open
fa از فردا = away_open
fa از ۱۲ آذر = away_open
ja 11月5日 = away_passed
zh-Hans 十一月五日 = away_passed
fa ۱ آذر = away_passed
ja 12月3日（金） = away_weekday
ja 2026年11月3日まで = away_past
fa ۹/۱۲ = away_unclear
fa 9/12 = away_unclear
fa جمعه‌ی آینده = away_unclear
fa آخر هفته = away_unclear
fa شنبه = away_unclear
en 12/3 = away_unclear
ja 12月3日頃 = away_date
zh-Hans 大约三天 = away_date
zh-Hans 不到三天 = away_date
ja 3日後 = away_date
zh-Hans 三天后 = away_date
fa ۳ روز دیگر = away_date
fa حدود ۱۲ آذر = away_date
fa تا هفته‌ی آینده = away_date
ja 12月3日18時 = away_date
zh-Hans 12月3日下午 = away_date
ja 13月3日 = away_date
zh-Hans 二月三十日 = away_date
fa ۳۱ آذر = away_date
fa ۳۰ اسفند ۱۴۰۵ = away_date
ja しばらく = away_date
zh-Hans 很快 = away_date
fa به‌زودی = away_date
"""


def cases(table):
    for line in table.strip().splitlines():
        said, _, wanted = line.rpartition(" = ")
        language, _, text = said.partition(" ")
        yield pytest.param(language, text, wanted, id=said)


def reason(text, now=NOW, language=""):
    with pytest.raises(Refused) as caught:
        dates_in(text, now, language)
    return caught.value


@pytest.mark.parametrize(("language", "text", "wanted"), [*cases(READ)])
def test_days_are_read_as_they_are_written_there(language, text, wanted):
    first, last = dates_in(text, NOW, language)
    assert f"{first}/{last}" == wanted
    assert is_dated(text, NOW, language)


@pytest.mark.parametrize(("language", "text", "why"), [*cases(ASKED)])
def test_where_two_readings_are_near_or_none_is_the_player_is_asked(language, text, why):
    assert reason(text, NOW, language).reason == why
    assert is_dated(text, NOW, language) == (why != "away_date")


def test_the_question_names_both_readings():
    facts = reason("3日", language="ja").facts
    assert facts["text"] == "3日"
    assert {facts["first"], facts["other_first"]} == {date(2026, 12, 3), NOW}
    facts = reason("۹/۱۲", language="fa").facts
    assert {facts["first"], facts["other_first"]} == {date(2026, 12, 3), date(2027, 2, 28)}
    assert reason("۱ آذر", language="fa").facts["passed"] == date(2026, 11, 22)


def test_a_sunday_belongs_to_two_weeks():
    sunday = date(2026, 11, 29)
    for text in ("下周五", "来週の金曜日", "来週", "下週五"):
        assert reason(text, sunday).reason == "away_unclear", text
    assert dates_in("周五", sunday) == (date(2026, 12, 4), date(2026, 12, 4))
    assert dates_in("هفته‌ی آینده", date(2026, 12, 4)) == (date(2026, 12, 5), date(2026, 12, 11))


def test_the_last_day_of_a_leap_year_is_found_years_ahead():
    assert dates_in("۳۰ اسفند", NOW, "fa") == (date(2030, 3, 20), date(2030, 3, 20))


@pytest.mark.parametrize(
    "text",
    [
        "2026-12-03",
        "２０２６-１２-０３",
        "2026/12/3",
        "2026年12月3日",
        "۱۴۰۵/۹/۱۲",
        "1405-09-12",
        "۲۰۲۶-۱۲-۰۳",
    ],
)
def test_a_form_takes_the_digits_and_calendar_of_its_reader(text):
    assert read_date(text) == date(2026, 12, 3)


@pytest.mark.parametrize("text", ["1405-13-01", "2026年13月1日", "2026-12/03", "۱۴۰۵/۱۲/۳۰", "12月3日"])
def test_a_form_takes_only_days_that_there_are(text):
    with pytest.raises(Refused, match="away_date"):
        read_date(text)

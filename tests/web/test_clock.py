"""The clock of a table: chosen in its form, and said in words wherever it shows."""

from html import unescape

import msgspec
import pytest

from app.play.clocks import Rule

TABLE = {"organiser": "ada@example.org", "others": "bo@example.org", "seats": "2"}
USUAL = {
    "clock": "per_move",
    "days": "3",
    "other-days": "",
    "bank": "10",
    "increment": "24",
    "cap": "15",
    "grace": "12",
    "then": "default",
    "touched": "1",
}
"""The form as it is sent when nobody has touched it."""


def opened(house) -> Rule:
    return msgspec.json.decode(house.rows('SELECT clock FROM "match"')[0].clock, type=Rule)


def test_an_untouched_form_gives_three_days_and_some_grace(browser, house):
    page = browser.get("/open/survive").text
    for name, value in (("clock", "per_move"), ("days", "3"), ("then", "default")):
        assert f'name="{name}" value="{value}" checked' in page
    for name in ("bank", "increment", "cap", "grace"):
        assert f'name="{name}" maxlength="8" autocomplete="off" value="{USUAL[name]}"' in page
    assert browser.post("/open/survive", data=TABLE | USUAL).status_code == 303
    assert opened(house) == Rule("per_move", per_move=3 * 86400, grace=12 * 3600)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"clock": "none"}, Rule()),
        ({"clock": "none", "bank": "a lot"}, Rule()),
        ({"days": "7", "grace": ""}, Rule("per_move", per_move=7 * 86400)),
        ({"other-days": "1,5", "grace": "0"}, Rule("per_move", per_move=36 * 3600)),
        (
            {"off-5": "on", "off-6": "on", "then": "bot"},
            Rule("per_move", per_move=3 * 86400, off=(5, 6), grace=43200, then="bot"),
        ),
        (
            {"clock": "bank", "then": "replace", "days": "?"},
            Rule("bank", bank=864000, increment=86400, cap=1296000, grace=43200, then="replace"),
        ),
    ],
)
def test_a_clock_is_what_its_form_says(browser, house, change, rule):
    assert browser.post("/open/survive", data=TABLE | USUAL | change).status_code == 303
    assert opened(house) == rule


def test_a_table_opened_without_a_word_about_clocks_has_none(browser, house):
    assert browser.post("/open/survive", data=TABLE).status_code == 303
    assert opened(house) == Rule()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"other-days": "soon"}, "“soon” is no number of days or hours."),
        ({"other-days": "-3"}, "“-3” is no number"),
        ({"other-days": "nan"}, "“nan” is no number"),
        ({"other-days": "91"}, "The time for each turn must be between 1 hour and 90 days, not 91 days."),
        ({"other-days": "0"}, "The time for each turn must be between 1 hour and 90 days."),
        ({"clock": "bank", "bank": ""}, "A number of days or hours is missing."),
        ({"clock": "bank", "cap": "9"}, "must be between 10 days and 180 days, not 9 days"),
        ({"clock": "bank", "increment": "0"}, "What each turn adds to the bank must be between 1 hour"),
        ({"grace": "999"}, "The grace after a deadline may be up to 30 days."),
        ({"clock": "sundial"}, "There is no clock called “sundial”."),
        ({"then": "explode"}, "“explode” is nothing that can follow a time-out."),
        ({f"off-{day}": "on" for day in range(7)}, "At least one weekday must count."),
    ],
)
def test_an_impossible_clock_is_refused_and_the_form_kept(browser, house, change, said):
    before = house.count()
    answer = browser.post("/open/survive", data=TABLE | USUAL | {"off-2": "on"} | change)
    assert answer.status_code == 422
    page = unescape(answer.text)
    assert "The table was not opened" in page
    assert said in page
    assert 'name="off-2" value="on" checked' in page
    assert '<details class="field" open>' in page
    for name, value in change.items():
        if name in ("other-days", "bank", "cap", "increment", "grace"):
            assert f'name="{name}" maxlength="8" autocomplete="off" value="{value}"' in page
    assert house.count() == before


def test_the_table_says_how_it_is_timed(browser, house):
    """Time settings that one cannot see are found out too late."""
    browser.post("/open/survive", data=TABLE | USUAL | {"off-6": "on"})
    ada = house.invited(1)[0]
    page = browser.get(f"/i/{ada}").text
    assert "3 days for each turn. Sundays do not count, in the time zone of each player." in page
    assert "12 hours of grace; then the plainest move is played for the seat." in page

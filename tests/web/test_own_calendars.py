"""What a page asks people to type or shows beside its sentences is their language's own."""

import re
from datetime import date
from pathlib import Path

import pytest

from app.people.dates import read_day
from app.people.errors import Refused
from app.web.core import rendering
from app.words import available, commands, formats

LANGUAGES = tuple(available())
OTHERS = tuple(code for code in LANGUAGES if code != "en")
NOW = date(2026, 3, 2)


@pytest.fixture
def away(house, browser):
    """Signs in a player of a language and returns the path of their absences."""
    house.start("Ada", "Bo", setup="random")
    browser.post(house.sign_in_link("Ada"))

    def of(language: str) -> str:
        with house.store.transaction() as connection:
            connection.exec_driver_sql(f"UPDATE player SET language = '{language}'")
        return "/profile/away"

    return of


@pytest.mark.parametrize("language", LANGUAGES)
def test_days_are_picked_or_typed_by_the_calendar_of_the_language(browser, away, language):
    page = browser.get(away(language)).text
    kinds = re.findall(r'<input type="(\w+)" id="(?:first|last)"', page)
    assert kinds == (["text"] * 2 if language == "fa" else ["date"] * 2)


def test_typed_days_are_read_shown_again_and_kept(browser, away):
    path = away("fa")
    page = browser.get(f"{path}?first=۱۲ فروردین&last=1405/1/14").text
    assert re.findall(r'name="(?:first|last)" value="([^"]*)"', page) == ["2026-04-01", "2026-04-03"]
    assert re.findall(r'name="(?:first|last)" required[^>]* value="([^"]*)"', page) == [
        "۱۲ فروردین ۱۴۰۵",
        "۱۴ فروردین ۱۴۰۵",
    ]
    refused = browser.get(f"{path}?first=قورباغه&last=1405/1/14")
    assert refused.status_code == 422
    assert 'value="قورباغه"' in refused.text


@pytest.mark.parametrize("text", ["2026-04-01", "۱۴۰۵/۱/۱۲", "۱۲ فروردین", "1 آوریل", "۱۲ فروردین ۱۴۰۵"])
def test_a_day_is_read_in_either_calendar(text):
    assert read_day(text, NOW, "fa") == date(2026, 4, 1)


@pytest.mark.parametrize("text", ["", "از ۱۲ تا ۱۴ فروردین", "قورباغه", "x" * 500])
def test_what_is_not_one_day_is_refused(text):
    with pytest.raises(Refused):
        read_day(text, NOW, "fa")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_that_is_shown_is_read_again(language):
    day = date(2026, 4, 1)
    assert formats(language).pickers or read_day(formats(language).short_day(day, year=True), NOW) == day


@pytest.mark.parametrize("language", OTHERS)
def test_a_game_is_called_off_by_the_word_that_the_page_names(browser, house, language):
    match_id = house.start("Ada", "Bo", setup="random")
    link = f"/i/{house.invited(match_id)[0]}/table"
    word = commands.word_to_call_off(language)
    assert not word.isascii()
    with house.store.transaction() as connection:
        connection.exec_driver_sql(f"UPDATE player SET language = '{language}'")
    assert f">{word}</code>" in browser.get(link, headers={"Accept-Language": language}).text
    assert browser.post(link, data={"do": "call_off", "word": "no"}).status_code == 422
    assert browser.post(link, data={"do": "call_off", "word": f" {word}。"}).status_code == 303
    assert house.rows('SELECT status FROM "match"')[0].status == "over"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_that_a_page_asks_for_is_understood(language):
    assert commands.calls_off(commands.word_to_call_off(language))
    resign = commands.own_word("resign", language)
    assert resign == "resign" or commands.means(resign, "resign")
    assert not commands.calls_off(resign)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_shows_an_email_in_the_language(browser, language):
    page = browser.get("/help", headers={"Accept-Language": language}).text
    picture = re.search(r'<img src="/static/(letter[^"?]*)', page)[1]
    assert picture == ("letter.png" if language == "en" else f"letter-{language}.png")
    assert (Path(rendering.STATIC) / picture).stat().st_size < 200_000

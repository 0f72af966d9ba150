"""The privacy page tells of every table how long it is kept, by the list of the sweep and the settings."""

from itertools import chain

import msgspec
import pytest

from app import words
from app.retention.kept import FILES, KEPT, Goes
from app.settings import Keep
from app.web.account import privacy
from app.web.core.rendering import page_words

OTHER = Keep(mails=41, unplayed=43, links=401, letters=1409)
"""Spans that nothing else on the page has."""
LANGUAGES = list(words.available())


def test_every_table_stands_on_the_page_once():
    told = list(chain.from_iterable(privacy.GROUPS.values()))
    assert len(told) == len(set(told))
    assert set(KEPT) - set(told) == set(), "write a sentence `stored_…` and name the table in GROUPS"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", [*KEPT, "caught"])
def test_the_sentence_of_a_table_names_each_of_its_spans(table, language):
    rows = FILES if table == "caught" else KEPT[table]
    spans = privacy.spans(rows, OTHER)
    said = str(page_words(language, f"privacy.stored_{table}", **spans))
    for seconds in spans.values():
        assert words.formats(language).duration(seconds) in said, table
    longer = {name: seconds + 86400 * number * 7 for number, (name, seconds) in enumerate(spans.items(), 1)}
    for seconds in longer.values():
        again = str(page_words(language, f"privacy.stored_{table}", **longer))
        assert words.formats(language).duration(seconds) in again, "each span has its own place"


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_spans_of_the_same_length_are_told_once(language):
    spans = privacy.spans(KEPT["letter"], OTHER)
    said = str(page_words(language, "privacy.stored_letter", **spans))
    assert spans["kept3"] == spans["kept4"]
    assert said.count(words.formats(language).duration(spans["kept3"])) == 1


def test_what_goes_and_what_stays_are_all_that_is_told():
    many = sum(isinstance(one, Goes) and bool(one.span(OTHER)) for rows in KEPT.values() for one in rows)
    assert sum(len(one.spans) for found in privacy.lines(OTHER).values() for one in found) == many


def test_the_page_shows_the_operators_settings(app, browser):
    context = app.extensions["site"]
    context.settings = msgspec.structs.replace(context.settings, keep=OTHER)
    page = browser.get("/privacy")
    assert page.status_code == 200
    for days in ("41 days", "43 days", "401 days", "1,409 days"):
        assert days in page.text
    assert 'href="/profile"' in page.text


def test_every_page_leads_to_it(browser):
    assert 'href="/privacy"' in browser.get("/help").text


def test_a_span_that_is_none_is_not_told():
    assert privacy.spans(KEPT["counter"], OTHER) == {}

"""Talk and notes on the page of a match: plain forms, once, each for its own readers."""

import re
from html import unescape

import pytest

from tests.web.test_orders import player_of
from tests.web.visits import fields


@pytest.fixture
def path(turn):
    return f"/t/{turn.token}"


def say(browser, path, words, occasion=None, do="say"):
    page = browser.get(path).text
    form = {"do": do, "text": words, "occasion": occasion or fields(page, "occasion")[0]}
    return browser.post(path, data=form)


def test_what_is_said_stands_in_the_log_of_everybody(browser, turn, path):
    answer = say(browser, path, "Good luck,\n all!")
    assert answer.status_code == 303
    assert answer.location.endswith("?done=say#say")
    assert "Your message was sent." in browser.get(answer.location).text
    for page in (browser.get(path).text, browser.get(f"/m/{turn.match_id}").text):
        assert re.search(r"(Ada|Bo) \((red|yellow)\): “\u2068Good luck, all!\u2069”", unescape(page))


def test_the_same_post_twice_says_it_once_and_later_it_can_be_said_again(browser, path):
    occasion = fields(browser.get(path).text, "occasion")[0]
    for _ in range(2):
        assert say(browser, path, "hm", occasion).status_code == 303
    assert browser.get(path).text.count("\u2068hm\u2069") == 1
    say(browser, path, "hm")
    assert browser.get(path).text.count("\u2068hm\u2069") == 2


def test_what_is_said_and_noted_is_text_and_never_a_page(browser, turn, path):
    evil = "<script>alert(1)</script><img src=x onerror=y> {{ 7*7 }} </textarea><b>"
    say(browser, path, evil)
    say(browser, path, evil, do="note")
    for page in (browser.get(path).text, browser.get(f"/m/{turn.match_id}").text):
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "</textarea><b>" not in page
        assert "{{ 7*7 }}" in page


@pytest.mark.usefixtures("tongue")
def test_an_onlooker_sees_no_form_and_no_note(browser, house, turn, path):
    say(browser, path, "the secret plan", do="note")
    public = browser.get(f"/m/{turn.match_id}").text
    assert "secret plan" not in public
    assert 'value="say"' not in public
    assert "My notes" not in public
    before = house.count(), house.rows("SELECT count(*) FROM notice")[0][0]
    for do in ("say", "note", "change_note", "forget_note"):
        assert (
            browser.post(f"/m/{turn.match_id}", data={"do": do, "text": "x", "note": "1"}).status_code == 404
        )
    assert (house.count(), house.rows("SELECT count(*) FROM notice")[0][0]) == before


def test_notes_are_kept_changed_and_deleted_without_javascript(browser, path, house, turn):
    browser.post(house.sign_in_link(player_of(house, turn.match_id, turn.seat)))  # else an email asks first
    say(browser, path, "first line\nsecond <line>", do="note")
    page = browser.get(path).text
    note = fields(page, "note")[0]
    assert "first line\nsecond &lt;line&gt;</textarea>" in page
    browser.post(path, data={"do": "change_note", "note": note, "text": "third"})
    page = browser.get(path).text
    assert "third</textarea>" in page
    assert "first line" not in page
    browser.post(path, data={"do": "forget_note", "note": note})
    assert "third" not in browser.get(path).text


def test_what_is_too_long_is_refused_and_kept_in_the_field(browser, path):
    answer = say(browser, path, "long " * 300)
    assert answer.status_code == 422
    assert "The limit is 1,000" in answer.text
    assert "long long" in answer.text.split('id="said"')[1].split("</textarea>")[0]
    empty = say(browser, path, " \n")
    assert empty.status_code == 422
    assert "the text is empty." in empty.text


@pytest.mark.usefixtures("tongue")
def test_a_note_changes_the_pages_of_nobody_else(browser, turn, path):
    """Not even whether somebody writes notes is to be seen from outside."""
    tag = browser.get(f"/m/{turn.match_id}").headers["ETag"]
    say(browser, path, "the secret plan", do="note")
    again = browser.get(f"/m/{turn.match_id}", headers={"If-None-Match": tag})
    assert again.status_code == 304
    say(browser, path, "hello")
    assert browser.get(f"/m/{turn.match_id}", headers={"If-None-Match": tag}).status_code == 200


def test_an_earlier_position_has_no_forms(browser, turn, path):
    say(browser, path, "the secret plan", do="note")
    page = browser.get(f"/m/{turn.match_id}/0").text
    assert 'value="say"' not in page
    assert "secret plan" not in page

"""The button that reminds another player."""

import re
from datetime import UTC, datetime

import pytest
from sqlalchemy import text


@pytest.fixture
def waiting(house, browser, clock):
    """Bo's browser, signed in, on a match that waits for Ada or for both."""
    match_id = house.start("Ada", "Bo", setup="random")
    seat = next(iter(house.turns(match_id)))
    other = house.rows(
        """SELECT p.name FROM chair c JOIN player p ON p.id = c.player_id
           WHERE c.match_id = :m AND c.seat <> :seat""",
        m=match_id,
        seat=seat,
    )[0].name
    browser.post(house.sign_in_link(other))
    with house.store.transaction() as connection:
        connection.execute(text("UPDATE letter SET status = 'sent'"))
    clock.advance(days=1, hours=1)
    return f"/m/{match_id}", seat


def nudges(house):
    return house.rows("SELECT count(*) FROM letter WHERE kind = 'nudge'")[0][0]


def test_a_player_reminds_one_who_is_waited_for_once(house, browser, waiting):
    path, seat = waiting
    page = browser.get(path).text
    assert re.findall(r'name="seat" value="(\w+)"><button name="do" value="nudge"', page) == [seat]
    answer = browser.post(path, data={"do": "nudge", "seat": seat}, follow_redirects=True)
    assert "Done. They’ll be reminded according to their settings." in answer.text
    answer = browser.post(path, data={"do": "nudge", "seat": seat}, follow_redirects=True)
    assert "No new reminder: they were reminded less than a day ago." in answer.text
    assert nudges(house) == 1


def test_onlookers_have_no_such_button(app, house, waiting):
    path, seat = waiting
    stranger = app.test_client()
    assert 'value="nudge"' not in stranger.get(path).text
    assert stranger.post(path, data={"do": "nudge", "seat": seat}).status_code == 404
    assert nudges(house) == 0


def test_a_nudge_of_one_who_is_not_waited_for_is_told_why_not(house, browser, waiting):
    path, seat = waiting
    other = "yellow" if seat == "red" else "red"
    answer = browser.post(path, data={"do": "nudge", "seat": other})
    assert answer.status_code in (404, 409)
    assert nudges(house) == 0


def test_a_nudge_that_comes_too_early_is_told_when_it_works(house, browser, waiting):
    path, seat = waiting
    with house.store.transaction() as connection:
        connection.execute(
            text("UPDATE question SET asked_at = :at"), {"at": datetime(2026, 3, 3, 9, 30, tzinfo=UTC)}
        )
    answer = browser.post(path, data={"do": "nudge", "seat": seat})
    assert "it’s too early in their turn. You can do it in " in answer.text
    assert nudges(house) == 0

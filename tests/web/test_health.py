"""What an operator's watch hears: red when nothing sweeps, and when deadlines pass unseen."""

import pytest
from sqlalchemy import text

from app.play.clock.rules import Rule
from app.play.deadlines import outages, sweep

RULE = Rule("per_move", per_move=86400)


@pytest.fixture
def look(browser, clock):
    del clock
    return lambda: browser.get("/healthz")


def test_a_house_that_sweeps_is_well(look, house):
    assert look().status_code == 503
    assert look().json["tick_age"] is None
    sweep.tick(house.store)
    answer = look()
    assert answer.status_code == 200
    assert answer.json == {
        "wrong": [],
        "tick_age": 0.0,
        "overdue": 0,
        "letters_waiting": 0,
        "mail_unread": 0,
        "bots_idle": 0,
        "clocks_stand": False,
    }


def test_red_when_beat_is_silent(look, house, clock):
    """A job that stopped silently is noticed within minutes, and not after months of missing letters."""
    sweep.tick(house.store)
    clock.advance(minutes=3)
    assert look().status_code == 200
    clock.advance(minutes=1)
    assert look().status_code == 503
    assert "the last sweep ran at 2026-03-02 09:30 UTC" in look().json["wrong"][0]


def test_red_when_a_deadline_passed_and_nothing_followed(look, house, clock):
    """A time that is up and that nobody ended: after five minutes it is an alert, though sweeps run."""
    house.start("Ada", "Bo", rule=RULE, setup="random")
    clock.advance(days=1, minutes=6)
    outages.beat(house.store)
    assert look().status_code == 503
    assert look().json["overdue"] == 1
    assert look().json["wrong"] == ["1 deadline is past and nothing has followed"]
    outages.freeze(house.store)
    assert look().status_code == 200


def test_letters_that_wait_and_bots_that_do_nothing_are_shown(look, house, clock):
    """A bot that does not answer does not stay unseen."""
    house.start("Ada", bots=2)
    outages.beat(house.store)
    assert look().json["letters_waiting"] == 0
    clock.advance(minutes=16)
    outages.beat(house.store)
    found = look().json
    assert found["letters_waiting"] >= 1
    assert found["bots_idle"] >= 1


def test_red_without_a_database_and_no_word_about_where_it_is(look, store):
    with store.engine.begin() as connection:
        connection.execute(text("DROP TABLE heartbeat"))
    answer = look()
    assert answer.status_code == 503
    assert answer.json == {"wrong": ["the database does not answer"]}

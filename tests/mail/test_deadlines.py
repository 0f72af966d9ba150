"""What letters say of clocks."""

from datetime import timedelta

import msgspec
import pytest
from sqlalchemy import text

from app.play.clock.rules import Rule, Stop
from app.play.deadlines import outages
from app.play.lobby.links import ask_links
from app.store.session import Store
from tests.mail.test_letters import ADDRESSES, answer_all, desk, html_of, links, settings, text_of

__all__ = ["desk", "settings"]

DAY = 86400
RULE = Rule("per_move", per_move=3 * DAY, off=(5, 6), grace=12 * 3600, then="bot")
SAID = "3 days for each turn. Saturday and Sunday don’t count, in each player’s own time zone."


def plain(message) -> str:
    return " ".join(text_of(message).split())


def change(store: Store, query: str, **values) -> None:
    with store.transaction() as connection:
        connection.execute(text(query), values)


def test_the_rule_is_agreed_before_anybody_accepts(desk):
    """Who accepts knows how long they may take: settings that one cannot see are found out too late."""
    desk.open(RULE)
    letter = desk.write("confirm").message
    assert f"Time limit: {SAID}" in plain(letter)
    assert SAID in html_of(letter)


def test_a_letter_says_what_the_others_have_in_their_banks(desk):
    desk.start(Rule("bank", bank=3 * DAY, increment=12 * 3600, cap=4 * DAY))
    token = links(desk.write("asked", ADDRESSES["bo"]).message, "/t/")[0].rsplit("/", 1)[1]
    answer_all(desk, token, "bid 1")
    letter = plain(desk.write("asked", ADDRESSES["ada"]).message)
    assert letter.count("3 days, 12 hours in the bank") == 1
    assert "Time left when this email was sent: 3 days." in letter


def test_a_turn_has_its_deadline_with_date_zone_and_offset(desk):
    """“In two hours” is read the next day: a letter names the day, the zone and its distance from UTC."""
    desk.start(RULE)
    letter = desk.write("asked", ADDRESSES["ada"]).message
    said = "Please move by Thursday 5 March 2026, 09:30 (WET, UTC+00:00)."
    assert f"{said} Time left when this email was sent: 3 days." in plain(letter)
    assert f"<strong>{said}</strong>" in html_of(letter)
    assert f"Time limit: {SAID}" in plain(letter)
    assert "the computer plays that turn" in plain(letter)


@pytest.mark.parametrize(
    ("month", "day", "days", "deadline"),
    [
        (3, 26, 6, "Wednesday 1 April 2026, 22:30 (CEST, UTC+02:00)"),
        (10, 23, 5, "Wednesday 28 October 2026, 23:30 (CET, UTC+01:00)"),
        (3, 2, 60, "Friday 1 May 2026, 22:30 (CEST, UTC+02:00)"),
        (9, 1, 60, "Saturday 31 October 2026, 23:30 (CET, UTC+01:00)"),
    ],
)
def test_the_deadline_is_in_the_zone_of_the_reader_also_when_its_clocks_change(
    desk, store, clock, month, day, days, deadline
):
    clock.moment = clock.moment.replace(month=month, day=day, hour=21)
    desk.start(Rule("per_move", per_move=days * 86400))
    change(store, "UPDATE player SET zone = 'Europe/Berlin'")
    letter = plain(desk.write("asked", ADDRESSES["ada"]).message)
    assert f"Please move by {deadline}." in letter
    assert f"Time left when this email was sent: {days} days." in letter


def test_a_letter_of_a_deadline_that_is_past_promises_no_time(desk, clock):
    desk.start(RULE)
    clock.advance(days=3)
    letter = plain(desk.write("asked", ADDRESSES["ada"]).message)
    assert "09:30 (WET, UTC+00:00). That time had passed when this email was sent," in letter
    assert "Time left" not in letter


def test_a_letter_says_why_the_deadline_has_moved(desk, store, clock):
    """The house was away: who was promised another day reads since when and until when, in their own time."""
    outages.beat(store)
    desk.start(RULE)
    change(store, "UPDATE player SET zone = 'Asia/Tokyo'")
    clock.advance(hours=6)
    outages.beat(store)
    letter = plain(desk.write("asked", ADDRESSES["ada"]).message)
    assert (
        "The time from Monday 2 March 2026, 18:30 (JST, UTC+09:00) to Tuesday 3 March 2026, 00:35 "
        "(JST, UTC+09:00) doesn’t count: the server was down, or its clocks were stopped."
    ) in letter


def test_what_is_left_is_counted_when_the_letter_is_written(desk, clock):
    desk.start(RULE)
    clock.advance(hours=20)
    assert "sent: 2 days, 4 hours." in plain(desk.write("asked", ADDRESSES["bo"]).message)


def test_a_clock_that_stands_still_is_no_deadline(desk, store, clock):
    desk.start(RULE)
    pause = msgspec.json.encode([Stop(clock.moment)]).decode()
    change(store, 'UPDATE "match" SET stops = :stops', stops=pause)
    clock.advance(days=9)
    letter = plain(desk.write("asked", ADDRESSES["ada"]).message)
    assert "Please move by" not in letter
    assert "Time left when this email was sent: 3 days. Your clock is stopped: the game is paused." in letter


def test_a_day_off_moves_the_deadline_and_is_said(desk, clock):
    clock.moment = clock.moment.replace(day=7)  # a Saturday
    desk.start(RULE)
    letter = plain(desk.write("asked", ADDRESSES["ada"]).message)
    assert "Please move by Thursday 12 March 2026, 00:00" in letter
    assert "is stopped until Monday 9 March 2026, 00:00 (WET, UTC+00:00): today is a day off" in letter


def test_after_the_deadline_the_grace_is_what_counts(desk, store, clock):
    desk.start(RULE)
    clock.advance(days=3, minutes=1)
    change(
        store,
        "UPDATE question SET late_at = :at, due_at = :until",
        at=clock.moment,
        until=clock.moment + timedelta(hours=12),
    )
    letter = plain(desk.write("asked", ADDRESSES["ada"]).message)
    assert (
        "You’ve run out of time. Your grace period ends on Thursday 5 March 2026, 21:31 (WET, UTC+00:00)."
        in letter
    )
    assert (
        "Then the computer plays this turn for you. Time left when this email was sent: 12 hours." in letter
    )


def test_a_deadline_behind_days_off_says_why_it_is_further_than_what_is_left(desk):
    """“Monday in a week, 6 days left” looks like a mistake."""
    desk.start(Rule("per_move", per_move=6 * DAY, off=(5, 6)))
    letter = plain(desk.write("asked", ADDRESSES["ada"]).message)
    assert "Please move by Tuesday 10 March 2026, 09:30 (WET, UTC+00:00)." in letter
    assert "sent: 6 days. Days off and days away before then don’t count." in letter
    desk.start(RULE)
    assert "before then don’t count" not in plain(desk.write("asked", ADDRESSES["ada"]).message)


def test_without_a_clock_nobody_is_hurried(desk):
    desk.start()
    letter = plain(desk.write("asked", ADDRESSES["ada"]).message)
    assert "move by" not in letter
    assert "Time limit: No time limit." in letter


def test_the_links_come_with_their_deadlines_the_nearest_first(desk, clock):
    later, never = desk.start(RULE), desk.start()
    sooner = desk.start(Rule("per_move", per_move=DAY))
    clock.advance(hours=1)
    ask_links(desk.store, ADDRESSES["ada"])
    letter = plain(desk.write("links", ADDRESSES["ada"]).message)
    assert "Please move by Thursday 5 March 2026, 09:30 (WET, UTC+00:00)." in letter
    places = [letter.index(f"#{match_id} (you play") for match_id in (sooner, later, never)]
    assert places == sorted(places)

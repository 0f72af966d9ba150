"""When a letter goes, as its reader wants it: a pure function, so each wish is one line here."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.mail.letters.kinds import KINDS
from app.mail.policy.rules import (
    MARGIN,
    QUIET,
    InDigest,
    Later,
    Never,
    Now,
    Reader,
    next_digest,
    quiet_until,
    when,
)
from app.people.preferences import CHOICES

ASKED = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
PLAIN = Reader()


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def decide(choice, *, kind="asked", reader=PLAIN, after=0 * MINUTE, deadline=None):
    return when(KINDS[kind], choice, reader, ASKED + after, ASKED, deadline)


def test_a_turn_letter_waits_for_ten_quiet_minutes_and_then_goes():
    """Being there puts a letter off and never stops it: whoever left without acting is told."""
    assert decide("quiet") == Later(ASKED + QUIET, "quiet_minutes")
    assert decide("quiet", after=9 * MINUTE) == Later(ASKED + QUIET, "quiet_minutes")
    assert decide("quiet", after=QUIET) == Now()
    assert decide("at_once") == Now()


def test_who_signed_in_or_pressed_seen_after_they_were_asked_needs_no_letter():
    seen = Reader(seen_at=ASKED + MINUTE)
    assert decide("quiet", reader=seen, after=2 * MINUTE) == Never("seen")
    assert decide("quiet", reader=Reader(seen_at=ASKED - MINUTE), after=QUIET) == Now()


def test_who_wants_every_turn_gets_every_turn_whether_they_visited_or_not():
    """One letter a visit surprises some people, so it is a choice."""
    assert decide("at_once", reader=Reader(seen_at=ASKED + MINUTE), after=2 * MINUTE) == Now()


def test_who_wants_reminders_only_or_nothing_gets_no_turn_letter_and_is_told_why():
    assert decide("reminders") == decide("none") == Never("by_choice")
    assert decide("left") == decide("left", kind="invited") == decide("left", kind="links") == Never("left")


def test_a_turn_at_three_in_the_night_is_told_at_eight_unless_it_must_be_answered_before():
    """Quiet hours, and the deadline that breaks them."""
    asked = at("2026-03-02 03:00")
    reader = Reader(quiet_from=22, quiet_to=8)
    end = at("2026-03-02 08:00")

    def judged(deadline):
        return when(KINDS["asked"], "at_once", reader, asked, asked, deadline)

    assert judged(None) == judged(end + MARGIN + MINUTE) == Later(end, "quiet_hours")
    assert judged(end + MARGIN) == judged(end) == judged(asked + HOUR) == Now()
    assert when(KINDS["asked"], "at_once", reader, end, asked, None) == Now()


def test_a_short_clock_leaves_no_time_for_quiet_minutes_or_for_the_digest():
    soon = ASKED + HOUR
    assert decide("quiet", deadline=soon) == decide("digest", deadline=soon) == Now()


def test_the_digest_gathers_what_came_since_the_last_one():
    """At the hour that the reader chose, on their clock."""
    reader = Reader(zone="Asia/Tehran", digest_hour=18)
    local = next_digest(reader, ASKED).astimezone(ZoneInfo("Asia/Tehran"))
    assert (local.day, local.hour, local.minute) == (2, 18, 0)
    assert decide("digest", reader=reader) == InDigest(at("2026-03-02 14:30"))
    assert next_digest(reader, at("2026-03-02 14:30")) == at("2026-03-03 14:30")


def test_news_settle_for_a_minute_so_that_what_is_overtaken_is_not_told():
    assert decide("at_once", kind="news") == Later(ASKED + MINUTE, "settling")
    assert decide("at_once", kind="news", after=MINUTE) == Now()


def test_the_switch_of_one_event_moves_no_other():
    """Chat off, turns on: what is said makes no letter."""
    assert CHOICES["chat"][0] == "none"
    assert decide("none", kind="chat") == Never("by_choice")
    assert decide("at_once", kind="asked") == Now()


def test_what_somebody_asked_for_or_is_invited_to_never_waits():
    reader = Reader(quiet_from=0, quiet_to=23, seen_at=ASKED + HOUR)
    for kind in ("invited", "invitation_reminder", "confirm", "links", "sign_in", "answered", "reply"):
        assert decide("at_once", kind=kind, reader=reader) == Now()


def test_a_reminder_waits_for_the_morning_only_where_the_morning_is_early_enough():
    reader = Reader(quiet_from=9, quiet_to=11)
    assert decide("at_once", kind="reminder", reader=reader, deadline=at("2026-03-02 12:00")) == Now()
    later = decide("at_once", kind="reminder", reader=reader, deadline=at("2026-03-02 20:00"))
    assert later == Later(at("2026-03-02 11:00"), "quiet_hours")


@pytest.mark.parametrize(
    ("zone", "now", "begins", "ends", "end"),
    [
        ("Europe/Berlin", "2026-03-29 00:30", 23, 2, "2026-03-29 01:00"),  # there is no two o'clock
        ("Europe/Berlin", "2026-10-25 00:30", 23, 3, "2026-10-25 02:00"),  # an hour comes twice
        ("Europe/Berlin", "2026-10-25 01:30", 2, 3, "2026-10-25 02:00"),
        ("America/New_York", "2026-11-01 04:30", 22, 1, "2026-11-01 05:00"),
        ("Asia/Kathmandu", "2026-03-02 17:00", 22, 7, "2026-03-03 01:15"),
        ("Europe/Lisbon", "2026-03-02 12:00", 22, 7, None),
        ("Europe/Lisbon", "2026-03-02 12:59", 9, 13, "2026-03-02 13:00"),
        ("Europe/Lisbon", "2026-03-02 13:00", 9, 13, None),
        ("Europe/Lisbon", "2026-03-02 12:00", 5, 5, None),
    ],
)
def test_quiet_hours_end_on_the_readers_clock_also_on_the_days_when_it_is_changed(
    zone, now, begins, ends, end
):
    found = quiet_until(Reader(zone=zone, quiet_from=begins, quiet_to=ends), at(now))
    assert found == (at(end) if end else None)


READERS = st.builds(
    Reader,
    zone=st.sampled_from(["UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Tehran"]),
    digest_hour=st.integers(0, 23),
    quiet_from=st.none() | st.integers(0, 23),
    quiet_to=st.none() | st.integers(0, 23),
    seen_at=st.none(),
)
MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001
TURN = [choice for choice in CHOICES["turn"] if choice not in ("none", "reminders")]


@given(READERS, MOMENTS, st.sampled_from(TURN), st.none() | st.integers(0, 100))
def test_whatever_the_wishes_a_letter_goes_within_two_days_and_before_its_deadline(
    reader, asked, choice, hours
):
    """Wishes put off. They lose no letter, and cost no deadline."""
    deadline = None if hours is None else asked + hours * HOUR
    now = asked
    for _ in range(6):
        verdict = when(KINDS["asked"], choice, reader, now, asked, deadline)
        if isinstance(verdict, Now):
            break
        until = verdict.at if isinstance(verdict, InDigest) else verdict.until
        assert until > now
        assert deadline is None or until + MARGIN < deadline
        now = until
        if isinstance(verdict, InDigest):
            break
    else:
        raise AssertionError("it never goes")
    assert now - asked <= timedelta(days=2)


def test_every_kind_of_letter_is_one_that_may_be_chosen_or_one_that_never_waits():
    """Whoever adds a kind decides when it goes."""
    at_once = {
        "reply",
        "reply_confirm",
        "reply_ended",
        "reply_collected",
        "reply_put_off",
        "replaced",
        "away",
        "reported",
        "hook_off",
        "waiting",
        "seat_answer",
    }
    assert {name for name, kind in KINDS.items() if not kind.event} == at_once


def test_every_choice_of_the_page_is_about_a_letter_that_exists():
    kinds = ("asked", "reminder", "news", "chat", "started", "over")
    assert {KINDS[kind].event for kind in kinds} == set(CHOICES)

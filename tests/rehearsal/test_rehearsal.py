"""Matches over some weeks, with all that happens: each reminder and time-out once."""

import pytest

from app.rehearsal import rehearse
from app.settings import Settings
from app.store.session import Store
from tests.toy import TOY


@pytest.fixture
def settings(tmp_path):
    key = ("k" * 32,)
    return Settings("", "folder://", "smtp://x", "", "https://h.example", "h.example", key, tmp_path)


@pytest.mark.slow
@pytest.mark.usefixtures("ferry")
@pytest.mark.parametrize(
    ("matches", "days"),
    [pytest.param(10, 60, id="share"), pytest.param(20, 60, id="whole", marks=pytest.mark.long)],
)
def test_every_reminder_and_every_time_out_comes_once_at_its_moment(store: Store, settings, matches, days):
    """A held clock, a real database, real letters; an audit that works out beside it what had to happen."""
    report = rehearse(store, settings, {"ferry": TOY}, matches=matches, days=days, seed="sixty days")
    assert report.faults == ()
    for what in (
        "reminders",
        "times late",
        "times timed_out",
        "outages",
        "freezes",
        "answers",
        "absences",
        "letters lost on their way",
        "letters of the kind asked",
        "letters of the kind late",
        "letters of the kind timed_out",
        "letters of the kind over",
        "letters refused",
        "extensions",
        "wishes for a pause",
        "pauses ended by players",
        "requests for seats",
        "decisions about seats",
        "told: paused",
        "told: seat_taken",
        "told: not_reached",
    ):
        assert report.counts[what] > (matches // 2 if "letter" in what else 0), (what, report.counts)

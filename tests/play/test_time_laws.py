"""The laws of time, kept by the whole house whatever players, organiser and calendar do."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import clock as clock_module
from app import games
from app.people import service as people
from app.play.clock.rules import Rule
from app.play.deadlines import absences, pauses
from app.play.match import presence, reading
from app.play.match.records import SiteError
from app.play.moves import service
from app.play.seats import organiser
from app.store.session import Store
from tests.play import cast
from tests.servers import database_in
from tests.share import examples
from tests.toy import TOY

DAY = 86400
ZONES = ("Europe/Lisbon", "America/New_York", "Pacific/Auckland", "Asia/Tehran", "Pacific/Apia")
SEATS = ("red", "blue", "green")

rules = st.one_of(
    st.builds(
        Rule,
        st.just("per_move"),
        per_move=st.integers(1, 10 * 24).map(lambda hours: hours * 3600),
        off=st.sampled_from([(), (5, 6), (0,), (0, 1, 2, 3, 4, 5)]),
    ),
    st.builds(
        Rule,
        st.just("bank"),
        bank=st.integers(1, 10).map(lambda days: days * DAY),
        increment=st.just(DAY),
        cap=st.just(12 * DAY),
        off=st.sampled_from([(), (6,)]),
    ),
)
seats = st.sampled_from(SEATS)
acts = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), st.integers(1, 60)),
        st.tuples(st.just("pause"), st.none()),
        st.tuples(st.just("resume"), seats),
        st.tuples(st.just("away"), st.tuples(seats, st.integers(0, 12), st.integers(0, 9))),
        st.tuples(st.just("back"), seats),
        st.tuples(st.just("zone"), st.tuples(seats, st.sampled_from(ZONES))),
        st.tuples(st.just("extend"), st.tuples(st.one_of(st.none(), seats), st.integers(1, 5))),
        st.tuples(st.just("move"), seats),
    ),
    max_size=14,
)


class Held:
    """The clock of one example."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 10, 20, 9, 30, tzinfo=UTC)  # both changes of summer time lie ahead

    def now(self) -> datetime:
        return self.moment


@contextmanager
def table(rule: Rule) -> Iterator[tuple["cast.Seated", Held]]:
    """A match of three with this rule, on a database and a clock of its own."""
    held = Held()
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr(clock_module, "now", held.now)
        patch.setattr(games, "editions", lambda: {TOY.slug: (TOY,)})
        store = Store(database_in(Path(folder)))
        try:
            yield cast.seat(store, ("Ada", "Bo", "Cleo"), options={"bank": "long"}, rule=rule), held
        finally:
            store.engine.dispose()


def standings(match):
    """For each seat that is waited for: its run, its deadline and what it has left."""
    with match.store.reading() as connection:
        runs = {one.seat: one.turn for one in reading.by_match(connection, match.match_id).open}
    return {one.seat: (runs[one.seat], one.due_at, one.left) for one in match.player_view().deadlines}


def act(match, held, what, how):
    player = {seat: row.player_id for seat, row in match.rows.items()}
    store, match_id = match.store, match.match_id
    if what == "wait":
        held.moment += timedelta(hours=how)
    elif what == "pause":
        for seat in SEATS:
            pauses.request(store, match.bearer(seat), match_id)
    elif what == "resume":
        pauses.resume(store, match.bearer(how), match_id)
    elif what == "away":
        seat, ahead, days = how
        first = absences.absences_of(store, player[seat]).today + timedelta(days=ahead)
        absences.enter(store, player[seat], first, first + timedelta(days=days))
    elif what == "back":
        for one in absences.absences_of(store, player[how]).ahead:
            absences.cancel(store, player[how], one.absence_id)
    elif what == "zone":
        seat, zone = how
        people.update(store, player[seat], "Somebody", "en", zone)
        presence.changed(store, player[seat])
    elif what == "extend":
        seat, days = how
        keys = next(match.bearer(one) for one in SEATS if player[one] == organiser_of(match))
        with store.reading() as connection:
            standing = reading.by_match(connection, match_id)
        seen = organiser.deadline_marks(standing, held.moment, seat)
        done = [organiser.extend(store, keys, match_id, days, seat, seen=seen) for _ in range(6)]
        assert done == [True, *[False] * 5]
    else:
        asked = match.player_view(how).asked
        if asked:
            text = match.player_view().game.format(asked[0].decision.options[0])
            service.play(store, match.bearer(how), asked[0].question_id, text)


def organiser_of(match):
    return cast.one(match.store, 'SELECT organiser_id FROM "match"').organiser_id


@pytest.mark.slow
@settings(max_examples=examples(60), suppress_health_check=list(HealthCheck))
@given(rules, acts)
def test_no_deadline_moves_earlier_and_no_time_comes_back(rule, does):
    with table(rule) as (match, held):
        announced = {}
        for what, how in does:
            before, since = standings(match), held.moment
            try:
                act(match, held, what, how)
            except SiteError:
                assert standings(match) == before
            if match.player_view().status == "over":
                return
            for seat, (run, due, left) in standings(match).items():
                if due is not None:
                    assert due >= announced.get((seat, run), due), (what, how)
                    announced[seat, run] = due
                if seat in before and before[seat][0] == run and what != "extend":
                    # What is left grows by an extension alone: or where a calendar that was announced in
                    # another zone, or with an absence that was called off, is kept to.
                    assert left <= before[seat][2] or what in ("zone", "back", "resume"), (what, how)
                if what == "wait" and seat in before and before[seat][0] == run:
                    assert before[seat][2] - left <= held.moment - since


def test_who_comes_back_during_a_pause_keeps_the_deadline_that_was_announced():
    with table(Rule("per_move", per_move=3600)) as (match, held):
        act(match, held, "away", ("red", 0, 0))
        announced = standings(match)["red"][1]
        act(match, held, "pause", None)
        act(match, held, "back", "red")
        act(match, held, "resume", "red")
        assert standings(match)["red"][1] >= announced

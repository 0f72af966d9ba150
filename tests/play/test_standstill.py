"""No outage costs anybody a turn: while the house was away, or was stopped, its clocks stood still."""

import threading
from datetime import timedelta

import pytest

from app.play.clock.rules import Rule, Stop
from app.play.clock.stoppages import decoded
from app.play.deadlines import outages, sweep
from app.play.match import presence
from app.play.moves import service
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy")

DAY = 86400
AT_ONCE = Rule("per_move", per_move=2 * DAY)


def told(match):
    return [(one.what, one.seat) for one in match.player_view().notices]


def known(store):
    return decoded(cast.one(store, "SELECT stops FROM house").stops)


def beats(store, clock, **span):
    """Beat lives for so long."""
    end = clock.moment + timedelta(**span)
    while clock.moment < end:
        clock.moment = min(clock.moment + timedelta(minutes=4), end)
        sweep.tick(store)


def due(match, seat="red"):
    return next(one.due_at for one in match.player_view().deadlines if one.seat == seat)


def reminders(store, match):
    owner = match.rows["red"].player_id
    return cast.rows(store, "SELECT id FROM letter WHERE kind = 'reminder' AND player_id = :id", id=owner)


def test_while_beat_was_away_the_clocks_stood_still_and_the_first_sweep_times_nobody_out(store, clock):
    """Six hours without beat: deadlines move by them, and nobody is timed out on the way back."""
    sweep.tick(store)
    match = cast.seat(store, rule=AT_ONCE)
    before = due(match)
    beats(store, clock, hours=46)
    clock.advance(hours=6)
    sweep.tick(store)
    assert told(match) == []
    assert due(match) == before + timedelta(hours=6) + outages.RECOVERY
    assert [stop.ends - stop.begins for stop in known(store)] == [timedelta(hours=6) + outages.RECOVERY]
    beats(store, clock, hours=2, minutes=4)
    assert told(match) == []
    beats(store, clock, minutes=4)
    assert {what for what, _ in told(match)} == {"timed_out"}


def test_a_change_of_habits_while_beat_was_away_loses_no_reminder(store, clock):
    """The reminder moves with the outage, which nobody knew of when the clock was announced anew."""
    sweep.tick(store)
    match = cast.seat(store, rule=AT_ONCE)
    beats(store, clock, hours=23)
    clock.advance(hours=3)
    presence.changed(store, match.rows["red"].player_id)
    clock.advance(hours=3)
    beats(store, clock, hours=1)
    assert reminders(store, match) == []
    beats(store, clock, minutes=12)
    assert len(reminders(store, match)) == 1
    beats(store, clock, hours=12)
    assert len(reminders(store, match)) == 1


def test_what_was_overdue_when_the_house_went_away_waits_until_it_is_calm_again(store, clock):
    sweep.tick(store)
    match = cast.seat(store, rule=AT_ONCE)
    beats(store, clock, hours=47, minutes=58)
    clock.advance(minutes=1.9)
    sweep.tick(store)
    clock.advance(hours=3)
    sweep.tick(store)
    sweep.tick(store)
    assert told(match) == []


def test_whose_turn_it_is_sees_when_the_house_was_away_and_nobody_later(store, clock):
    """A deadline that has moved is explained; a turn that began afterwards has nothing to be explained."""
    sweep.tick(store)
    match = cast.seat(store, rule=AT_ONCE)
    beats(store, clock, hours=1)
    gone = clock.moment
    clock.advance(hours=6)
    assert {one.stood for one in match.player_view().deadlines} == {()}, "nobody knows of it yet"
    sweep.tick(store)
    away = Stop(gone, clock.moment + outages.RECOVERY)
    assert {one.stood for one in match.player_view().deadlines} == {(away,)}
    outages.freeze(store)
    clock.advance(minutes=2)
    assert {one.stood for one in match.player_view().deadlines} == {()}, "it goes on until further notice"
    outages.thaw(store)
    sweep.tick(store)
    beats(store, clock, hours=1)
    frozen = clock.moment
    outages.freeze(store)
    beats(store, clock, hours=3)
    outages.thaw(store)
    stopped = Stop(frozen, clock.moment)
    assert {one.stood for one in match.player_view().deadlines} == {(away, stopped)}
    beats(store, clock, minutes=8)
    for seat in ("red", "blue"):
        service.play(store, match.bearer(seat), match.question(seat), "bid 1" if seat == "red" else "bid 0")
    assert match.player_view().deadlines
    assert {one.stood for one in match.player_view().deadlines} == {()}


def test_the_first_beat_of_a_house_and_a_short_gap_are_no_outage(store, clock):
    sweep.tick(store)
    clock.advance(minutes=5)
    sweep.tick(store)
    assert cast.rows(store, "SELECT stops FROM house WHERE stops <> '[]'") == []


def test_of_several_beats_one_finds_the_gap(store, clock):
    sweep.tick(store)
    clock.advance(hours=6)
    found = []
    together = threading.Barrier(4)

    def beat():
        together.wait()
        found.append(outages.beat(store))

    threads = [threading.Thread(target=beat) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [False, False, False, True]
    assert len(known(store)) == 1


def test_the_operator_stops_all_clocks_and_lets_them_go_on_with_what_was_left(store, clock):
    """An emergency brake: while the house is frozen no sweep acts, and afterwards nobody has lost time."""
    sweep.tick(store)
    match = cast.seat(store, rule=AT_ONCE)
    before = due(match)
    beats(store, clock, hours=47)
    assert outages.freeze(store)
    assert not outages.freeze(store)
    seen = match.player_view()
    assert seen.frozen
    assert [one.left for one in seen.deadlines] == [timedelta(hours=1)] * 2
    beats(store, clock, days=3)
    assert told(match) == []
    assert outages.thaw(store)
    assert not outages.thaw(store)
    assert due(match) == before + timedelta(days=3)
    beats(store, clock, minutes=56)
    assert told(match) == []
    beats(store, clock, minutes=8)
    assert {what for what, _ in told(match)} == {"timed_out"}


def test_who_is_asked_while_all_stands_still_gets_their_deadline_and_reminder_afterwards(store, clock):
    sweep.tick(store)
    outages.freeze(store)
    match = cast.seat(store, rule=AT_ONCE)
    assert due(match) is None
    beats(store, clock, days=1)
    outages.thaw(store)
    thawed = clock.moment
    assert due(match) == thawed + timedelta(days=2)
    sweep.tick(store)
    assert due(match) == thawed + timedelta(days=2)
    beats(store, clock, hours=24, minutes=4)
    reminded = cast.rows(store, "SELECT player_id FROM letter WHERE kind = 'reminder'")
    assert len(reminded) == 2


def test_who_resumes_after_a_freeze_of_the_house_has_not_lost_their_own_pause(store, clock):
    """A paused match stays paused when the house thaws."""
    from app.engine import codec

    sweep.tick(store)
    match = cast.seat(store, rule=AT_ONCE)
    with store.transaction() as connection:
        pause = codec.dumps([Stop(clock.moment)])
        connection.exec_driver_sql(f"""UPDATE "match" SET stops = '{pause}'""")
    outages.freeze(store)
    beats(store, clock, days=1)
    outages.thaw(store)
    beats(store, clock, days=3)
    assert told(match) == []
    assert due(match) is None
    assert cast.rows(store, "SELECT 1 FROM question WHERE due_at IS NOT NULL") == [], (
        "no sweep finds it again"
    )


def test_old_outages_are_forgotten_when_no_clock_that_runs_has_seen_them(store, clock):
    sweep.tick(store)
    match = cast.seat(store, rule=AT_ONCE)
    for _ in range(3):
        clock.advance(hours=1)
        sweep.tick(store)
    assert len(known(store)) == 3
    beats(store, clock, minutes=8)
    service.resign(store, match.bearer("red"), match.match_id)
    clock.advance(hours=1)
    sweep.tick(store)
    assert len(known(store)) == 1

"""Two beats, doubled tasks, a worker that dies, a player in the same second, the days when clocks change."""

import contextlib
import threading
from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from app.engine import codec
from app.play.clock.rules import Rule, Stop
from app.play.deadlines import reminders, sweep, timeouts
from app.play.match import presence
from app.play.match.records import Closed
from app.play.moves import service
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy")

DAY = 86400
RULE = Rule("per_move", per_move=4 * DAY, grace=DAY)
BERLIN = ZoneInfo("Europe/Berlin")


def together(*works):
    """Runs all at once; what each raised, or None."""
    start = threading.Barrier(len(works))
    raised = [None] * len(works)

    def run(number):
        start.wait()
        try:
            works[number]()
        except Exception as error:  # noqa: BLE001 - handed to the test
            raised[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def told(store):
    query = "SELECT match_id, what, seat FROM notice"
    return Counter(tuple(row) for row in cast.rows(store, query))


def letters(store, kind):
    query = "SELECT match_id, player_id FROM letter WHERE kind = :kind"
    return Counter(tuple(row) for row in cast.rows(store, query, kind=kind))


def sweep_four_times(store):
    one = lambda: sweep.sweep(store)  # noqa: E731 - four times the same
    assert together(one, one, one, one) == [None] * 4


def test_sweeps_at_the_same_time_remind_and_time_out_once(store, clock, caplog):
    """Two beats, or a broker that delivers a task again: one reminder, one notice, one move."""
    matches = [cast.seat(store, rule=RULE) for _ in range(6)]
    clock.advance(days=2)
    sweep_four_times(store)
    assert letters(store, "reminder").total() == 2, "one for each player, for all their games"
    clock.advance(days=2)
    sweep_four_times(store)
    late = {(match.match_id, "late", seat): 1 for match in matches for seat in ("red", "blue")}
    assert told(store) == late
    assert letters(store, "late").total() == 12
    clock.advance(days=1)
    sweep_four_times(store)
    assert told(store) == late | {(match, "timed_out", seat): 1 for match, _, seat in late}
    assert set(letters(store, "timed_out").values()) == {1}
    for match in matches:
        played = cast.rows(
            store,
            "SELECT ply, seat, move FROM played WHERE match_id = :m AND ply > 0 ORDER BY ply",
            m=match.match_id,
        )
        assert [row.ply for row in played] == list(range(1, len(played) + 1))
        bids = [row.seat for row in played if row.move.startswith("bid")]
        assert sorted(bids) == ["blue", "red"]
    assert "could not be seen to" not in caplog.text


def test_a_player_who_answers_as_their_time_is_up_has_answered_or_was_played_for_and_never_both(store, clock):
    matches = [cast.seat(store, rule=replace(RULE, grace=0)) for _ in range(4)]
    for match in matches:
        service.play(store, match.bearer("blue"), match.question("blue"), "bid 2")
    questions = [match.question("red") for match in matches]
    clock.advance(days=4)

    def answers():
        for match, question in zip(matches, questions, strict=True):
            with contextlib.suppress(Closed):
                service.play(store, match.bearer("red"), question, "bid 1")

    assert together(answers, lambda: sweep.sweep(store), lambda: sweep.sweep(store)) == [None] * 3
    query = "SELECT match_id FROM played WHERE seat = 'red' AND ply > 0"
    assert Counter(row.match_id for row in cast.rows(store, query)) == {one.match_id: 1 for one in matches}


@pytest.mark.parametrize("dies_at", ["enqueue", "_begin_grace", "_time_out"])
def test_a_worker_that_dies_between_claim_and_deed_leaves_all_to_do(store, clock, monkeypatch, dies_at):
    """No broker holds a reminder that could come twice or never: what is due is looked up each time."""
    match = cast.seat(store, rule=RULE)
    service.play(store, match.bearer("blue"), match.question("blue"), "bid 2")

    def dies(*_, **__):
        raise KeyboardInterrupt

    def sweep_and_die(module, name):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, dies)
            with pytest.raises(KeyboardInterrupt):
                sweep.sweep(store)

    clock.advance(days=2)
    if dies_at == "enqueue":
        sweep_and_die(reminders, "enqueue")
        assert letters(store, "reminder").total() == 0
    sweep.sweep(store)
    assert letters(store, "reminder").total() == 1
    clock.advance(days=2)
    if dies_at != "_time_out":
        sweep_and_die(timeouts, "enqueue" if dies_at == "enqueue" else dies_at)
        assert told(store).total() == 0
    sweep.sweep(store)
    clock.advance(days=1)
    sweep_and_die(timeouts, "enqueue" if dies_at == "enqueue" else "answer")
    assert told(store) == {(match.match_id, "late", "red"): 1}
    for _ in range(3):
        sweep.sweep(store)
    assert told(store)[match.match_id, "timed_out", "red"] == 1
    assert letters(store, "timed_out").total() == 1


def sweeps(store, clock, days):
    """Every half hour for so many days."""
    end = clock.moment + timedelta(days=days)
    while clock.moment < end:
        clock.advance(minutes=30)
        sweep.sweep(store)


@pytest.mark.parametrize("saturday", [date(2026, 3, 28), date(2026, 10, 24)])
def test_on_both_days_when_clocks_change_all_comes_at_the_right_local_time(store, clock, saturday):
    """Sundays are off, those of 23 hours and of 25: two days from Saturday at ten end on Tuesday at ten."""

    def at_ten(days):
        return datetime.combine(saturday + timedelta(days=days), time(10), BERLIN)

    clock.moment = at_ten(0).astimezone(UTC)
    match = cast.seat(store, rule=Rule("per_move", per_move=2 * DAY, off=(6,)))
    with store.transaction() as connection:
        connection.execute(text("UPDATE player SET zone = 'Europe/Berlin'"))
    sweeps(store, clock, 4)
    assert {one.at for one in match.player_view().notices} == {at_ten(3)}
    query = "SELECT once FROM letter WHERE kind = 'reminder'"
    assert {datetime.fromisoformat(row.once.split(":", 4)[4]) for row in cast.rows(store, query)} == {
        at_ten(2)
    }


def test_who_moves_to_another_zone_in_the_middle_loses_no_time_and_is_timed_out_once(store, clock):
    """An announced deadline does not move earlier, wherever its player goes."""
    clock.moment = datetime(2026, 3, 6, 12, tzinfo=UTC)  # a Friday
    match = cast.seat(store, rule=Rule("per_move", per_move=2 * DAY, off=(5, 6)))
    red = match.rows["red"].player_id
    service.play(store, match.bearer("blue"), match.question("blue"), "bid 2")

    def due():
        return match.player_view().deadlines[0].due_at

    def move(zone):
        with store.transaction() as connection:
            connection.execute(
                text("UPDATE player SET zone = :zone WHERE id = :red"), {"zone": zone, "red": red}
            )
        presence.changed(store, red)

    shown = [due()]
    for zone in ("Pacific/Auckland", "Pacific/Honolulu", "Asia/Kathmandu", "Europe/Lisbon"):
        move(zone)
        sweeps(store, clock, 0.25)
        shown.append(due())
    assert shown == sorted(shown)
    sweeps(store, clock, 5)
    timed_out = [one for one in match.player_view().notices if one.seat == "red"]
    assert [(one.what, one.at) for one in timed_out] == [("timed_out", shown[-1])]


def test_a_pause_entered_and_ended_again_and_again_never_brings_a_deadline_forward(store, clock):
    match = cast.seat(store, rule=RULE)
    shown = []
    stops: list[Stop] = []
    for hours in (5, 1, 30, 2):
        stops.append(Stop(clock.moment, clock.moment + timedelta(hours=hours)))
        with store.transaction() as connection:
            connection.execute(text('UPDATE "match" SET stops = :stops'), {"stops": codec.dumps(stops)})
        sweeps(store, clock, 0.5)
        shown.append(match.player_view().deadlines[0].due_at)
    assert shown == sorted(shown)

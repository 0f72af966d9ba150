"""The clock of a player who can't be asked by email gets that time back, at most seven days in a match."""

from datetime import timedelta

import pytest
from sqlalchemy import text

from app.play.clock.rules import Rule
from app.play.deadlines import sweep, timeouts
from app.play.moves import service
from tests.play import cast
from tests.play.test_one_law import run
from tests.play.test_organiser import due, news, seat_of, told

pytestmark = pytest.mark.usefixtures("toy")

DAY = 86400
DAYS = timedelta(days=1)
RULES = {
    "per_move": Rule("per_move", per_move=3 * DAY, grace=DAY),
    "bank": Rule("bank", bank=3 * DAY, increment=DAY, cap=3 * DAY, grace=DAY),
    "hours": Rule("per_move", per_move=6 * 3600, grace=DAY),
    "replace": Rule("per_move", per_move=3 * DAY, then="replace"),
}


def refused(store, seat, status="waiting"):
    """The mail server has refused the email that asks the seat, ever since it was written."""
    with store.transaction() as connection:
        connection.execute(
            text("""UPDATE letter SET status = :status, tries = 3, reason = 'relay', stuck_since = created_at
                    WHERE kind IN ('asked') AND seat = :seat AND status = 'waiting'"""),
            {"seat": seat, "status": status},
        )


def waiting(store, rule, status="waiting"):
    """A game that waits for Bo alone, who can't be asked."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=rule)
    bo = seat_of(match, "Bo")
    for seat in match.rows:
        if seat != bo:
            service.play(store, match.bearer(seat), match.question(seat), "bid 0")
    refused(store, bo, status)
    return match, bo


def whats(match):
    return [what for what, *_ in told(match)]


@pytest.mark.parametrize("status", ["waiting", "failed"])
@pytest.mark.parametrize("kind", list(RULES))
def test_seven_days_are_given_back_and_then_the_ladder_goes_on(store, clock, kind, status):
    match, bo = waiting(store, RULES[kind], status)
    before = due(match, bo).due_at
    sweep.tick(store)
    while clock.moment < before + 7 * DAYS - timedelta(hours=6):
        run(store, clock, 0.25)
        assert "late" not in whats(match)
        assert "timed_out" not in whats(match)
    run(store, clock, 0.5)
    end = "timed_out" if kind == "replace" else "late"
    assert end in whats(match)
    assert before + 7 * DAYS <= next(one.at for one in match.player_view().notices if one.what == end)
    row = cast.one(store, "SELECT credited FROM chair WHERE seat = :seat AND until IS NULL", seat=bo)
    assert row.credited == 7 * DAY
    if kind != "replace":
        run(store, clock, 1.25)
        assert "timed_out" in whats(match)


def test_the_host_and_the_log_are_told(store, clock):
    match, bo = waiting(store, RULES["per_move"])
    clock.moment = due(match, bo).due_at
    sweep.tick(store)
    (notice,) = [one for one in match.player_view().notices if one.what == "not_reached"]
    assert (notice.seat, notice.by_seat) == (bo, None)
    assert due(match, bo).due_at == clock.moment + 3 * DAYS
    host = match.player_view().name(match.player_view().keys)
    letters = cast.rows(
        store, "SELECT player_id FROM letter WHERE kind = 'news' AND once LIKE '%not_reached%'"
    )
    assert len(letters) == 1
    assert host in news(match)


def test_the_host_is_emailed_once_a_day_however_short_the_turns_are(store, clock):
    match, _ = waiting(store, Rule("per_move", per_move=3600, grace=DAY))
    run(store, clock, 4, step=1)
    assert whats(match).count("not_reached") > 4
    letters = cast.rows(store, "SELECT id FROM letter WHERE kind = 'news' AND once LIKE '%not_reached%'")
    assert 1 <= len(letters) <= 4


def test_what_was_given_at_the_deadline_is_not_given_again_on_delivery(store, clock):
    match, bo = waiting(store, RULES["per_move"])
    before = due(match, bo).due_at
    clock.moment = before
    sweep.tick(store)
    clock.advance(hours=12)
    turn = cast.one(store, "SELECT run FROM question WHERE seat = :seat AND closed_at IS NULL", seat=bo).run
    delay = clock.moment - (before - 3 * DAYS)
    with store.transaction() as connection:
        timeouts.asked_late(connection, match.match_id, bo, turn, delay)
    assert due(match, bo).due_at == before + delay


def test_delivered_late_gives_back_no_more_than_seven_days(store, clock):
    match, bo = waiting(store, Rule("per_move", per_move=15 * DAY))
    before = due(match, bo).due_at
    clock.advance(days=10)
    turn = cast.one(store, "SELECT run FROM question WHERE seat = :seat AND closed_at IS NULL", seat=bo).run
    for _ in range(2):
        with store.transaction() as connection:
            timeouts.asked_late(connection, match.match_id, bo, turn, 10 * DAYS)
    assert due(match, bo).due_at == before + 7 * DAYS


def test_seven_days_are_for_the_whole_game(store, clock):
    match, bo = waiting(store, RULES["per_move"])
    sweep.tick(store)
    run(store, clock, 7)
    assert "late" not in whats(match)
    service.play(store, match.bearer(bo), match.question(bo), "bid 1")
    for _ in range(6):
        view = match.player_view()
        if view.to_move == (bo,) and view.status == "running":
            break
        seat = view.to_move[0]
        asked = match.player_view(seat).asked[0]
        service.play(
            store, match.bearer(seat), asked.question_id, view.game.format(asked.decision.options[0])
        )
    refused(store, bo)
    already = cast.one(store, "SELECT credited FROM chair WHERE seat = :seat", seat=bo).credited
    before = due(match, bo).due_at
    assert 0 < already < 7 * DAY
    left = timedelta(seconds=7 * DAY - already)
    while "late" not in whats(match):
        run(store, clock, 0.25)
        assert clock.moment <= before + left + DAYS
    assert clock.moment >= before + left


def test_a_mailbox_that_is_the_players_own_fault_gives_nothing(store, clock):
    """Without the mark that the trouble is ours, a failed email gives no time."""
    match, bo = waiting(store, RULES["per_move"])
    with store.transaction() as connection:
        connection.execute(
            text("UPDATE letter SET stuck_since = NULL, status = 'failed' WHERE kind = 'asked'")
        )
    clock.moment = due(match, bo).due_at
    sweep.tick(store)
    assert whats(match) == ["late"]


def test_a_successor_has_seven_days_of_their_own(store, clock):
    match, bo = waiting(store, RULES["replace"])
    sweep.tick(store)
    run(store, clock, 10.25)
    assert "timed_out" in whats(match)
    rows = cast.rows(store, "SELECT credited FROM chair WHERE seat = :seat", seat=bo)
    assert [row.credited for row in rows] == [7 * DAY]

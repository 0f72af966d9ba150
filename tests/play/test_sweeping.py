"""What time brings about: each thing once, at its moment, and never to one who owes nothing."""

from datetime import timedelta

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from app.engine import codec
from app.play.clock.rules import Rule, Stop
from app.play.deadlines import absences, outages, pauses, sweep, timeouts
from app.play.match import notices, reading, turn_clocks
from app.play.match.records import Closed
from app.play.moves import service
from app.play.seats import organiser
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy")

DAY = 86400
RULE = Rule("per_move", per_move=4 * DAY, grace=DAY)
AT_ONCE = replace(RULE, grace=0)


def letters(match, kind):
    return cast.rows(match.store, "SELECT * FROM letter WHERE kind = :kind ORDER BY created_at", kind=kind)


def told(match):
    return [(one.what, one.seat) for one in match.player_view().notices]


def moves(match):
    query = "SELECT seat, move, source FROM played WHERE ply > 0 AND match_id = :id ORDER BY ply"
    return cast.rows(match.store, query, id=match.match_id)


def answer(match, seat, answer_text):
    service.play(match.store, match.bearer(seat), match.question(seat), answer_text)


def change(store, query, **values):
    with store.transaction() as connection:
        connection.execute(text(query), values)


def until(clock, moment):
    clock.moment = moment


class Sweeps:
    """Sweeps every hour of held time."""

    def __init__(self, store, clock):
        self.store, self.clock = store, clock

    def pass_time(self, **span):
        end = self.clock.moment + timedelta(**span)
        while self.clock.moment < end:
            self.clock.moment = min(self.clock.moment + timedelta(hours=1), end)
            sweep.sweep(self.store)


@pytest.fixture
def time(store, clock):
    return Sweeps(store, clock)


def test_a_player_is_reminded_at_half_and_four_fifths_of_the_time(store, time, clock):
    match = cast.seat(store, rule=RULE)
    begun = clock.moment
    answer(match, "blue", "bid 0")
    time.pass_time(days=5)
    assert [(one.player_id, one.created_at) for one in letters(match, "reminder")] != []
    reminded = letters(match, "reminder")
    assert {one.player_id for one in reminded} == {match.rows["red"].player_id}
    change(store, "UPDATE letter SET status = 'sent' WHERE kind = 'reminder'")
    assert len(reminded) == 1, "the second time it had not gone out yet, so the one letter tells of both"
    assert reminded[0].once.endswith((begun + timedelta(days=2)).isoformat())


def test_each_reminder_is_its_own_letter_when_the_one_before_has_gone_out(store, time):
    match = cast.seat(store, rule=RULE)
    answer(match, "blue", "bid 0")
    for days, many in ((1.9, 0), (0.2, 1), (1, 1), (0.2, 2), (1, 2)):
        time.pass_time(days=days)
        assert len(letters(match, "reminder")) == many
        change(store, "UPDATE letter SET status = 'sent' WHERE kind = 'reminder'")


def test_a_player_chooses_their_own_reminders(store, time, clock):
    """Two offsets are two letters at the right times."""
    match = cast.seat(store, rule=RULE)
    change(store, "UPDATE player SET reminders = '24h 6h'")
    begun = clock.moment
    with store.transaction() as connection:
        turn_clocks.rearm(connection, begun, reading.by_match(connection, match.match_id))
    moments = []
    for _ in range(3 * 24 * 4):
        time.pass_time(minutes=20)
        moments += [(one.player_id, clock.moment - begun) for one in letters(match, "reminder")]
        change(store, "DELETE FROM letter WHERE kind = 'reminder'")
    reds = [at for who, at in moments if who == match.rows["red"].player_id]
    assert reds == [timedelta(days=3), timedelta(days=3, hours=18)]


def test_who_has_moved_is_not_reminded_again(store, time, clock):
    """Of two offsets the second is no letter any more where the answer came between them."""
    match = cast.seat(store, rule=RULE)
    change(store, "UPDATE player SET reminders = '24h 6h'")
    with store.transaction() as connection:
        turn_clocks.rearm(connection, clock.moment, reading.by_match(connection, match.match_id))
    time.pass_time(days=3, hours=1)
    assert len(letters(match, "reminder")) == 2
    change(store, "DELETE FROM letter WHERE kind = 'reminder'")
    answer(match, "red", "bid 0")
    time.pass_time(hours=22)
    assert [one.player_id for one in letters(match, "reminder")] == [match.rows["blue"].player_id]


def test_many_games_of_one_player_are_one_reminder(store, time):
    matches = [cast.seat(store, rule=RULE) for _ in range(3)]
    time.pass_time(days=2.1)
    reminded = letters(matches[0], "reminder")
    assert len(reminded) == 2
    assert len({one.player_id for one in reminded}) == 2


@pytest.mark.parametrize("why", ["answered", "paused", "away", "frozen", "resigned", "over"])
def test_nobody_is_reminded_or_timed_out_who_owes_nothing(store, time, clock, why):
    """Reminders and time-outs follow the clock: none when another is to move, when all is paused, or over."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=RULE)
    still = codec.dumps([Stop(clock.moment)])
    if why == "answered":
        answer(match, "red", "bid 0")
    elif why == "paused":
        change(store, 'UPDATE "match" SET stops = :still', still=still)
    elif why == "away":
        stop = codec.dumps([Stop(clock.moment, clock.moment + timedelta(days=30))])
        ada = match.rows["red"].player_id
        change(store, "UPDATE player SET away = :stop WHERE id = :ada", stop=stop, ada=ada)
    elif why == "frozen":
        assert outages.freeze(store)
        assert not outages.freeze(store)
    else:
        service.resign(store, match.bearer("red"), match.match_id)
        if why == "over":
            service.resign(store, match.bearer("blue"), match.match_id)
    before = len(moves(match))
    time.pass_time(days=5.5)
    red = match.rows["red"].player_id
    assert red not in {
        one.player_id for kind in ("reminder", "late", "timed_out") for one in letters(match, kind)
    }
    assert ("late", "red") not in told(match)
    if why in ("paused", "frozen", "over"):
        assert told(match) == []
        assert len(moves(match)) == before
    else:
        assert ("late", "blue") in told(match)


def test_after_the_deadline_there_is_grace_then_the_default_is_played(store, time, clock):
    """The table hears who is late, and no more; the late player hears until when they can answer."""
    match = cast.seat(store, rule=RULE)
    answer(match, "blue", "bid 2")
    begun = clock.moment
    time.pass_time(days=4)
    assert told(match) == [("late", "red")]
    assert match.player_view().notices[0].facts == {
        "until": (begun + timedelta(days=5)).isoformat().replace("+00:00", "Z")
    }
    assert [one.player_id for one in letters(match, "late")] == [match.rows["red"].player_id]
    assert moves(match)[-1].seat == "blue"
    time.pass_time(hours=23)
    assert told(match) == [("late", "red")]
    time.pass_time(hours=1)
    assert told(match) == [("late", "red"), ("timed_out", "red")]
    assert tuple(moves(match)[-1]) == ("red", "bid 0", "clock")
    assert match.player_view().heard[-1].by_clock
    assert [one.player_id for one in letters(match, "timed_out")] == [match.rows["red"].player_id]
    assert match.player_view().to_move == ("blue",), "the game goes on"


def test_who_answers_in_the_grace_has_answered(store, time):
    """Nothing to do, or the least that can be done, is an answer like any other: no turn was missed."""
    match = cast.seat(store, rule=RULE)
    answer(match, "blue", "bid 2")
    time.pass_time(days=4.5)
    answer(match, "red", "bid 0")
    time.pass_time(days=1)
    assert told(match) == [("late", "red")]
    assert letters(match, "timed_out") == []


def test_every_step_of_a_turn_is_played_and_what_is_optional_is_not(store, time):
    match = cast.seat(store, options={"cheers": "on"}, rule=AT_ONCE)
    answer(match, "red", "bid 1")
    answer(match, "blue", "bid 0")
    begun = len(moves(match))
    time.pass_time(days=4)
    played = moves(match)[begun:]
    assert {(one.seat, one.source) for one in played} == {("red", "clock")}
    assert "cheer" not in [one.move for one in played]
    assert match.player_view().to_move != ("red",)
    assert told(match) == [("timed_out", "red")]


def test_what_the_clock_plays_is_the_declared_default_whatever_the_seat_holds(store, time):
    """The default tells nothing: not what was pointed at last, and not which card is held."""
    for dice in (b"a", b"b", b"c"):
        match = cast.seat(store, rule=AT_ONCE, dice=dice)
        defaults = {seat: match.player_view(seat).asked[0].decision.default for seat in ("red", "blue")}
        time.pass_time(days=4)
        by_seat = {one.seat: one.move for one in moves(match)[:2]}
        assert by_seat == {seat: match.player_view().game.format(move) for seat, move in defaults.items()}


def test_the_computer_may_play_the_turn(store, time, toy, monkeypatch):
    match = cast.seat(store, rule=replace(AT_ONCE, then="bot"))
    answer(match, "blue", "bid 0")
    seen = []

    def bot(view, decision, _chance):
        seen.append(view)
        return decision.options[-1]

    monkeypatch.setattr(type(toy), "bot", lambda _self, *given: bot(*given))
    time.pass_time(days=4)
    assert moves(match)[1].source == "clock"
    assert moves(match)[1].move == "bid 3"
    assert {view.seat for view in seen} == {"red"}, "it knows what the seat may know, and no more"
    assert told(match) == [("timed_out", "red")]


def test_the_seat_may_open_and_the_game_waits(store, time):
    match = cast.seat(store, rule=replace(AT_ONCE, then="replace"))
    answer(match, "blue", "bid 0")
    time.pass_time(days=4)
    assert told(match) == [("timed_out", "red"), ("seat_open", "red")]
    time.pass_time(days=30)
    assert told(match) == [("timed_out", "red"), ("seat_open", "red")]
    assert match.player_view().to_move == ("red",)
    assert len(letters(match, "timed_out")) == 1
    answer(match, "red", "bid 1")
    assert told(match)[2:] == [("seat_back", "red")]


def test_the_seat_may_be_lost(store, time):
    """It plays on by its defaults and ranks last; the player who lost it hears of the end as all do."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=replace(AT_ONCE, then="lose"))
    answer(match, "blue", "bid 0")
    answer(match, "green", "bid 0")
    time.pass_time(days=4)
    assert told(match) == [("timed_out", "red"), ("seat_lost", "red")]
    sitting = match.player_view().sittings[0]
    assert (sitting.resigned, sitting.lost) == (True, True)
    service.resign(store, match.bearer("blue"), match.match_id)
    assert match.player_view().outcome.places == {"green": 1, "red": 2, "blue": 2}
    assert len(letters(match, "over")) == 3


@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize(("then", "concerned"), [("lose", 2), ("replace", 3), ("default", 3)])
def test_seats_with_the_same_deadline_are_treated_in_turn_order(store, clock, then, concerned, first):
    """Whichever the database names first. The last of them wins where the others lose their seats."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=replace(AT_ONCE, then=then))
    seats = [one.seat for one in match.player_view().sittings]
    clock.advance(days=4, minutes=1)
    timeouts.run_out(store, match.match_id, seats[first])
    for seat in seats:
        timeouts.run_out(store, match.match_id, seat)
    order = [seat for what, seat in told(match) if what == "timed_out"]
    assert order[:concerned] == seats[:concerned]


def test_the_last_who_stays_wins_when_the_other_loses_their_seat(store, time):
    match = cast.seat(store, rule=replace(AT_ONCE, then="lose"))
    answer(match, "blue", "bid 0")
    time.pass_time(days=4)
    assert match.player_view().status == "over"
    assert match.player_view().outcome.places["blue"] == 1


@pytest.mark.parametrize("end", ["resign", "called_off"])
def test_a_finished_game_has_no_timers(store, time, clock, end):
    """The end stops them all, and nobody winds one up again: nobody is late in a game that is over."""
    match = cast.seat(store, rule=AT_ONCE)
    ada = match.bearer(next(seat for seat in match.rows if match.player_view().name(seat) == "Ada"))
    if end == "resign":
        service.resign(store, match.bearer("red"), match.match_id)
    else:
        organiser.call_off(store, ada, match.match_id)
    ended = told(match)
    letters_then = len(cast.rows(store, "SELECT id FROM letter"))
    with pytest.raises(Closed, match="over"):
        organiser.extend(store, ada, match.match_id, 2, seen="")
    with pytest.raises(Closed, match="over"):
        pauses.request(store, ada, match.match_id)
    today = clock.moment.date()
    assert absences.preview(store, ada.player_id, today, today) == ()
    open_ones = cast.rows(store, "SELECT * FROM question WHERE closed_at IS NULL")
    assert open_ones == []
    time.pass_time(days=10)
    assert told(match) == ended
    assert len(cast.rows(store, "SELECT id FROM letter")) == letters_then


def test_the_bank_gets_its_increment_after_a_turn_that_the_clock_played(store, time):
    match = cast.seat(store, rule=Rule("bank", bank=2 * DAY, increment=DAY, cap=9 * DAY))
    answer(match, "blue", "bid 0")
    time.pass_time(days=2)
    banks = {row.seat: row.bank for row in cast.rows(store, "SELECT seat, bank FROM chair")}
    assert banks["red"] == DAY


def test_one_match_that_fails_does_not_stop_the_others(store, time, monkeypatch, caplog):
    first, second = (cast.seat(store, rule=AT_ONCE) for _ in range(2))
    real = timeouts.reading.by_match

    def by_match(connection, match_id, token=None):
        if match_id == first.match_id:
            raise ZeroDivisionError
        return real(connection, match_id, token)

    time.pass_time(days=3)
    with monkeypatch.context() as patched:
        patched.setattr(timeouts.reading, "by_match", by_match)
        time.pass_time(days=1)
    assert told(first) == []
    assert len(told(second)) >= 2
    assert f"match {first.match_id}: time could not be seen to" in caplog.text
    sweep.sweep(store)
    assert len(told(first)) >= 2


def test_an_absence_entered_later_moves_the_deadline_and_the_reminders(store, time, clock):
    match = cast.seat(store, rule=RULE)
    answer(match, "blue", "bid 0")
    begun = clock.moment
    time.pass_time(days=1)
    stop = Stop(begun + timedelta(days=1), begun + timedelta(days=8))
    ada = match.rows["red"].player_id
    change(store, "UPDATE player SET away = :stops WHERE id = :ada", stops=codec.dumps([stop]), ada=ada)
    time.pass_time(hours=190)
    assert letters(match, "reminder") == []
    time.pass_time(hours=5)
    assert len(letters(match, "reminder")) == 1
    time.pass_time(hours=43)
    assert told(match) == []
    time.pass_time(days=1)
    assert match.player_view().notices[0].at == begun + timedelta(days=11)


def test_who_was_asked_late_by_fault_of_the_mail_is_not_timed_out(store, time, clock):
    """While the mail server does not take the letter that asks, nobody's time is up."""
    match = cast.seat(store, rule=AT_ONCE)
    answer(match, "blue", "bid 0")
    change(store, "UPDATE letter SET tries = 9, reason = 'connection' WHERE kind = 'asked' AND seat = 'red'")
    time.pass_time(days=5)
    assert told(match) == []
    change(store, "UPDATE letter SET status = 'failed' WHERE kind = 'asked'")
    time.pass_time(hours=1)
    assert told(match) == [("timed_out", "red")]
    del clock


def test_a_notice_of_the_same_deadline_is_told_once_even_when_the_work_is_done_again(store, time, clock):
    """A worker dies after the notice was written and before the rest: none of it is there; later all is."""
    match = cast.seat(store, rule=AT_ONCE)
    answer(match, "blue", "bid 0")
    clock.advance(days=4)
    real = timeouts.answer

    def dies(*_, **__):
        raise KeyboardInterrupt

    timeouts.answer = dies
    try:
        with pytest.raises(KeyboardInterrupt):
            sweep.sweep(store)
    finally:
        timeouts.answer = real
    assert told(match) == []
    assert letters(match, "timed_out") == []
    sweep.sweep(store)
    sweep.sweep(store)
    assert told(match) == [("timed_out", "red")]
    assert len(letters(match, "timed_out")) == 1
    del time


def test_notices_are_untouched_by_what_is_not_due(store, time):
    match = cast.seat(store, rule=RULE)
    time.pass_time(hours=1)
    with store.reading() as connection:
        found = reading.by_match(connection, match.match_id)
        assert notices.told(connection, found, 0, 99) == ()

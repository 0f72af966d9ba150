"""Seats that nobody is asked at play on, and only those."""

import pytest

from app.play.match import replay
from app.play.match.records import Closed
from app.play.moves import bots, service
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy", "clock")


def finish(store, match, most=200):
    """Play the people's part by the last option until the match is over."""
    for _ in range(most):
        bots.play_unmanned(store)
        seen = match.player_view()
        if seen.status == "over":
            return seen
        for seat in seen.to_move:
            if asked := match.player_view(seat).asked:
                text = seen.game.format(asked[0].decision.options[-1])
                service.play(store, match.bearer(seat), asked[0].question_id, text)
                break
    raise AssertionError("the match does not end")


def test_bots_play_until_they_wait_for_people_and_get_no_letters(store, rings):
    match = cast.seat(store, ("Ada",), bots=2)
    assert rings, "the workers were told that bots are asked"
    assert bots.play_unmanned(store) == 2
    assert bots.play_unmanned(store) == 0
    (person,) = match.player_view().to_move
    assert not match.rows[person].bot
    seen = finish(store, match)
    assert seen.outcome is not None
    assert cast.rows(store, "SELECT id FROM letter WHERE player_id IS NULL AND kind <> 'confirm'") == []
    assert cast.one(store, "SELECT count(*) AS n FROM letter WHERE kind = 'over'").n == 1
    assert replay.check(store, match.match_id)


def test_a_move_that_asks_a_bot_rings(store, rings):
    match = cast.seat(store, ("Ada",), bots=1)
    bots.play_unmanned(store)
    seat = match.player_view().to_move[0]
    del rings[:]
    service.play(store, match.bearer(seat), match.question(seat), "bid 0")
    assert rings


def test_a_resigned_seat_plays_its_defaults_gets_one_last_letter_and_ranks_last(store, rings):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), options={"bank": "long"})
    del rings[:]
    service.resign(store, match.bearer("red"), match.match_id)
    assert rings
    seen = finish(store, match)
    defaults = cast.rows(store, "SELECT seat, move FROM played WHERE source = 'default'")
    assert {row.seat for row in defaults} == {"red"}
    assert "bid 0" in {row.move for row in defaults}
    assert seen.outcome is not None
    assert seen.outcome.places["red"] == 3
    assert min(seen.outcome.places.values()) == 1
    red = cast.rows(store, "SELECT kind FROM letter WHERE seat = 'red'")
    assert sorted(row.kind for row in red) == ["asked", "over"]
    assert replay.check(store, match.match_id)


def test_a_bot_that_fails_does_not_stop_the_others(store, toy, clock, monkeypatch, caplog):
    first = cast.seat(store, ("Ada",), bots=1)
    clock.advance(minutes=1)  # so that it is the first one's turn to be answered first
    second = cast.seat(store, ("Ada",), bots=1)
    sane = toy.bot
    broken = next(one.seat for one in first.player_view().sittings if one.bot)
    calls = []

    def bot(view, decision, chance):
        calls.append(decision)
        if len(calls) == 1:
            raise ZeroDivisionError
        return sane(view, decision, chance)

    monkeypatch.setattr(toy, "bot", bot)
    assert bots.play_unmanned(store) == 1
    assert "could not answer" in caplog.text
    assert broken in first.player_view().to_move
    assert len(second.player_view().to_move) == 1
    assert bots.play_unmanned(store) == 1, "tried again at the next ring"


def test_more_failing_bots_than_are_looked_for_at_a_time_stop_nobody(store, clock, monkeypatch):
    monkeypatch.setattr(bots, "BUNDLE", 2)
    for _ in range(5):
        cast.seat(store, ("Ada",), bots=1)
    clock.advance(minutes=1)
    last = cast.seat(store, ("Ada",), bots=1)
    sane = bots.bot_answer

    def answer(standing, decision):
        if standing.match_id != last.match_id:
            raise ZeroDivisionError
        return sane(standing, decision)

    monkeypatch.setattr(bots, "bot_answer", answer)
    assert bots.play_unmanned(store) == 1
    assert len(last.player_view().to_move) == 1


def test_after_so_many_answers_letters_get_their_turn(store, rings):
    cast.seat(store, ("Ada",), bots=3)
    del rings[:]
    assert bots.play_unmanned(store, most=1) >= 1
    assert rings


def test_bots_left_alone_play_to_the_end(store):
    match = cast.seat(store, ("Ada",), bots=2)
    person = next(seat for seat, row in match.rows.items() if not row.bot)
    service.resign(store, match.bearer(person), match.match_id)
    bots.play_unmanned(store)
    seen = match.player_view()
    assert seen.status == "over"
    assert seen.outcome.places[person] == 3
    with pytest.raises(Closed):
        service.resign(store, match.bearer(person), match.match_id)

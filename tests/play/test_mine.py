"""A player's own matches: what waits comes first, by deadline, and each list is read by pages."""

import pytest

from app.play.clock.rules import Rule
from app.play.lobby import invitations
from app.play.moves import service
from app.play.views import mine, pending
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy")
DAY = 86400


def lists_of(store, player_id):
    return {which: [line.match_id for line in mine.page(store, player_id, which, 20)] for which in mine.LISTS}


def asked(match):
    return next(seat for seat in match.rows if match.player_view(seat).asked)


def test_what_waits_comes_by_deadline(store):
    slow = cast.seat(store, rule=Rule("per_move", per_move=9 * DAY))
    free = cast.seat(store)
    quick = cast.seat(store, rule=Rule("per_move", per_move=DAY))
    player = slow.rows[asked(slow)].player_id
    expected = [one.match_id for one in (quick, slow, free) if one.rows[asked(one)].player_id == player]
    lines = mine.page(store, player, mine.TURN, 20)
    assert [line.match_id for line in lines] == expected
    assert all(line.waiting for line in lines)
    assert lines[0].deadline is not None
    assert pending.next_match(store, player) == expected[0]
    assert pending.next_match(store, player, but=expected[0]) == expected[1]


def test_the_lists_leave_nothing_out_and_name_nothing_twice(store):
    waits = cast.seat(store)
    opened = cast.open_table(store, ("Ada", "Bo", "Cleo"))
    invitations.accept(store, cast.tokens(store, opened)[0], "Ada", "en", "UTC", "")
    over = cast.seat(store)
    for seat in list(over.rows)[:1]:
        service.resign(store, over.bearer(seat), over.match_id)
    for player_id in (1, 2):
        found = lists_of(store, player_id)
        counted = mine.counts(store, player_id)
        assert [len(found[which]) for which in mine.LISTS] == [
            counted.turn,
            counted.waiting,
            counted.finished,
        ]
        everything = sorted(match_id for some in found.values() for match_id in some)
        assert everything == sorted({waits.match_id, over.match_id, *([opened] if player_id == 1 else [])})
        assert found["finished"] == [over.match_id]


def test_pages_follow_each_other(store):
    for _ in range(5):
        cast.seat(store)
    for player_id in (1, 2):
        whole = mine.page(store, player_id, mine.TURN, 20)
        parts = [mine.page(store, player_id, mine.TURN, 2, passed) for passed in range(0, 6, 2)]
        assert [line.match_id for part in parts for line in part] == [line.match_id for line in whole]


def test_a_game_that_was_never_played_is_new(store):
    assert not mine.has_played(store, 1, "ferry")
    cast.seat(store)
    assert mine.has_played(store, 1, "ferry")
    assert not mine.has_played(store, 1, "chess")

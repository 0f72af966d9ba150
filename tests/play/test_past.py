"""Earlier positions, which are kept, are those of the log."""

import random

import pytest

from app.play.match import past, replay
from app.play.match.records import Viewer
from app.play.moves import service
from app.play.views.player_view import player_view_by_token
from tests.web.visits import House
from tests.work import lines_run

pytestmark = pytest.mark.usefixtures("clock")


def test_kept_positions_are_those_of_the_log_in_any_order_and_after_taking_back(store):
    house = House(store)
    match_id = house.start("Ada", "Bo", setup="random")
    for n in range(40):
        house.play(match_id, 1)
        if n % 3 == 0:
            for token in house.turns(match_id).values():
                if player_view_by_token(store, token).can_take_back:
                    service.take_back(store, Viewer(token=token), match_id, ply=_last(house, match_id))
    last = _last(house, match_id)
    assert house.rows("SELECT count(*) FROM played WHERE move = 'undo'")[0][0] > 2
    order = [*range(last + 1), *range(last, -1, -1)]
    random.Random(7).shuffle(order)
    for ply in order:
        with store.reading() as connection:
            assert past.position_in(connection, match_id, ply) == replay.replay_in(connection, match_id, ply)


def _last(house, match_id) -> int:
    return house.rows('SELECT ply FROM "match" WHERE id = :m', m=match_id)[0].ply


def test_the_next_position_costs_one_move_however_long_the_log(store):
    house = House(store)
    match_id = house.start("Ada", "Bo", game="atlantis")
    house.play(match_id, 45)
    with store.reading() as connection:
        past.position_in(connection, match_id, 5)
        past.position_in(connection, match_id, 39)
        early = lines_run(lambda: past.position_in(connection, match_id, 6))
        late = lines_run(lambda: past.position_in(connection, match_id, 40))
        assert late < early * 3

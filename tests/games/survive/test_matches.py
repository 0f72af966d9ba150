"""The golden matches have every end, of every edition."""

import pytest

from app.games.survive import EARLIER, GAME, Survive
from tests.games import golden


@pytest.mark.parametrize("game", [GAME, *EARLIER], ids=lambda game: f"edition {game.edition}")
def test_there_is_a_match_for_each_way_to_end_and_each_number_of_seats(game: Survive) -> None:
    found = [one.match for one in golden.of("survive") if one.match.edition == game.edition]
    assert {match.ending.reason for match in found if match.ending} == set(GAME.endings)
    assert {len(match.players) for match in found} == set(GAME.seats)

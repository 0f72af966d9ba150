"""The golden matches have every end, and what is rare."""

from app.games.atlandice import GAME
from app.games.atlandice.events import HandMoved, Sunk
from tests.games import golden

FILES = [path for path in golden.FILES if path.parts[-3] == "atlandice"]


def test_there_is_a_match_for_each_way_to_end_and_each_number_of_seats():
    found = [golden.verified(path) for path in FILES]
    events = [[told.event for made in one.made for told in made.told] for one in found]
    endings = [one.match.ending for one in found if one.match.ending]
    assert {len(one.match.players) for one in found} == set(GAME.seats)
    assert {ending.reason for ending in endings} == set(GAME.endings)
    ends = [[event.area for event in match if isinstance(event, HandMoved)][-1] for match in events]
    assert {area == "" for area in ends} == {True, False}
    winners = {[one.place for one in ending.results].count(1) > 1 for ending in endings}
    assert winners == {True, False}
    assert any(isinstance(event, Sunk) for match in events for event in match)

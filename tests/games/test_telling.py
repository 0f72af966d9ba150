"""How games tell of events: their weights, their places on the board, and what the statistics count."""

import pytest

from app import draw
from tests.games.random_games import played, some
from tests.nim import GAMES


@pytest.mark.parametrize("slug", GAMES)
def test_events_have_weights_and_places_that_the_board_knows(slug):
    game = GAMES[slug]
    state, _ = played(slug, game.seats[-1])[0]
    known = draw.places(game, game.view(state, None), "en")
    tellings = [game.telling(told.event) for _, events in played(slug, game.seats[-1]) for told in events]
    assert {one.weight for one in tellings} <= {0, 1, 2}
    if known:
        assert {place for one in tellings for place in one.course} <= set(known)
        assert any(len(one.course) > 1 for one in tellings)


@pytest.mark.parametrize("slug", GAMES)
def test_points_end_as_the_scores_and_counts_belong_to_a_figure(slug):
    game = GAMES[slug]
    states = some(slug, game.seats[-1], 12)
    scores = game.outcome(states[-1]).scores
    assert {seat: many for seat, many in game.points(states[-1]).items() if seat in scores} == scores
    for state in states:
        assert all(isinstance(many, int) for many in game.points(state).values())
    counts = [
        one
        for _, events in played(slug, game.seats[-1])
        for told in events
        for one in game.counts(told.event)
    ]
    assert {one.figure for one in counts} <= set(game.figures)
    assert all(one.many >= 1 for one in counts)

"""Whole games as they were played. If one ends otherwise, the rules need a new edition."""

import pytest

from app.games import all_games, editions
from tests.games import golden


@pytest.mark.parametrize("path", golden.FILES, ids=lambda path: path.stem)
def test_a_match_ends_as_it_did(path):
    match = golden.verified(path).match
    assert match.ending
    assert match.comments
    assert match.game == path.parts[-3]


@pytest.mark.parametrize("slug", sorted(all_games()))
def test_there_is_a_match_for_each_edition_and_number_of_seats(slug):
    found = {(one.match.edition, len(one.match.players)) for one in golden.of(slug)}
    assert {edition for edition, _ in found} == {game.edition for game in editions()[slug]}
    assert {seats for _, seats in found} == set(all_games()[slug].seats)

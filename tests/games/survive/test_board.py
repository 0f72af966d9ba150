"""The counts that the printed board and tiles have."""

import pytest

from app.games.survive.board import (
    AXIAL,
    BACK_COUNT,
    HOLE,
    ISLAND,
    ISLES,
    NEIGHBOURS,
    SERPENTS_AT,
    SPACES,
    TERRAIN_COUNT,
    VALUES,
)

OUTER_SEA = set(SPACES) - set(ISLAND) - {HOLE}


def mirrored(name: str, east_west: int, north_south: int) -> str:
    """The space that a mirror through the middle shows."""
    q, r = AXIAL[name]
    double = 2 * q + r
    double, r = double * east_west, r * north_south
    return {place: other for other, place in AXIAL.items()}[((double - r) // 2, r)]


def test_the_board_has_133_spaces_of_which_40_are_island_and_92_outer_sea() -> None:
    assert len(SPACES) == 133
    assert len(ISLAND) == 40
    assert len(OUTER_SEA) == 92
    assert (SPACES[0], SPACES[-1], AXIAL[HOLE]) == ("A3", "M9", (0, 0))


def test_neighbours_are_mutual_and_at_axial_distance_one() -> None:
    around = {(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)}
    for name, (q, r) in AXIAL.items():
        expected = {other for other, (a, b) in AXIAL.items() if (a - q, b - r) in around}
        assert set(NEIGHBOURS[name]) == expected


@pytest.mark.parametrize("mirror", [(-1, 1), (1, -1), (-1, -1)])
def test_the_island_looks_the_same_in_both_mirrors(mirror: tuple[int, int]) -> None:
    assert {mirrored(name, *mirror) for name in ISLAND} == set(ISLAND)


def test_coast_hole_and_shore() -> None:
    coast = {name for name in ISLAND if OUTER_SEA & set(NEIGHBOURS[name])}
    rim = {name for name in ISLAND if HOLE in NEIGHBOURS[name]}
    shore = {name for name in OUTER_SEA if set(ISLAND) & set(NEIGHBOURS[name])}
    assert (len(coast), len(rim), len(shore), coast & rim) == (22, 6, 28, set())


def test_each_isle_is_reached_from_two_neighbouring_sea_spaces() -> None:
    for first, second in ISLES.values():
        assert second in NEIGHBOURS[first]
        assert {first, second} <= OUTER_SEA
    assert len({space for two in ISLES.values() for space in two}) == 8


def test_serpents_start_at_the_isles_and_in_the_hole() -> None:
    assert SERPENTS_AT == ("B2", "C11", "K1", "L11", "G6")


def test_tile_backs_and_values_add_up() -> None:
    assert {kind: counts.total() for kind, counts in BACK_COUNT.items()} == TERRAIN_COUNT
    total = sum(BACK_COUNT.values(), start=type(BACK_COUNT["beach"])())
    assert (total["shark"], total["whale"], total["ship"], total["volcano"]) == (6, 5, 4, 1)
    assert (len(VALUES), sum(VALUES)) == (10, 28)

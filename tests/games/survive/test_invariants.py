"""Invariants of every state, checked in games of random legal moves."""

import hashlib
import itertools
from collections.abc import Iterator

import pytest

from app.engine.chance import Chance
from app.games.survive import GAME
from app.games.survive.board import (
    ABOARD,
    EXPLORERS,
    FIRST_OF,
    LOST,
    ON_ISLE,
    ON_SHIP,
    SUPPLY,
    UNPLACED,
    VALUES,
)
from app.games.survive.rules.ground import ground, teams
from app.games.survive.state import State
from tests.share import in_blocks

OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"setup": "live"},
    {"setup": "random", "memory": "rulebook"},
    {"overpopulated": "on", "setup": "live"},
    {"to_the_last": "on", "setup": "random"},
    {"submerged": "on", "hunters": "on"},
    {"all_equal": "on", "explorers_of_all_isles": "on"},
)
TABLES: tuple[tuple[int, dict[str, str]], ...] = (
    *itertools.product((2, 3, 4), OPTIONS),
    (2, {"colours": "two", "setup": "live"}),
    (2, {"colours": "two", "to_the_last": "on", "overpopulated": "on"}),
)


def states(seats: int, options: dict[str, str], number: int) -> Iterator[State]:
    """Every state of one random game."""
    seed = hashlib.sha256(f"{seats} {options} {number}".encode()).digest()
    choices = Chance(seed, 0, "choices")
    state = GAME.setup(GAME.colours[:seats], GAME.complete_options(seats, options), Chance(seed, 0)).state
    for ply in itertools.count(1):
        assert isinstance(state, State)
        yield state
        decisions = GAME.decisions(state)
        if not decisions:
            return
        decision = choices.pick(decisions)
        move = choices.pick(decision.options) if decision.options else decision.default
        state = GAME.apply(state, decision.seat, move, Chance(seed, ply)).state


def check_state(state: State) -> None:
    """Raises AssertionError where a promise of the rules, sections 1 to 5, is broken."""
    sea = ground(state.tiles).sea
    sharks_and_serpents = {at for at in state.creatures[: FIRST_OF["whale"]] if at >= 0}
    wreckers = {
        at
        for n, at in enumerate(state.creatures)
        if at >= 0 and not FIRST_OF["shark"] <= n < FIRST_OF["whale"]
    }
    ships = [at for at in state.ships if at >= 0]
    assert len(set(ships)) == len(ships), "two ships on one space"
    assert all(sea >> at & 1 for at in (*ships, *sharks_and_serpents, *wreckers)), "a swimmer on land"
    paused = state.creatures[state.attacker] if state.attacker >= 0 else None
    crews = dict.fromkeys(range(len(state.ships)), 0)
    for at in state.where:
        if ON_SHIP <= at < ON_ISLE:
            crews[at - ON_SHIP] += 1
        elif 0 <= at < ON_SHIP and sea >> at & 1:
            assert at == paused or at not in sharks_and_serpents, "a swimmer beside a shark or serpent"
    for ship, crew in crews.items():
        assert crew <= ABOARD
        assert not crew or state.ships[ship] >= 0, "a crew without a ship"
        at = state.ships[ship]
        assert not crew or at == paused or at not in wreckers, "a loaded ship beside a serpent or whale"
    kinds = dict(zip(("shark", "whale", "ship"), state.appeared, strict=True))
    assert all(kinds[kind] <= SUPPLY[kind] for kind in kinds), "the supply is short"
    assert 0 <= state.points <= 3
    check_people(state)


def check_people(state: State) -> None:
    """Raises AssertionError where an explorer has vanished or a value is wrong."""
    owner = teams(state.seats, state.variant.two).owner
    assert len(state.where) == len(EXPLORERS)
    for first in range(0, len(EXPLORERS), len(VALUES)):
        ten = range(first, first + len(VALUES))
        if owner[first] < 0:
            assert all(state.where[n] == LOST and not state.worth[n] for n in ten)
        elif all(state.where[n] != UNPLACED for n in ten):
            assert sorted(state.worth[n] for n in ten) == list(VALUES)
    assert all((at == UNPLACED) == (state.worth[n] == 0) for n, at in enumerate(state.where) if owner[n] >= 0)


def check_passage(before: State, after: State) -> None:
    """Raises AssertionError where something came back, or a tile was lost on its way."""
    for was, now in zip(before.where, after.where, strict=True):
        assert was != LOST or now == LOST, "the dead come back"
        assert was < ON_ISLE or now == was, "somebody left an isle"
    sunk = sum(bool(was) and not now for was, now in zip(before.tiles, after.tiles, strict=True))
    assert sunk == sum(map(bool, before.tiles)) - sum(map(bool, after.tiles)) <= 1
    played = sum(map(len, before.hands)) - sum(map(len, after.hands))
    assert -sunk <= played <= 1


def check_game(seats: int, options: dict[str, str], number: int) -> None:
    """Play one random game, checking every state. Raises AssertionError."""
    before: State | None = None
    for state in states(seats, options, number):
        check_state(state)
        if before is not None:
            check_passage(before, state)
        before = state
    assert before is not None
    assert GAME.outcome(before) is not None


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_nothing_impossible_happens(table: tuple[int, dict[str, str]]) -> None:
    check_game(*table, number=0)


@pytest.mark.parametrize(
    ("table", "numbers"), in_blocks(TABLES, range(1, 1000 // len(TABLES) + 2), blocks=3), ids=str
)
def test_nothing_impossible_happens_in_a_thousand_games(
    table: tuple[int, dict[str, str]], numbers: range
) -> None:
    for number in numbers:
        check_game(*table, number=number)

"""The listed moves equal those of a plain second implementation, in every state of random games."""

import hashlib
from typing import Any

import pytest

from app.engine.chance import Chance
from app.games.survive import GAME
from app.games.survive.board import TEAMS
from tests.games.survive.plainly import Plain
from tests.share import in_blocks

TABLES: list[tuple[int, dict[str, str]]] = [
    (2, {}),
    (3, {}),
    (4, {"overpopulated": "on"}),
    (2, {"colours": "two"}),
    (3, {"to_the_last": "on"}),
    (4, {"submerged": "on"}),
    (3, {"landing": "free"}),
]


def check_game(seats: int, options: dict[str, str], number: int) -> int:
    """How many questions of a random game were compared. Raises AssertionError where one differs."""
    seed = hashlib.sha256(f"{seats} {options} {number}".encode()).digest()
    choices = Chance(seed, 0, "choices")
    names = GAME.colours[:seats]
    colours = {seat: TEAMS[seat] if "colours" in options else (seat,) for seat in names}
    state: Any = GAME.setup(
        names, GAME.complete_options(seats, {"setup": "random", **options}), Chance(seed, 0)
    ).state
    ply = 0
    while decisions := GAME.decisions(state):
        (decision,) = decisions
        offered = {GAME.format(move) for move in decision.options}
        if offered:
            assert offered == Plain(GAME.dump(state), colours, free_landing="landing" in options).answers()
        # Bots bring about what chance seldom does: loaded ships at isles, tiles in hands, crowds at sea.
        luck = Chance(seed, ply, "bot")
        sensible = choices.below(3) > 0
        move = GAME.bot(GAME.view(state, decision.seat), decision, luck) if sensible else None
        ply += 1
        move = move or (choices.pick(decision.options) if decision.options else decision.default)
        state = GAME.apply(state, decision.seat, move, Chance(seed, ply)).state
    return ply


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_what_is_offered_is_what_the_rules_allow(table: tuple[int, dict[str, str]]) -> None:
    assert check_game(*table, number=0) > 50


@pytest.mark.parametrize(("table", "numbers"), in_blocks(TABLES, range(1, 40), blocks=3), ids=str)
def test_what_is_offered_is_what_the_rules_allow_in_many_games(
    table: tuple[int, dict[str, str]], numbers: range
) -> None:
    for number in numbers:
        check_game(*table, number=number)

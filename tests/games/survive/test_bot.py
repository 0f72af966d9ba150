"""The simple player: legal, sensible, and through in reasonable time."""

from typing import Any

import pytest

from app.engine.chance import Chance
from app.games.survive import GAME

SEED = b"botbotbo" * 4


def played(seats: int, bots: int, number: int, **options: str) -> Any:
    """The last state of a game in which the first seats are bots and the others play at random."""
    state = GAME.setup(
        GAME.colours[:seats], GAME.complete_options(seats, options), Chance(SEED, number * 10_000)
    ).state
    ply = number * 10_000
    while decisions := GAME.decisions(state):
        ply += 1
        decision = decisions[0]
        choice = Chance(SEED, ply, "choice")
        if decision.seat in GAME.colours[:bots]:
            move = GAME.bot(GAME.view(state, decision.seat), decision, choice)
        else:
            move = choice.pick(decision.options) if decision.options else decision.default
        state = GAME.apply(state, decision.seat, move, Chance(SEED, ply)).state
    return state


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"setup": "live"},
        {"memory": "rulebook"},
        {"to_the_last": "on"},
        {"submerged": "on"},
        {"overpopulated": "on"},
    ],
    ids=str,
)
def test_bots_play_to_the_end_and_save_some(options: dict[str, str]) -> None:
    state = played(3, 3, 1, **options)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert sum(outcome.scores.values()) > 10
    assert state.number < 100


def test_bots_play_two_colours() -> None:
    outcome = GAME.outcome(played(2, 2, 1, colours="two"))
    assert outcome is not None
    assert min(outcome.scores.values()) > 0


def test_a_bot_beats_chance() -> None:
    outcomes = [GAME.outcome(played(4, 1, number)) for number in range(3)]
    assert all(outcome is not None and outcome.places["red"] == 1 for outcome in outcomes)


def bot_plays(position: dict[str, Any], seat: str = "red") -> str:
    state = GAME.load(position, ("red", "yellow"), GAME.complete_options(2, {}), Chance(SEED, 0))
    (decision,) = GAME.decisions(state)
    return GAME.format(GAME.bot(GAME.view(state, seat), decision, Chance(SEED, 1)))


@pytest.mark.parametrize(
    ("changes", "move"),
    [
        ({"explorers": {"red1": "ship1"}, "ships": {"ship1": "C1"}}, "move red1>isle"),
        ({"explorers": {"red1": "F5"}, "ships": {"ship1": "E5"}}, "move red1>ship1"),
        ({"explorers": {"red1": "G4", "yellow1": "F5"}, "turn": {"step": "sink"}}, "sink F5"),
        (
            {
                "explorers": {"red1": "G4", "yellow1": "sea:C4"},
                "creatures": {"shark1": "C3"},
                "turn": {"step": "creature", "die": "shark"},
            },
            "creature shark1>C4",
        ),
    ],
)
def test_a_bot_does_the_obvious(changes: dict[str, Any], move: str) -> None:
    terrain = {"F5": "forest", "G5": "forest", "G4": "forest", "H5": "forest"}
    assert bot_plays({"terrain": terrain, **changes}) == move


def test_a_bot_defends_where_it_can() -> None:
    position = {
        "terrain": {"G4": "mountain"},
        "explorers": {"red1": "G4", "yellow1": "sea:C4"},
        "hands": {"yellow": ["shark-defence"]},
        "attack": {"creature": "shark1", "at": "C4", "asked": "yellow"},
    }
    assert bot_plays(position, "yellow") == "defend"

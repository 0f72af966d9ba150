"""Whole games as they were played, of every edition. If one ends otherwise, the rules need a new edition."""

import hashlib
from pathlib import Path

import pytest

from app.engine.chance import Chance
from app.games import rules_of
from app.games.survive import EARLIER, GAME, Survive

MATCHES = sorted((Path(__file__).parent / "matches").glob("*.match"))


def replayed(path: Path) -> tuple[str, str, int]:
    """The result that a match file promises, the result of its replay, and the number of seats."""
    comment, edition, players, options, seed, *moves, wanted = path.read_text().splitlines()
    assert comment.startswith("# ")
    game = rules_of("survive", int(edition.removeprefix("edition: ")))
    seats = tuple(players.removeprefix("players: ").split())
    chosen = dict(pair.split("=") for pair in options.removeprefix("options:").split())
    secret = hashlib.sha256(seed.removeprefix("seed: ").encode()).digest()
    state = game.setup(seats, game.complete_options(len(seats), chosen), Chance(secret, 0)).state
    for ply, line in enumerate(moves, 1):
        seat, text = line.split(": ", 1)
        move = game.parse(state, seat, text)
        assert game.format(move) == text
        state = game.apply(state, seat, move, Chance(secret, ply)).state
    outcome = game.outcome(state)
    assert outcome is not None
    told = ", ".join(f"{seat} {outcome.scores[seat]} ({outcome.places[seat]})" for seat in seats)
    return wanted, f"= {outcome.reason}: {told}", len(seats)


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_a_match_ends_as_it_did(path: Path) -> None:
    wanted, found, _ = replayed(path)
    assert found == wanted


@pytest.mark.parametrize("game", [GAME, *EARLIER], ids=lambda game: f"edition {game.edition}")
def test_there_is_a_match_for_each_way_to_end_and_each_number_of_seats(game: Survive) -> None:
    paths = [path for path in MATCHES if f"\nedition: {game.edition}\n" in path.read_text()]
    ends = [replayed(path) for path in paths]
    assert {found.removeprefix("= ").split(":")[0] for _, found, _ in ends} == set(GAME.endings)
    assert {seats for *_, seats in ends} == set(GAME.seats)

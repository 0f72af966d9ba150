"""Whole games as they were played: the log is read, and ends as it did."""

from pathlib import Path

import pytest

from app.engine.chance import Chance
from app.games.atlandice import GAME
from app.games.atlandice.events import HandMoved, Sunk
from tests.games.atlandice.table import as_state, seed_of

MATCHES = sorted((Path(__file__).parent / "matches").glob("*.match"))


class Replay:
    """A match file replayed to its end."""

    def __init__(self, path: Path) -> None:
        comment, edition, players, seed, *moves, result = path.read_text().splitlines()
        assert comment.startswith("# ")
        assert edition == f"edition: {GAME.edition}"
        self.wanted = result
        self.seats = tuple(players.removeprefix("players: ").split())
        secret = seed_of(seed.removeprefix("seed: "))
        state = as_state(GAME.setup(self.seats, {}, Chance(secret, 0)))
        self.events = []
        for ply, line in enumerate(moves, 1):
            seat, text = line.split(": ")
            move = GAME.parse(state, seat, text)
            assert GAME.format(move) == text
            step = GAME.apply(state, seat, move, Chance(secret, ply))
            self.events += [told.event for told in step.told]
            state = as_state(step)
        self.outcome = GAME.outcome(state)

    @property
    def result(self) -> str:
        assert self.outcome
        told = (f"{seat} {self.outcome.scores[seat]} ({self.outcome.places[seat]})" for seat in self.seats)
        return f"= {self.outcome.reason}: {', '.join(told)}"

    @property
    def by_the_inn(self) -> bool:
        return [event.area for event in self.events if isinstance(event, HandMoved)][-1] == ""


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_a_match_ends_as_it_did(path):
    replay = Replay(path)
    assert replay.result == replay.wanted


def test_there_is_a_match_for_each_way_to_end_and_each_number_of_seats():
    replays = [Replay(path) for path in MATCHES]
    assert {len(replay.seats) for replay in replays} == set(GAME.seats)
    assert {replay.outcome.reason for replay in replays if replay.outcome} == set(GAME.endings)
    assert {replay.by_the_inn for replay in replays} == {True, False}
    winners = {list(r.outcome.places.values()).count(1) > 1 for r in replays if r.outcome}
    assert winners == {True, False}
    assert any(isinstance(event, Sunk) for replay in replays for event in replay.events)

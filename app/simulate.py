"""Games between bots: how long a game lasts, in turns and in letters."""

import hashlib
import statistics
from collections.abc import Iterator

import msgspec

from app.engine.chance import Chance
from app.engine.errors import BadOptions
from app.engine.game import Game, Options
from app.engine.presets import with_preset

MOST_MOVES = 20_000
"""More than any game has: one that goes on longer is stuck."""


class Stuck(Exception):  # noqa: N818 - a fact, like the errors of the engine
    """A simulated game doesn't end."""


class Length(msgspec.Struct, frozen=True):
    """One simulated game."""

    moves: int
    letters: tuple[int, ...]
    """How often each seat was newly asked; each time is one letter."""
    reason: str


def play(game: Game, seats: int, options: Options, seed: str) -> Length:
    """The length of one game between bots. Equal arguments give equal games. Raises Stuck."""
    secret = hashlib.sha256(seed.encode()).digest()
    mind = hashlib.sha256(f"mind of {seed}".encode()).digest()
    colours = game.colours[:seats]
    state = game.setup(colours, game.complete_options(seats, options), Chance(secret, 0)).state
    letters = dict.fromkeys(colours, 0)
    asked: set[str] = set()
    moves = 0
    while decisions := [one for one in game.decisions(state) if not one.optional]:
        now = {decision.seat for decision in decisions}
        for seat in now - asked:
            letters[seat] += 1
        asked = now
        moves += 1
        if moves > MOST_MOVES:
            raise Stuck(f"{game.slug} for {seats} with seed {seed!r}")
        decision = decisions[0]
        move = game.bot(game.view(state, decision.seat), decision, Chance(mind, moves))
        state = game.apply(state, decision.seat, move, Chance(secret, moves)).state
    outcome = game.outcome(state)
    assert outcome is not None
    return Length(moves, tuple(letters.values()), outcome.reason)


def report(game: Game, games: int, options: Options, preset: str = "") -> Iterator[str]:
    """Yield a line for each number of seats: moves, turns and letters, as median and middle four fifths.

    Numbers of seats for which the options aren't available are left out. Raises BadOptions if that is all of
    them, KeyError if there is no such preset, and Stuck.
    """
    tables: dict[int, Options] = {}
    refused: BadOptions | None = None
    for seats in game.seats:
        try:
            chosen = with_preset(game, preset, seats, options) if preset else options
            tables[seats] = game.complete_options(seats, chosen)
        except BadOptions as error:
            refused = error
    if refused and not tables:
        raise refused
    for seats, complete in tables.items():
        lengths = [play(game, seats, complete, f"{game.slug} {seats} {number}") for number in range(games)]
        yield (
            f"{game.slug}, {seats} seats: "
            f"{_spread([length.moves for length in lengths])} moves in "
            f"{_spread([sum(length.letters) for length in lengths])} turns, "
            f"{_spread([max(length.letters) for length in lengths])} letters to the player asked most"
        )


def _spread(numbers: list[int]) -> str:
    ordered = sorted(numbers)
    low, high = ordered[len(ordered) // 10], ordered[-1 - len(ordered) // 10]
    return f"{statistics.median_low(ordered)} ({low} to {high})"

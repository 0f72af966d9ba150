"""What a seat hears, is refused or has read tells nothing that its view does not.

Each state is compared with others that the seat can't tell from it (`resample`).
"""

import functools
import hashlib
from collections.abc import Callable, Iterator

import pytest

from app.engine import codec
from app.engine.chance import Chance
from app.engine.errors import RulesError
from app.engine.game import Game, Move, Record, Seat, Step
from tests.games.random_games import seed_of
from tests.nim import GAMES

WORLDS = 40
"""Set-ups that are compared with each other."""
HIDING = [slug for slug, game in GAMES.items() if not game.open_information]
TELLS_WHAT_IS_PAID = {"atlantis"}
"""Its payment shows cards of a hand and shuffles them back, so that no later view has them."""
each_hiding_game = pytest.mark.parametrize("slug", HIDING)


def heard(step: Step, seat: Seat | None) -> str:
    """The events of a step that the seat, or an onlooker, is told."""
    return codec.dump_told(
        tuple(one for one in step.told if one.to is None or (seat is not None and seat in one.to))
    )


def seen(game: Game, state: Record, seat: Seat | None) -> str:
    return codec.dumps(game.view(state, seat))


@functools.cache
def moments(slug: str) -> list[tuple[Record, Seat, Move, int]]:
    """States of whole random games, with the move that was made in each and its ply."""
    game, found = GAMES[slug], []
    for seats in game.seats:
        colours = game.colours[:seats]
        seed = seed_of(f"leaks {slug} {seats}")
        state = game.setup(colours, game.complete_options(seats, {}), Chance(seed, 0)).state
        ply = 0
        while (decisions := game.decisions(state)) and ply < 400:
            ply += 1
            chance = Chance(seed, 10_000 + ply)
            decision = chance.pick(decisions)
            move = chance.pick(decision.options) if decision.options else decision.default
            found.append((state, decision.seat, move, ply))
            state = game.apply(state, decision.seat, move, Chance(seed, ply)).state
    return found[:: max(1, len(found) // 100)]


def twins(slug: str, seat: Seat | None, state: Record, ply: int) -> Iterator[Record]:
    """Other states that the seat can't tell from this one."""
    for number in range(2):
        twin = GAMES[slug].resample(state, seat, Chance(seed_of(f"twin {number}"), ply))
        if twin != state:
            yield twin


def result(call: Callable[..., object], *arguments: object) -> object:
    """What a call gives, or the reason and the facts of its refusal."""
    try:
        return call(*arguments)
    except RulesError as error:
        return type(error).__name__, str(error), repr(getattr(error, "facts", ""))


@pytest.mark.parametrize("slug", [slug for slug in HIDING if slug not in TELLS_WHAT_IS_PAID])
def test_what_a_seat_hears_follows_from_what_it_sees(slug):
    game, compared = GAMES[slug], 0
    for state, mover, move, ply in moments(slug):
        step = game.apply(state, mover, move, Chance(seed_of("same"), ply))
        for seat in (*game.colours[: max(game.seats)], None):
            if seat is not None and seat not in seats_of(game, state):
                continue
            for twin in twins(slug, seat, state, ply):
                other = result(game.apply, twin, mover, move, Chance(seed_of("same"), ply))
                if isinstance(other, Step) and seen(game, step.state, seat) == seen(game, other.state, seat):
                    compared += 1
                    assert heard(step, seat) == heard(other, seat), (seat, mover, move)
    assert compared > 20


def seats_of(game: Game, state: Record) -> tuple[Seat, ...]:
    """The seats that have a view of their own in the state."""
    found = []
    for seat in game.colours:
        try:
            found.append(seat) if game.view(state, seat) else None
        except (RulesError, KeyError, ValueError, StopIteration, IndexError):
            continue
    return tuple(found)


@each_hiding_game
def test_nobody_else_hears_what_the_set_up_dealt(slug):
    """Onlookers who see the same were told the same."""
    game = GAMES[slug]
    for seats in game.seats:
        told: dict[str, str] = {}
        for number in range(WORLDS):
            chance = Chance(hashlib.sha256(f"{slug} {seats} {number}".encode()).digest(), 0)
            first = game.setup(game.colours[:seats], game.complete_options(seats, {}), chance)
            events = heard(first, None)
            assert told.setdefault(seen(game, first.state, None), events) == events


@each_hiding_game
def test_a_refusal_and_a_reading_tell_nothing(slug):
    game, compared = GAMES[slug], 0
    others = [move for _, _, move, _ in moments(slug)][::5]
    for state, _, _, ply in moments(slug)[::3]:
        for seat in {decision.seat for decision in game.decisions(state)}:
            for twin in twins(slug, seat, state, ply):
                for move in others:
                    text = game.format(move)
                    read = [result(game.parse, at, seat, text) for at in (state, twin)]
                    assert read[0] == read[1], (seat, text)
                    refused = [
                        result(game.apply, at, seat, move, Chance(seed_of("no"), 1)) for at in (state, twin)
                    ]
                    if not any(isinstance(one, Step) for one in refused):
                        compared += 1
                        assert refused[0] == refused[1], (seat, text)
                    else:
                        assert all(isinstance(one, Step) for one in refused), (seat, text)
    assert compared > 20


@each_hiding_game
def test_a_view_says_whose_it_is(slug):
    """Pictures for all seats are drawn from a view that belongs to nobody; this is how that is known."""
    game = GAMES[slug]
    for state, *_ in moments(slug)[::20]:
        assert game.view(state, None).seat is None  # type: ignore[attr-defined]
        for decision in game.decisions(state):
            assert game.view(state, decision.seat).seat == decision.seat  # type: ignore[attr-defined]

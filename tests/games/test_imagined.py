"""Playing on in thought tells nothing that a seat does not know, and goes as far as the rules do."""

from collections.abc import Iterator

import pytest

from app.engine import codec
from app.engine.chance import Chance
from app.engine.errors import RulesError
from app.engine.game import Record, Seat
from app.play.match.imagined import Imagined, Line
from tests.games.random_games import seed_of
from tests.games.test_leaks import HIDING, moments, twins
from tests.nim import GAMES

GOES_ON = 6


def told(world: Imagined) -> list[object]:
    """Everything that a page could show of a world."""
    return [
        world.lines,
        world.dropped,
        [(one.events, one.draws, codec.dumps(one.view)) for one in world.played],
        codec.dumps(world.view),
        world.asked,
        world.outcome,
    ]


def thoughts(slug: str) -> Iterator[tuple[Record, Seat, int]]:
    for state, _, _, ply in moments(slug)[::5]:
        if GAMES[slug].outcome(state) is None:
            for seat in state.seats:  # type: ignore[attr-defined]
                yield state, seat, ply


@pytest.mark.parametrize("slug", HIDING)
def test_two_worlds_that_a_seat_cannot_tell_apart_are_imagined_alike(slug):
    compared = 0
    for state, seat, ply in thoughts(slug):
        for twin in twins(slug, seat, state, ply):
            true, other = (Imagined(GAMES[slug], one, seat, 7) for one in (state, twin))
            for _ in range(GOES_ON):
                assert told(true) == told(other)
                if not true.asked:
                    break
                true.add(line := true.by_bot())
                assert other.by_bot() == line
                other.add(line)
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_the_same_deal_is_the_same_world_and_its_lines_are_played_again(slug):
    for state, seat, _ in list(thoughts(slug))[:6]:
        world = Imagined(GAMES[slug], state, seat, 3)
        for _ in range(GOES_ON):
            if not any(not one.optional for one in world.asked):
                break
            world.add(world.by_bot())
        again = Imagined(GAMES[slug], state, seat, 3, world.lines)
        assert told(again) == told(world)


def begun(slug: str, **options: str) -> tuple[Record, tuple[Seat, ...]]:
    game = GAMES[slug]
    seats = game.colours[:2]
    return game.setup(seats, game.complete_options(2, options), Chance(seed_of("begun"), 0)).state, seats


def test_the_player_says_what_the_die_shows():
    state, _ = begun("survive", setup="random")
    seat = GAMES["survive"].decisions(state)[0].seat
    tile = next(
        GAMES["survive"].format(move)
        for one in GAMES["survive"].decisions(state)
        for move in one.options
        if GAMES["survive"].format(move).startswith("sink")
    )
    shown = set()
    for face in ("serpent", "shark", "whale"):
        world = Imagined(GAMES["survive"], state, seat, 1, (Line(seat, tile, (face,)),))
        assert world.played[0].draws[-1].shown == face
        shown.add(codec.dumps(world.view))
    assert len(shown) > 1, "there are creatures of more than one kind to move"
    unfit = Imagined(GAMES["survive"], state, seat, 1, (Line(seat, tile, ("elephant",)),))
    assert unfit.played, "what can't be is left to chance"
    assert unfit.lines[0].shown == ()


def test_a_line_that_is_illegal_ends_the_line_and_says_so():
    state, _ = begun("survive", setup="random")
    seat = GAMES["survive"].decisions(state)[0].seat
    world = Imagined(GAMES["survive"], state, seat, 1)
    world.add(first := world.by_bot())
    lines = (first, Line(seat, "sink A1"), first)
    again = Imagined(GAMES["survive"], state, seat, 1, lines)
    assert again.lines == (first,)
    assert again.dropped == lines[1:]
    with pytest.raises(RulesError):
        again.add(Line(seat, "sink A1"))
    assert again.lines == (first,), "nothing half done"

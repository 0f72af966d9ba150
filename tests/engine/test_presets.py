"""Presets set an option only where it is available, and leave alone what they don't mention."""

import msgspec
import pytest

from app.engine.base import BaseGame
from app.engine.errors import BadOptions
from app.engine.game import Option, Preset
from app.engine.presets import decided, with_preset


class Boats(BaseGame):
    slug = "boats"
    seats = range(2, 5)
    options = (
        Option("colours", ("one", "two"), seats=(2,)),
        Option("fleet", ("four", "two"), needs=("colours", "two")),
        Option("pace", ("slow", "quick")),
        Option("storms", ("off", "on"), needs=("pace", "slow")),
    )
    presets = (
        Preset("email", {"pace": "slow"}),
        Preset("printed", {"pace": "quick", "fleet": "two"}),
        Preset("stormy", {"pace": "slow", "storms": "on"}),
    )


Boats.__abstractmethods__ = frozenset()
GAME = Boats()


@pytest.mark.parametrize(
    ("preset", "seats", "chosen", "found"),
    [
        ("email", 3, {}, {"pace": "slow"}),
        ("printed", 3, {}, {"pace": "quick"}),
        ("printed", 2, {"colours": "one"}, {"colours": "one", "pace": "quick"}),
        ("printed", 2, {"colours": "two"}, {"colours": "two", "pace": "quick", "fleet": "two"}),
        ("printed", 2, {"fleet": "two", "pace": "slow"}, {"pace": "quick"}),
        ("email", 2, {"colours": "two", "fleet": "two"}, {"colours": "two", "pace": "slow"}),
        ("stormy", 4, {}, {"pace": "slow", "storms": "on"}),
    ],
)
def test_a_preset_sets_an_option_only_where_it_is_available(preset, seats, chosen, found):
    made = with_preset(GAME, preset, seats, chosen)
    assert made == found
    assert GAME.complete_options(seats, made).items() >= found.items()


def test_options_that_no_preset_mentions_are_not_decided():
    assert decided(GAME) == {"pace", "fleet", "storms"}


def test_a_preset_that_is_not_there_is_a_key_error():
    with pytest.raises(KeyError):
        with_preset(GAME, "paper", 2, {})


@pytest.mark.parametrize(
    ("seats", "chosen", "option", "needs"),
    [
        (3, {"colours": "two"}, "colours", None),
        (2, {"fleet": "two"}, "fleet", ("colours", "two")),
        (2, {"colours": "one", "fleet": "two"}, "fleet", ("colours", "two")),
        (3, {"pace": "quick", "storms": "on"}, "storms", ("pace", "slow")),
    ],
)
def test_a_choice_that_is_not_available_is_refused_with_what_it_lacks(seats, chosen, option, needs):
    with pytest.raises(BadOptions) as caught:
        GAME.complete_options(seats, chosen)
    facts = caught.value.facts
    default = next(one.choices[0] for one in GAME.options if one.name == option)
    assert (caught.value.reason, facts["option"]) == ("bad_choice", option)
    assert (facts["choices"], facts["needs"]) == ((default,), needs)


def test_a_needed_choice_may_be_the_default():
    assert GAME.complete_options(2, {"storms": "on"})["storms"] == "on"


def test_a_preset_cannot_be_changed():
    with pytest.raises(AttributeError):
        GAME.presets[0].name = "x"
    assert msgspec.structs.asdict(GAME.presets[0])["choices"] == {"pace": "slow"}

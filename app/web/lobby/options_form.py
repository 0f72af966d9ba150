"""The options of a new game as a form: a preset or the player's own choice, and variants beside it."""

from collections.abc import Mapping

import msgspec
from flask import request

from app import narrate
from app.engine.game import Game, Option
from app.engine.presets import decided, with_preset
from app.people.errors import Refused
from app.web.core.rendering import field, language

OWN = "own"
"""The value of `preset` for choosing all options one by one. A form without the field means the same."""
SWITCH = ("off", "on")
"""The choices of an option that is shown as a checkbox."""


class PresetChoice(msgspec.Struct, frozen=True):
    """A preset in words."""

    name: str
    label: str
    about: str


class OptionField(msgspec.Struct, frozen=True):
    """The field of an option, in words."""

    name: str
    """Of the field."""
    label: str
    choices: list[tuple[str, str]]
    """Values and labels; empty for a switch."""
    selected: str
    """The selected value."""


class OptionsForm(msgspec.Struct, frozen=True):
    """The state of the form."""

    preset: str
    """The name of the selected preset, or OWN."""
    presets: list[PresetChoice]
    first: bool | None
    """Whether the box for a first game is ticked. None: the game has no such box."""
    about_first: str
    beside: list[OptionField]
    """Options chosen beside a preset."""
    own: list[OptionField]
    """Options that presets decide, for the player's own choice."""


def options_form(game: Game, *, newcomer: bool, chosen: Mapping[str, str]) -> OptionsForm:
    """The form as it was sent or prefilled; a fresh one selects the recommended preset.

    For a first game (`newcomer`) the box for it is ticked.
    """
    spoken = language()
    sent = "organiser" in chosen or "preset" in chosen
    names = [one.name for one in game.presets]
    usual = OWN if sent or not names else names[0]
    selected = chosen.get("preset", "") or usual
    first = bool(chosen.get("first")) if sent else newcomer
    has_first = bool(names and game.demo_options)
    by_preset = decided(game)
    return OptionsForm(
        preset=selected if selected in names else OWN,
        presets=[
            PresetChoice(one.name, narrate.preset(game, spoken, one), narrate.about_preset(game, spoken, one))
            for one in game.presets
        ],
        first=first if has_first else None,
        about_first=narrate.about_first_game(game, spoken) if has_first else "",
        beside=[_field(game, one, spoken, chosen) for one in game.options if one.name not in by_preset],
        own=[_field(game, one, spoken, chosen) for one in game.options if one.name in by_preset],
    )


def chosen_options(game: Game, seats: int) -> dict[str, str]:
    """The options that the form sends, incomplete and unchecked.

    Defaults are left out: a form sends one for each option, whether the option is available or not. Raises
    Refused("preset") for a preset that the game doesn't have, and gives back options that it doesn't have, so
    that the game refuses them.
    """
    named = {name.removeprefix("option-") for name in request.form if name.startswith("option-")}
    unknown = {name[:40]: field(f"option-{name}", 40) for name in named - {one.name for one in game.options}}
    sent = {one.name: field(f"option-{one.name}", 40) or one.choices[0] for one in game.options}
    preset, presets = field("preset", 40), [one.name for one in game.presets]
    if preset not in {"", OWN, *presets}:
        raise Refused("preset", preset=preset, known=[*presets, OWN])
    if preset in presets:
        sent = with_preset(game, preset, seats, sent)
        if field("first", 4) and preset == game.presets[0].name:
            sent |= game.demo_options
    defaults = {one.name: one.choices[0] for one in game.options}
    return unknown | {name: choice for name, choice in sent.items() if choice != defaults[name]}


def _field(game: Game, option: Option, spoken: str, form: Mapping[str, str]) -> OptionField:
    name = f"option-{option.name}"
    switch = option.choices == SWITCH
    return OptionField(
        name,
        narrate.option(game, spoken, option),
        [] if switch else [(one, narrate.choice(game, spoken, option, one)) for one in option.choices],
        form.get(name, option.choices[0]),
    )

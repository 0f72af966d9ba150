"""The options of a new game as a form: a preset or the player's own choice, and variants beside it."""

import msgspec
from flask import request

from app.engine.game import Game, Option, Preset
from app.engine.presets import decided, with_preset
from app.web.core.rendering import field

OWN = "own"
"""The value of `preset` for choosing all options one by one. A form without the field means the same."""


class OptionsForm(msgspec.Struct, frozen=True):
    """The state of the form."""

    preset: str
    """The name of the selected preset, or OWN."""
    presets: tuple[Preset, ...]
    first: bool | None
    """Whether the box for a first game is ticked. None: the game has no such box."""
    beside: tuple[Option, ...]
    """Options chosen beside a preset."""
    own: tuple[Option, ...]
    """Options that presets decide, for the player's own choice."""


def shown(game: Game, *, newcomer: bool) -> OptionsForm:
    """The form as it was sent; a fresh one selects the recommended preset, for a first game if it is one."""
    sent = "organiser" in request.form
    names = [one.name for one in game.presets]
    usual = OWN if sent or not names else names[0]
    chosen = field("preset", 40) or usual
    first = bool(field("first", 4)) if sent else newcomer
    by_preset = decided(game)
    return OptionsForm(
        preset=chosen if chosen in names else OWN,
        presets=game.presets,
        first=first if names and game.demo_options else None,
        beside=tuple(one for one in game.options if one.name not in by_preset),
        own=tuple(one for one in game.options if one.name in by_preset),
    )


def chosen(game: Game, seats: int) -> dict[str, str]:
    """The options that the form sends, incomplete and unchecked.

    Defaults are left out: a form sends one for each option, whether the option is available or not.
    """
    sent = {one.name: field(f"option-{one.name}", 40) or one.choices[0] for one in game.options}
    preset = field("preset", 40)
    if preset in [one.name for one in game.presets]:
        sent = with_preset(game, preset, seats, sent)
        if field("first", 4) and preset == game.presets[0].name:
            sent |= game.demo_options
    defaults = {one.name: one.choices[0] for one in game.options}
    return {name: choice for name, choice in sent.items() if choice != defaults[name]}

"""Presets of a game's options, applied beside options that were chosen one by one."""

from app.engine.game import Game, Options


def decided(game: Game) -> frozenset[str]:
    """The names of the options that presets decide."""
    return frozenset(name for preset in game.presets for name in preset.choices)


def with_preset(game: Game, name: str, seats: int, chosen: Options) -> dict[str, str]:
    """The chosen options with those of a preset, as far as they are available.

    The result isn't complete, and choices for options that presets decide are replaced. Raises KeyError if
    there is no such preset.
    """
    preset = next((one.choices for one in game.presets if one.name == name), None)
    if preset is None:
        raise KeyError(name)
    mine = {one: choice for one, choice in chosen.items() if one not in decided(game)}
    complete = {one.name: mine.get(one.name, one.choices[0]) for one in game.options}
    for option in game.options:
        if option.name in preset and option.available(seats, complete):
            mine[option.name] = complete[option.name] = preset[option.name]
    return mine

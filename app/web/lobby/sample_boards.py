"""Boards to look at before there is one: a game that the simple players have begun, and worked positions."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml
from jinja2 import TemplateNotFound

from app import draw, games, templating
from app.engine.chance import Chance

SEED = b"a board for the first page"
MOVES = 60
"""Enough for a few tiles to have gone down."""


@cache
def sample(slug: str) -> str:
    """The SVG of such a game, as an onlooker sees it."""
    game = games.all_games()[slug]
    seats = game.colours[: max(game.seats)]
    options = game.complete_options(len(seats), {})
    state = game.setup(seats, options, Chance(SEED, 0)).state
    for ply in range(1, MOVES + 1):
        asked = [decision for decision in game.decisions(state) if not decision.optional]
        if not asked:
            break
        decision = asked[0]
        move = game.bot(game.view(state, decision.seat), decision, Chance(SEED, ply, "bot"))
        state = game.apply(state, decision.seat, move, Chance(SEED, ply)).state
    return draw.board(game, game.view(state, None)).strip()


@cache
def worked(slug: str) -> Mapping[str, Mapping[str, Any]]:
    """The positions that the game's rules pages show, by name: `games/<slug>/rules/pictures.yaml`.

    Each has `players`, `position` and `options` as in scenario files; without a position it is a new game.
    It may have `seat`, whose board it is; `offered`, `picked` and `marks`, the names of what has a ring;
    `part`, the left, top, width and height of what is shown of the board.
    """
    try:
        text, _, _ = templating.loader().get_source(
            templating.environment(), f"games/{slug}/rules/pictures.yaml"
        )
    except TemplateNotFound:
        return {}
    found: dict[str, dict[str, Any]] = yaml.safe_load(text)
    return found


@cache
def drawn(slug: str, name: str, language: str) -> str:
    """The SVG of one of them. Raises KeyError, BadPosition, BadOptions."""
    game, told = games.all_games()[slug], worked(slug)[name]
    seats = tuple(told["players"])
    options = game.complete_options(len(seats), told.get("options", {}))
    chance = Chance(hashlib.sha256(SEED).digest(), 0)
    if "position" in told:
        state = game.load(told["position"], seats, options, chance)
    else:
        state = game.setup(seats, options, chance).state
    svg = draw.board(
        game,
        game.view(state, told.get("seat")),
        pick=dict.fromkeys(told.get("offered", ()), "#"),
        picked=told.get("picked", ()),
        marks=told.get("marks", ()),
        language=language,
    ).strip()
    if "part" in told:
        box = " ".join(map(str, told["part"]))
        svg = re.sub(r'viewBox="[^"]*"', f'viewBox="{box}"', svg, count=1)
    return svg


def size_of(slug: str, name: str, language: str) -> tuple[int, int]:
    """Its width and height, in the units of the drawing. Raises as `drawn`."""
    box = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', drawn(slug, name, language))
    assert box is not None
    return round(float(box[1])), round(float(box[2]))

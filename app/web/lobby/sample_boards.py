"""Boards for the lobby and the rules pages: a bots' game some moves old, and worked positions."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml
from jinja2 import TemplateNotFound

from app import draw, games, templating
from app.engine.chance import Chance
from app.engine.game import Game, Record

SEED = b"a board for the first page"
MOVES = 60
"""Enough for some tiles to be gone."""


@cache
def sample(slug: str, language: str = "en") -> str:
    """A board some moves into a bots' game, as SVG for onlookers."""
    game, state = _sampled(slug)
    return draw.board(game, game.view(state, None), language=language).strip()


@cache
def _sampled(slug: str) -> tuple[Game, Record]:
    """A state some moves into a bots' game."""
    game = games.all_games()[slug]
    seats = game.colours[: max(game.seats)]
    options = game.complete_options(len(seats), {})
    states = [game.setup(seats, options, Chance(SEED, 0)).state]
    for ply in range(1, MOVES + 1):
        asked = [decision for decision in game.decisions(states[-1]) if not decision.optional]
        if not asked:  # a short game is shown in its middle
            return game, states[ply // 2]
        decision = asked[0]
        move = game.bot(game.view(states[-1], decision.seat), decision, Chance(SEED, ply, "bot"))
        states.append(game.apply(states[-1], decision.seat, move, Chance(SEED, ply)).state)
    return game, states[-1]


@cache
def worked(slug: str) -> Mapping[str, Mapping[str, Any]]:
    """The worked positions in a game's rules by name, from `games/<slug>/rules/pictures.yaml`.

    Each has `players`, `position` and `options` as in scenario files; without a position it is a new game.
    `play` is played, as in scenario files, before the board is drawn, and the changes of its last move are
    highlighted; `then` holds moves that the page tells next, so that tests can play them. Optional: `seat`,
    for that seat's view; `offered`, `picked` and `marks`, the names to highlight; `part`, the left, top,
    width and height of the section of the board to show.
    """
    try:
        text, _, _ = templating.loader().get_source(
            templating.environment(), f"games/{slug}/rules/pictures.yaml"
        )
    except TemplateNotFound:
        return {}
    found: dict[str, dict[str, Any]] = yaml.safe_load(text)
    return found


def shown(game: Game, entry: Mapping[str, Any]) -> tuple[Record, tuple[str, ...]]:
    """The state that a picture shows, and the names of what the last move changed. Raises RulesError."""
    seats = tuple(entry["players"])
    options = game.complete_options(len(seats), entry.get("options", {}))
    secret = hashlib.sha256(SEED).digest()
    if "position" in entry:
        state: Record = game.load(entry["position"], seats, options, Chance(secret, 0))
    else:
        state = game.setup(seats, options, Chance(secret, 0)).state
    marks: tuple[str, ...] = ()
    steps = [
        (seat, text)
        for turn in entry.get("play", ())
        for seat, line in turn.items()
        for text in game.split(line)
    ]
    for ply, (seat, text) in enumerate(steps, 1):
        step = game.apply(state, seat, game.parse(state, seat, text), Chance(secret, ply))
        state, marks = step.state, draw.named(one.event for one in step.told if one.to is None)
    return state, marks


@cache
def drawn(slug: str, name: str, language: str) -> str:
    """A worked position as SVG. Raises KeyError, RulesError."""
    game, entry = games.all_games()[slug], worked(slug)[name]
    state, marks = shown(game, entry)
    svg = draw.board(
        game,
        game.view(state, entry.get("seat")),
        pick=dict.fromkeys(entry.get("offered", ()), "#"),
        picked=entry.get("picked", ()),
        marks=entry.get("marks", marks),
        language=language,
    ).strip()
    if "part" in entry:
        box = " ".join(map(str, entry["part"]))
        svg = re.sub(r'viewBox="[^"]*"', f'viewBox="{box}"', svg, count=1)
    return svg


def size_of(slug: str, name: str, language: str) -> tuple[int, int]:
    """The width and height of a worked position's SVG. Raises what `drawn` raises."""
    box = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', drawn(slug, name, language))
    assert box is not None
    return round(float(box[1])), round(float(box[2]))

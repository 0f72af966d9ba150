"""Scores and places (rules, section 5)."""

from app.engine.game import Outcome
from app.games.survive.board import ON_ISLE
from app.games.survive.rules.ground import teams
from app.games.survive.state import State


def saved(state: State) -> list[list[int]]:
    """For each seat its explorers on the isles."""
    members = teams(state.seats, state.variant.two).members
    return [[n for n in mine if state.where[n] >= ON_ISLE] for mine in members]


def points_of(state: State) -> dict[str, int]:
    """For each seat the points of its explorers on the isles so far."""
    scores: dict[str, int] = {}
    for seat, mine, kills in zip(state.seats, saved(state), state.kills, strict=True):
        score = len(mine) if state.variant.all_equal else sum(state.worth[n] for n in mine)
        if state.variant.hunters:
            score += kills
        if state.variant.isles:
            score += len({state.where[n] for n in mine})
        scores[seat] = score
    return scores


def outcome_of(state: State) -> Outcome | None:
    """The result, or None while the game goes on."""
    if state.step != "over":
        return None
    scores = points_of(state)
    heads = {seat: len(mine) for seat, mine in zip(state.seats, saved(state), strict=True)}
    ranks = {seat: (scores[seat], heads[seat]) for seat in state.seats}
    places = {seat: 1 + sum(other > rank for other in ranks.values()) for seat, rank in ranks.items()}
    return Outcome(places, scores, state.ending)

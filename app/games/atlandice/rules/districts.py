"""Scoring, refilling and sinking of emptied districts (section 4)."""

from app.games.atlandice.board import (
    AREAS,
    FIRST_POINTS,
    KINDS,
    MARKET,
    ON_MARKET,
    SECOND_POINTS,
)
from app.games.atlandice.events import Emptied, Refilled, Sunk
from app.games.atlandice.rules.draft import Draft
from app.games.atlandice.rules.scoring import ranking


def score_emptied(draft: Draft) -> None:
    """Score every district that the visit emptied, and those that a kind leaving the game empties."""
    due = [at for at in draft.before if not any(draft.stock[at])]
    scored: set[int] = set()
    while due:
        at = due.pop(0)
        if at in scored:
            continue
        scored.add(at)
        _award(draft, at)
        returned = _give_back(draft, at)
        draft.piles[at] = draft.piles[at][1:]
        if draft.piles[at]:
            _refill(draft, at, returned)
            draft.reveals = True
        else:
            due = [*_sink(draft, at), *due]


def _award(draft: Draft, at: int) -> None:
    """Give the tile and the points for it."""
    firsts, seconds = ranking([row[at] for row in draft.owned])
    tile = draft.piles[at][0]
    taker = ""
    tied: list[str] = []
    if firsts:
        # Turn order starts with the active player; the neutral player comes last.
        seats = len(draft.seats)
        first = min(firsts, key=lambda owner: seats if owner == seats else (owner - draft.turn) % seats)
        taker = draft.owners[first]
        draft.tiles[first] = tuple(sorted((*draft.tiles[first], tile)))
        for owner in firsts:
            if owner != first:
                draft.points[owner] += FIRST_POINTS
                tied.append(draft.owners[owner])
    for owner in seconds:
        draft.points[owner] += SECOND_POINTS
    names = tuple(draft.owners[owner] for owner in seconds)
    draft.tell(Emptied(AREAS[at], tile, KINDS[at], taker, tuple(tied), names))


def _give_back(draft: Draft, kind: int) -> int:
    """All owners return all they have of the kind. Gives back how many that are."""
    returned = 0
    for row in draft.owned:
        returned += row[kind]
        row[kind] = 0
    return returned


def _refill(draft: Draft, at: int, returned: int) -> None:
    """Fill the market up to three of the kind; the rest goes on the tile turned up."""
    to_market = min(returned, max(0, ON_MARKET - draft.stock[MARKET][at]))
    draft.stock[MARKET][at] += to_market
    draft.stock[at][at] += returned - to_market
    draft.tell(Refilled(AREAS[at], draft.piles[at][0], KINDS[at], to_market, returned - to_market))


def _sink(draft: Draft, gone: int) -> list[int]:
    """Take a district and its kind out of the game. Gives back the districts that this empties."""
    emptied = []
    for at, row in enumerate(draft.stock):
        if row[gone]:
            row[gone] = 0
            if at != MARKET and not any(row):
                emptied.append(at)
    draft.dice[MARKET] += draft.dice[gone]
    draft.dice[gone] = 0
    if draft.submarine == gone:
        draft.submarine = MARKET
    draft.tell(Sunk(AREAS[gone], KINDS[gone]))
    return emptied

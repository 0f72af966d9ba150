"""What becomes of a district on which nothing lies any more (section 4)."""

from app.games.atlandice.board import (
    AREAS,
    FIRST_POINTS,
    KINDS,
    MARKET,
    ON_MARKET,
    SECOND_POINTS,
)
from app.games.atlandice.rules.scoring import ranking
from app.games.atlandice.table import Table
from app.games.atlandice.words import Emptied, Refilled, Sunk


def score_emptied(table: Table) -> None:
    """Score every district that the visit emptied, and those that a kind leaving the game empties."""
    due = [at for at in table.before if not any(table.stock[at])]
    scored: set[int] = set()
    while due:
        at = due.pop(0)
        if at in scored:
            continue
        scored.add(at)
        _award(table, at)
        returned = _give_back(table, at)
        table.piles[at] = table.piles[at][1:]
        if table.piles[at]:
            _refill(table, at, returned)
            table.reveals = True
        else:
            due = [*_sink(table, at), *due]


def _award(table: Table, at: int) -> None:
    """Give the tile and the points for it."""
    firsts, seconds = ranking([row[at] for row in table.owned])
    tile = table.piles[at][0]
    taker = ""
    tied: list[str] = []
    if firsts:
        # Turn order starts with the active player; the neutral player comes last.
        seats = len(table.seats)
        first = min(firsts, key=lambda owner: seats if owner == seats else (owner - table.turn) % seats)
        taker = table.owners[first]
        table.tiles[first] = tuple(sorted((*table.tiles[first], tile)))
        for owner in firsts:
            if owner != first:
                table.points[owner] += FIRST_POINTS
                tied.append(table.owners[owner])
    for owner in seconds:
        table.points[owner] += SECOND_POINTS
    names = tuple(table.owners[owner] for owner in seconds)
    table.tell(Emptied(AREAS[at], tile, KINDS[at], taker, tuple(tied), names))


def _give_back(table: Table, kind: int) -> int:
    """All owners return all they have of the kind. Gives back how many that are."""
    returned = 0
    for row in table.owned:
        returned += row[kind]
        row[kind] = 0
    return returned


def _refill(table: Table, at: int, returned: int) -> None:
    """Fill the market up to three of the kind; the rest goes on the tile turned up."""
    to_market = min(returned, max(0, ON_MARKET - table.stock[MARKET][at]))
    table.stock[MARKET][at] += to_market
    table.stock[at][at] += returned - to_market
    table.tell(Refilled(AREAS[at], table.piles[at][0], KINDS[at], to_market, returned - to_market))


def _sink(table: Table, gone: int) -> list[int]:
    """Take a district and its kind out of the game. Gives back the districts that this empties."""
    emptied = []
    for at, row in enumerate(table.stock):
        if row[gone]:
            row[gone] = 0
            if at != MARKET and not any(row):
                emptied.append(at)
    table.dice[MARKET] += table.dice[gone]
    table.dice[gone] = 0
    if table.submarine == gone:
        table.submarine = MARKET
    table.tell(Sunk(AREAS[gone], KINDS[gone]))
    return emptied

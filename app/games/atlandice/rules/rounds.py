"""A round from its dice to its end: the clock, its events, and the flood (sections 2 and 5)."""

from app.engine.chance import Chance
from app.games.atlandice.board import (
    ALL_KINDS,
    AREAS,
    CLOCK_VALUES,
    DIE,
    DONATION,
    GIFT_POINTS,
    KIND_INDEX,
    LAST_SPACE,
    MARKET,
    MARKET_CLOCK,
    SURVEY_POINTS,
    TRACK,
    dice_each,
    dice_of,
)
from app.games.atlandice.rules.districts import score_emptied
from app.games.atlandice.rules.scoring import kind_rankings, ranking, totals
from app.games.atlandice.state import area_of
from app.games.atlandice.table import Table
from app.games.atlandice.words import Donated, DonationsAsked, Ended, Pair, Ranked, RoundBegan, Surveyed


def begin_round(table: Table, chance: Chance) -> None:
    """Roll the dice for the first player, and ask him."""
    table.turn = table.first
    table.step = "visit"
    table.taken = [0] * len(table.seats)
    table.served = [False] * len(table.served)
    roll_dice(table, chance)
    table.reveals = True


def roll_dice(table: Table, chance: Chance) -> None:
    """Roll all dice: each lies at the area of its value."""
    values = tuple(chance.pick(DIE) for _ in range(dice_of(len(table.seats))))
    table.dice = [0] * len(AREAS)
    for value in values:
        table.dice[area_of(value, table.piles)] += 1
    table.tell(RoundBegan(table.seat, values))


def end_visit(table: Table, chance: Chance) -> None:
    """Score what was emptied and go on to the next visit, or to the clock."""
    table.effect = None
    score_emptied(table)
    seats = len(table.seats)
    each = dice_each(seats)
    if any(table.dice):
        for seat in [(table.turn + ahead) % seats for ahead in range(1, seats + 1)]:
            if table.taken[seat] < each:
                table.turn = seat
                table.step = "visit"
                return
    _turn_clock(table, chance)


def clock_value(area: int, piles: list[tuple[str, ...]] | tuple[tuple[str, ...], ...]) -> int:
    """How far the last die at that area moves the hand."""
    return MARKET_CLOCK if area == MARKET else CLOCK_VALUES[piles[area][0]]


def _turn_clock(table: Table, chance: Chance) -> None:
    """Move the hand for the last die; what it then stands on happens."""
    moved = 0
    for area, dice in enumerate(table.dice):
        if dice:
            moved = table.move_hand(clock_value(area, table.piles), AREAS[area])
            break
    event = TRACK.get(table.clock) if moved else None
    if table.clock == LAST_SPACE:
        _flood(table)
    elif event == DONATION:
        table.step = "donate"
        table.turn = table.first
        table.gifts = (None,) * len(table.seats)
        table.tell(DonationsAsked())
    else:
        if event:
            _survey(table, event)
        _pass_marker(table, chance)


def _survey(table: Table, kind: str) -> None:
    """A point to everybody with the most of the kind, or of all kinds together."""
    if kind == ALL_KINDS:
        counts = [sum(row) for row in table.owned]
    else:
        counts = [row[KIND_INDEX[kind]] for row in table.owned]
    firsts, _ = ranking(counts)
    for owner in firsts:
        table.points[owner] += SURVEY_POINTS
    table.tell(Surveyed(kind, max(counts), tuple(table.owners[owner] for owner in firsts)))


def open_gifts(table: Table, chance: Chance) -> None:
    """Carry out all sealed gifts in turn order, and begin the next round."""
    seats = len(table.seats)
    for ahead in range(seats):
        seat = (table.first + ahead) % seats
        pairs: tuple[Pair, ...] = table.gifts[seat] or ()
        for pair in pairs:
            for kind in pair:
                at = KIND_INDEX[kind]
                table.owned[seat][at] -= 1
                if table.piles[at]:
                    table.stock[at][at] += 1
            table.points[seat] += GIFT_POINTS
        table.tell(Donated(table.seats[seat], pairs))
    table.gifts = ()
    _pass_marker(table, chance)


def _pass_marker(table: Table, chance: Chance) -> None:
    """The player to the left is the next round's first."""
    table.first = (table.first + 1) % len(table.seats)
    begin_round(table, chance)


def _flood(table: Table) -> None:
    """The game is over: tell what everybody's resources are worth."""
    table.step = "over"
    table.turn = table.first
    end = table.state()
    for kind, firsts, seconds in kind_rankings(end):
        names = table.owners
        table.tell(Ranked(kind, tuple(names[o] for o in firsts), tuple(names[o] for o in seconds)))
    table.tell(Ended(dict(zip(table.owners, totals(end), strict=True))))

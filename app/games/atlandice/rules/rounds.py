"""A round from its dice to its end: the clock, its events, and the flood (sections 2 and 5)."""

from app.engine.chance import Chance
from app.games.atlandice.board import (
    AREAS,
    DIE,
    GIFT_POINTS,
    KIND_INDEX,
    MARKET,
    SURVEY_POINTS,
    dice_each,
    dice_of,
)
from app.games.atlandice.clock import ALL_KINDS, DONATION, MARKET_TILE
from app.games.atlandice.events import (
    Answered,
    Donated,
    DonationsAsked,
    Ended,
    PassedBy,
    Ranked,
    RoundBegan,
    Surveyed,
)
from app.games.atlandice.moves import Pair
from app.games.atlandice.rules.districts import score_emptied
from app.games.atlandice.rules.draft import Draft
from app.games.atlandice.rules.scoring import kind_rankings, ranking, totals
from app.games.atlandice.state import State, area_of


def begin_round(draft: Draft, chance: Chance) -> None:
    """Roll the dice for the first player, whose visit is next."""
    draft.turn = draft.first
    draft.step = "visit"
    draft.taken = [0] * len(draft.seats)
    draft.served = [False] * len(draft.served)
    roll_dice(draft, chance)
    draft.reveals = True


def roll_dice(draft: Draft, chance: Chance) -> None:
    """Roll all dice: each lies at the area of its value."""
    values = tuple(chance.pick(DIE) for _ in range(dice_of(len(draft.seats))))
    draft.dice = [0] * len(AREAS)
    for value in values:
        draft.dice[area_of(value, draft.piles)] += 1
    draft.tell(RoundBegan(draft.seat, values))


def end_visit(draft: Draft, chance: Chance) -> None:
    """Score what was emptied and go on to the next visit, or to the clock."""
    draft.effect = None
    score_emptied(draft)
    seats = len(draft.seats)
    each = dice_each(seats)
    if any(draft.dice):
        for seat in [(draft.turn + ahead) % seats for ahead in range(1, seats + 1)]:
            if draft.taken[seat] < each:
                draft.turn = seat
                draft.step = "visit"
                return
    _turn_clock(draft, chance)


def clock_value(at: State | Draft, area: int) -> int:
    """How far the last die at that area moves the hand."""
    return at.track.value(MARKET_TILE if area == MARKET else at.piles[area][0])


def _turn_clock(draft: Draft, chance: Chance) -> None:
    """Move the hand for the last die; what it then stands on happens."""
    moved = 0
    for area, dice in enumerate(draft.dice):
        if dice:
            moved = draft.move_hand(clock_value(draft, area), AREAS[area])
            break
    event = draft.track.event(draft.clock) if moved else None
    if draft.clock == draft.track.last:
        _flood(draft)
    elif event == DONATION:
        begin_donation(draft, chance)
    else:
        if event:
            _survey(draft, event)
        _pass_marker(draft, chance)


def _survey(draft: Draft, kind: str) -> None:
    """A point to everybody with the most of the kind, or of all kinds together."""
    if kind == ALL_KINDS:
        counts = [sum(row) for row in draft.owned]
    else:
        counts = [row[KIND_INDEX[kind]] for row in draft.owned]
    firsts, _ = ranking(counts)
    for owner in firsts:
        draft.points[owner] += SURVEY_POINTS
    draft.tell(Surveyed(kind, max(counts), tuple(draft.owners[owner] for owner in firsts)))


def begin_donation(draft: Draft, chance: Chance) -> None:
    """Ask everybody for a sealed gift, or the first player who can give."""
    draft.step = "donate"
    draft.turn = draft.first
    draft.tell(DonationsAsked())
    if draft.donations == "in_turn":
        _ask_next(draft, draft.first, chance)
    else:
        draft.gifts = (None,) * len(draft.seats)


def take_gift(draft: Draft, seat: int, pairs: tuple[Pair, ...], chance: Chance) -> None:
    """Seal a seat's gift until all have answered, or carry it out and ask the next."""
    if draft.donations == "in_turn":
        _give(draft, seat, pairs)
        after = (seat + 1) % len(draft.seats)
        if after == draft.first:
            _pass_marker(draft, chance)
        else:
            _ask_next(draft, after, chance)
        return
    draft.gifts = (*draft.gifts[:seat], pairs, *draft.gifts[seat + 1 :])
    draft.tell(Answered(draft.seats[seat]))
    if None not in draft.gifts:
        for at in turn_order(draft.first, len(draft.seats)):
            _give(draft, at, draft.gifts[at] or ())
        draft.gifts = ()
        _pass_marker(draft, chance)


def _ask_next(draft: Draft, seat: int, chance: Chance) -> None:
    """Ask the first seat from this one on that has two resources; without one the donation is over."""
    seats = len(draft.seats)
    for at in turn_order(draft.first, seats)[(seat - draft.first) % seats :]:
        if sum(draft.owned[at]) > 1:
            draft.turn = at
            return
        draft.tell(PassedBy(draft.seats[at]))
    _pass_marker(draft, chance)


def _give(draft: Draft, seat: int, pairs: tuple[Pair, ...]) -> None:
    """Bring the gifts to the districts of their kinds, for a point a pair."""
    for pair in pairs:
        for kind in pair:
            at = KIND_INDEX[kind]
            draft.owned[seat][at] -= 1
            if draft.piles[at]:
                draft.stock[at][at] += 1
        draft.points[seat] += GIFT_POINTS
    draft.tell(Donated(draft.seats[seat], pairs))


def turn_order(first: int, seats: int) -> tuple[int, ...]:
    """The seats in turn order, from the first player."""
    return tuple((first + ahead) % seats for ahead in range(seats))


def _pass_marker(draft: Draft, chance: Chance) -> None:
    """The player to the left is the next round's first."""
    draft.first = (draft.first + 1) % len(draft.seats)
    begin_round(draft, chance)


def _flood(draft: Draft) -> None:
    """The game is over: tell what everybody's resources are worth."""
    draft.step = "over"
    draft.turn = draft.first
    end = draft.state()
    for kind, firsts, seconds in kind_rankings(end):
        names = draft.owners
        draft.tell(Ranked(kind, tuple(names[o] for o in firsts), tuple(names[o] for o in seconds)))
    draft.tell(Ended(dict(zip(draft.owners, totals(end), strict=True))))

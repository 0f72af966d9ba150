"""Sealed placing lists, and placing everything from them or at random (rules, section 3)."""

from collections.abc import Sequence

from app.engine.chance import Chance
from app.games.survive.board import COLOURS, EACH, EXPLORERS, ID, ON_SHIP
from app.games.survive.events import OrdersGiven, ValuesDealt
from app.games.survive.moves import Orders
from app.games.survive.rules import placing
from app.games.survive.rules.draft import Draft


def seal(draft: Draft, seat: int, move: Orders, chance: Chance) -> None:
    """Seal a placing list. After the last one, place everything and begin the first turn."""
    draft.orders = (*draft.orders[:seat], move, *draft.orders[seat + 1 :])
    draft.tell(OrdersGiven(draft.seats[seat]))
    if None not in draft.orders:
        place_all(draft, draft.orders, chance)


def place_all(draft: Draft, lists: Sequence[Orders | None], chance: Chance) -> None:
    """Place everything in turn order from the lists, or at random where a list doesn't help."""
    luck = chance.apart(placing.LUCK)
    by_space = draft.step == "orders" and draft.variant.numbers_follow_spaces
    drawn = _place_explorers(draft, lists, luck, tell=not by_space)
    if by_space:
        drawn = _number_by_space(draft, drawn, luck)
    while placing.next_to_launch(draft, draft.active):
        free = placing.free_coast(draft)
        wanted = lists[draft.active]
        spaces = [ID[name] for name in wanted.ships] if wanted else []
        at = next((space for space in spaces if space in free), None)
        placing.launch(draft, draft.active, luck.pick(free) if at is None else at)
    draft.reveals = True
    for seat, name in enumerate(draft.seats):
        dealt = {EXPLORERS[n]: draft.worth[n] for n in drawn if draft.teams.owner[n] == seat}
        if dealt:
            draft.tell(ValuesDealt(name, dealt), only=seat)
    placing.open_game(draft)


def _place_explorers(draft: Draft, lists: Sequence[Orders | None], luck: Chance, *, tell: bool) -> list[int]:
    """Place all explorers, and return those with a value that was drawn."""
    wishes = [list(given.wishes) if given else [] for given in lists]
    drawn: list[int] = []
    draft.step = "explorers"
    draft.active = len(draft.seats) - 1
    while placing.next_to_place(draft, draft.active):
        mine = wishes[draft.active]
        wish = mine.pop(0) if mine else None
        explorer = placing.put_by_wish(draft, draft.active, wish, luck)
        if tell:
            placing.tell_placed(draft, explorer)
        if wish is None or wish.value != draft.worth[explorer]:
            drawn.append(explorer)
    return drawn


def _number_by_space(draft: Draft, drawn: Sequence[int], luck: Chance) -> list[int]:
    """Number each colour's explorers in the order of their spaces, and tell where they stand in that order.

    Neither a number nor the order of the log then tells the order of a list, which may follow the values. Two
    on one tile are numbered by a secret draw. Returns the new numbers of `drawn`.
    """
    where, worth = list(draft.where), list(draft.worth)
    new = dict(zip(drawn, drawn, strict=True))
    for colour in range(len(COLOURS)):
        first = colour * EACH
        standing = [n for n in range(first, first + EACH) if 0 <= draft.where[n] < ON_SHIP]
        ordered = sorted(luck.shuffled(standing), key=lambda n: draft.where[n])
        for number, old in zip(standing, ordered, strict=True):
            where[number], worth[number] = draft.where[old], draft.worth[old]
            new[old] = number
    draft.where, draft.worth = where, tuple(worth)
    for seat in range(len(draft.seats)):
        for n in draft.teams.members[seat]:
            if 0 <= draft.where[n] < ON_SHIP:
                placing.tell_placed(draft, n)
    return sorted(new[n] for n in drawn)

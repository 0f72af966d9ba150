"""The set-up (rule sheet, section 2)."""

from app.engine.chance import Chance
from app.engine.game import Addressed, Seat, Step
from app.games.atlantis.board import ATLANTIS, CARDS_PER_ITEM, FIRST_HAND, HALVES, ITEMS, LAYOUT, Item, Tile
from app.games.atlantis.events import DrewCards, Laid
from app.games.atlantis.state import HELD, Bridging, State, counted, listed

NO_CARDS = (0,) * len(ITEMS)
DECK: tuple[Item, ...] = tuple(item for item in ITEMS for _ in range(CARDS_PER_ITEM))


def new_game(seats: tuple[Seat, ...], bridging: Bridging, chance: Chance) -> Step:
    """The start of a game: a random path, dealt hands, all figures on Atlantis."""
    piles = {half: iter(chance.shuffled(tiles)) for half, tiles in HALVES.items()}
    path: list[tuple[Tile, ...]] = []
    for half, spaces, height in LAYOUT:
        path.extend(tuple(next(piles[half]) for _ in range(height)) for _ in range(spaces))
    deck = list(chance.shuffled(DECK))
    hands = []
    for place in range(len(seats)):
        size = FIRST_HAND + place
        hands.append(counted(deck[:size]))
        del deck[:size]
    state = State(
        seats=seats,
        path=tuple(path),
        figures=((ATLANTIS,) * 3,) * len(seats),
        bridges=(HELD,) * len(seats),
        hands=tuple(hands),
        won=((),) * len(seats),
        draw=tuple(deck),
        discard=NO_CARDS,
        turn=0,
        bridging=bridging,
    )
    told = [Addressed(Laid(seats, tuple(sum(hand) for hand in hands)))]
    told += [
        Addressed(DrewCards(seat, listed(hand)), to=(seat,)) for seat, hand in zip(seats, hands, strict=True)
    ]
    return Step(state, tuple(told), reveals=True)

"""Paying for gaps with tiles and cards."""

from collections.abc import Sequence

from app.engine.errors import IllegalMove
from app.games.atlantis.board import CARD, ITEMS, RANK, VALUE, VALUES, Cards, Piece, Tile
from app.games.atlantis.state import listed, minus, plus

_TILES = {rank: tile for tile, rank in RANK.items()}


def worth(piece: Piece) -> int:
    """The points that a piece pays."""
    return 1 if piece.startswith(CARD) else VALUE[piece]


def cheapest(cost: int, tiles: Sequence[Tile], hand: Cards) -> tuple[Piece, ...] | None:
    """The payment the server chooses, or None if the cost can't be paid.

    It loses the fewest points, then the fewest cards, then the fewest tiles; among equals it is the first in
    order. `tiles` are in the order of RANK.
    """
    if cost == 0:
        return ()
    held = sum(hand)
    most = cost + max(VALUES) - 1  # above this sum, a piece could be left out
    # The fewest tiles for each sum, as (number, ranks). Tiles come in order, so the smaller of two
    # combinations with equal sums stays the smaller when both are extended.
    best: list[tuple[int, tuple[int, ...]] | None] = [None] * (most + 1)
    best[0] = (0, ())
    for tile in tiles:
        value, rank = VALUE[tile], RANK[tile]
        for total in range(most, value - 1, -1):
            before = best[total - value]
            if before is not None:
                found = (before[0] + 1, (*before[1], rank))
                now = best[total]
                if now is None or found < now:
                    best[total] = found
    for lost in range(cost, most + 1):
        for cards in range(min(held, lost) + 1):
            chosen = best[lost - cards]
            if chosen is not None:
                return (*(_TILES[rank] for rank in chosen[1]), *_most_held(hand, cards))
    return None


def _most_held(hand: Cards, count: int) -> tuple[Piece, ...]:
    """Cards taken one by one from the item held most, in the order of the items."""
    left = list(hand)
    taken = [0] * len(left)
    for _ in range(count):
        place = left.index(max(left))
        left[place] -= 1
        taken[place] += 1
    return tuple(f"{CARD}{item}" for item in listed(tuple(taken)))


def everything(tiles: Sequence[Tile], hand: Cards) -> tuple[Piece, ...]:
    """All tiles and cards as pieces."""
    return (*tiles, *(f"{CARD}{item}" for item in listed(hand)))


MOST_TRIED = 2000
"""Combinations looked at for other payments."""


def payments(cost: int, tiles: Sequence[Tile], hand: Cards, most: int) -> tuple[tuple[Piece, ...], ...]:
    """Payments of which no piece could be left out, those that lose least first. At most so many."""
    held = in_order(everything(tiles, hand))
    found: dict[tuple[Piece, ...], None] = {}
    open_ends: list[tuple[tuple[Piece, ...], int, int]] = [((), 0, 0)]
    for _ in range(MOST_TRIED):
        if not open_ends:
            break
        pieces, paid, at = open_ends.pop()
        if paid >= cost:
            if all(paid - worth(piece) < cost for piece in pieces):
                found[pieces] = None
            continue
        # Equal pieces lie side by side: after leaving one out, its twins are left out too.
        following = [n for n in range(at, len(held)) if n == at or held[n] != held[n - 1]]
        open_ends += [((*pieces, held[n]), paid + worth(held[n]), n + 1) for n in following]
    lost = sorted(found, key=lambda pieces: (sum(worth(piece) for piece in pieces), len(pieces)))
    return tuple(lost[:most])


def in_order(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Tiles in the order of RANK, then cards in the order of the items."""
    return tuple(sorted(pieces, key=_ORDER.__getitem__))


_ORDER = {piece: place for place, piece in enumerate((*RANK, *(f"{CARD}{item}" for item in ITEMS)))}


def check(cost: int, pieces: Sequence[Piece], tiles: Sequence[Tile], hand: Cards) -> None:
    """Raises IllegalMove unless the pieces are held, cover the cost, and none could be left out."""
    due = cheapest(cost, tiles, hand)
    if pieces and cost == 0:
        raise IllegalMove("pay_nothing_due", pieces=tuple(pieces))
    held = everything(tiles, hand)
    for piece in pieces:
        if pieces.count(piece) > held.count(piece):
            raise IllegalMove("pay_not_held", piece=piece, held=held, cost=cost, would=due)
    paid = sum(worth(piece) for piece in pieces)
    if paid < cost:
        raise IllegalMove("pay_too_little", paid=paid, cost=cost, pieces=tuple(pieces), would=due)
    if pieces and paid - (least := min(worth(piece) for piece in pieces)) >= cost:
        spare = next(piece for piece in pieces if worth(piece) == least)
        raise IllegalMove("pay_too_much", paid=paid, cost=cost, spare=spare, pieces=tuple(pieces), would=due)


def spend(
    pieces: Sequence[Piece], tiles: Sequence[Tile], hand: Cards, discard: Cards
) -> tuple[tuple[Tile, ...], Cards, Cards]:
    """The tiles, the hand and the discard pile after paying. Paid tiles leave the game."""
    kept = list(tiles)
    cards = []
    for piece in pieces:
        if piece.startswith(CARD):
            cards.append(piece[len(CARD) :])
        else:
            kept.remove(piece)
    return tuple(kept), minus(hand, cards), plus(discard, cards)

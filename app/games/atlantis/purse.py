"""Paying for gaps with tiles and cards."""

from collections.abc import Sequence

from app.engine.errors import IllegalMove
from app.games.atlantis.board import RANK, VALUE, VALUES
from app.games.atlantis.state import listed, minus, plus
from app.games.atlantis.words import CARD, ITEMS, Cards, Piece, Tile

_TILES = {rank: tile for tile, rank in RANK.items()}


def worth(piece: Piece) -> int:
    """The points that a piece pays."""
    return 1 if piece.startswith(CARD) else VALUE[piece]


def cheapest(cost: int, tiles: Sequence[Tile], hand: Cards) -> tuple[Piece, ...] | None:
    """How the server pays: fewest points lost, then fewest cards, then fewest tiles, then the first in order.

    `tiles` are in order. None where tiles and cards together are worth less than the cost.
    """
    if cost == 0:
        return ()
    held = sum(hand)
    most = cost + max(VALUES) - 1  # paying more than this, a piece could be left out
    # For each sum the fewest tiles that give it, as (how many, ranks); the tiles come in order, so that of
    # two beginnings with equal sums the smaller stays the smaller.
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
    """So many cards, each of the item then held most; in the order of the items."""
    left = list(hand)
    taken = [0] * len(left)
    for _ in range(count):
        place = left.index(max(left))
        left[place] -= 1
        taken[place] += 1
    return tuple(f"{CARD}{item}" for item in listed(tuple(taken)))


def everything(tiles: Sequence[Tile], hand: Cards) -> tuple[Piece, ...]:
    """All a player has, as pieces."""
    return (*tiles, *(f"{CARD}{item}" for item in listed(hand)))


def in_order(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Tiles by their order, then cards by that of the items."""
    return tuple(sorted(pieces, key=_ORDER.__getitem__))


_ORDER = {piece: place for place, piece in enumerate((*RANK, *(f"{CARD}{item}" for item in ITEMS)))}


def check(cost: int, pieces: Sequence[Piece], tiles: Sequence[Tile], hand: Cards) -> None:
    """Raises IllegalMove unless the pieces are there, pay the cost, and none could be left out."""
    due = cheapest(cost, tiles, hand)
    if pieces and cost == 0:
        raise IllegalMove("pay_nothing_due", pieces=tuple(pieces))
    there = everything(tiles, hand)
    for piece in pieces:
        if pieces.count(piece) > there.count(piece):
            raise IllegalMove("pay_not_held", piece=piece, held=there, cost=cost, would=due)
    paid = sum(worth(piece) for piece in pieces)
    if paid < cost:
        raise IllegalMove("pay_too_little", paid=paid, cost=cost, pieces=tuple(pieces), would=due)
    if pieces and paid - (least := min(worth(piece) for piece in pieces)) >= cost:
        spare = next(piece for piece in pieces if worth(piece) == least)
        raise IllegalMove("pay_too_much", paid=paid, cost=cost, spare=spare, pieces=tuple(pieces), would=due)


def spent(
    pieces: Sequence[Piece], tiles: Sequence[Tile], hand: Cards, discard: Cards
) -> tuple[tuple[Tile, ...], Cards, Cards]:
    """Tiles, hand and discards after the pieces were given; the tiles among them are in the box."""
    kept = list(tiles)
    cards = []
    for piece in pieces:
        if piece.startswith(CARD):
            cards.append(piece[len(CARD) :])
        else:
            kept.remove(piece)
    return tuple(kept), minus(hand, cards), plus(discard, cards)

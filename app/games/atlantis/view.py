"""Views: the knowledge of a seat or an onlooker (rule sheet, section 6)."""

import msgspec

from app.engine.game import Record, Seat, View
from app.games.atlantis.board import (
    ATLANTIS,
    FIGURES,
    ITEMS,
    MAINLAND,
    SPACES,
    VALUE,
    FigureName,
    Item,
    Tile,
    half_of,
)
from app.games.atlantis.moves import AtlantisMove, Go
from app.games.atlantis.notation.format import text_of
from app.games.atlantis.offers import Offer, offers
from app.games.atlantis.path import path_of
from app.games.atlantis.payment import payments
from app.games.atlantis.rules.scoring import outcome
from app.games.atlantis.state import HELD, SPENT, Bridging, State


class Figure(Record, frozen=True, tag="Figure"):
    """A figure of a seat."""

    seat: Seat
    """Of its player."""
    name: FigureName
    """As in the notation."""


class Space(Record, frozen=True, tag="Space"):
    """A space of the path."""

    number: int
    """Counted from Atlantis."""
    tile: Tile | None
    """The visible tile. None: water."""
    value: int
    """Of the visible tile; 0 on water."""
    under: int
    """The number of tiles below the visible one."""
    half: str
    """The half of the path that it belongs to."""
    figure: Figure | None
    """The figure on it; None: none."""


class Water(Record, frozen=True, tag="Water"):
    """A gap, its toll, and the seats of the bridges on it. The toll of a bridged gap is 0."""

    first: int
    """Its first space."""
    last: int
    """Its last space."""
    toll: int
    """The cost of crossing it."""
    bridges: tuple[Seat, ...]
    """The seats whose bridges lie on it."""


class Player(Record, frozen=True, tag="Player"):
    """The public facts of a player."""

    seat: Seat
    """The name of the seat: its colour."""
    cards: int
    """Cards in the hand."""
    won: tuple[Tile, ...]
    """The tiles that were won and not paid away."""
    points: int
    """The score if nothing more had to be paid: the values of the tiles, and one for each card."""
    bridge: str
    """held, laid or spent."""
    home: int
    """Figures on the mainland."""
    short: int
    """Points that lacked for a crossing."""


class Holding(Record, frozen=True, tag="Holding"):
    """The cards of one item in a hand or pile."""

    item: Item
    """The item on the cards."""
    count: int
    """How many."""


class AtlantisView(View, frozen=True, tag="AtlantisView"):
    """The knowledge of a seat, or of an onlooker if `seat` is None."""

    seat: Seat | None
    """The seat that sees this; None: an onlooker."""
    turn: Seat
    """The seat whose turn it is."""
    step: str
    """The part of the turn."""
    path: tuple[Space, ...]
    """The spaces that aren't gone."""
    waters: tuple[Water, ...]
    """The gaps of the path."""
    atlantis: tuple[Figure, ...]
    """Figures that have not set out."""
    mainland: tuple[Figure, ...]
    """Figures that have arrived."""
    players: tuple[Player, ...]
    """In turn order."""
    draw: int
    """Cards in the draw pile."""
    discard: tuple[Holding, ...]
    """The cards of the discard pile."""
    hand: tuple[Holding, ...]
    """The cards of the seat; empty for an onlooker."""
    bridging: Bridging
    """The option `bridges`."""
    offers: tuple[Offer, ...]
    """The legal moves if it is the seat's turn."""


def view(state: State, seat: Seat | None) -> AtlantisView:
    """The view of a seat. None: an onlooker."""
    own = state.seats.index(seat) if seat in state.seats else None
    path = path_of(state)
    standing = {
        at: Figure(who, name)
        for who, places in zip(state.seats, state.figures, strict=True)
        for name, at in zip(FIGURES, places, strict=True)
    }
    lying = [space for space in range(1, SPACES + 1) if state.path[space - 1]]
    over = outcome(state) is not None
    return AtlantisView(
        seat=seat if own is not None else None,
        turn=state.seats[state.turn],
        step=state.step,
        path=tuple(_space(state, space, standing.get(space)) for space in range(lying[0], lying[-1] + 1))
        if lying
        else (),
        waters=tuple(
            Water(
                gap.first,
                gap.last,
                gap.toll,
                tuple(who for who, at in zip(state.seats, state.bridges, strict=True) if at == gap.first),
            )
            for gap in path.gaps
        ),
        atlantis=_gathered(state, ATLANTIS),
        mainland=_gathered(state, MAINLAND),
        players=tuple(_player(state, place, over) for place in range(len(state.seats))),
        draw=len(state.draw),
        discard=_holdings(state.discard),
        hand=() if own is None else _holdings(state.hands[own]),
        bridging=state.bridging,
        offers=tuple(offers(state, path)) if own == state.turn and not over else (),
    )


def _space(state: State, space: int, figure: Figure | None) -> Space:
    stack = state.path[space - 1]
    tile = stack[0] if stack else None
    value = VALUE[tile] if tile else 0
    return Space(space, tile, value, max(len(stack) - 1, 0), half_of(space), figure)


def _gathered(state: State, space: int) -> tuple[Figure, ...]:
    return tuple(
        Figure(who, name)
        for who, places in zip(state.seats, state.figures, strict=True)
        for name, at in zip(FIGURES, places, strict=True)
        if at == space
    )


def _player(state: State, place: int, over: bool) -> Player:
    bridge = {HELD: "held", SPENT: "spent"}.get(state.bridges[place], "laid")
    return Player(
        seat=state.seats[place],
        cards=sum(state.hands[place]),
        won=state.won[place],
        points=state.funds(place) - (state.short[place] if over else 0),
        bridge=bridge,
        home=state.home(place),
        short=state.short[place] if over else 0,
    )


def _holdings(cards: tuple[int, ...]) -> tuple[Holding, ...]:
    return tuple(Holding(item, count) for item, count in zip(ITEMS, cards, strict=True) if count)


MOST_PAYMENTS = 12


def other_payments(view: AtlantisView, move: AtlantisMove) -> tuple[AtlantisMove, ...]:
    """The legal walk with each payment but the one it has, those that lose least first. At most a dozen."""
    offer = next((one for one in view.offers if _is_of(one, move)), None)
    if offer is None or not offer.cost or not isinstance(move, Go):
        return ()
    won = next(player.won for player in view.players if player.seat == view.seat)
    count = {one.item: one.count for one in view.hand}
    left = tuple(count.get(item, 0) - move.cards.count(item) for item in ITEMS)
    pays = offer.pays if move.pay is None else move.pay
    found = payments(offer.cost, won, left, MOST_PAYMENTS + 1)
    others = [pieces for pieces in found if sorted(pieces) != sorted(pays)]
    return tuple(msgspec.structs.replace(move, pay=pieces) for pieces in others[:MOST_PAYMENTS])


def _is_of(offer: Offer, move: AtlantisMove) -> bool:
    """The offer is for this walk, whatever pays for it."""
    return isinstance(move, Go) and offer.text == text_of(msgspec.structs.replace(move, pay=None))

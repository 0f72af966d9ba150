"""The view of a seat: everything but lower tiles and the others' sealed gifts (section 8)."""

from app.engine.game import Record, Seat, View
from app.games.atlandice.board import (
    AREAS,
    KINDS,
    MARKET,
    NEUTRAL,
)
from app.games.atlandice.moves import Pair
from app.games.atlandice.rules.legal import must_serve
from app.games.atlandice.rules.rounds import clock_value
from app.games.atlandice.rules.scoring import gained, totals
from app.games.atlandice.state import State


class Area(Record, frozen=True, tag="Area"):
    """A district or the market."""

    name: str
    """As in the notation."""
    number: int
    """The die value that leads there."""
    kind: str
    """The kind that comes from there; none from the market."""
    tile: str
    """The tile on top; empty on the market and where the district is gone."""
    below: int
    """Tiles under it, their order unknown."""
    gone: bool
    """No tile is left of the district."""
    clock: int
    """Spaces that the last die moves the hand from there."""
    stock: dict[str, int]
    """The goods that lie there, by kind."""
    dice: int
    """Dice that lie there."""
    submarine: bool
    """The submarine is there."""


class Owner(Record, frozen=True, tag="Owner"):
    """A player, or the neutral one."""

    name: str
    """The seat, or `neutral`."""
    owned: dict[str, int]
    """The goods, by kind."""
    tiles: tuple[str, ...]
    """The tiles that they won."""
    points: int
    """Points gained, without tiles."""
    total: int
    """Points gained and three for each tile; after the end the final score."""
    taken: int
    """Dice taken this round; always 0 for the neutral player."""
    served: bool
    """Two players: has given the neutral player a die this round."""


class Pending(Record, frozen=True, tag="Pending"):
    """The effect that is being carried out."""

    tile: str
    """The tile whose effect it is."""
    area: str
    """The area that it came from."""
    owner: str
    """The player whose effect it is, or `neutral`."""


class Space(Record, frozen=True, tag="Space"):
    """A space of the clock that has an event: a kind surveyed, `all`, or `donation`."""

    space: int
    """Its number."""
    event: str
    """A kind that is surveyed there, `all`, or `donation`."""


class AtlandiceView(View, frozen=True, tag="AtlandiceView"):
    """The whole game as one seat, or an onlooker, sees it."""

    seat: Seat | None
    """The viewing seat; None: an onlooker."""
    seats: tuple[Seat, ...]
    """In turn order."""
    areas: tuple[Area, ...]
    """In the order of their numbers."""
    owners: tuple[Owner, ...]
    """The players in turn order, and the neutral one."""
    kinds: tuple[str, ...]
    """Those still in the game."""
    clock: int
    """The space of the hand."""
    last_space: int
    """The space at which the game ends."""
    track: tuple[Space, ...]
    """The spaces with an event."""
    first: Seat
    """The first player of the round."""
    active: Seat
    """The seat whose turn it is; meaningless while gifts are sealed and after the end."""
    step: str
    """visit, effect, donate or over"""
    each: int
    """Dice that each player takes in a round."""
    must_serve: bool
    """Two players: the next die has to be the neutral player's."""
    effect: Pending | None
    """The effect that is being carried out; None: none."""
    donations: str
    """sealed or in_turn."""
    answered: tuple[Seat, ...]
    """The seats that have sealed a gift."""
    my_gift: tuple[Pair, ...] | None
    """One's own sealed gift; None: not asked, or not answered yet."""


def view(state: State, seat: Seat | None) -> AtlandiceView:
    """The view of a seat; None: an onlooker's."""
    effect = state.effect
    sealing = state.step == "donate" and bool(state.gifts)
    mine = state.gifts[state.seats.index(seat)] if sealing and seat in state.seats else None
    return AtlandiceView(
        seat=seat,
        seats=state.seats,
        areas=tuple(_area(state, at) for at in range(len(AREAS))),
        owners=_owners(state),
        kinds=tuple(kind for at, kind in enumerate(KINDS) if state.piles[at]),
        clock=state.clock,
        last_space=state.track.last,
        track=tuple(Space(space, event) for space, event in state.track.events),
        first=state.seats[state.first],
        active=state.seats[state.turn],
        step=state.step,
        each=3 if len(state.seats) == 2 else 2,
        must_serve=state.step == "visit" and must_serve(state),
        effect=Pending(effect.tile, AREAS[effect.area], state.owners[effect.owner]) if effect else None,
        donations=state.donations,
        answered=tuple(
            name
            for name, gift in zip(state.seats, state.gifts or (None,) * 4, strict=False)
            if gift is not None
        ),
        my_gift=mine,
    )


def _area(state: State, at: int) -> Area:
    pile = state.piles[at] if at != MARKET else ()
    gone = at != MARKET and not pile
    return Area(
        name=AREAS[at],
        number=at + 1,
        kind=KINDS[at] if at != MARKET else "",
        tile=pile[0] if pile else "",
        below=max(0, len(pile) - 1),
        gone=gone,
        clock=0 if gone else clock_value(state, at),
        stock=dict(zip(KINDS, state.stock[at], strict=True)),
        dice=state.dice[at],
        submarine=state.submarine == at,
    )


def _owners(state: State) -> tuple[Owner, ...]:
    points = totals(state) if state.step == "over" else gained(state)
    return tuple(
        Owner(
            name=name,
            owned=dict(zip(KINDS, state.owned[at], strict=True)),
            tiles=state.tiles[at],
            points=state.points[at],
            total=points[at],
            taken=0 if name == NEUTRAL else state.taken[at],
            served=name != NEUTRAL and bool(state.served) and state.served[at],
        )
        for at, name in enumerate(state.owners)
    )

"""What one seat, or an onlooker, may know (rule sheet, section 6), and what each of its moves would bring."""

from app.engine.chance import Chance
from app.engine.game import Record, Seat, View
from app.games.atlantis import purse
from app.games.atlantis.board import ATLANTIS, MAINLAND, SPACES, VALUE, half_of
from app.games.atlantis.rules.ending import outcome
from app.games.atlantis.rules.options import buyable, journeys
from app.games.atlantis.spelling import click_path, text_of
from app.games.atlantis.state import HELD, SPENT, State, counted, listed, minus, put
from app.games.atlantis.way import Way, way_of
from app.games.atlantis.words import FIGURES, ITEMS, Buy, FigureName, Item, Piece, Show, Tile


class Figure(Record, frozen=True, tag="Figure"):
    """A figure where it stands."""

    seat: Seat
    name: FigureName


class Space(Record, frozen=True, tag="Space"):
    """A space of the path that is not gone."""

    number: int
    tile: Tile | None
    """The visible one; None: water."""
    value: int
    under: int
    """Tiles beneath the visible one."""
    half: str
    figure: Figure | None


class Water(Record, frozen=True, tag="Water"):
    """A gap, first and last space. Crossing it costs `toll`, or nothing where bridges of these seats lie."""

    first: int
    last: int
    toll: int
    bridges: tuple[Seat, ...]


class Player(Record, frozen=True, tag="Player"):
    """What everybody sees of a player."""

    seat: Seat
    cards: int
    won: tuple[Tile, ...]
    points: int
    """Values of the tiles and one for each card: the score if nothing were to be paid any more."""
    bridge: str
    """held, spent or laid."""
    home: int
    short: int


class Holding(Record, frozen=True, tag="Holding"):
    """Cards of one item."""

    item: Item
    count: int


class Offer(Record, frozen=True, tag="Offer"):
    """A legal move and what it would bring."""

    text: str
    kind: str
    """go, buy or show."""
    points_at: tuple[str, ...]
    """The names on the board to be clicked for it."""
    figure: FigureName | None = None
    start: int = ATLANTIS
    stops: tuple[int, ...] = ()
    """Where each card lands; the last is where the figure stays, 54 being the mainland."""
    cost: int = 0
    bridge: int | None = None
    """The first space of the gap that is bridged."""
    pays: tuple[Piece, ...] = ()
    """What the server would pay with."""
    pay_text: str = ""
    """The same move with that payment written out, to be changed; empty where nothing is due."""
    gains: Tile | None = None
    gains_from: int | None = None
    draws: int = 0


class AtlantisView(View, frozen=True, tag="AtlantisView"):
    """One seat's knowledge. Nothing is listed in it that is not there: no item without a piece."""

    seat: Seat | None
    turn: Seat
    step: str
    path: tuple[Space, ...]
    """From the first space that is not gone to the last."""
    waters: tuple[Water, ...]
    atlantis: tuple[Figure, ...]
    mainland: tuple[Figure, ...]
    players: tuple[Player, ...]
    """In turn order."""
    draw: int
    discard: tuple[Holding, ...]
    hand: tuple[Holding, ...]
    offers: tuple[Offer, ...]
    """The legal moves, where the seat is to move."""


def view(state: State, seat: Seat | None) -> AtlantisView:
    """The view of a seat, None for an onlooker."""
    own = state.seats.index(seat) if seat in state.seats else None
    way = way_of(state)
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
            for gap in way.gaps
        ),
        atlantis=_gathered(state, ATLANTIS),
        mainland=_gathered(state, MAINLAND),
        players=tuple(_player(state, place, over) for place in range(len(state.seats))),
        draw=len(state.draw),
        discard=_holdings(state.discard),
        hand=() if own is None else _holdings(state.hands[own]),
        offers=tuple(_offers(state, way)) if own == state.turn and not over else (),
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
        points=state.means(place) - (state.short[place] if over else 0),
        bridge=bridge,
        home=state.home(place),
        short=state.short[place] if over else 0,
    )


def _holdings(cards: tuple[int, ...]) -> tuple[Holding, ...]:
    return tuple(Holding(item, count) for item, count in zip(ITEMS, cards, strict=True) if count)


def _offers(state: State, way: Way) -> list[Offer]:
    place = state.turn
    found = []
    for journey in journeys(state, place):
        go = journey.go
        left = minus(state.hands[place], go.cards)
        pays = purse.cheapest(journey.cost, state.won[place], left) or ()
        figure = FIGURES.index(go.figure)
        after = put(state.figures, place, put(state.figures[place], figure, journey.end))
        behind = way.free_behind(journey.end, [at for places in after for at in places])
        found.append(
            Offer(
                text=text_of(go),
                kind="go",
                points_at=click_path(go),
                figure=go.figure,
                start=journey.start,
                stops=journey.stops,
                cost=journey.cost,
                bridge=go.bridge,
                pays=pays,
                pay_text=" ".join((text_of(go), "pay", *pays)) if pays else "",
                gains=way.tops[behind] if behind else None,
                gains_from=behind,
                draws=1 + after[place].count(MAINLAND),
            )
        )
    if not found:
        found.append(Offer(text=text_of(Show()), kind="show", points_at=(), draws=2))
    if state.step == "buy":
        for tile in buyable(state, place):
            buy = Buy(tile)
            found.append(
                Offer(text=text_of(buy), kind="buy", points_at=click_path(buy), draws=VALUE[tile] // 2)
            )
    return found


def resample(state: State, seat: Seat | None, chance: Chance) -> State:
    """Another state that the seat cannot tell from this one: hands, draw pile and lower tiles dealt anew."""
    own = state.seats.index(seat) if seat in state.seats else None
    others = [place for place in range(len(state.seats)) if place != own]
    cards = list(chance.shuffled([*state.draw, *(card for at in others for card in listed(state.hands[at]))]))
    hands = list(state.hands)
    for place in others:
        size = sum(hands[place])
        hands[place] = counted(cards[:size])
        del cards[:size]
    path = list(state.path)
    for half in ("A", "B", ""):
        spaces = [n for n in range(1, SPACES + 1) if half_of(n) == half and len(path[n - 1]) > 1]
        lower = chance.shuffled([path[n - 1][1] for n in spaces])
        for n, tile in zip(spaces, lower, strict=True):
            path[n - 1] = (path[n - 1][0], tile)
    return State(
        seats=state.seats,
        path=tuple(path),
        figures=state.figures,
        bridges=state.bridges,
        hands=tuple(hands),
        won=state.won,
        draw=tuple(cards),
        discard=state.discard,
        turn=state.turn,
        step=state.step,
        idle=state.idle,
        short=state.short,
    )

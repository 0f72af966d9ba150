"""Offers: legal moves with their consequences, as views list them."""

from app.engine.game import Record
from app.games.atlantis import payment
from app.games.atlantis.board import ATLANTIS, FIGURES, MAINLAND, VALUE, FigureName, Piece, Tile
from app.games.atlantis.moves import Bridge, Buy, Show
from app.games.atlantis.notation.format import click_path, text_of
from app.games.atlantis.path import Path
from app.games.atlantis.rules.legal import bridgeable, buyable, journeys, opening
from app.games.atlantis.state import State, minus, put


class Offer(Record, frozen=True, tag="Offer"):
    """A legal move with its consequences."""

    text: str
    """The move in notation."""
    kind: str
    """go, show, bridge or buy."""
    points_at: tuple[str, ...]
    """The click path of the move."""
    figure: FigureName | None = None
    """The figure that goes; None: none does."""
    start: int = ATLANTIS
    """The space that it leaves; 0 is Atlantis."""
    stops: tuple[int, ...] = ()
    """The landing of each card; the figure stops at the last. 54 is the mainland."""
    cost: int = 0
    """The cost of a `go`, or of crossing the gap that a `bridge` would cover."""
    bridge: int | None = None
    """The first space of the gap to bridge."""
    pays: tuple[Piece, ...] = ()
    """The payment that the server would choose."""
    pay_text: str = ""
    """The move with that payment written out, as a start for editing. Empty if nothing is due."""
    gains: Tile | None = None
    """The tile that is won; None: none."""
    gains_from: int | None = None
    """The space of that tile."""
    draws: int = 0
    """Cards that are drawn."""


def offers(state: State, path: Path) -> list[Offer]:
    """An offer for each option of the current player, in the same order."""
    place = state.turn
    found = []
    for journey in journeys(state, place):
        go = journey.go
        left = minus(state.hands[place], go.cards)
        pays = payment.cheapest(journey.cost, state.won[place], left) or ()
        figure = FIGURES.index(go.figure)
        after = put(state.figures, place, put(state.figures[place], figure, journey.end))
        behind = path.free_behind(journey.end, [at for places in after for at in places])
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
                gains=path.tops[behind] if behind else None,
                gains_from=behind,
                draws=1 + after[place].count(MAINLAND),
            )
        )
    if not found and not opening(state, place):
        found.append(Offer(text=text_of(Show()), kind="show", points_at=(), draws=2))
    for gap in bridgeable(state, place):
        bridge = Bridge(gap.first)
        found.append(
            Offer(
                text=text_of(bridge),
                kind="bridge",
                points_at=click_path(bridge),
                cost=gap.cost,
                bridge=gap.first,
            )
        )
    if state.step == "buy":
        for tile in buyable(state, place):
            buy = Buy(tile)
            found.append(
                Offer(text=text_of(buy), kind="buy", points_at=click_path(buy), draws=VALUE[tile] // 2)
            )
    return found

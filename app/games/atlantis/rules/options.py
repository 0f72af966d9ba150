"""What may be done (rule sheet, sections 3 and 7)."""

import msgspec

from app.engine.game import Decision, Move
from app.games.atlantis.board import MAINLAND, VALUE
from app.games.atlantis.state import HELD, State
from app.games.atlantis.way import way_of
from app.games.atlantis.words import FIGURES, Buy, Go, Show, Tile


class Journey(msgspec.Struct, frozen=True):
    """A legal `go`: where it starts, where each card lands, and what is to be paid."""

    go: Go
    start: int
    stops: tuple[int, ...]
    cost: int

    @property
    def end(self) -> int:
        """Where the figure comes to stand."""
        return self.stops[-1]


def journeys(state: State, seat: int) -> list[Journey]:
    """Every legal `go` without a payment of its own: by figure, then by cards, unbridged before bridged."""
    way = way_of(state)
    taken = {space for figures in state.figures for space in figures} - {MAINLAND}
    hand, means = state.hands[seat], state.means(seat)
    holds_bridge = state.bridges[seat] == HELD
    runs = {start: way.chains(start, hand, taken) for start in {*state.figures[seat]} if start != MAINLAND}
    found = []
    for name, start in zip(FIGURES, state.figures[seat], strict=True):
        for cards, stops in runs.get(start, ()):
            cost = way.cost(start, stops[-1])
            left = means - len(cards)
            if cost <= left:
                found.append(Journey(Go(name, cards), start, stops, cost))
            if holds_bridge and cost:
                found.extend(
                    Journey(Go(name, cards, gap.first), start, stops, cost - gap.cost)
                    for gap in way.crossed(start, stops[-1])
                    if not gap.bridged and cost - gap.cost <= left
                )
    return found


def buyable(state: State, seat: int) -> tuple[Tile, ...]:
    """The collected tiles that buy at least one card, each once."""
    return tuple(dict.fromkeys(tile for tile in state.won[seat] if VALUE[tile] > 1))


def decision(state: State) -> Decision | None:
    """The open question, None where the game is over.

    What it asks and what it is about tell nothing of the hand: only whether the player has bought.
    """
    if state.step == "over":
        return None
    seat = state.turn
    found = journeys(state, seat)
    plain = [journey for journey in found if journey.go.bridge is None]
    default: Move
    if plain:
        # The first of the cheapest and rearmost: journeys come by figure and by the order of items.
        default = min(plain, key=lambda journey: (journey.cost, journey.start)).go
    elif found:
        default = found[0].go
    else:
        default = Show()
    options: list[Move] = [journey.go for journey in found] or [Show()]
    if state.step == "buy":
        options += [Buy(tile) for tile in buyable(state, seat)]
    return Decision(state.seats[seat], state.step, _about(state), tuple(options), default)


def _about(state: State) -> str:
    """Never the same twice: figures only go on; until one does, the piles shrink or idle turns add up."""
    walked = sum(sum(figures) for figures in state.figures)
    return f"{walked}/{len(state.draw) + sum(state.discard)}/{max(state.idle, 0)}"

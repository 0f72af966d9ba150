"""Legal moves and the default move (rule sheet, sections 3 and 7)."""

import msgspec

from app.engine.game import Asking, Decision, Move
from app.games.atlantis.board import FIGURES, MAINLAND, VALUE, Tile
from app.games.atlantis.moves import Bridge, Buy, Go, Show
from app.games.atlantis.path import Gap, path_of
from app.games.atlantis.state import HELD, State, put


class Journey(msgspec.Struct, frozen=True):
    """A legal `go` with its start, the landing of each card, and its cost."""

    go: Go
    start: int
    stops: tuple[int, ...]
    cost: int

    @property
    def end(self) -> int:
        """The space on which the figure stops."""
        return self.stops[-1]


def journeys(state: State, seat: int) -> list[Journey]:
    """Every legal `go`, payment left to the server: by figure, by cards, without a bridge before with one."""
    path = path_of(state)
    taken = {space for figures in state.figures for space in figures} - {MAINLAND}
    hand, funds = state.hands[seat], state.funds(seat)
    may_bridge = state.bridges[seat] == HELD and state.bridging == "crossing"
    runs = {start: path.chains(start, hand, taken) for start in {*state.figures[seat]} if start != MAINLAND}
    found = []
    for name, start in zip(FIGURES, state.figures[seat], strict=True):
        for cards, stops in runs.get(start, ()):
            cost = path.cost(start, stops[-1])
            left = funds - len(cards)
            if cost <= left:
                found.append(Journey(Go(name, cards), start, stops, cost))
            if may_bridge and cost:
                found.extend(
                    Journey(Go(name, cards, gap.first), start, stops, cost - gap.cost)
                    for gap in path.crossed(start, stops[-1])
                    if not gap.bridged and cost - gap.cost <= left
                )
    return found


def bridgeable(state: State, seat: int) -> tuple[Gap, ...]:
    """The gaps over which a player may lay the bridge before moving. None unless `bridges: any`."""
    if state.bridging != "any" or state.bridges[seat] != HELD:
        return ()
    return tuple(gap for gap in path_of(state).gaps if not gap.bridged)


def opening(state: State, seat: int) -> tuple[Gap, ...]:
    """The gaps of `bridgeable` that make a move possible once they are bridged."""
    return tuple(gap for gap in bridgeable(state, seat) if journeys(bridged(state, seat, gap), seat))


def bridged(state: State, seat: int, gap: Gap) -> State:
    """The state with a player's bridge laid over a gap."""
    return msgspec.structs.replace(state, bridges=put(state.bridges, seat, gap.first))


def buyable(state: State, seat: int) -> tuple[Tile, ...]:
    """The collected tiles that buy at least one card, without duplicates."""
    return tuple(dict.fromkeys(tile for tile in state.won[seat] if VALUE[tile] > 1))


def decision(state: State) -> Decision | None:
    """The open question, or None if the game is over.

    Its kind and `about` depend on nothing hidden: only on whether the player has bought.
    """
    if state.step == "over":
        return None
    seat = state.turn
    found = journeys(state, seat)
    plain = [journey for journey in found if journey.go.bridge is None]
    opens = () if found else opening(state, seat)
    default: Move
    if plain:
        # `min` keeps the first among equals, and journeys are in the order of figures and items.
        default = min(plain, key=lambda journey: (journey.cost, journey.start)).go
    elif found:
        default = found[0].go
    elif opens:
        default = Bridge(opens[0].first)
    else:
        default = Show()
    options: list[Move] = [journey.go for journey in found]
    if not found and not opens:
        options.append(Show())
    options += [Bridge(gap.first) for gap in bridgeable(state, seat)]
    if state.step == "buy":
        options += [Buy(tile) for tile in buyable(state, seat)]
    return Decision(state.seats[seat], state.step, _about(state), tuple(options), default)


def asking(state: State) -> tuple[Asking, ...]:
    """The question of `decision` without its answers, which take long to list; none if the game is over."""
    return () if state.step == "over" else (Asking(state.seats[state.turn], state.step, _about(state)),)


def _about(state: State) -> str:
    """A text that never recurs in a game.

    Figures only move forward; while none moves, the piles shrink, the number of idle turns grows, or a bridge
    is laid before moving.
    """
    walked = sum(sum(figures) for figures in state.figures)
    about = f"{walked}/{len(state.draw) + sum(state.discard)}/{max(state.idle, 0)}"
    return about if state.bridging == "crossing" else f"{about}/{state.bridges.count(HELD)}"

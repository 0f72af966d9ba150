"""What a move does (rule sheet, section 3)."""

from app.engine.chance import Chance
from app.engine.errors import IllegalMove
from app.engine.game import Addressed, Event, Seat, Step
from app.games.atlantis import purse
from app.games.atlantis.board import MAINLAND, VALUE
from app.games.atlantis.rules import ending, refuse
from app.games.atlantis.rules.setup import NO_CARDS
from app.games.atlantis.state import SPENT, Path, Places, State, counted, listed, minus, plus, put, ranked
from app.games.atlantis.way import Gap, Way, settled, way_of
from app.games.atlantis.words import (
    FIGURES,
    Bought,
    Bridged,
    Buy,
    Drew,
    DrewCards,
    Gained,
    GainedNothing,
    Go,
    Item,
    Moved,
    Paid,
    Show,
    Showed,
    Shuffled,
    Slid,
)

SHOW_DRAWS = 2


class Turn:
    """A move in the making: the parts of the state that it changes, and what has happened so far."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.place = state.turn
        self.seat: Seat = state.seats[state.turn]
        self.hand = state.hands[state.turn]
        self.won = state.won[state.turn]
        self.draw_pile = state.draw
        self.discard = state.discard
        self.told: list[Addressed] = []
        self.reveals = False

    def tell(self, event: Event, to: tuple[Seat, ...] | None = None) -> None:
        """Note what happened."""
        self.told.append(Addressed(event, to))

    def draw(self, count: int) -> int:
        """Draw cards into the hand; how many there were."""
        drawn: list[Item] = []
        while len(drawn) < count and (self.draw_pile or any(self.discard)):
            if not self.draw_pile:
                self.tell(Shuffled(sum(self.discard)))
                self.draw_pile = self.chance.shuffled(listed(self.discard))
                self.discard = NO_CARDS
            wanted = count - len(drawn)
            drawn += self.draw_pile[:wanted]
            self.draw_pile = self.draw_pile[wanted:]
        self.hand = plus(self.hand, drawn)
        self.tell(Drew(self.seat, len(drawn)))
        if drawn:
            self.reveals = True
            self.tell(DrewCards(self.seat, listed(counted(drawn))), to=(self.seat,))
        return len(drawn)

    def state_now(self, **changes: object) -> State:
        """The state with what the move changed so far, and more changes."""
        state = self.state
        parts: dict[str, object] = {
            "seats": state.seats,
            "path": state.path,
            "figures": state.figures,
            "bridges": state.bridges,
            "hands": put(state.hands, self.place, self.hand),
            "won": put(state.won, self.place, self.won),
            "draw": self.draw_pile,
            "discard": self.discard,
            "turn": state.turn,
            "step": state.step,
            "idle": state.idle,
        }
        return State(**(parts | changes))  # type: ignore[arg-type]

    def passed_on(self, **changes: object) -> State:
        """The state with the turn passed to the next player."""
        following = (self.place + 1) % len(self.state.seats)
        return self.state_now(turn=following, step="buy", **changes)

    def step(self, state: State) -> Step:
        """What came of it."""
        return Step(state, tuple(self.told), self.reveals)


def apply(state: State, seat: Seat, move: Buy | Go | Show, chance: Chance) -> Step:
    """The state after the move. Raises IllegalMove."""
    if state.step == "over":
        raise IllegalMove("over")
    if seat != state.seats[state.turn]:
        raise IllegalMove("not_your_turn", turn=state.seats[state.turn])
    turn = Turn(state, chance)
    if isinstance(move, Buy):
        return _buy(turn, move)
    if isinstance(move, Go):
        return _go(turn, move)
    return _show(turn)


def _buy(turn: Turn, move: Buy) -> Step:
    refuse.unfit_buy(turn.state, move)
    turn.won, _, _ = purse.spent((move.tile,), turn.won, turn.hand, turn.discard)
    cards = VALUE[move.tile] // 2
    turn.tell(Bought(turn.seat, move.tile, cards))
    idle = turn.state.idle
    if turn.draw(cards):
        idle = 0 if turn.draw_pile or any(turn.discard) else -1  # this turn will not have been idle
    return turn.step(turn.state_now(step="go", idle=idle))


def _show(turn: Turn) -> Step:
    refuse.unfit_show(turn.state)
    turn.tell(Showed(turn.seat, listed(turn.hand)))
    turn.reveals = True
    idle = 0 if turn.draw(SHOW_DRAWS) else turn.state.idle + 1
    if idle < len(turn.state.seats):
        return turn.step(turn.passed_on(idle=idle))
    return turn.step(ending.finish(turn.state_now(idle=idle), None, turn.told))


def _go(turn: Turn, move: Go) -> Step:
    state = turn.state
    way = way_of(state)
    figure = FIGURES.index(move.figure)
    start = state.figures[turn.place][figure]
    stops = refuse.unfit_walk(state, way, move)
    end = stops[-1]
    turn.hand = minus(turn.hand, move.cards)
    turn.discard = plus(turn.discard, move.cards)
    turn.tell(Moved(turn.seat, move.figure, move.cards, start, stops, f"{turn.seat}:{move.figure}"))
    cost, gaps = way.cost(start, end), way.crossed(start, end)
    bridges = state.bridges
    if move.bridge is not None:
        gap = refuse.unfit_bridge(state, way, move, end)
        cost -= gap.cost
        gaps = tuple(other for other in gaps if other != gap)
        bridges = put(bridges, turn.place, gap.first)
        turn.tell(Bridged(turn.seat, gap.first, gap.last, f"gap:{gap.first}"))
    _pay(turn, move, cost, gaps)
    figures = put(state.figures, turn.place, put(state.figures[turn.place], figure, end))
    path, bridges = _take(turn, way, figures, bridges, end)
    turn.draw(1 + figures[turn.place].count(MAINLAND))
    if figures[turn.place] == ending.HOME:
        after = turn.state_now(figures=figures, path=path, bridges=bridges, idle=0)
        return turn.step(ending.finish(after, turn.seat, turn.told))
    return turn.step(turn.passed_on(figures=figures, path=path, bridges=bridges, idle=0))


def _pay(turn: Turn, move: Go, cost: int, gaps: tuple[Gap, ...]) -> None:
    pieces = purse.cheapest(cost, turn.won, turn.hand)
    if pieces is None:
        raise refuse.too_dear(turn.state, move, cost, gaps)
    if move.pay is not None:
        purse.check(cost, move.pay, turn.won, turn.hand)
        pieces = move.pay
    if pieces:
        turn.won, turn.hand, turn.discard = purse.spent(pieces, turn.won, turn.hand, turn.discard)
        turn.tell(Paid(turn.seat, cost, pieces))


def _take(
    turn: Turn, way: Way, figures: tuple[Places, ...], bridges: tuple[int, ...], end: int
) -> tuple[Path, tuple[int, ...]]:
    """Take the tile behind; the path and the bridges after it."""
    path = turn.state.path
    space = way.free_behind(end, [at for places in figures for at in places])
    if space is None:
        turn.tell(GainedNothing(turn.seat))
        return path, bridges
    tile, *under = path[space - 1]
    turn.won = ranked((*turn.won, tile))
    path = put(path, space - 1, tuple(under))
    if under:
        turn.reveals = True
        turn.tell(Gained(turn.seat, tile, space, under[0], f"space:{space}"))
        return path, bridges
    turn.tell(Gained(turn.seat, tile, space, None, f"space:{space}"))
    after = settled(path, bridges)
    lying = [at for at, top in enumerate(way.tops) if top]
    if space in (lying[0], lying[-1]):
        left = [at for at in lying if at != space]
        lost = tuple(
            seat
            for seat, old, new in zip(turn.state.seats, bridges, after, strict=True)
            if old != new == SPENT
        )
        if space == lying[0]:
            gone = range(space, left[0] if left else space + 1)
            turn.tell(Slid("atlantis", tuple(gone), lost))
        else:
            gone = range(left[-1] + 1, space + 1)
            turn.tell(Slid("mainland", tuple(gone), lost))
    return path, after

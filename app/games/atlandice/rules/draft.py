"""The mutable draft of the next state, and the events told so far."""

from collections.abc import Iterable

from app.engine.game import Addressed, Event, Seat, Step
from app.games.atlandice.board import MARKET
from app.games.atlandice.events import HandMoved
from app.games.atlandice.moves import Pair
from app.games.atlandice.state import Effect, State, owners_of


class Draft:
    """Made from a state, changed by the rules, frozen into a step."""

    def __init__(self, state: State) -> None:
        self.seats = state.seats
        self.owners = owners_of(state.seats)
        self.piles = list(state.piles)
        self.stock = [list(row) for row in state.stock]
        self.owned = [list(row) for row in state.owned]
        self.tiles = list(state.tiles)
        self.points = list(state.points)
        self.dice = list(state.dice)
        self.taken = list(state.taken)
        self.served = list(state.served)
        self.submarine = state.submarine
        self.clock = state.clock
        self.first = state.first
        self.turn = state.turn
        self.step = state.step
        self.effect: Effect | None = state.effect
        self.gifts: tuple[tuple[Pair, ...] | None, ...] = state.gifts
        self.donations = state.donations
        self.track = state.track
        self.before: tuple[int, ...] = state.effect.before if state.effect else ()
        self.reveals = False
        self._told: list[Addressed] = []

    @property
    def seat(self) -> Seat:
        """The active player."""
        return self.seats[self.turn]

    def tell(self, event: Event) -> None:
        """Tell everybody; all events of this game are public."""
        self._told.append(Addressed(event))

    def holding(self) -> tuple[int, ...]:
        """The districts that hold something."""
        return tuple(at for at in range(MARKET) if any(self.stock[at]))

    def gain(self, owner: int, area: int, kinds: Iterable[int]) -> None:
        """Give the owner resources that lie at the area."""
        for kind in kinds:
            self.stock[area][kind] -= 1
            self.owned[owner][kind] += 1

    def move_hand(self, spaces: int, area: str = "") -> int:
        """Advance the clock's hand, at most to the last space; returns the spaces moved."""
        spaces = min(spaces, self.track.last - self.clock)
        if spaces > 0:
            self.clock += spaces
            self.tell(HandMoved(spaces, self.clock, area))
        return spaces

    def freeze(self) -> Step:
        """The finished step."""
        return Step(self.state(), tuple(self._told), self.reveals)

    def state(self) -> State:
        """The current state."""
        return State(
            self.seats,
            tuple(self.piles),
            tuple(map(tuple, self.stock)),
            tuple(map(tuple, self.owned)),
            tuple(self.tiles),
            tuple(self.points),
            tuple(self.dice),
            tuple(self.taken),
            tuple(self.served),
            self.submarine,
            self.clock,
            self.first,
            self.turn,
            self.step,
            self.effect,
            self.gifts,
            self.donations,
            self.track,
        )

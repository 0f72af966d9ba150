"""A mutable copy of the state for one move, and the harm done to explorers and ships."""

from app.engine.game import Addressed, Event, Seat, Step
from app.games.survive.board import CREATURES, EXPLORERS, FIRST_OF, LOST, NAME, ON_SHIP, SHIPS
from app.games.survive.events import Died, Wrecked
from app.games.survive.rules.ground import Ground, ground, teams
from app.games.survive.state import State

_FIRST_WHALE = FIRST_OF["whale"]
_FIRST_SHARK = FIRST_OF["shark"]


class Draft:
    """The fields of a state, mutable, and the events so far."""

    def __init__(self, state: State) -> None:
        self.seats = state.seats
        self.variant = state.variant
        self.teams = teams(state.seats, state.variant.two)
        self.tiles = state.tiles
        self.where = list(state.where)
        self.worth = state.worth
        self.ships = list(state.ships)
        self.creatures = list(state.creatures)
        self.appeared = state.appeared
        self.hands = state.hands
        self.kills = state.kills
        self.number = state.number
        self.active = state.active
        self.step = state.step
        self.points = state.points
        self.water = state.water
        self.die = state.die
        self.attacker = state.attacker
        self.asked = state.asked
        self.boarding = state.boarding
        self.orders = state.orders
        self.stirred = state.stirred
        self.idle = state.idle
        self.dry = state.dry
        self.ending = state.ending
        self.told: list[Addressed] = []
        self.reveals = False

    def state(self) -> State:
        """The current fields as a state."""
        return State(
            self.seats,
            self.variant,
            self.tiles,
            tuple(self.where),
            self.worth,
            tuple(self.ships),
            tuple(self.creatures),
            self.appeared,
            self.hands,
            self.kills,
            self.number,
            self.active,
            self.step,
            self.points,
            self.water,
            self.die,
            self.attacker,
            self.asked,
            self.boarding,
            self.orders,
            self.stirred,
            self.idle,
            self.dry,
            self.ending,
        )

    def finished(self) -> Step:
        """The changed state and its events."""
        return Step(self.state(), tuple(self.told), self.reveals)

    @property
    def mover(self) -> Seat:
        """The seat whose turn it is."""
        return self.seats[self.active]

    @property
    def ground(self) -> Ground:
        """Land and sea as they are now."""
        return ground(self.tiles)

    def tell(self, event: Event, only: int | None = None) -> None:
        """Add an event, for everybody or for one seat."""
        self.told.append(Addressed(event, None if only is None else (self.seats[only],)))

    def aboard(self, ship: int) -> list[int]:
        """The explorers on a ship."""
        code = ON_SHIP + ship
        return [n for n, at in enumerate(self.where) if at == code]

    def explorers_on(self, space: int) -> list[int]:
        """The explorers on a tile, or swimming, if the space is sea."""
        return [n for n, at in enumerate(self.where) if at == space]

    def anybody_left(self) -> bool:
        """Whether an explorer is on the island, aboard or in the water."""
        return any(0 <= at < ON_SHIP + len(SHIPS) for at in self.where)

    def deadly_to_swimmers(self, space: int) -> int:
        """A serpent or shark on the space, or -1."""
        for n in range(_FIRST_WHALE):
            if self.creatures[n] == space:
                return n
        return -1

    def deadly_to_ships(self, space: int) -> int:
        """A serpent or whale on the space, or -1."""
        for n, at in enumerate(self.creatures):
            if at == space and not _FIRST_SHARK <= n < _FIRST_WHALE:
                return n
        return -1

    def kill(self, explorers: list[int], space: int, cause: str, by: str = "") -> None:
        """Kill explorers by the active player's doing; opponents' count as kills (section 6, `hunters`)."""
        if not explorers:
            return
        mine = self.active
        for n in explorers:
            self.where[n] = LOST
        prey = sum(self.teams.owner[n] != mine for n in explorers)
        if prey:
            self.kills = (*self.kills[:mine], self.kills[mine] + prey, *self.kills[mine + 1 :])
        self.stirred = True
        self.tell(Died(self.mover, tuple(EXPLORERS[n] for n in explorers), NAME[space], cause, by))

    def drown(self, space: int) -> None:
        """Kill all swimmers on the space if a serpent or shark is there."""
        killer = self.deadly_to_swimmers(space)
        if killer >= 0:
            name = CREATURES[killer]
            self.kill(self.explorers_on(space), space, name.rstrip("0123456789"), name)

    def wreck(self, ship: int, by: int) -> None:
        """Wreck a loaded ship: its passengers swim, and die if a serpent or shark is there."""
        space = self.ships[ship]
        fallen = self.aboard(ship)
        for n in fallen:
            self.where[n] = space
        self.ships[ship] = -1
        self.stirred = True
        self.tell(
            Wrecked(SHIPS[ship], NAME[space], CREATURES[by], tuple(EXPLORERS[n] for n in fallen)),
        )
        self.drown(space)

    def ship_meets_creatures(self, ship: int) -> bool:
        """Wreck a loaded ship that shares its space with a serpent or whale. True if wrecked."""
        by = self.deadly_to_ships(self.ships[ship])
        if by < 0 or not self.aboard(ship):
            return False
        self.wreck(ship, by)
        return True

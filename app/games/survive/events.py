"""The events of Survive. Pieces and spaces have their names from `board`."""

from app.engine.game import Event, Seat


class ExplorerPlaced(Event, frozen=True, tag="ExplorerPlaced"):
    """An explorer was put on a tile in the set-up. Its value stays secret."""

    seat: Seat
    explorer: str
    at: str


class ShipPlaced(Event, frozen=True, tag="ShipPlaced"):
    """A ship was put on the sea in the set-up."""

    seat: Seat
    ship: str
    at: str


class OrdersGiven(Event, frozen=True, tag="OrdersGiven"):
    """A player has sealed a placing list."""

    seat: Seat


class ValuesDealt(Event, frozen=True, tag="ValuesDealt"):
    """To its owner only: values drawn at random. With `memory: rulebook`, shown only once."""

    seat: Seat
    values: dict[str, int]


class TilePlayed(Event, frozen=True, tag="TilePlayed"):
    """A tile from the hand was played at the beginning of a turn."""

    seat: Seat
    tile: str


class Walked(Event, frozen=True, tag="Walked"):
    """An explorer went from tile to tile."""

    seat: Seat
    explorer: str
    start: str
    to: str


class Swam(Event, frozen=True, tag="Swam"):
    """An explorer went into the next sea space: from land, swimming, or along a path with a dolphin."""

    seat: Seat
    explorer: str
    start: str
    path: tuple[str, ...]
    from_land: bool = False
    dolphin: bool = False


class Jumped(Event, frozen=True, tag="Jumped"):
    """An explorer jumped from its ship."""

    seat: Seat
    explorer: str
    ship: str
    at: str


class Boarded(Event, frozen=True, tag="Boarded"):
    """An explorer boarded a ship from land, from the water or from another ship (then named)."""

    seat: Seat
    explorer: str
    ship: str
    start: str
    at: str
    from_ship: str = ""


class Saved(Event, frozen=True, tag="Saved"):
    """An explorer went ashore on a safe isle."""

    seat: Seat
    explorer: str
    isle: str
    start: str
    from_ship: str = ""


class Sailed(Event, frozen=True, tag="Sailed"):
    """A ship moved along a path, by a player's points or by the winds."""

    seat: Seat
    ship: str
    start: str
    path: tuple[str, ...]
    wind: bool = False


class Lured(Event, frozen=True, tag="Lured"):
    """A creature was put on a vacant space by a tile."""

    seat: Seat
    creature: str
    start: str
    to: str


class Sank(Event, frozen=True, tag="Sank"):
    """A terrain tile was removed; the explorers on it fell into the water."""

    seat: Seat
    at: str
    terrain: str
    fallen: tuple[str, ...]


class TurnedUp(Event, frozen=True, tag="TurnedUp"):
    """The back of a tile works at once."""

    seat: Seat
    at: str
    back: str


class Kept(Event, frozen=True, tag="Kept"):
    """A tile was taken into the hand, face down. `held` is the hand's size."""

    seat: Seat
    at: str
    held: int


class Drew(Event, frozen=True, tag="Drew"):
    """To its owner only: the tile just kept."""

    seat: Seat
    at: str
    tile: str


class Appeared(Event, frozen=True, tag="Appeared"):
    """A new shark, whale or ship came onto the board."""

    piece: str
    at: str


class Rescued(Event, frozen=True, tag="Rescued"):
    """A new ship took up swimmers."""

    ship: str
    at: str
    explorers: tuple[str, ...]


class Swallowed(Event, frozen=True, tag="Swallowed"):
    """A whirlpool took these pieces. `Died` names the explorers that it took."""

    at: str
    ships: tuple[str, ...]
    creatures: tuple[str, ...]


class Rolled(Event, frozen=True, tag="Rolled"):
    """The creature die was rolled. `movable`: a creature of that kind can move."""

    seat: Seat
    die: str
    movable: bool


class CreatureMoved(Event, frozen=True, tag="CreatureMoved"):
    """A creature was moved by the die."""

    seat: Seat
    creature: str
    start: str
    path: tuple[str, ...]


class CreaturePassed(Event, frozen=True, tag="CreaturePassed"):
    """The player moved no creature."""

    seat: Seat


class Wrecked(Event, frozen=True, tag="Wrecked"):
    """A loaded ship was lost to a creature; its passengers fell into the water."""

    ship: str
    at: str
    by: str
    fallen: tuple[str, ...]


class Died(Event, frozen=True, tag="Died"):
    """Explorers were lost to a serpent, a shark, a whirlpool or the volcano; `by` names the creature."""

    seat: Seat
    explorers: tuple[str, ...]
    at: str
    cause: str
    by: str = ""


class Defended(Event, frozen=True, tag="Defended"):
    """A defence tile drove the attacker out of the game before it did harm."""

    seat: Seat
    tile: str
    creature: str
    at: str


class Allowed(Event, frozen=True, tag="Allowed"):
    """A possible defender let the attack happen."""

    seat: Seat
    creature: str
    at: str


class TurnBegan(Event, frozen=True, tag="TurnBegan"):
    """It is a player's turn."""

    seat: Seat
    number: int


class Ended(Event, frozen=True, tag="Ended"):
    """The game is over: everything is shown."""

    reason: str
    scores: dict[Seat, int]
    values: dict[str, int]
    backs: dict[str, str]
    hands: dict[Seat, tuple[str, ...]]


EVENT_TYPES: tuple[type[Event], ...] = (
    *(ExplorerPlaced, ShipPlaced, OrdersGiven, ValuesDealt, TilePlayed),
    *(Walked, Swam, Jumped, Boarded, Saved, Sailed, Lured),
    *(Sank, TurnedUp, Kept, Drew, Appeared, Rescued, Swallowed),
    *(Rolled, CreatureMoved, CreaturePassed, Wrecked, Died, Defended, Allowed, TurnBegan, Ended),
)


def route_of(event: Event) -> tuple[str, ...]:
    """The spaces that a piece left, passed and reached. Isles are named as in click paths."""
    match event:
        case Walked(start=start, to=to) | Lured(start=start, to=to):
            return (start, to)
        case Swam(start=start, path=path) | Sailed(start=start, path=path):
            return (start, *path)
        case CreatureMoved(start=start, path=path):
            return (start, *path)
        case Boarded(start=start, at=at):
            return (start, at)
        case Saved(start=start, isle=isle):
            return (start, f"isle:{isle}")
    return ()

"""What a game of Survive tells (events) and shows (views). Names of pieces and spaces are as in `board`."""

from typing import TypeAlias

from app.engine.game import Event, Record, Seat, View


class ExplorerPlaced(Event, frozen=True, tag="ExplorerPlaced"):
    """An explorer was put on a tile in the set-up; its value is nobody's business."""

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
    """To its owner only: what chance gave. Where memory is as printed, to be shown once and never again."""

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
    """A terrain tile was removed; who stood there fell into the water."""

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
    """A tile was taken into the hand, face down. `held` counts the hand."""

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
    """A whirlpool took these; the explorers that it took are told as dead."""

    at: str
    ships: tuple[str, ...]
    creatures: tuple[str, ...]


class Rolled(Event, frozen=True, tag="Rolled"):
    """The creature die was rolled; `movable` tells whether one of that kind can move."""

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
    """A player who might have defended let the attack have its way."""

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


PLACES = ("land", "sea", "ship", "isle", "lost", "unplaced")


class ExplorerSeen(Record, frozen=True, tag="ExplorerSeen"):
    """An explorer. `place` is one of PLACES; `at` names the space, ship or isle."""

    name: str
    colour: str
    place: str
    at: str
    value: int | None
    """None where the seat may not see it."""


class AttackSeen(Record, frozen=True, tag="AttackSeen"):
    """A creature that has arrived and whose harm waits for an answer."""

    creature: str
    at: str
    asked: Seat
    hit: dict[Seat, int]
    """How many explorers of each player it would hit, the attacker's own among them."""


class BoardingSeen(Record, frozen=True, tag="BoardingSeen"):
    """A new ship that cannot take up all swimmers around it."""

    at: str
    ship: str
    swimmers: tuple[str, ...]


class PlayerSeen(Record, frozen=True, tag="PlayerSeen"):
    """What everybody knows about a player."""

    seat: Seat
    colours: tuple[str, ...]
    held: int
    """Tiles in the hand."""
    kills: int
    saved: int
    left: int
    """Explorers on the island, aboard or in the water."""
    given: bool
    """Has sealed a placing list (set-up by orders only)."""


class SurviveView(View, frozen=True, tag="SurviveView"):
    """The board and the table as one seat, or an onlooker, may see them."""

    seat: Seat | None
    players: tuple[PlayerSeen, ...]
    """In turn order."""
    terrain: dict[str, str]
    """The tiles that are left; every other space is sea."""
    explorers: tuple[ExplorerSeen, ...]
    ships: dict[str, str]
    creatures: dict[str, str]
    hand: tuple[str, ...]
    """The seat's own tiles."""
    tiles_left: dict[str, int]
    number: int
    """Turns begun."""
    turn: Seat
    step: str
    points: int
    die: str
    """What the die shows while a creature may move, else empty."""
    water_moved: tuple[str, ...]
    attack: AttackSeen | None
    boarding: BoardingSeen | None
    orders: str
    """The seat's own sealed placing list."""
    setup: str
    memory: str
    still_rounds: int
    """Rounds in a row without land in which nobody moved; matters with `to_the_last`."""
    over: bool
    reason: str
    """How the game ended, else empty."""
    scores: dict[Seat, int]
    """Empty before the end, like the next two."""
    backs: dict[str, str]
    hands: dict[Seat, tuple[str, ...]]

    def standing(self) -> tuple["Standing", ...]:
        """What is in each space that is not empty."""
        here: dict[str, tuple[list[str], list[ExplorerSeen]]] = {}
        aboard: dict[str, list[ExplorerSeen]] = {}
        ship_on = {at: ship for ship, at in self.ships.items()}
        for at in ship_on:
            here[at] = [], []
        for name, at in self.creatures.items():
            here.setdefault(at, ([], []))[0].append(name)
        for one in self.explorers:
            if one.place in ("land", "sea"):
                here.setdefault(one.at, ([], []))[1].append(one)
            elif one.place == "ship":
                aboard.setdefault(one.at, []).append(one)
        return tuple(
            (at, ship := ship_on.get(at, ""), tuple(aboard.get(ship, ())), tuple(creatures), tuple(explorers))
            for at, (creatures, explorers) in here.items()
        )

    def ashore(self) -> dict[str, dict[str, int]]:
        """For each isle that somebody has reached, how many of each colour are on it."""
        count: dict[str, dict[str, int]] = {}
        for one in self.explorers:
            if one.place == "isle":
                isle = count.setdefault(one.at, {})
                isle[one.colour] = isle.get(one.colour, 0) + 1
        return count

    def known_values(self) -> tuple[tuple[str, int], ...]:
        """The explorers whose value is seen, and the value."""
        return tuple((one.name, one.value) for one in self.explorers if one.value)

    def counts(self) -> tuple[tuple[PlayerSeen, int | None], ...]:
        """The players in turn order, each with its score at the end."""
        return tuple((player, self.scores.get(player.seat)) for player in self.players)

    def whereabouts(self) -> tuple["Whereabouts", ...]:
        """Colour by colour, who is on land, in the water, aboard, safe, lost or not yet placed."""
        groups: dict[tuple[str, str], list[ExplorerSeen]] = {}
        for one in self.explorers:
            groups.setdefault((one.colour, one.place), []).append(one)
        colours = dict.fromkeys(one.colour for one in self.explorers)
        return tuple(
            (colour, place, tuple(groups[colour, place]))
            for colour in colours
            for place in PLACES
            if (colour, place) in groups
        )


Standing: TypeAlias = tuple[str, str, tuple[ExplorerSeen, ...], tuple[str, ...], tuple[ExplorerSeen, ...]]
"""A space, the ship there or "", its passengers, the creatures and the explorers on land or in the water."""

Whereabouts: TypeAlias = tuple[str, str, tuple[ExplorerSeen, ...]]
"""A colour, a place and the explorers of that colour in such a place."""

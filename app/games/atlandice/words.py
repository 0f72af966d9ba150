"""The words of Atlandice: what can be done, what can happen, what can be asked, refused and concluded."""

from app.engine.game import Event, Move

Kinds = tuple[str, ...]
Pair = tuple[str, str]


class Visit(Move, frozen=True, tag="Visit"):
    """Take a die from the area, and what lies there: one resource, two with the submarine, or none."""

    area: str
    kinds: Kinds
    neutral: bool = False
    """Two players: the die is the neutral player's."""


class Take(Move, frozen=True, tag="Take"):
    """Take more from the area that the effect names."""

    kinds: Kinds
    area: str


class Fetch(Move, frozen=True, tag="Fetch"):
    """Take a resource from another area (L1)."""

    kind: str
    area: str


class Swap(Move, frozen=True, tag="Swap"):
    """Swap a resource at the jewelers with another one that lies at the area (J2)."""

    kind: str
    other: str
    area: str


class Put(Move, frozen=True, tag="Put"):
    """Move a resource from one area to another (L2, I2, B2)."""

    kind: str
    origin: str
    to: str


class Die(Move, frozen=True, tag="Die"):
    """Give a die that lies at the area another value (I3)."""

    area: str
    value: int


class Submarine(Move, frozen=True, tag="Submarine"):
    """Move the submarine (E1, E2, E3)."""

    area: str


class Donate(Move, frozen=True, tag="Donate"):
    """Give pairs of resources for a point each; none is an answer too."""

    pairs: tuple[Pair, ...] = ()


MOVES: tuple[type[Move], ...] = (Visit, Take, Fetch, Swap, Put, Die, Submarine, Donate)


class RoundBegan(Event, frozen=True, tag="RoundBegan"):
    """The dice were rolled for the first player."""

    seat: str
    dice: tuple[int, ...]


class Visited(Event, frozen=True, tag="Visited"):
    """A die was taken, and resources of the area; they are the owner's."""

    seat: str
    area: str
    kinds: Kinds
    owner: str


class Rolled(Event, frozen=True, tag="Rolled"):
    """A tile's effect rolled its die."""

    seat: str
    tile: str
    value: int
    hit: bool


class Led(Event, frozen=True, tag="Led"):
    """The second roll of J3 led to an area."""

    seat: str
    value: int
    area: str


class Gained(Event, frozen=True, tag="Gained"):
    """An effect gave resources that lay at the area."""

    seat: str
    area: str
    kinds: Kinds
    owner: str


class Swapped(Event, frozen=True, tag="Swapped"):
    """A resource of the jewelers changed places with another area's."""

    seat: str
    kind: str
    other: str
    area: str


class Moved(Event, frozen=True, tag="Moved"):
    """A resource went from one area to another."""

    seat: str
    kind: str
    origin: str
    to: str


class DieTurned(Event, frozen=True, tag="DieTurned"):
    """A die got a new value and lies at another area."""

    seat: str
    area: str
    value: int
    to: str


class SubmarineMoved(Event, frozen=True, tag="SubmarineMoved"):
    """The submarine went to another area."""

    seat: str
    area: str


class Lapsed(Event, frozen=True, tag="Lapsed"):
    """A tile's effect could not be carried out."""

    seat: str
    tile: str


class HandMoved(Event, frozen=True, tag="HandMoved"):
    """The clock's hand moved: for the last die at an area, or by the inn's roll (then area is empty)."""

    spaces: int
    space: int
    area: str = ""


class Emptied(Event, frozen=True, tag="Emptied"):
    """A district was emptied and its tile scored."""

    area: str
    tile: str
    kind: str
    taker: str
    """Who took the tile; empty: nobody, it left the game."""
    tied: tuple[str, ...] = ()
    """The other firsts, with three points each."""
    seconds: tuple[str, ...] = ()


class Refilled(Event, frozen=True, tag="Refilled"):
    """The resources of an emptied district came back: to the market, and to the tile turned up."""

    area: str
    tile: str
    kind: str
    to_market: int
    to_tile: int


class Sunk(Event, frozen=True, tag="Sunk"):
    """A district is gone, and its kind of resources with it."""

    area: str
    kind: str


class Surveyed(Event, frozen=True, tag="Surveyed"):
    """A survey gave a point to all who had most of the kind, or of `all`."""

    kind: str
    most: int
    firsts: tuple[str, ...]


class DonationsAsked(Event, frozen=True, tag="DonationsAsked"):
    """Everybody may give."""


class Answered(Event, frozen=True, tag="Answered"):
    """A seat has given, or not: nobody sees what until all have answered."""

    seat: str


class Donated(Event, frozen=True, tag="Donated"):
    """What a seat gave, for a point a pair."""

    seat: str
    pairs: tuple[Pair, ...]


class Ranked(Event, frozen=True, tag="Ranked"):
    """The final points for a kind."""

    kind: str
    firsts: tuple[str, ...]
    seconds: tuple[str, ...]


class Ended(Event, frozen=True, tag="Ended"):
    """The flood came. The totals are those of everybody, the neutral player too."""

    totals: dict[str, int]


EVENTS: tuple[type[Event], ...] = (
    RoundBegan,
    Visited,
    Rolled,
    Led,
    Gained,
    Swapped,
    Moved,
    DieTurned,
    SubmarineMoved,
    Lapsed,
    HandMoved,
    Emptied,
    Refilled,
    Sunk,
    Surveyed,
    DonationsAsked,
    Answered,
    Donated,
    Ranked,
    Ended,
)

EFFECT_ASKS = {
    "J1": "more",
    "L3": "more",
    "B1": "more",
    "B3": "market",
    "J2": "swap",
    "J3": "led",
    "L1": "fetch",
    "L2": "to_market",
    "I2": "from_market",
    "B2": "away",
    "I3": "die",
    "E1": "submarine",
    "E2": "submarine",
    "E3": "submarine",
}
"""The tiles whose effect leaves a choice, and the question that they ask."""

ASKS: tuple[str, ...] = ("visit", *dict.fromkeys(EFFECT_ASKS.values()), "donate")

REASONS: tuple[str, ...] = (
    # a move
    "over",
    "not_asked",
    "not_now",
    "no_area",
    "gone",
    "no_kind",
    "no_die",
    "not_there",
    "too_few",
    "too_many",
    "no_neutral",
    "neutral_served",
    "wrong_source",
    "wrong_target",
    "no_value",
    "same_area",
    "submarine_there",
    "odd_gift",
    "not_owned",
    # a table
    "bad_seats",
    "bad_option",
    # a position
    "bad_key",
    "bad_value",
    "bad_number",
    "tile_twice",
    "no_tile_left",
    "too_many_resources",
    "too_many_dice",
    "on_gone",
    "nothing_asked",
)

ENDINGS: tuple[str, ...] = ("flood",)

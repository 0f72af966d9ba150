"""Events that the log tells (section 8: all of them are public), and endings."""

from app.engine.game import Event
from app.games.atlandice.moves import Kinds, Pair


class RoundBegan(Event, frozen=True, tag="RoundBegan"):
    """The dice were rolled for the first player."""

    seat: str
    dice: tuple[int, ...]


class Visited(Event, frozen=True, tag="Visited"):
    """A die was taken, and resources of the area for the owner."""

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
    """The owner that took the tile; empty: it left the game."""
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
    """A donation began."""


class Answered(Event, frozen=True, tag="Answered"):
    """A seat has answered; its gift stays sealed until all have."""

    seat: str


class PassedBy(Event, frozen=True, tag="PassedBy"):
    """A seat with fewer than two resources is not asked to donate."""

    seat: str


class Donated(Event, frozen=True, tag="Donated"):
    """A seat gave these pairs, for a point each."""

    seat: str
    pairs: tuple[Pair, ...]


class Ranked(Event, frozen=True, tag="Ranked"):
    """The final points for a kind."""

    kind: str
    firsts: tuple[str, ...]
    seconds: tuple[str, ...]


class Ended(Event, frozen=True, tag="Ended"):
    """The flood came. The totals include the neutral player's."""

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
    PassedBy,
    Donated,
    Ranked,
    Ended,
)

ENDINGS: tuple[str, ...] = ("flood",)

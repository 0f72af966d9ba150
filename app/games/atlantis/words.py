"""The words of the game: items, figures, what a player decides, what happens."""

from typing import Literal, TypeAlias, get_args

from app.engine.game import Event, Move, Seat

Item: TypeAlias = Literal["flag", "olive", "helmet", "pot", "ring", "crown", "statue"]
ITEMS: tuple[Item, ...] = get_args(Item)

FigureName: TypeAlias = Literal["A", "B", "C"]
FIGURES: tuple[FigureName, ...] = get_args(FigureName)

Tile: TypeAlias = str
"""An item and its value: `flag3`."""

Piece: TypeAlias = str
"""What one pays with: a tile, or a card as `card:flag`."""

Cards: TypeAlias = tuple[int, ...]
"""How many cards of each item, in the order of ITEMS."""

COLOURS: tuple[Seat, ...] = ("red", "blue", "white", "black")
CARD = "card:"


class Buy(Move, frozen=True, tag="Buy"):
    """Give a collected tile back for cards."""

    tile: Tile


class Go(Move, frozen=True, tag="Go"):
    """Move a figure by the cards, in order."""

    figure: FigureName
    cards: tuple[Item, ...]
    bridge: int | None = None
    """A space of the gap to be bridged; its first in canonical moves."""
    pay: tuple[Piece, ...] | None = None
    """None: the server pays so that least is lost."""


class Show(Move, frozen=True, tag="Show"):
    """Show a hand that allows no move."""


class Laid(Event, frozen=True, tag="Laid"):
    """The path lies, the hands are dealt; `sizes` in the order of the seats."""

    seats: tuple[Seat, ...]
    sizes: tuple[int, ...]


class Bought(Event, frozen=True, tag="Bought"):
    """A tile went back to the box for so many cards."""

    seat: Seat
    tile: Tile
    cards: int


class Moved(Event, frozen=True, tag="Moved"):
    """A figure went from space to space; `stops` holds each landing, 54 being the mainland."""

    seat: Seat
    figure: FigureName
    cards: tuple[Item, ...]
    start: int
    stops: tuple[int, ...]
    on_board: str
    """The name of what changed on the board, as a picture marks it."""


class Bridged(Event, frozen=True, tag="Bridged"):
    """A bridge was laid over the gap from the first to the last space named."""

    seat: Seat
    first: int
    last: int
    on_board: str


class Paid(Event, frozen=True, tag="Paid"):
    """So much was due, and these tiles and cards were given for it."""

    seat: Seat
    cost: int
    pieces: tuple[Piece, ...]


class Gained(Event, frozen=True, tag="Gained"):
    """A tile was taken from a space; what now shows there, or None for water."""

    seat: Seat
    tile: Tile
    space: int
    shows: Tile | None
    on_board: str


class GainedNothing(Event, frozen=True, tag="GainedNothing"):
    """No free tile lay behind the figure."""

    seat: Seat


class Slid(Event, frozen=True, tag="Slid"):
    """Water beside Atlantis or the mainland vanished, and bridges with it."""

    side: Literal["atlantis", "mainland"]
    spaces: tuple[int, ...]
    bridges: tuple[Seat, ...]


class Shuffled(Event, frozen=True, tag="Shuffled"):
    """The discarded cards, so many, became the draw pile."""

    cards: int


class Drew(Event, frozen=True, tag="Drew"):
    """So many cards were drawn; 0 where there were none."""

    seat: Seat
    cards: int


class DrewCards(Event, frozen=True, tag="DrewCards"):
    """Which cards they were: for their owner's eyes."""

    seat: Seat
    cards: tuple[Item, ...]


class Showed(Event, frozen=True, tag="Showed"):
    """A hand that allowed no move, shown to all."""

    seat: Seat
    cards: tuple[Item, ...]


class Ended(Event, frozen=True, tag="Ended"):
    """The game is over; by whose third figure, or None where nobody could go on."""

    seat: Seat | None


class Crossed(Event, frozen=True, tag="Crossed"):
    """At the end a player brought his last figures home, for one sum; `short` of it he could not pay."""

    seat: Seat
    figures: tuple[FigureName, ...]
    cost: int
    pieces: tuple[Piece, ...]
    short: int


MOVES = (Buy, Go, Show)
EVENTS = (
    Laid,
    Bought,
    Moved,
    Bridged,
    Paid,
    Gained,
    GainedNothing,
    Slid,
    Shuffled,
    Drew,
    DrewCards,
    Showed,
    Ended,
    Crossed,
)
REASONS = (
    "over",
    "not_your_turn",
    "bought_already",
    "tile_not_yours",
    "tile_worthless",
    "figure_home",
    "card_not_held",
    "no_card",
    "space_taken",
    "card_too_many",
    "cannot_pay",
    "bridge_used",
    "bridge_no_gap",
    "bridge_not_crossed",
    "bridge_there",
    "pay_nothing_due",
    "pay_not_held",
    "pay_too_little",
    "pay_too_much",
    "must_move",
    "bad_seats",
    "bad_option",
    "bad_position",
)

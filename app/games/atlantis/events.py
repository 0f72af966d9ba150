"""Everything that can happen in a game."""

from typing import Literal

from app.engine.game import Event, Seat
from app.games.atlantis.board import FigureName, Item, Piece, Tile


class Laid(Event, frozen=True, tag="Laid"):
    """The path was laid and the hands were dealt. `sizes` are in the order of `seats`."""

    seats: tuple[Seat, ...]
    sizes: tuple[int, ...]


class Bought(Event, frozen=True, tag="Bought"):
    """A tile was returned to the box for a number of cards."""

    seat: Seat
    tile: Tile
    cards: int


class Moved(Event, frozen=True, tag="Moved"):
    """A figure moved. `stops` has each landing; 54 is the mainland."""

    seat: Seat
    figure: FigureName
    cards: tuple[Item, ...]
    start: int
    stops: tuple[int, ...]
    on_board: str
    """The name of the changed part, for marking it in a picture."""


class Bridged(Event, frozen=True, tag="Bridged"):
    """A bridge was laid over the gap from the first to the last of its spaces."""

    seat: Seat
    first: int
    last: int
    on_board: str


class Paid(Event, frozen=True, tag="Paid"):
    """A cost was paid with tiles and cards."""

    seat: Seat
    cost: int
    pieces: tuple[Piece, ...]


class Gained(Event, frozen=True, tag="Gained"):
    """A tile was taken from a space. `shows` is the tile now visible there, None for water."""

    seat: Seat
    tile: Tile
    space: int
    shows: Tile | None
    on_board: str


class GainedNothing(Event, frozen=True, tag="GainedNothing"):
    """There was no free tile behind the figure."""

    seat: Seat


class Slid(Event, frozen=True, tag="Slid"):
    """Water next to Atlantis or the mainland vanished, with the bridges of the named seats."""

    side: Literal["atlantis", "mainland"]
    spaces: tuple[int, ...]
    bridges: tuple[Seat, ...]


class Shuffled(Event, frozen=True, tag="Shuffled"):
    """The discarded cards, of the number given, were shuffled into a new draw pile."""

    cards: int


class Drew(Event, frozen=True, tag="Drew"):
    """A number of cards was drawn, 0 if none were left."""

    seat: Seat
    cards: int


class DrewCards(Event, frozen=True, tag="DrewCards"):
    """The cards that were drawn. Only for their owner."""

    seat: Seat
    cards: tuple[Item, ...]


class Showed(Event, frozen=True, tag="Showed"):
    """A hand that allowed no move was shown to everybody."""

    seat: Seat
    cards: tuple[Item, ...]


class Ended(Event, frozen=True, tag="Ended"):
    """The game ended, by the seat's third arrival or, with None, because nobody could go on."""

    seat: Seat | None


class Crossed(Event, frozen=True, tag="Crossed"):
    """In the final crossing a seat's remaining figures came home for one sum, `short` of it unpaid."""

    seat: Seat
    figures: tuple[FigureName, ...]
    cost: int
    pieces: tuple[Piece, ...]
    short: int


EVENTS: tuple[type[Event], ...] = (
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

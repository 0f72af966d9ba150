"""The contract of a game. Pure: equal arguments, equal results; no clock, no store, no dice of its own."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias, TypeVar

import msgspec

from app.engine.chance import Chance

Seat: TypeAlias = str
"""A place at the table, named by its colour. Who sits there is not the rules' business."""

Options: TypeAlias = Mapping[str, str]
"""The choice made for each option of a game; `fill` makes it whole."""

Position: TypeAlias = dict[str, Any]
"""A state in the words of the game's rule sheet: what YAML can hold."""


class Record(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """An immutable value that knows its own name in JSON. Tuples inside, never sets or dicts of sets."""


class Move(Record, frozen=True):
    """One decision, made. A turn may be several."""


class Event(Record, frozen=True):
    """One thing that happened, in facts."""


class View(Record, frozen=True):
    """What one seat, or an onlooker, may know: filled from nothing, never a copy with parts taken out."""


class Told(msgspec.Struct, frozen=True):
    """An event and who may hear of it. A secret is never inside an event told to everybody."""

    event: Event
    to: tuple[Seat, ...] | None = None
    """None: everybody, onlookers too."""


class Decision(msgspec.Struct, frozen=True):
    """A question that one seat must, or may, answer now. Several may stand open at once."""

    seat: Seat
    asks: str
    """The kind of question: names its macro and the page's part that asks it."""
    about: str
    """Tells it from the same question asked another time: a round, the attack answered. Public."""
    options: tuple[Move, ...]
    """Every legal answer where it can be listed; empty where the game takes any that it can read."""
    default: Move | None
    """What the clock plays. None only where `optional`. Tells nothing that the move itself does not."""
    optional: bool = False
    """May answer, but nobody waits for it."""


class Step(msgspec.Struct, frozen=True):
    """What came of a move."""

    state: Record
    told: tuple[Told, ...] = ()
    reveals: bool = False
    """Chance or hidden facts came to light: what was done cannot be taken back."""


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended. Place 1 won; equal places are a tie."""

    places: dict[Seat, int]
    scores: dict[Seat, int]
    reason: str
    """Names a macro, as an event does."""


class Option(msgspec.Struct, frozen=True):
    """Something chosen when a table is opened."""

    name: str
    choices: tuple[str, ...]
    """The default first. ("off", "on") is a switch."""
    seats: tuple[int, ...] | None = None
    """Only for these numbers of seats; None: for all."""


class Policy(msgspec.Struct, frozen=True):
    """An answer given ahead to one kind of question, for as long as it stands: a window in which to react.

    It answers at once, whether or not the seat holds what the answer needs, so that nobody sees which.
    """

    name: str
    asks: str
    """The kind of question that it answers; there is one policy at most for each."""
    choices: tuple[str, ...]
    """What it may say, "ask" first: to be asked. The word `N` stands for a number of at least 1."""


class Game(Protocol):
    """The rules of one game. A module of constants and functions would do as well; ours are instances."""

    slug: str
    edition: int
    """Rises when old logs would no longer replay."""
    seats: range
    colours: tuple[Seat, ...]
    """The seats' names; a match of n takes the first n."""
    options: tuple[Option, ...]
    state_type: type[Record]
    view_type: type[View]
    move_types: tuple[type[Move], ...]
    event_types: tuple[type[Event], ...]
    asks: tuple[str, ...]
    """Every kind of question there is."""
    reasons: tuple[str, ...]
    """Every reason of an IllegalMove, BadOptions and BadPosition there is."""
    endings: tuple[str, ...]
    """Every reason of an Outcome there is."""
    bags: frozenset[str]
    """Keys of a position below which the order of a list has no meaning."""
    policies: tuple[Policy, ...]
    lasting: frozenset[str]
    """Kinds of question in which one list of moves given ahead serves many turns: a placing, one by one."""

    def fill(self, seats: int, options: Options) -> Options:
        """The options with the defaults filled in. Raises BadOptions."""

    def setup(self, seats: tuple[Seat, ...], options: Options, chance: Chance) -> Step:
        """A new game, the seats in turn order. `options` are filled."""

    def decisions(self, state: Any) -> tuple[Decision, ...]:
        """The open questions. Empty if and only if the game is over."""

    def apply(self, state: Any, seat: Seat, move: Any, chance: Chance) -> Step:
        """The state after the move and what happened. Raises IllegalMove; then nothing has changed."""

    def outcome(self, state: Any) -> Outcome | None:
        """The end result, or None while the game goes on."""

    def view(self, state: Any, seat: Seat | None) -> View:
        """What the seat may know; None: an onlooker."""

    def split(self, text: str) -> tuple[str, ...]:
        """A line as lines of one step each. Empty parts are dropped; never raises."""

    def parse(self, state: Any, seat: Seat, text: str) -> Move:
        """The move that a one-step line means for the seat now. Lenient: case, spaces, dashes, digits.

        Reads, does not judge: a move that is read may still be illegal. Raises UnreadableMove or
        AmbiguousMove; where the text is a form of the notation that makes no sense here, IllegalMove.
        """

    def format(self, move: Any) -> str:
        """The canonical text of a move. `parse` reads it back."""

    def touches(self, move: Any) -> tuple[str, ...]:
        """The names on the board that a player points at, one after another, to make this move.

        Equal names have equal meaning over all moves of a question; a template gives each as `data-at`.
        A name that begins with `own:` is of something that only the seat may know of, such as a card of its
        hand: it never stands in an address. Empty: the move is a plain button.
        """

    def load(self, position: Position, seats: tuple[Seat, ...], options: Options, chance: Chance) -> Record:
        """The state of a position; what it leaves open is drawn. Raises BadPosition."""

    def dump(self, state: Any) -> Position:
        """The whole position of a state. Loading it gives an equal state."""

    def redeal(self, state: Any, seat: Seat | None, chance: Chance) -> Record:
        """Another state that the seat cannot tell from this one: all it may not know is dealt anew."""

    def bot(self, view: Any, decision: Decision, chance: Chance) -> Move:
        """A simple player's answer, from its own view and question alone. Always legal."""

    def read_policy(self, name: str, text: str) -> str:
        """The canonical text of what a policy says. Lenient. Raises UnreadableMove."""

    def obey(self, view: Any, decision: Decision, text: str) -> Move | None:
        """The answer that the policy for this kind of question gives, from the seat's own view and question.

        Always legal. None: the seat wants to be asked, or there is no policy for this; whether it is None
        follows from what everybody knows.
        """


AnyGame = TypeVar("AnyGame", bound=Game)

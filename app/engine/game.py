"""The contract between a game's rules and the server.

Rules are pure: equal arguments give equal results. They read no clock, no database and no dice but the
`Chance` that they are given. `app/games/README.md` leads through writing a game.
"""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

import msgspec
from typing_extensions import TypeVar

from app.engine.chance import Chance

Seat: TypeAlias = str
"""A seat's name, which is its colour. The rules don't know the player."""

Options: TypeAlias = Mapping[str, str]
"""The choice made for each option of a game."""

Position: TypeAlias = dict[str, Any]
"""A state in the words of the game's rule sheet, in values that YAML can hold."""


class Record(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """An immutable value that is stored as JSON under its tag.

    Every subclass gives its tag explicitly. A tag and a stored field keep their names for ever: rename the
    class or the attribute if you like (`msgspec.field(name=...)`), but not what is stored. New fields need a
    default. Use tuples, not lists or sets.
    """


class Move(Record, frozen=True):
    """One decision of a player. A turn may consist of several."""


class Event(Record, frozen=True):
    """Something that happened, as facts without words."""


class View(Record, frozen=True):
    """Everything one seat, or an onlooker, may know of a state.

    Built up from nothing, never made by removing secrets from a copy of the state.
    """


class Addressed(msgspec.Struct, frozen=True):
    """An event and its audience. An event addressed to everybody contains no secret."""

    event: Event
    to: tuple[Seat, ...] | None = None
    """The seats that may see it. None: everybody, onlookers too."""


class Asking(msgspec.Struct, frozen=True):
    """A question without its answers."""

    seat: Seat
    asks: str
    about: str
    optional: bool = False


class Telling(msgspec.Struct, frozen=True):
    """How an event is shown among others: its weight, and its course on the board."""

    weight: int = 1
    """2: a gain or a loss, told first. 1: an ordinary step. 0: part of the set-up, folded into one line."""
    course: tuple[str, ...] = ()
    """Places on the board in order, as `places` of `board.svg` names them. Several are drawn as an arrow."""


class Count(msgspec.Struct, frozen=True):
    """Something that an event adds to the statistics of a game that is over."""

    figure: str
    """One of the game's `figures`: a table with a bar for each row, of parts for each column."""
    row: str
    """A seat."""
    column: str
    """A seat, or something that the macro `column_FIGURE` names."""
    many: int = 1


class Decision(msgspec.Struct, frozen=True):
    """A question that one seat must, or may, answer now. Several can be open at once.

    Those that are open together differ in seat, kind or `about`.
    """

    seat: Seat
    asks: str
    """The kind of question. Names its macro and its template."""
    about: str
    """Distinguishes it from the same question at another time: a round, or the attack. Public."""
    options: tuple[Move, ...]
    """All legal answers. Empty if there are too many to list: then any move is read and checked."""
    default: Move | None
    """Played when time runs out. None only if `optional`. Reveals nothing but the move itself."""
    optional: bool = False
    """The seat may answer, but the match doesn't wait for it."""

    @property
    def asking(self) -> Asking:
        """The question alone."""
        return Asking(self.seat, self.asks, self.about, self.optional)


class Step(msgspec.Struct, frozen=True):
    """The result of a move."""

    state: Record
    told: tuple[Addressed, ...] = ()
    """Its events, in order."""
    reveals: bool = False
    """Dice were rolled or hidden facts came to light, so the move can't be taken back."""


class Outcome(msgspec.Struct, frozen=True):
    """The result of a game. Place 1 is the winner; equal places are a tie."""

    places: dict[Seat, int]
    """Of each seat."""
    scores: dict[Seat, int]
    """Of each seat."""
    reason: str
    """One of the game's `endings`. Names a macro."""


class Option(msgspec.Struct, frozen=True):
    """A setting chosen when a match is set up."""

    name: str
    choices: tuple[str, ...]
    """The default first. ("off", "on") is shown as a switch."""
    seats: tuple[int, ...] | None = None
    """The numbers of seats that it is available for. None: all."""
    needs: tuple[str, str] | None = None
    """An option declared before it, and the choice of that option that it is available with. None: any."""

    def available(self, seats: int, chosen: Options) -> bool:
        """Whether the option can have another choice than its default beside the chosen ones."""
        if self.seats is not None and seats not in self.seats:
            return False
        return self.needs is None or chosen.get(self.needs[0]) == self.needs[1]


class Preset(msgspec.Struct, frozen=True):
    """A named set of choices, offered as one when a match is set up.

    The choices count only where their options are available. Options that no preset mentions are chosen
    beside it. Its words are the macros `preset_NAME` and `about_preset_NAME`.
    """

    name: str
    choices: Options


class Secret(msgspec.Struct, frozen=True):
    """A value chosen in secret for something public, such as a numbered piece."""

    group: str
    """Values are compared within a group, such as a colour."""
    value: int
    worth: float = 0.0
    """How good its place on the board looks to everybody."""


class Policy(msgspec.Struct, frozen=True):
    """A standing answer to one kind of question, such as whether to react to an attack.

    It answers immediately, whether or not the seat holds a card to react with: a delay would tell others.
    """

    name: str
    asks: str
    """The kind of question that it answers. At most one policy for each kind."""
    choices: tuple[str, ...]
    """The first is "ask": the player wants to be asked. `N` stands for a number of at least 1."""


StateT = TypeVar("StateT", bound=Record, default=Any)
MoveT = TypeVar("MoveT", bound=Move, default=Any)
ViewT = TypeVar("ViewT", bound=View, default=Any)


class Game(Protocol[StateT, MoveT, ViewT]):
    """The rules of one edition of a game, generic over its state, moves and view.

    `app.engine.base.BaseGame` has defaults for most of it.
    """

    slug: str
    edition: int
    """Higher for each change of the rules after which an old log would replay differently."""
    seats: range
    """The numbers of seats that it can be played with."""
    colours: tuple[Seat, ...]
    """The names of the seats. A match of n uses the first n."""
    options: tuple[Option, ...]
    presets: tuple[Preset, ...]
    """The recommended one first."""
    state_type: type[StateT]
    view_type: type[ViewT]
    move_types: tuple[type[Move], ...]
    event_types: tuple[type[Event], ...]
    asks: tuple[str, ...]
    """All kinds of questions."""
    reasons: tuple[str, ...]
    """All reasons of IllegalMove, BadOptions and BadPosition."""
    endings: tuple[str, ...]
    """All reasons of an Outcome."""
    bags: frozenset[str]
    """The keys of a position below which the order of a list doesn't matter."""
    policies: tuple[Policy, ...]
    lasting: frozenset[str]
    """Kinds of questions for which a list of conditional moves stays in force over several turns."""
    open_information: bool
    """Nothing is ever hidden: every seat's view shows all of the state, and events are for everybody."""
    languages: tuple[str, ...]
    """Those that it has words in, English first. Readers of others get English."""
    figures: tuple[str, ...]
    """The tables of its statistics beside the points: all figures of `counts`. Each names two macros."""
    demo_options: Options
    """The options of a first game to try: one in which there is something to do at once."""
    walks: tuple[type[Move], ...]
    """Moves of a piece by a space, whose click path is the piece and the space. Several of one piece are
    offered as one way to a space further off."""

    @abstractmethod
    def complete_options(self, seats: int, options: Options) -> Options:
        """The options, with defaults for those not given. Raises BadOptions."""

    @abstractmethod
    def setup(self, seats: tuple[Seat, ...], options: Options, chance: Chance) -> Step:
        """The start of a game, with the seats in turn order and complete options."""

    @abstractmethod
    def decisions(self, state: StateT) -> tuple[Decision, ...]:
        """All open questions. Empty if and only if the game is over."""

    @abstractmethod
    def asking(self, state: StateT) -> tuple[Asking, ...]:
        """The questions of `decisions`, in the same order, without listing their answers."""

    @abstractmethod
    def apply(self, state: StateT, seat: Seat, move: MoveT, chance: Chance) -> Step:
        """The result of a move. Raises IllegalMove."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """The result of the game, or None if it isn't over."""

    @abstractmethod
    def view(self, state: StateT, seat: Seat | None) -> ViewT:
        """The seat's view; None: an onlooker's."""

    @abstractmethod
    def telling(self, event: Event) -> Telling:
        """How much an event weighs in a report, and where on the board it took place."""

    @abstractmethod
    def counts(self, event: Event) -> tuple[Count, ...]:
        """The counts that an event adds to the statistics. They are shown once the game is over."""

    @abstractmethod
    def points(self, state: StateT) -> Mapping[str, int]:
        """The points of each seat so far, with all that is hidden; also those of a neutral player.

        Empty: the game has none. Shown only once it is over.
        """

    @abstractmethod
    def split(self, text: str) -> tuple[str, ...]:
        """The steps of a line, one text each, empty ones dropped. Never raises."""

    @abstractmethod
    def parse(self, state: StateT, seat: Seat, text: str) -> MoveT:
        """The move that the text of one step means for the seat.

        Lenient about case, spaces, dashes and digits. Doesn't check whether the move is legal. Raises
        UnreadableMove, AmbiguousMove, or IllegalMove if the notation exists but makes no sense here.
        """

    @abstractmethod
    def format(self, move: MoveT) -> str:
        """The canonical text of a move, which `parse` reads back."""

    @abstractmethod
    def click_path(self, move: MoveT) -> tuple[str, ...]:
        """The names on the board to click, in order, to make this move. Empty: the move is a button.

        A name means the same in all moves of a question; templates give it as `data-at`. Names of what only
        the seat may know, such as a card in hand, begin with `own:` and never appear in an address.
        """

    @abstractmethod
    def other_paths(self, move: MoveT) -> tuple[tuple[str, ...], ...]:
        """Other orders in which the names of `click_path` can be clicked. None: that order alone."""

    @abstractmethod
    def alike(self, view: ViewT) -> Mapping[str, str]:
        """Names on the board of pieces that can stand in for another one now, each with that one's name.

        What can be done with such a piece is offered once, for the other one.
        """

    @abstractmethod
    def variants(self, view: ViewT, move: MoveT) -> tuple[MoveT, ...]:
        """Other legal ways to make a move, such as to pay for it, that `options` doesn't list.

        At most a dozen. None for a move that isn't legal.
        """

    @abstractmethod
    def route(self, event: Event) -> tuple[str, ...]:
        """The spaces that the piece of an event left, passed and reached, for an arrow; or none."""

    @abstractmethod
    def course(self, view: ViewT, move: MoveT) -> tuple[str, ...]:
        """Where on the board a legal move would take place, in the words of `telling`; or nowhere.

        For the arrow of an intention, whose events nobody knows yet.
        """

    @abstractmethod
    def load(self, position: Position, seats: tuple[Seat, ...], options: Options, chance: Chance) -> StateT:
        """The state of a position. Anything left out is drawn at random. Raises BadPosition."""

    @abstractmethod
    def dump(self, state: StateT) -> Position:
        """The complete position of a state: `load` gives an equal state."""

    @abstractmethod
    def resample(self, state: StateT, seat: Seat | None, chance: Chance) -> StateT:
        """A state drawn from those that the seat can't tell from this one.

        Equal chance draws the same of them, whichever is the true one: so what is shown of it tells nothing.
        """

    @abstractmethod
    def secrets(self, state: StateT) -> Mapping[str, Secret]:
        """Values chosen in secret, by the public name of the thing. Empty until all are chosen.

        For a test: neither a name, nor an order, nor the worth of a place may tell a value.
        """

    @abstractmethod
    def bot(self, view: ViewT, decision: Decision, chance: Chance) -> MoveT:
        """A simple legal answer, from the seat's view alone."""

    @abstractmethod
    def read_policy(self, name: str, text: str) -> str:
        """The canonical text of a policy's choice. Lenient. Raises UnreadableMove."""

    @abstractmethod
    def apply_policy(self, view: ViewT, decision: Decision, text: str) -> MoveT | None:
        """The policy's legal answer to a question, or None: ask the player.

        Whether it is None depends only on what everybody knows.
        """

    @abstractmethod
    def upgrade(self, edition: int, stored: dict[str, Any]) -> dict[str, Any] | None:
        """The stored JSON state of an older edition, converted to this one.

        None: the match must be played to its end by the older edition's rules.
        """

"""Reading the text of a move."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from app.engine.errors import AmbiguousMove, UnreadableMove
from app.engine.game import Seat
from app.engine.reading import nearest, one_form, tidy
from app.games.atlantis.board import CARD, FIGURES, ITEMS, VALUE, FigureName, Item, Piece, Tile
from app.games.atlantis.moves import AtlantisMove, Bridge, Buy, Go, Show
from app.games.atlantis.notation.format import NOTHING, text_of
from app.games.atlantis.notation.split import VERBS
from app.games.atlantis.path import path_of
from app.games.atlantis.payment import in_order
from app.games.atlantis.rules.legal import bridgeable, buyable, journeys
from app.games.atlantis.state import State
from app.graphemes import cut

_FILLERS = {
    "with",
    "the",
    "figure",
    "by",
    "and",
    "over",
    "at",
    "on",
    "gap",
    "space",
    "from",
    "to",
    "a",
    "tile",
}
_MARKS = set(":,;-+&/.>")
_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\s]")
_WRONG_NUMBER = re.compile("(?<![\\w.,:])-\\d+|\\d{4,}")
MOST_READINGS = 8
UNSAID = 0
"""The bridged space if the line names none."""
_SHORT = 80
"""Characters of a canonical text whose reading is kept."""
_ITEM = {str(item): item for item in ITEMS}
_PIECES = frozenset((*VALUE, *(f"{CARD}{item}" for item in ITEMS)))


class _Line:
    """A line that is read token by token."""

    def __init__(self, text: str) -> None:
        self.text = cut(text.strip(), 200)
        found: list[str] = _TOKEN.findall(tidy(text))
        # Dropping its sign or its end would read another number.
        if wrong := _WRONG_NUMBER.search(one_form(text)):
            raise UnreadableMove(self.text, cut(wrong[0].strip(), 40), ())
        self.tokens = [token for token in found if token not in _MARKS]

    @property
    def head(self) -> str:
        """The next token, empty at the end."""
        return self.tokens[0] if self.tokens else ""

    def take(self) -> str:
        """Remove and return the next token."""
        return self.tokens.pop(0)

    def skip(self, fillers: Iterable[str]) -> None:
        """Remove leading tokens that are fillers."""
        while self.head in fillers and self.head:
            self.take()

    def unreadable(self, at: str = "", names: Iterable[str] = ()) -> UnreadableMove:
        """The error with the token at which reading stopped and the names most like it."""
        at = at or self.head
        return UnreadableMove(self.text, cut(at, 40), nearest(at[:40], names) if at else tuple(names)[:3])

    def item(self) -> Item | None:
        """Remove and return the next token if it is an item, perhaps shortened. None otherwise."""
        word = self.head
        found = [item for item in ITEMS if word and (item.startswith(word) or word == f"{item}s")]
        if len(found) != 1:
            return None
        self.take()
        return found[0]

    def number(self) -> int | None:
        """Remove and return the next token if it is a number. None otherwise."""
        return int(self.take()) if self.head.isdigit() else None


def parse(state: State, seat: Seat, text: str) -> AtlantisMove:
    """The move that a text means. Raises UnreadableMove, AmbiguousMove.

    A `go` may leave out its figure, its cards or the space of its bridge if only one legal move fits.
    """
    move = _written_out(text) if len(text) <= _SHORT else None
    if move is None:
        return _parse(state, seat, text)
    if isinstance(move, Bridge):
        return Bridge(_first_space(state, move.space))
    if isinstance(move, Go) and move.bridge is not None:
        return Go(move.figure, move.cards, _first_space(state, move.bridge), move.pay)
    return move


@lru_cache(maxsize=4096)
def _written_out(text: str) -> AtlantisMove | None:
    """The move whose canonical text it is, as in the log, in any state. None: it is none, or a rare one."""
    verb, *words = text.split(" ")
    move: AtlantisMove | None = None
    if verb == "buy" and len(words) == 1 and words[0] in VALUE:
        move = Buy(words[0])
    elif verb == "bridge" and len(words) == 1 and _is_space(words[0]):
        move = Bridge(int(words[0]))
    elif verb == "go" and words and words[0] in FIGURES:
        walk, _, paid = " ".join(words[1:]).partition(" pay ")
        played, _, space = walk.partition(" bridge ")
        cards = tuple(_ITEM[word] for word in played.split(" ") if word in _ITEM)
        pieces = () if paid == NOTHING or not paid else tuple(paid.split(" "))
        if cards and _PIECES.issuperset(pieces) and (not space or _is_space(space)):
            move = Go(words[0], cards, int(space) if space else None, in_order(pieces) if paid else None)
    return move if move is not None and text_of(move) == text else None


def _is_space(word: str) -> bool:
    """Whether it is the number of a space that may be on the path."""
    return word.isdecimal() and len(word) < 4 and int(word) != UNSAID


def _parse(state: State, seat: Seat, text: str) -> AtlantisMove:
    line = _Line(text)
    verb = "bridge" if line.head == "bridge" else VERBS.get(line.head)
    if verb:
        line.take()
    elif line.head.upper() in FIGURES or line.item():
        verb = "go"
        line = _Line(text)
    else:
        raise line.unreadable(names=("go", "buy", "show", "bridge"))
    if verb == "buy":
        return _buy(state, seat, line)
    if verb == "go":
        return _go(state, seat, line)
    if verb == "bridge":
        return _lay(state, seat, line)
    line.skip({"hand", "my", "cards", "the"})
    if line.head:
        raise line.unreadable()
    return Show()


def _buy(state: State, seat: Seat, line: _Line) -> Buy:
    line.skip(_FILLERS | {"cards", "card"})
    held = dict.fromkeys(state.won[state.seats.index(seat)] if seat in state.seats else ())
    item = line.item()
    if item is None:
        raise line.unreadable(names=(f"buy {tile}" for tile in _buyable(state, seat)))
    value = line.number()
    if line.head:
        raise line.unreadable()
    if value is not None:
        if f"{item}{value}" not in VALUE:
            raise line.unreadable(f"{item}{value}", held)
        return Buy(f"{item}{value}")
    fit = [tile for tile in held if tile.startswith(item)]
    able = [tile for tile in fit if tile in _buyable(state, seat)]
    if len(able) > 1:
        raise AmbiguousMove(line.text, tuple(f"buy {tile}" for tile in able))
    if not fit:
        raise line.unreadable(item, held)
    return Buy((able or fit)[0])


def _buyable(state: State, seat: Seat) -> tuple[Tile, ...]:
    """The tiles that the seat can return now, each once."""
    if seat not in state.seats or state.step != "buy":
        return ()
    return tuple(dict.fromkeys(buyable(state, state.seats.index(seat))))


def _go(state: State, seat: Seat, line: _Line) -> Go:
    figure: FigureName | None = None
    line.skip(_FILLERS - {"a"})
    for name in FIGURES:
        if line.head.upper() == name:
            figure = name
            line.take()
            break
    cards: list[Item] = []
    while line.head and line.head not in {"bridge", "pay"}:
        line.skip(_FILLERS | {"card", "cards"})
        if line.head in {"", "bridge", "pay"}:
            break
        card = line.item()
        if card is None:
            raise line.unreadable(names=(*ITEMS, "bridge", "pay"))
        cards.append(card)
    bridge: int | None = None
    pay: tuple[Piece, ...] | None = None
    while line.head in {"bridge", "pay"}:  # in either order, each once
        if line.head == "bridge" and bridge is None:
            line.take()
            bridge = _bridge(state, line)
        elif line.head == "pay" and pay is None:
            line.take()
            pay = _pieces(line)
        else:
            break
        line.skip({"and"})
    if line.head:
        raise line.unreadable(names=("bridge", "pay"))
    if not figure and not cards:
        raise line.unreadable(names=(text_of(go) for go in _goes(state, seat)))
    return _completed(state, seat, line, figure, tuple(cards), bridge, pay)


def _goes(state: State, seat: Seat) -> list[Go]:
    """The seat's legal moves of a figure."""
    return [one.go for one in journeys(state, state.seats.index(seat))] if seat in state.seats else []


def _lay(state: State, seat: Seat, line: _Line) -> Bridge:
    line.skip({"my", "the", "a", "bridge"})
    space = _bridge(state, line)
    gaps = [gap for gap in path_of(state).gaps if not gap.bridged]
    able = bridgeable(state, state.seats.index(seat)) if seat in state.seats else ()
    if line.head or (space == UNSAID and not gaps):
        raise line.unreadable(names=(f"bridge {gap.first}" for gap in able))
    if space != UNSAID:
        return Bridge(space)
    if len(able) > 1:
        raise AmbiguousMove(line.text, tuple(f"bridge {gap.first}" for gap in able[:MOST_READINGS]))
    return Bridge((able or gaps)[0].first)  # `apply` explains why it is illegal


def _bridge(state: State, line: _Line) -> int:
    """The first space of the named gap, UNSAID if none is named. A gap may be written 27-28."""
    line.skip(_FILLERS)
    space = line.number()
    if space is None:
        return UNSAID
    if space == UNSAID:
        raise line.unreadable("0")
    gap = path_of(state).gap_at(space)
    if line.head.isdigit() and gap and gap.first <= int(line.head) <= gap.last:
        line.take()
    return _first_space(state, space)


def _first_space(state: State, space: int) -> int:
    """The first space of the gap that contains a space. Outside of gaps the space itself."""
    gap = path_of(state).gap_at(space)
    return gap.first if gap else space


def _pieces(line: _Line) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    if line.head == NOTHING:
        line.take()
        return ()
    while line.head and line.head != "bridge":
        line.skip({"and", "with", "a", "the"})
        if line.head == "bridge":
            break
        as_card = line.head in {"card", "cards"}
        line.skip({"card", "cards"})
        item = line.item()
        if item is None:
            raise line.unreadable(names=(*VALUE, *(f"{CARD}{item}" for item in ITEMS)))
        value = None if as_card else line.number()
        if value is not None and f"{item}{value}" not in VALUE:
            raise line.unreadable(f"{item}{value}", VALUE)
        pieces.append(f"{CARD}{item}" if value is None else f"{item}{value}")
    return in_order(pieces)


def _completed(
    state: State,
    seat: Seat,
    line: _Line,
    figure: FigureName | None,
    cards: tuple[Item, ...],
    bridge: int | None,
    pay: tuple[Piece, ...] | None,
) -> Go:
    """The move with the missing parts filled in."""
    if figure and cards and bridge != UNSAID:
        return Go(figure, cards, bridge, pay)
    fits: Callable[[Go], bool] = lambda go: (  # noqa: E731 - one expression, read in place
        go.figure == (figure or go.figure)
        and go.cards == (cards or go.cards)
        and (go.bridge is None) == (bridge is None)
        and bridge in (go.bridge, UNSAID)
    )
    legal = _goes(state, seat)
    found = [Go(go.figure, go.cards, go.bridge, pay) for go in legal if fits(go)]
    if len(found) > 1:
        raise AmbiguousMove(line.text, tuple(text_of(go) for go in found[:MOST_READINGS]))
    if found:
        return found[0]
    if figure:
        return Go(figure, cards, bridge, pay)  # `apply` explains why it is illegal
    raise line.unreadable(line.text, map(text_of, legal))

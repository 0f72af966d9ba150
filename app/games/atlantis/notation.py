"""Reading moves (rule sheet, section 5)."""

import re
import unicodedata
from collections.abc import Callable, Iterable

from app.engine.errors import AmbiguousMove, UnreadableMove
from app.engine.game import Seat
from app.engine.reading import nearest, tidy
from app.games.atlantis.board import VALUE
from app.games.atlantis.purse import in_order
from app.games.atlantis.rules.options import journeys
from app.games.atlantis.spelling import NOTHING, text_of
from app.games.atlantis.state import State
from app.games.atlantis.way import way_of
from app.games.atlantis.words import CARD, FIGURES, ITEMS, Buy, FigureName, Go, Item, Piece, Show

_VERBS = {
    "buy": "buy",
    "purchase": "buy",
    "go": "go",
    "move": "go",
    "play": "go",
    "show": "show",
    "pass": "show",
}
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
_MARKS = set(":,-+&/.>、。")
_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\s]")
_STEP = re.compile(
    rf"[;\n\r]+|(?<![\s,、])[\s,、]+(?:(?:and|then)\s+){{0,2}}(?=(?:{'|'.join(_VERBS)})\b)", re.IGNORECASE
)
"""What lies between two moves. Each run of blanks is tried once: a line may be long."""
MOST_READINGS = 8
UNSAID = 0
"""The place of a bridge that the line leaves out."""


def split(text: str) -> tuple[str, ...]:
    """A line as its moves: a purchase and a move may stand in one."""
    parts = _STEP.split(unicodedata.normalize("NFKC", text))
    return tuple(part.strip(" ,、") for part in parts if part.strip(" ,、"))


class _Line:
    """A line being read, token by token."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()[:200]
        found: list[str] = _TOKEN.findall(tidy(text))
        self.tokens = [token for token in found if token not in _MARKS]

    @property
    def head(self) -> str:
        """The next token; empty at the end."""
        return self.tokens[0] if self.tokens else ""

    def take(self) -> str:
        """The next token, passed."""
        return self.tokens.pop(0)

    def skip(self, fillers: Iterable[str]) -> None:
        """Pass words that say nothing."""
        while self.head in fillers and self.head:
            self.take()

    def lost(self, at: str = "", names: Iterable[str] = ()) -> UnreadableMove:
        """The error that says where reading stopped."""
        at = at or self.head
        return UnreadableMove(self.text, at[:40], nearest(at[:40], names) if at else tuple(names)[:3])

    def item(self) -> Item | None:
        """The item at the head, passed; None and nothing passed where there is none."""
        word = self.head
        found = [item for item in ITEMS if word and (item.startswith(word) or word == f"{item}s")]
        if len(found) != 1:
            return None
        self.take()
        return found[0]

    def number(self) -> int | None:
        """The number at the head, passed."""
        return int(self.take()[:6]) if self.head.isdigit() else None


def parse(state: State, seat: Seat, text: str) -> Buy | Go | Show:
    """The move that the text means. Raises UnreadableMove, AmbiguousMove.

    A `go` that leaves out its figure, its cards or the place of its bridge is read where only one legal
    move fits what it does say.
    """
    line = _Line(text)
    verb = _VERBS.get(line.head)
    if verb:
        line.take()
    elif line.head.upper() in FIGURES or line.item():
        verb = "go"
        line = _Line(text)
    else:
        raise line.lost(names=("go", "buy", "show"))
    if verb == "buy":
        return _buy(state, seat, line)
    if verb == "go":
        return _go(state, seat, line)
    line.skip({"hand", "my", "cards", "the"})
    if line.head:
        raise line.lost()
    return Show()


def _buy(state: State, seat: Seat, line: _Line) -> Buy:
    line.skip(_FILLERS | {"cards", "card"})
    held = dict.fromkeys(_of(state.won, state, seat))
    item = line.item()
    if item is None:
        raise line.lost(names=(f"buy {tile}" for tile in held))
    value = line.number()
    if line.head:
        raise line.lost()
    if value is not None:
        if f"{item}{value}" not in VALUE:
            raise line.lost(f"{item}{value}", held)
        return Buy(f"{item}{value}")
    fit = [tile for tile in held if tile.startswith(item)]
    if len(fit) > 1:
        raise AmbiguousMove(line.text, tuple(f"buy {tile}" for tile in fit))
    if not fit:
        raise line.lost(item, held)
    return Buy(fit[0])


def _of(per_seat: tuple[tuple[str, ...], ...], state: State, seat: Seat) -> tuple[str, ...]:
    return per_seat[state.seats.index(seat)] if seat in state.seats else ()


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
            raise line.lost(names=(*ITEMS, "bridge", "pay"))
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
        raise line.lost(names=("bridge", "pay"))
    if not figure and not cards:
        raise line.lost(names=("go B flag",))
    return _completed(state, seat, line, figure, tuple(cards), bridge, pay)


def _bridge(state: State, line: _Line) -> int:
    """The space that names a gap, UNSAID where none is written. A gap may be written as 27-28."""
    line.skip(_FILLERS)
    space = line.number()
    if space is None:
        return UNSAID
    if space == UNSAID:
        raise line.lost("0")
    gap = way_of(state).gap_at(space)
    if line.head.isdigit() and gap and gap.first <= int(line.head[:6]) <= gap.last:
        line.take()
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
            raise line.lost(names=(*VALUE, *(f"{CARD}{item}" for item in ITEMS)))
        value = None if as_card else line.number()
        if value is not None and f"{item}{value}" not in VALUE:
            raise line.lost(f"{item}{value}", VALUE)
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
    """The move with what the line left out."""
    if figure and cards and bridge != UNSAID:
        return Go(figure, cards, bridge, pay)
    fits: Callable[[Go], bool] = lambda go: (  # noqa: E731 - one expression, read in place
        go.figure == (figure or go.figure)
        and go.cards == (cards or go.cards)
        and (go.bridge is None) == (bridge is None)
        and bridge in (go.bridge, UNSAID)
    )
    legal = (
        [journey.go for journey in journeys(state, state.seats.index(seat))] if seat in state.seats else []
    )
    found = [Go(go.figure, go.cards, go.bridge, pay) for go in legal if fits(go)]
    if len(found) > 1:
        raise AmbiguousMove(line.text, tuple(text_of(go) for go in found[:MOST_READINGS]))
    if found:
        return found[0]
    if figure:
        return Go(figure, cards, bridge, pay)  # the rules say what is wrong with it
    raise line.lost(line.text, map(text_of, legal))

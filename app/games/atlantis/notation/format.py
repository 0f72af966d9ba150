"""The canonical text of a move (rule sheet, section 5), and its click path."""

from app.games.atlantis.moves import AtlantisMove, Bridge, Buy, Go, Show

NOTHING = "nothing"
"""The text of an empty payment."""


def text_of(move: AtlantisMove) -> str:
    """The canonical text of a move."""
    if isinstance(move, Buy):
        return f"buy {move.tile}"
    if isinstance(move, Bridge):
        return f"bridge {move.space}"
    if isinstance(move, Show):
        return "show"
    words = ["go", move.figure, *move.cards]
    if move.bridge is not None:
        words += ["bridge", str(move.bridge)]
    if move.pay is not None:
        words += ["pay", *(move.pay or (NOTHING,))]
    return " ".join(words)


def click_path(move: AtlantisMove) -> tuple[str, ...]:
    """The tile to buy with; the gap to bridge before moving; or a card, the figure and more cards.

    Before these, the gap to bridge, if any: it comes first so that no path is the beginning of another.
    """
    if isinstance(move, Buy):
        return (f"won:{move.tile}",)
    if isinstance(move, Bridge):
        return (f"gap:{move.space}",)
    if isinstance(move, Show):
        return ()
    gap = () if move.bridge is None else (f"gap:{move.bridge}",)
    first, *more = (f"own:{card}" for card in move.cards)
    return (*gap, first, move.figure, *more)


def other_paths(move: AtlantisMove) -> tuple[tuple[str, ...], ...]:
    """The figure first, then the rest."""
    if not isinstance(move, Go):
        return ()
    return ((move.figure, *(name for name in click_path(move) if name != move.figure)),)

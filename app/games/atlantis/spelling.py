"""The canonical text of a move (rule sheet, section 5), and the names that a player points at to make it."""

from app.games.atlantis.words import Buy, Go, Show

NOTHING = "nothing"
"""How a payment of no piece is written."""


def text_of(move: Buy | Go | Show) -> str:
    """The move as it is written."""
    if isinstance(move, Buy):
        return f"buy {move.tile}"
    if isinstance(move, Show):
        return "show"
    words = ["go", move.figure, *move.cards]
    if move.bridge is not None:
        words += ["bridge", str(move.bridge)]
    if move.pay is not None:
        words += ["pay", *(move.pay or (NOTHING,))]
    return " ".join(words)


def click_path(move: Buy | Go | Show) -> tuple[str, ...]:
    """A tile to buy with; or the gap to be bridged if any, then the figure, then the cards.

    The gap comes first so that no move is the beginning of another.
    """
    if isinstance(move, Buy):
        return (f"won:{move.tile}",)
    if isinstance(move, Show):
        return ()
    gap = () if move.bridge is None else (f"gap:{move.bridge}",)
    return (*gap, move.figure, *(f"own:{card}" for card in move.cards))

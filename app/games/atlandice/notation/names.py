"""The words of the notation, and what else players type for them."""

from app.games.atlandice.board import AREAS

VERBS = ("visit", "take", "swap", "put", "die", "submarine", "donate")
NOTHING = frozenset({"-", "nothing", "none", "0"})
FILLERS = frozenset({"and", "from", "to", "at", "the", "a", "an", "for", "with", "of", "one", "into", "on"})
ALIASES = {
    "jeweler": "jewelers",
    "jeweller": "jewelers",
    "jewellers": "jewelers",
    "work": "works",
    "smithy": "smith",
    "blacksmith": "smith",
    "sub": "submarine",
    "give": "donate",
    "move": "put",
    "exchange": "swap",
}


def find(word: str, names: tuple[str, ...]) -> str | None:
    """The name that the word means: itself, in the plural, by its number, or by its beginning."""
    word = word.removeprefix("@")
    word = ALIASES.get(word, word)
    if word in names:
        return word
    if word.removesuffix("s") in names:
        return word.removesuffix("s")
    if names is AREAS and word in {"1", "2", "3", "4", "5", "6"}:
        return AREAS[int(word) - 1]
    begun = [name for name in names if len(word) > 1 and name.startswith(word)]
    return begun[0] if len(begun) == 1 else None

"""A line cut into steps."""

import re

from app.engine.reading import one_form
from app.games.atlandice.board import KINDS
from app.games.atlandice.notation.names import VERBS, find

_VERB = "|".join((*VERBS, "give", "sub", "move", "exchange"))
_NEXT_STEP = re.compile(rf"[;\n]|,(?=\s*(?:{_VERB})\b)", re.IGNORECASE)


def split(text: str) -> tuple[str, ...]:
    """The steps of a line, apart at semicolons and before verbs; the pairs of a gift stay together."""
    parts: list[str] = []
    giving = False
    for part in (part.strip(" ,") for part in _NEXT_STEP.split(one_form(text))):
        first, _, rest = part.partition(" ")
        again = first.casefold() in {"donate", "give"}
        if giving and (again or find(first.casefold(), KINDS)):
            parts[-1] += ", " + (rest if again else part)
        elif part:
            parts.append(part)
            giving = again
    return tuple(parts)

"""Parsing what people type: text in normal form, similar names to suggest, choices of policies."""

import difflib
import re
import unicodedata
from collections.abc import Iterable

from app.engine.errors import UnreadableMove
from app.engine.game import Policy
from app.graphemes import cut

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−⁃⸺⸻─━ーｰ〜", "-"),
        **dict.fromkeys("、،", ","),
        "؛": ";",
        "。": ".",
        "｡": ".",
        "۔": ".",
        "٫": ".",
        "ـ": None,  # it only makes words longer
        **dict.fromkeys("\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", "\n"),
    }
)
"""Signs of other keyboards, and the one that notations know; the widths of letters are Unicode's affair."""
_ARROWS = re.compile(r" ?(?:(?<![-=~])[-=~]*>+|[→⇒⇨⟶⟹➔➙➜➝➞➡⮕»›]) ?")  # of one blank: linear
_LONG_ARROW = re.compile(r"[ >-]>|> ")
_INVISIBLE = re.compile(
    r"[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]"
)
_BULLET = re.compile(r"^(?:[*•·・‣◦]|- ) *")
NEAR = 0.7
"""The share of letters from which a name is suggested: "sinc" may mean sink, "castle" is not donate."""
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9>:,;-]*(?: [A-Za-z0-9>:,;-]+)*")
_SPACES = re.compile(r"\s+")


def one_form(text: str) -> str:
    """The text with one form of each sign: narrow letters, Western digits, `-`, `,`, `;`, `.` and line feeds.

    Case and blanks stay, and what nobody sees goes. It is for reading notations only: what a player says or
    writes down is kept as it was typed.
    """
    if text.isascii() and "\r" not in text:
        return text
    text = unicodedata.normalize("NFKC", text.replace("\r\n", "\n").replace("\uff5e", "-"))
    text = "".join(str(unicodedata.digit(c)) if c.isdigit() and not c.isascii() else c for c in text)
    return _INVISIBLE.sub("", text).translate(_SIGNS)


def tidy(text: str) -> str:
    """The text in normal form, so that parsers need to know only one spelling.

    As `one_form`, in lower case, with single blanks and `>` for any arrow, without a leading bullet or a
    final full stop.
    """
    if _PLAIN.fullmatch(text) and not _LONG_ARROW.search(text):  # the fast path: most lines come from buttons
        return text.lower()
    text = _ARROWS.sub(">", _SPACES.sub(" ", one_form(text))).casefold().strip()
    return _BULLET.sub("", text).rstrip(".!").strip()


def nearest(word: str, names: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Up to `most` names similar to a word, best first, for "did you mean"."""
    known = {name.casefold(): name for name in names}
    hits = difflib.get_close_matches(word.casefold(), known, n=most, cutoff=NEAR)
    return tuple(known[hit] for hit in hits)


def said(policies: Iterable[Policy], name: str, text: str) -> str:
    """The choice of the named policy that a text means, with its number for `N`. Raises UnreadableMove.

    A bare number means the choice that takes one.
    """
    choices = next((policy.choices for policy in policies if policy.name == tidy(name)), ())
    plain = re.sub(r"[-_ ]+", " ", tidy(text).replace(">", " ").replace("=", " ")).strip()
    for choice in choices:
        pattern = re.escape(choice).replace("N", r"0*([1-9]\d?)")
        found = re.fullmatch(pattern, plain) or ("N" in choice and re.fullmatch(r"0*([1-9]\d?)\+?", plain))
        if found:
            return choice.replace("N", found[1]) if "N" in choice else choice
    raise UnreadableMove(cut(text, 200), nearest=nearest(plain[:40], choices) or choices)

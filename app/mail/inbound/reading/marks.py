"""The marks at which the typed text ends: quotes, our own address, rules, headers, signatures."""

import re
import unicodedata
from typing import Literal

from app.mail.inbound.reading.message import OwnNames
from app.mail.inbound.reading.sent_from import is_sent_from

Mark = Literal["", "quote", "ours", "rule", "headers", "signature"]

QUOTE_SIGNS = (">", "|", "│", "┃")
LONG_RULE, WIDE_RULE = 20, 10
_BEGINNING = 300
"""Characters of a line that are compared with marks."""
_RULERS = frozenset("_-=*~#─━═—–⎯ー")
_WIDE_RULERS = frozenset("─━═—")
"""Signs that are as wide as two."""
_LABEL = 30
"""Characters of a header's name, in any language."""
_SIGNATURES = frozenset(("--", "—", "–", "__", "-- -", "——", "———", "―", "――", "──"))
_UNJOINED = re.compile("[\u064b-\u0652\u200c\u200d]")
_SAME = str.maketrans("يىك", "ییک")


def plain(line: str) -> str:
    """The beginning of a line as it is compared with marks: one width, lower case, single blanks.

    Persian has one form of each letter, and no joiners.
    """
    seen = unicodedata.normalize("NFKC", line[:_BEGINNING])[: 2 * _BEGINNING].casefold()
    if not seen.isascii():
        seen = _UNJOINED.sub("", seen).translate(_SAME)
    return " ".join(seen.split()) if "  " in seen else seen


def is_quoted(line: str) -> bool:
    """Whether the line is marked as a quote."""
    return line.lstrip().startswith(QUOTE_SIGNS)


def is_surely_quoted(line: str) -> bool:
    """Whether it is marked by the one sign that has no other use."""
    return line.lstrip().startswith(">")


def mark_of(line: str, following: str, own: OwnNames) -> Mark:
    """The mark that a line is, given the next line; "" if it may have been typed. Both lines are `plain`."""
    if is_quoted(line):
        return "quote"
    if own.named_in(line):
        return "ours"
    bare = line.strip()
    if bare in _SIGNATURES or is_sent_from(bare):
        return "signature"
    if _is_rule(bare):
        return "rule"
    if is_label(bare) and is_label(following.strip()):
        return "headers"
    return ""


def is_label(line: str) -> bool:
    """Whether it looks like a header of a message: a name, a colon, and text."""
    line = line.strip("*_ ")
    name, colon, value = line[: 2 * _LABEL].replace("*", "").partition(":")
    name = name.strip()
    if not colon or not value.strip() or value.startswith("//") or not 0 < len(name) <= _LABEL:
        return False
    if len(name.split()) > 3:
        return False
    return all(c in " -'’." or unicodedata.category(c)[0] in "LM" for c in name)


def _is_rule(line: str) -> bool:
    """A long rule, or some text between two short ones."""
    if len(line) >= LONG_RULE and all(c in _RULERS or c == " " for c in line):
        return True
    if len(line) >= WIDE_RULE and all(c in _WIDE_RULERS for c in line):
        return True
    sign = line[:1]
    return sign in _RULERS and len(line) > 6 and line.startswith(sign * 3) and line.endswith(sign * 3)

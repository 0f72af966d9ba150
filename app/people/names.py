"""Names of players: those that a mail program would turn into a link, and those that are the same."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, count

from app.people.lookalikes import looks_like

_DOTS = str.maketrans(dict.fromkeys("\u3002\uff61\uff0e\u2024\ufe52", "."))
"""Marks that browsers and mail programs read as the dot of an address."""
_BRACKETED = re.compile(r"\s*[\[({<]\s*(?:\.|dot|punkt|punto|point)\s*[\])}>]\s*", re.IGNORECASE)
_ENDINGS = (
    "app|biz|blog|cc|cloud|club|click|cn|co|com|de|dev|edu|eu|example|fun|gov|info|invalid|io|ir|jp|link|live"
    "|me|mobi|net|online|org|pro|ru|shop|site|space|store|test|top|tv|tw|uk|us|vip|website|work|xyz"
)
_SPELLED = re.compile(rf"\w\s+(?:dot|punkt|punto|point)\s+(?:{_ENDINGS})\b", re.IGNORECASE)
"""Such as “evil dot com”."""
_LINKS = (
    re.compile(r"\.[^\W\d_][\w-]"),  # a dot with a word behind it: a host, whatever stands before
    re.compile(r"\.\s*xn--|\bxn--", re.IGNORECASE),
    re.compile(r"\d\.\d{1,3}\.\d"),  # an address of numbers
    re.compile(r"\bwww\d?\b", re.IGNORECASE),
    re.compile(r"[a-z][a-z0-9+.-]*:/|//|\\\\", re.IGNORECASE),
    re.compile(r"\b(?:h(?:tt|xx)ps?|ftp|mailto|javascript|data|tel|sms|bitcoin)\b\s*[:/]?", re.IGNORECASE),
    re.compile(r"\w*[^\W\d_]\w*:\d{2,5}\b|\w@\w|::"),  # a host with a port, and no time of day
    _SPELLED,
)
_KEPT_WORDS = re.compile(r"\b(?:data|tel|ftp|sms|bitcoin|javascript)\b(?!\s*:)", re.IGNORECASE)
"""Schemes that are also words; they are links only with their colon."""


def is_link(name: str) -> bool:
    """Whether a name holds a host, an address or a scheme, or something that a mail program takes for one.

    Look-alikes of other alphabets' dots, full-width letters, and characters that nobody sees count as what
    they look like.
    """
    seen = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).translate(_DOTS))
    seen = "".join(one for one in seen if unicodedata.category(one) not in ("Cf", "Cc", "Mn", "Me"))
    seen = _KEPT_WORDS.sub("word", _BRACKETED.sub(".", seen))
    return any(pattern.search(seen) for pattern in _LINKS)


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """The names of the players of one game, in their order; those that read alike get a number: `Ada 1`.

    So do those that look alike, also in letters of different alphabets, such as a Latin and a Cyrillic A.
    """
    return _told_apart(tuple(names))


@lru_cache(maxsize=1024)
def _told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    keys = [_keys(name) for name in names]
    if all(one.isdisjoint(other) for one, other in combinations(keys, 2)):
        return names
    many, taken = Counter(key for one in keys for key in one), set().union(*keys)
    found: list[str] = []
    for name, key in zip(names, keys, strict=True):
        told = name
        if any(many[one] > 1 for one in key):
            told = next(one for n in count(1) if taken.isdisjoint(_keys(one := f"{name} {n}")))
            taken |= _keys(told)
        found.append(told)
    return tuple(found)


@lru_cache(maxsize=4096)
def _keys(name: str) -> frozenset[str]:
    """Names of which one of these is equal are taken for one."""
    return frozenset({f"read {read_as(name)}", f"seen {looks_like(name)}"}) if read_as(name) else frozenset()


def read_as(name: str) -> str:
    """A name as it is seen: without case, blanks, widths of letters and marks that nobody sees."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(one for one in plain if not one.isspace() and unicodedata.category(one) != "Cf")

"""Dates in Chinese, Japanese and Persian as the English words that `date_words` reads.

Where a line has several meanings, each comes out as a line of its own. What is not known stays as it is, so
that it is refused later: nothing is left out that could change a date, such as "about" or "not".
"""

import re
import unicodedata
from datetime import date

from app.people.han_dates import chinese_and_japanese
from app.people.persian_dates import persian

_HAN = re.compile("[\u3005-\u30ff\u3400-\u9fff\uff66-\uff9f]")
_PERSIAN = re.compile("[\u0620-\u064a\u066e-\u06d3]")
_HIDDEN = re.compile("[\u061c\u064b-\u065f\u0670\u200b\u200d-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_BETWEEN = re.compile(r"(?<=\d)\s?[~〜]\s?(?=\d)")


def in_english(text: str, now: date, language: str = "") -> tuple[str, ...]:
    """The line with Western digits and English words, once for each of its meanings."""
    own_digits = any("\u0660" <= c <= "\u06f9" and c.isdigit() for c in text)
    plain = _BETWEEN.sub("-", in_western_digits(text))
    if _HAN.search(plain):
        return tuple(dict.fromkeys(chinese_and_japanese(plain, now)))
    theirs = own_digits or _PERSIAN.search(plain) is not None
    if theirs or language == "fa":
        return tuple(dict.fromkeys(persian(plain, now, sure=theirs)))
    return (plain,)


def in_western_digits(text: str) -> str:
    """The text with narrow letters and Western digits, and without what nobody sees."""
    plain = _HIDDEN.sub("", unicodedata.normalize("NFKC", text))
    return "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in plain)

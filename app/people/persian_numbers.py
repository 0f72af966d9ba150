"""Numbers in Persian words up to thirty-one, as people write days: دوازدهم آذر, سه روز, یک هفته."""

import re

from app.people.persian_months import GAP, MONTH

_ONES = ("یک", "دو", "سه", "چهار", "پنج", "شش", "هفت", "هشت", "نه")
_TEENS = (
    *("ده", "یازده", "دوازده", "سیزده", "چهارده", "پانزده", "شانزده", "هفده", "هجده", "نوزده"),
    "بیست",
)
_CARDINALS = {
    **{word: number for number, word in enumerate(_ONES, 1)},
    **{word: number for number, word in enumerate(_TEENS, 10)},
    **{f"بیست{GAP}و{GAP}{word}": 20 + number for number, word in enumerate(_ONES, 1)},
    "سی": 30,
    f"سی{GAP}و{GAP}یک": 31,
}
_ORDINALS = {
    **{f"{word}(?:{GAP}ا)?م": number for word, number in _CARDINALS.items()},
    "اول": 1,
    "سوم": 3,
    f"بیست{GAP}و{GAP}سوم": 23,
}
_WORDS = sorted((_CARDINALS | _ORDINALS).items(), key=lambda item: len(item[0]), reverse=True)
_BEHIND = rf"(?={GAP}(?:روز|هفته|ماه|تا|الی|و(?!\w)|{MONTH}(?:{GAP}ماه)?(?!\w)))"
_LAST = rf"(?:{_BEHIND}|(?=[\s.]*$))"
"""The end of a number: days, weeks and months follow it; a second ordinal number may be the last word."""
_PATTERNS = tuple(
    (re.compile(rf"(?<!\w){word}(?!\w){_LAST if word in _ORDINALS else _BEHIND}"), str(number))
    for word, number in _WORDS
)


def persian_in_digits(text: str) -> str:
    """The text with the numbers before its days, weeks and months in digits. Days of the week stay."""
    for pattern, number in _PATTERNS:
        text = pattern.sub(number, text)
    return text

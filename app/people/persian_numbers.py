"""Numbers in Persian words up to thirty-one, as people write days: دوازدهم آذر, سه روز, یک هفته."""

import re

_ONES = ("یک", "دو", "سه", "چهار", "پنج", "شش", "هفت", "هشت", "نه")
_TEENS = (
    *("ده", "یازده", "دوازده", "سیزده", "چهارده", "پانزده", "شانزده", "هفده", "هجده", "نوزده"),
    "بیست",
)
_GAP = "[\\s\u200c]*"
_CARDINALS = {
    **{word: number for number, word in enumerate(_ONES, 1)},
    **{word: number for number, word in enumerate(_TEENS, 10)},
    **{f"بیست{_GAP}و{_GAP}{word}": 20 + number for number, word in enumerate(_ONES, 1)},
    "سی": 30,
    f"سی{_GAP}و{_GAP}یک": 31,
}
_ORDINALS = {
    **{f"{word}(?:{_GAP}ا)?م": number for word, number in _CARDINALS.items()},
    "اول": 1,
    "سوم": 3,
    f"بیست{_GAP}و{_GAP}سوم": 23,
}
_WORDS = sorted((_CARDINALS | _ORDINALS).items(), key=lambda item: len(item[0]), reverse=True)
_BEHIND = (
    f"(?={_GAP}(?:روز|هفته|ماه|تا|و(?!\\w)|فروردین|اردیبهشت|خرداد|تیر|ا?مرداد|شهریور|مهر|آبان|آذر|دی|بهمن"
    "|اسفند))"
)
_PATTERNS = tuple((re.compile(rf"(?<!\w){word}(?!\w){_BEHIND}"), str(number)) for word, number in _WORDS)


def persian_in_digits(text: str) -> str:
    """The text with the numbers before its days, weeks and months in digits. Days of the week stay."""
    for pattern, number in _PATTERNS:
        text = pattern.sub(number, text)
    return text

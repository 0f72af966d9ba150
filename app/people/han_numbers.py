"""Numbers in Chinese characters, where a date or a duration counts by them: 十二月三日, 三天, 二〇二六年."""

import re

_DIGITS = {
    **{sign: number for number, sign in enumerate("〇一二三四五六七八九")},
    "零": 0,
    "○": 0,
    "两": 2,
    "兩": 2,
}
_TENS = {"廿": "二十", "卅": "三十"}
_SIGNS = "".join(_DIGITS)
_NUMBER = re.compile(
    rf"(?<!周)(?<!週)(?<!期)(?<!拜)[{_SIGNS}十廿卅]+"
    r"(?=\s*(?:[年月日号號天个個かヶケカ箇周週]|星期|礼拜|禮拜))"
)


def in_digits(text: str) -> str:
    """The text with the numbers before its years, months, days and weeks in digits. Days of the week stay."""
    return _NUMBER.sub(lambda found: _digits(found[0]), text)


def _digits(said: str) -> str:
    for sign, tens in _TENS.items():
        said = said.replace(sign, tens)
    if "十" not in said:
        return "".join(str(_DIGITS[sign]) for sign in said)
    tens, _, ones = said.partition("十")
    if len(tens) > 1 or len(ones) > 1 or "十" in ones:
        return said
    return str(10 * (_DIGITS[tens] if tens else 1) + (_DIGITS[ones] if ones else 0))

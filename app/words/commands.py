"""The words of replies in each language: a line such as 認輸 or راهنما as the English command it means."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import cache

from app.words.command_words import ARGUMENTS, AWAY_LAST, CALL_OFF, OWN

HERE = "here"
_WHEN = ("at once", "quiet", "daily", "reminders", "none")
ALONE = frozenset({"help", "board", "legal", "games", "resign", "undo", "back", "seen"})
"""The commands that take nothing behind them but a number."""
_TEXTS = frozenset({"say", "note"})
"""The commands that take a text, which is kept as typed."""
_NO_TEXT = re.compile("(?:一下|了|吧|して|する|します|です|ببینم)?")
"""Endings of a command, also behind a blank."""
_POLITE_FIRST = re.compile(
    r"^(?:[请請](?!假)|麻烦|麻煩|我要|我想|我(?!的)|私は|لطفا?\u064b?ا?|من(?=\s))[\s,、，،:]*"
)
_POLITE_LAST = re.compile(
    r"[\s,、，،]*(?:谢谢|謝謝|一下|了|吧|を?(?:お願い|おねがい)(?:いた|致)?します|を?(?:ください|下さい)"
    r"|を?(?:見せて|表示して?|教えて|見たい)|して|する|します|です|(?:را\s+)?(?:نشان\s?(?:بده(?:ید)?|دهید)|بفرست(?:ید)?|ببینم)|لطفا?\u064b?ا?|ممنونم?|متشکرم|مرسی|سپاس|please)$"
)
_MOST_POLITE = 3
_END = " \t\n.!。！．｡۔~～…"
_NUMBER = re.compile(r"(?P<before>.*?)[\s:#＃：]*(?P<number>\d{1,10})", re.DOTALL)
_BOUNDARY = re.compile(r"\s*(?:(?P<colon>[:：])\s*|(?<=\s)|$)")
_LONGEST = 40
"""Characters of a phrase before the text that it takes."""
_SHORT, _DATES = 120, 240
"""Characters of a line that is a command alone, and of one about dates: longer ones are not searched."""
_GAP = re.compile("[ \u200c]")
_SAME = str.maketrans({"ي": "ی", "ى": "ی", "ك": "ک", "أ": "ا", "إ": "ا", "ۀ": "ه", "ة": "ه", "ـ": None})
_UNSEEN = re.compile(r"[\u064b-\u065f\u0670\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_PERSIAN_BLANK = re.compile(r"(?<=[\u0600-\u06ff])\s+(?=[\u0600-\u06ff])")
_BY_NAME = re.compile(
    r"(?P<name>.{1,80}?)\s*(?:さん|様|くん|ちゃん)?\s*(?:を|の)(?P<ja>ミュート|ブロック)(?P<undone>を?解除)?"
    r"|[把将將]\s*(?P<put>.{1,80}?)\s*(?P<zh>屏蔽|静音|靜音|拉黑|封锁|封鎖)"
    r"|(?P<lifted>取消|解除)?(?P<verb>屏蔽|静音|靜音|拉黑|封锁|封鎖)(?P<glued>(?!消息)[^\s了的,.!?:，、。！？：][^,.!?:，、。！？：]{0,79})"
    r"|(?P<them>.{1,80}?)\s+را\s+(?P<fa>بی.?صدا|ساکت|مسدود|بلاک)\s*کن(?:ید)?"
)
_BLOCKS = {"ブロック", "مسدود", "بلاک", "拉黑", "封锁", "封鎖"}
"""The verbs of `_BY_NAME` that keep invitations away, too."""


def command_in(line: str) -> tuple[str, str] | None:
    """The English command that a line in another language means, and what stands behind it, as typed.

    None for a line in English, and for one that is no command beyond doubt: a command that takes nothing
    stands alone, with a number or a polite word at most.
    """
    if line.isascii():
        return None
    text = line.strip()
    found = [
        (_commands()[wanted], text[end:].strip())
        for at, end, colon in _boundaries(text)
        for wanted in (_plain(text[:at]), _plain(text[:at]) + ":" * colon)
        if wanted in _commands()
    ]
    takes_text = found and found[-1][0] in _TEXTS and _plain(text.strip(_END)) not in _commands()
    if takes_text and _NO_TEXT.fullmatch(found[-1][1].strip(_END)) is None:
        return found[-1]  # 谢谢 is polite behind a command, and a message behind 说
    for bare in _politely(line) if len(line) <= _SHORT else ():
        if (alone := _alone(bare)) is not None:
            return alone
        if (named := _BY_NAME.fullmatch(bare)) is not None:
            verb = named["ja"] or named["fa"] or named["zh"] or named["verb"]
            name = named["name"] or named["them"] or named["put"] or named["glued"]
            kind = "block" if verb in _BLOCKS else "mute"
            return f"un{kind}" if named["undone"] or named["lifted"] else kind, name.strip()
    return found[-1] if found else _glued(text)


def _glued(text: str) -> tuple[str, str] | None:
    """A command with a word that it takes right behind it, as in 邮件每天 and メールは毎日, or None."""
    bare = text.strip(_END)
    for at in range(1, min(len(bare), _SHORT)):
        wanted = _commands().get(_plain(bare[:at]))
        among = {"emails": (*_WHEN, HERE), "ahead": ("clear",)}.get(wanted or "", ())
        rest = re.sub("^[はをの]", "", bare[at:]).strip()
        if among and argument_in(rest, among).removesuffix(f" {HERE}") in among:
            return wanted or "", rest
    return None


def dates_of_absence(line: str) -> Iterator[str]:
    """Texts that may be dates in a line such as 12月3日から休みます or 请假12月3日; the caller reads them."""
    if line.isascii() or len(line) > _DATES:
        return
    for text in _politely(line):
        for pattern in (_away_first(), _away_last()):
            if (found := pattern.fullmatch(text)) is not None:
                yield found["dates"]


@cache
def _away_first() -> re.Pattern[str]:
    words = [word for table in OWN.values() for word in table["away"].split("|")]
    return re.compile(rf"(?:{_either(words)})[\s:：,，、،]*(?P<dates>.+)", re.DOTALL)


@cache
def _away_last() -> re.Pattern[str]:
    words = [word for table in OWN.values() for word in table["away"].split("|")]
    return re.compile(rf"(?P<dates>.+?)[\s,，、،はにを]*(?:{_either([*words, *AWAY_LAST])})", re.DOTALL)


def _either(words: list[str]) -> str:
    """A pattern of some words, the longest first, with or without the gaps in them."""
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(_GAP.sub(lambda _: r"[\s\u200c]*", word) for word in ordered)


def _alone(bare: str) -> tuple[str, str] | None:
    """The command that is all of a line, with its number, or None."""
    if (name := _commands().get(_plain(bare))) is not None:
        return name, ""
    number = _NUMBER.fullmatch(bare)
    if number is None:
        return None
    before = [_commands().get(_plain(text)) for text in _politely(number["before"])]
    name = next((name for name in before if name in ALONE), None)
    return (name, number["number"]) if name is not None else None


def argument_in(text: str, among: Collection[str]) -> str:
    """Text behind a command with the words of `among` in English, where they are known; else as it was."""
    if text.isascii() or len(text) > _SHORT:
        return text
    known = {phrase: english for english in among for phrase in _arguments().get(english, ())}
    for whole in _politely(text):
        if (meant := known.get(_plain(whole))) is not None:
            return meant
    left = text.strip(_END)
    for at in range(1, len(left)):  # no blank stands between the words of Chinese and Japanese
        before, place = left[:at].strip(), known.get(_plain(left[at:]))
        if place == HERE and before:
            return f"{known.get(_plain(before), before)} {place}"
    return text


def means(text: str, command: str) -> bool:
    """Whether a text in another language is one command and nothing else."""
    return command_in(text) == (command, "")


def own_word(command: str, language: str) -> str:
    """A language's own usual word for a command; the English one if it has none."""
    return OWN.get(language, {}).get(command, command).split("|")[0].rstrip(":")


def word_to_call_off(language: str) -> str:
    """The word that confirms calling a game off."""
    return CALL_OFF.get(language, CALL_OFF["en"]).split("|")[0]


def calls_off(text: str) -> bool:
    """Whether a text confirms, in any language, that a game is called off."""
    known = {_plain(phrase) for phrases in CALL_OFF.values() for phrase in phrases.split("|")}
    return _plain(text.strip(_END)) in known


def own_argument(english: str, language: str) -> str:
    """A language's own word for one that stands behind a command; the English one if it has none."""
    return ARGUMENTS.get(language, {}).get(english, english).split("|")[0]


def _politely(line: str) -> Iterator[str]:
    """A line, and what is left of it without the polite words behind it, before it, and both."""
    for text in _without(_POLITE_LAST, line.strip(_END)):
        yield from _without(_POLITE_FIRST, text)


def _without(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    """A text, and what is left of it without one polite word after the other."""
    yield text
    for _ in range(_MOST_POLITE):
        kept = pattern.sub("", text, count=1).strip(_END)
        if not kept or kept == text:
            break
        text = kept
        yield text


def is_polite(text: str) -> bool:
    """Whether a text behind a command is nothing but polite words."""
    rest = text.strip(_END)
    if len(rest) > _SHORT:
        return False
    for _ in range(_MOST_POLITE):
        rest = _POLITE_LAST.sub("", f" {rest}").strip(_END)
        rest = _POLITE_FIRST.sub("", f"{rest} ", count=1).strip(_END) if rest else rest
    return not rest


def _boundaries(text: str) -> Iterator[tuple[int, int, bool]]:
    """The places where a first phrase can end, with where the rest begins and whether a colon parts them."""
    for at in range(1, min(len(text), _LONGEST) + 1):
        if text[at - 1].isspace():
            continue
        found = _BOUNDARY.match(text, at)
        if found is not None and (found.end() > at or at == len(text)):
            yield at, found.end(), found["colon"] is not None


def _plain(text: str) -> str:
    """A phrase for comparing: one width, one spelling of each Persian letter, without what nobody sees."""
    plain = _UNSEEN.sub("", unicodedata.normalize("NFKC", text)).translate(_SAME).casefold()
    return _PERSIAN_BLANK.sub("", " ".join(plain.split()))


@cache
def _commands() -> Mapping[str, str]:
    return _by_phrase(OWN)


@cache
def _arguments() -> Mapping[str, tuple[str, ...]]:
    """The phrases of each English word behind a command."""
    found: dict[str, list[str]] = {}
    for words in ARGUMENTS.values():
        for english, phrases in words.items():
            found.setdefault(english, []).extend(map(_plain, phrases.split("|")))
    return {english: tuple(phrases) for english, phrases in found.items()}


def _by_phrase(table: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The English of each phrase. Where languages differ about one, it is none."""
    found: dict[str, set[str]] = {}
    for words in table.values():
        for english, phrases in words.items():
            for phrase in phrases.split("|"):
                found.setdefault(_plain(phrase), set()).add(english)
    return {phrase: next(iter(english)) for phrase, english in found.items() if len(english) == 1}

"""Banners that receiving systems put above a mail, such as "[EXTERNAL] …" or "CAUTION: …"."""

import re
import unicodedata
from collections.abc import Callable, Sequence

from app.mail.inbound.reading.banner_words import KEYS, LABELS, OF_MAIL, SAYS, TAGS

MOST_LINES = 8
"""The lines of one banner."""
MOST = 4
"""Banners of one mail."""
_BEGINNING = 600
"""Characters of a banner that are compared."""
BROKEN = 40
"""The length from which a line may go on in the next."""
_TAGGED = re.compile(r"\W{0,3}[\[({<【［]{1,3}([^\])}>】］]{2,40})[\])}>】］]{1,3}[*_]{0,3}[ :-]*")
_AROUND = " *_!:.=~#<>|-\u26a0\ufe0f"
_RULE = re.compile(r"[-_=*#~+|\u2500-\u257f\u2013\u2014 ]{3,}")
_LABEL = re.compile(r"[*_\W]{0,4}([^\W\d_]+(?: [^\W\d_]+){0,2})[*_]{0,3} ?[:!,\u2013\u2014-]")


def without_banners(
    lines: list[str], named: Sequence[str], is_command: Callable[[str], bool], ends: Callable[[str], bool]
) -> list[str]:
    """The lines without the banners at their top, and without a tag such as "[EXTERNAL]" before the first.

    `named`: beginnings of further banners, from the operator. `ends`: whether a line begins a quote or a
    signature. A line that begins like a command is never part of a banner.
    """
    wanted = [compared(one) for one in named if one.strip()]
    for _ in range(MOST):
        start = _framed(lines, 0)
        end = _end(lines, start, wanted, is_command, ends)
        if end == start:
            break
        lines = lines[_framed(lines, end) if start else end :]
    first = next((at for at, line in enumerate(lines) if line), None)
    if first is None:
        return lines
    typed = _without_tags(lines[first])
    return [typed, *lines[first + 1 :]] if typed and typed != lines[first] else lines


def _without_tags(line: str) -> str:
    """A line without the tags such as "[EXTERNAL]" at its beginning."""
    for _ in range(MOST):
        tag = _TAGGED.match(line)
        if tag is None or compared(tag[1]).strip(_AROUND + "'") not in TAGS:
            break
        line = line[tag.end() :].strip()
    return line


def _framed(lines: list[str], at: int) -> int:
    """The next line that is neither blank nor a rule."""
    while at < len(lines) and (not lines[at] or _RULE.fullmatch(lines[at])):
        at += 1
    return at


def _end(
    lines: list[str],
    start: int,
    named: Sequence[str],
    is_command: Callable[[str], bool],
    ends: Callable[[str], bool],
) -> int:
    """The line after the banner that begins at a line; the line itself if none does."""
    block: list[str] = []
    surely = 0
    for line in lines[start : start + MOST_LINES]:
        if not line or ends(line) or is_command(line):
            break
        block.append(line)
        if _is_banner(compared(" ".join(block)), compared(line), named):
            surely = len(block)
    if not surely:
        return start
    # A banner ends with its sentence: what stands right below may have been typed.
    while surely < len(block) and len(block[surely - 1]) >= BROKEN and not _ends(block[surely - 1]):
        surely += 1
    return start + surely


def _is_banner(said: str, last: str, named: Sequence[str]) -> bool:
    """Whether the lines so far, or the last of them alone, are surely a banner."""
    untagged = _without_tags(last)
    if untagged != last and not untagged.strip(_AROUND):
        return True
    if any(one in said for one in SAYS) or any(one in last for one in SAYS):
        return True
    label = _LABEL.match(said)
    labelled = label is not None and label[1].strip() in LABELS
    if labelled and any(one in said for one in KEYS) and any(one in said for one in OF_MAIL):
        return True
    bare = last.strip(_AROUND)
    if bare in TAGS and (" " in bare or last[:2].strip(_AROUND) == last[-2:].strip(_AROUND) == ""):
        return True
    return any(said.startswith(one) or last.startswith(one) for one in named)


def compared(text: str) -> str:
    """A text for comparing: one width of characters, lower case, single blanks, plain apostrophes."""
    plain = unicodedata.normalize("NFKC", text[:_BEGINNING]).casefold().replace("\u2019", "'")
    return " ".join(plain.split())


def _ends(line: str) -> bool:
    return line.rstrip(" *_\"'”’").endswith((".", "!", "?", "]", ")", "】", "。", ":", ";", "|", "-", "="))

"""The commands in a reply: at its top, or below its quote. The answer asks about uncertain ones."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal

import msgspec

from app.mail.inbound.reading import marks
from app.mail.inbound.reading.banners import without_banners
from app.mail.inbound.reading.marks import Mark
from app.mail.inbound.reading.message import Message, OwnNames
from app.mail.inbound.reading.text import unescaped

MOST_LINES = 400
"""Lines that are read, not counting blank ones."""
LONGEST_LINE = 1_100
"""Characters. A longer line is no command: cut, it would have another meaning."""
MOST_COMMANDS = 60
WRAPPED = 55
"""The length from which a mail program may have broken a line."""
FITS = 70
"""Characters that every mail program puts into one line."""
BROKEN = 30
"""The length of a quoted line from which its end may stand below without a mark."""
LOOKED_FOR = 100
"""Lines that are searched for uncertain commands, which are not longer than `SHORT`."""
SHORT = 200
_ATTRIBUTION = 4
"""Lines that "On Monday Ann wrote:" may take."""
_BULLETS = ("- ", "* ", "• ", "· ", "•", "·", "・", "‣ ", "◦ ", "– ")

_NUMBER = re.compile(r"[0-9０-９۰-۹٠-٩]{1,2}(?:[.)] |[．）、] ?)")
"""The number of a list, at the beginning of a line. No move and no command of the system begins with one."""
_AROUND = ("**", "*", "__", "_", "``", "`", '""', "''")
"""Marks around a whole line: bold, underlined, code, quoted. What is struck out (`~~`) was taken back."""
_AS_OURS = ("\u201c\u201d", "\u201e\u201c", "\u2018\u2019", "\u00ab\u00bb", "「」", "『』", "《》")
"""Quote marks as our emails set them around a command. A mail program may quote such a line without marks, so
they were typed only in the lines at the top."""

Reason = Literal["", "empty", "no_command", "quoted_only", "inside_quote", "too_long"]


class Reply(msgspec.Struct, frozen=True):
    """The commands of a reply.

    Each of `lines` and `left` is a line of the body, without a bullet or a number before it.
    """

    lines: tuple[str, ...] = ()
    """The commands, in order, as they were typed. After the first that is refused none is carried out."""
    rest: str = ""
    """The text typed after them, or in their place, up to a quote or a signature."""
    runs_on: str = ""
    """The beginning of `rest`, if the last command is so long that its end may have moved there."""
    left: tuple[str, ...] = ()
    """Commands at other places, which are not carried out: below other text, or inside a quote."""
    reason: Reason = ""
    """The reason for no `lines`. `empty`: nothing was typed. `no_command`: the first line typed is none.
    `quoted_only`: all is quoted. `inside_quote`: `left` may have been typed inside the quote, or quoted
    without a mark, or stands in several places. `too_long`: nothing among the lines that are read.
    """


def read(
    message: Message, is_command: Callable[[str], bool], own: OwnNames, banners: Sequence[str] = ()
) -> Reply:
    """The commands of a reply. Never raises unless `is_command` does.

    `banners`: beginnings of banners that receiving systems put above a mail, beside the known ones.
    `is_command`: whether a line, as typed but without a bullet, begins like a command, possible or not. It is
    called once a line, for a few hundred lines at most.
    """
    return _Reader(message, is_command, own, banners).reply()


def rejoined(reply: Reply, is_command: Callable[[str], bool]) -> Reply:
    """The reply with its last command whole again, if a mail program surely broke its line.

    It did if the next word would not have fitted. The commands below are read on.
    """
    if not reply.runs_on:
        return reply
    rest, whole = reply.rest.split("\n"), reply.lines[-1]
    line = whole
    while rest and _was_broken(line, rest[0]) and len(whole) + len(rest[0]) < LONGEST_LINE:
        if not is_command(f"{whole} {rest[0]}") or is_command(_bare(rest[0])):
            break
        line = rest.pop(0)
        whole = f"{whole} {line}"
    if whole == reply.lines[-1]:
        return reply
    lines = [*reply.lines[:-1], whole]
    while rest and (not rest[0] or is_command(_bare(rest[0]))) and len(lines) < MOST_COMMANDS:
        if below := rest.pop(0):
            lines.append(_bare(below))
    left = tuple(one for one in reply.left if one not in lines)
    return Reply(tuple(lines), "\n".join(rest).strip("\n"), "", left, reply.reason)


def _was_broken(line: str, following: str) -> bool:
    """Whether a line is so long that the first word of the next would not have fitted into it."""
    word = following.split(" ", maxsplit=1)[0]
    return bool(word) and len(line) >= WRAPPED and len(line) + len(word) >= FITS


class _Reader:
    """One walk over the lines of a body."""

    def __init__(
        self, message: Message, is_command: Callable[[str], bool], own: OwnNames, banners: Sequence[str]
    ) -> None:
        self.own, self.is_command = own, is_command
        self.known: dict[str, bool] = {}
        looked_at, many = _looked_at(message.body)
        self.cut = many or message.cut
        self.lines = without_banners(looked_at, banners, self.commanding, self.ends_banner)
        self.plain = [marks.plain(line) for line in self.lines]
        self.marks: dict[int, Mark] = {}

    def ends_banner(self, line: str) -> bool:
        """Whether a line is surely no part of a banner, because a quote or a signature begins with it."""
        plain = marks.plain(line)
        return self.own.addressed_in(plain) or marks.mark_of(plain, "", self.own) in ("quote", "signature")

    def reply(self) -> Reply:
        found, start = self.run(0)
        stop = self.stop(start)
        typed = self.lines[start : self.without_attribution(start, stop)]
        rest = "\n".join(typed).strip("\n")
        below = list(self.below(stop))
        if found:
            left = (*self.commands(typed), *self.commands(line for _, _, block in below for line in block))
            return Reply(found, rest, self.runs_on(found[-1], typed), left)
        if rest:
            left = (*self.commands(typed), *self.commands(line for _, _, block in below for line in block))
            return Reply(rest=rest, left=left, reason="no_command")
        if stop == len(self.lines):
            return Reply(reason="too_long" if self.cut else "empty")
        return self.from_below(stop, below)

    def from_below(self, stop: int, below: list[tuple[int, bool, list[str]]]) -> Reply:
        """The reply if there is no text above the quote: the text between its marked lines, or after them."""
        starts = [(at, sure) for at, sure, block in below if self.commanding(block[0])]
        if len(starts) == 1 and starts[0][1]:
            at = starts[0][0]
            found, end = self.run(at)
            others = [line for _, _, block in below for line in block if self.typed(line) not in found]
            if not any(sure and where < at for where, sure, _ in below) and not self.commands(others):
                typed = self.lines[end : self.stop(end)]
                rest = "\n".join(typed).strip("\n")
                return Reply(found, rest, self.runs_on(found[-1], typed))
        left = self.commands(line for line in self.lines[stop:] if not marks.is_quoted(line))
        if left:
            return Reply(left=left, reason="inside_quote")
        if self.cut:
            return Reply(reason="too_long")
        said = next((block for _, sure, block in reversed(below) if sure), None)
        if said is not None:
            return Reply(rest="\n".join(said), reason="no_command")
        return Reply(reason="empty" if self.mark(stop) == "signature" else "quoted_only")

    def typed(self, line: str, *, top: bool = False) -> str:
        """The command of a line: as typed if that is one, else without escapes left from HTML."""
        bare = _bare(line, top=top)
        if self.is_known(bare):
            return bare
        plain = _bare(unescaped(line), top=top)
        return plain if self.is_known(plain) else bare

    def is_known(self, bare: str) -> bool:
        if bare not in self.known:
            self.known[bare] = self.is_command(bare)
        return self.known[bare]

    def run(self, start: int) -> tuple[tuple[str, ...], int]:
        """The commands from a line on, perhaps with blank lines between, and the line after them."""
        found: list[str] = []
        at = end = start
        while at < len(self.lines) and len(found) < MOST_COMMANDS:
            line = self.lines[at]
            if line:
                if self.ends_run(at) or not self.commanding(line, top=start == 0):
                    break
                found.append(self.typed(line, top=start == 0))
                end = at + 1
            at += 1
        return tuple(found), end

    def ends_run(self, at: int) -> bool:
        """Whether a line is a mark even though it begins like a command."""
        mark = self.mark(at)
        if mark == "ours":  # a line can have a link to our pages; an attribution names our address
            return self.own.addressed_in(self.plain[at])
        return mark in ("quote", "signature", "rule")

    def mark(self, at: int) -> Mark:
        found = self.marks.get(at)
        if found is None:
            following = self.plain[at + 1] if at + 1 < len(self.plain) else ""
            found = self.marks[at] = marks.mark_of(self.plain[at], following, self.own)
        return found

    def stop(self, start: int) -> int:
        """The first mark from a line on; the number of lines if there is none."""
        return next((at for at in range(start, len(self.lines)) if self.mark(at)), len(self.lines))

    def without_attribution(self, start: int, stop: int) -> int:
        """The end of the text above a mark, without the words that introduce the quote.

        These are the lines that touch the one with our address, or a few lines whose last ends in a colon.
        """
        end = stop
        more = False  # the address itself may be broken, with gaps
        if stop < len(self.lines) and self.mark(stop) == "ours":
            end = self.without_paragraph(start, stop)
            signs = "".join(self.plain[end:stop])
            more = not any(c.isalnum() for c in signs) and self.plain[stop].startswith(("<", "mailto:"))
            if end < stop and not more:
                return end
        last = end
        while last > start and not self.lines[last - 1]:
            last -= 1
        colon = self.plain[last - 1].endswith((":", ":-")) if last > start else False
        return self.without_paragraph(start, last) if (more or colon) and stop < len(self.lines) else end

    def without_paragraph(self, start: int, end: int) -> int:
        """The beginning of the lines right above a place, if they are few and none is a command."""
        first = end
        while first > start and self.lines[first - 1]:
            first -= 1
        words = self.lines[first:end]
        fits = len(words) <= _ATTRIBUTION and not any(self.commanding(line) for line in words)
        return first if fits else end

    def below(self, stop: int) -> Iterator[tuple[int, bool, list[str]]]:
        """The blocks of unmarked lines after marked ones: first line, whether surely typed, the lines.

        A block right under a long quoted line may be the end of that line, broken by a mail program.
        """
        quoted = over = False
        at = stop
        while at < len(self.lines):
            mark = self.barrier(at)
            if mark == "quote":
                over = False
                line = self.plain[at]
                quoted = quoted or (marks.is_surely_quoted(line) and not line.endswith(":"))
            elif mark:
                over = over or mark != "ours"
            elif self.lines[at] and quoted and not over:
                before = self.lines[at - 1]
                sure = len(before) < BROKEN
                end = at + 1
                while end < len(self.lines) and not self.barrier(end) and (sure or self.lines[end]):
                    end += 1
                yield at, sure, [text for text in self.lines[at:end] if text]
                at = end
                continue
            at += 1

    def barrier(self, at: int) -> Mark:
        """The mark that a line is; "" if it is a command."""
        mark = self.mark(at)
        return (
            ""
            if mark in ("headers", "ours") and not self.ends_run(at) and self.commanding(self.lines[at])
            else mark
        )

    def runs_on(self, command: str, typed: list[str]) -> str:
        """The lines right below a command that is long enough to have been broken."""
        if len(command) < WRAPPED or not typed or not typed[0]:
            return ""
        end = typed.index("") if "" in typed else len(typed)
        return " ".join(typed[:end])

    def commanding(self, line: str, *, top: bool = False) -> bool:
        """Whether a line begins like a command."""
        if len(line) > LONGEST_LINE or not any(c.isalnum() for c in line[:SHORT]):
            return False
        return self.is_known(self.typed(line, top=top))

    def commands(self, lines: Iterable[str]) -> tuple[str, ...]:
        """The lines that are short commands without an address of ours."""
        tried = list(islice((line for line in lines if line and len(line) <= SHORT), LOOKED_FOR))
        found = (self.typed(line) for line in tried if self.commanding(line))
        theirs = (line for line in found if not self.own.addressed_in(marks.plain(line)))
        return tuple(dict.fromkeys(theirs))[:MOST_COMMANDS]


def _bare(line: str, *, top: bool = False) -> str:
    """A line without the bullet or number at its beginning, and without marks around all of it.

    `top`: also without quote marks as in our emails.
    """
    bullet = next((sign for sign in _BULLETS if line.startswith(sign)), "")
    number = _NUMBER.match(line)
    line = line.removeprefix(bullet).lstrip() if bullet else line[number.end() :].lstrip() if number else line
    for _ in range(3):
        inner = next(
            (found for marks in (_AROUND + _AS_OURS if top else _AROUND) if (found := _within(line, marks))),
            "",
        )
        if not inner:
            break
        line = inner
    return line


def _within(line: str, marks: str) -> str:
    """The text between two marks that stand around all of a line and nowhere in it; else ""."""
    before, after = (
        (marks, marks) if len(set(marks)) == 1 and marks not in ('""', "''") else (marks[0], marks[-1])
    )
    stop = line.rstrip(".!") if line.rstrip(".!").endswith(after) else line
    inner = stop.removeprefix(before).removesuffix(after)
    whole = len(stop) == len(inner) + len(before) + len(after) and stop.startswith(before)
    return inner.strip() if whole and not set(inner) & set(marks) else ""


def _looked_at(body: str) -> tuple[list[str], bool]:
    """The lines that are read, without repeated blank ones, and whether there are others."""
    kept: list[str] = []
    full = 0
    for line in body.split("\n"):
        if line:
            if full == MOST_LINES:
                return kept, True
            full += 1
            kept.append(line)
        elif kept and kept[-1]:
            kept.append("")
    return kept, False

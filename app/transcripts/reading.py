"""Reading a match file. What is read is written again, and must be the same: a match is written in one way.

So every line of the text is understood, or named as what is wrong. Whether the moves are legal and the draws
right is `verifying`'s.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any

import msgspec

from app.engine import codec
from app.engine.chance import Draw
from app.engine.game import Seat
from app.graphemes import cut
from app.transcripts.form import (
    LARGEST,
    LONGEST_LINE,
    Agreed,
    Ahead,
    BadFile,
    Ending,
    Holding,
    MatchFile,
    Person,
    Played,
    Said,
    SeatResult,
    Waiting,
    Word,
    Written,
)
from app.transcripts.writing import lines_of

SHOWN = 100
"""Characters of a line that a refusal repeats."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_AT = r"(?: @(?P<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ))?"
_DRAWS = r"(?: \[(?P<draws>[^\[\]]+)\])?"
_DRAW = re.compile(r"([1-9]\d{0,9})/([1-9]\d{0,9})((?:\.\w{1,40})*)", re.ASCII)
_SEAT = r"[a-z]{1,20}"
_HEADER = re.compile(rf"([a-z]{{1,20}})(?: ([1-9]\d{{0,2}}))?(?: ({_SEAT}))?: (.+)", re.ASCII)
_PLAYED = re.compile(
    rf"(?:(?P<seat>{_SEAT}): (?P<move>.+?)|(?P<own>start|edition \d{{1,9}} \d{{1,9}})){_DRAWS}{_AT}"
    r"(?P<clock> by the clock)?",
    re.ASCII,
)
_SAYS = re.compile(rf'(?P<seat>{_SEAT}) says (?P<text>".*"){_AT}', re.ASCII)
_SAID = re.compile(
    rf"\* (?P<what>[a-z_]{{1,40}})(?: of (?P<seat>{_SEAT}))?(?: by (?P<by>{_SEAT}))? (?P<facts>{{.*}}){_AT}",
    re.ASCII,
)
_ENDING = re.compile(rf"= (?P<reason>[a-z_]{{1,40}})(?:: (?P<told>.+?))?{_AT}", re.ASCII)
_STANDING = re.compile(rf"({_SEAT})(?: (-?\d{{1,9}}))? \((\d{{1,4}})\)", re.ASCII)
_OPTION = re.compile(r"([\w-]{1,60})=([\w-]{1,60})", re.ASCII)
ONCE = (
    *("game", "edition", "players", "options", "seed", "private", "clock", "host", "computer"),
    *("fingerprint", "dice", "secret", "agreed"),
)
"""Headers without a seat."""
FOR_SEATS: Mapping[str, Any] = {"name": str, "person": Person, "seat": Holding}
"""Headers that stand once for a seat, and the JSON behind them."""
NUMBERED: Mapping[str, Any] = {"word": str, "question": Waiting, "note": Written, "ahead": Ahead}
"""Headers that have a number and a seat: the number of a word is its place, others are counted by seat."""


class Read(msgspec.Struct, frozen=True):
    """A match file and where its parts stand."""

    match: MatchFile
    at: dict[str, int]
    """For each header the number of its line, such as `name red`; `end` is the line of the ending."""
    lines: tuple[int, ...]
    """For each of the match's lines the number of its line."""

    def line(self, header: str) -> int:
        """The number of a header's line; of one that is missing, that of `dice` or `edition`."""
        return self.at.get(header) or self.at.get("dice") or self.at["edition"]


def read(data: bytes) -> Read:
    """The match of a file. Raises BadFile."""
    lines = _lines(data)
    first = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    at, found = _headers(lines, first)
    match, played = _match(lines, first + len(found), at, found)
    for place, (line, wanted) in enumerate(zip_longest(lines, lines_of(match)), 1):
        if line != wanted:
            raise BadFile(
                min(place, len(lines)),
                "it should end here" if wanted is None else f"here should stand: {cut(wanted, SHOWN, '…')}",
            )
    return Read(match, {**at, "end": len(lines)}, played)


def _lines(data: bytes) -> list[str]:
    """The lines of a file that is plain text. Raises BadFile."""
    if len(data) > LARGEST:
        raise BadFile(0, f"the file has more than {LARGEST // 1_000_000} MB, and no match has")
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise BadFile(1, "begins with a byte order mark: save the file as UTF-8 without one")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BadFile(data[: error.start].count(b"\n") + 1, "is not UTF-8") from None
    if "\r" in text:
        raise BadFile(
            text[: text.index("\r")].count("\n") + 1,
            "ends with a carriage return: save the file with plain line feeds",
        )
    lines = text.split("\n")
    if lines.pop() or not lines:
        raise BadFile(len(lines) + 1, "is cut: the file must end with a line feed")
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise BadFile(number, f"is longer than {LONGEST_LINE} characters")
        if bad := _CONTROL.search(line):
            raise BadFile(number, f"has the control character U+{ord(bad[0]):04X}")
    return lines


def _headers(lines: Sequence[str], first: int) -> tuple[dict[str, int], list[tuple[str, str, str, str]]]:
    """The line of each header, and the parts of all: name, number, seat, value. Raises BadFile."""
    at: dict[str, int] = {}
    found: list[tuple[str, str, str, str]] = []
    for number, line in enumerate((*lines[first:], ""), first + 1):
        if line.startswith("seen by: "):
            raise BadFile(
                number, "this is what one player could know of a game that went on, and no whole game"
            )
        header = _HEADER.fullmatch(line)
        if header is None or not _known(header):
            if "seed" in at or not line:
                break
            raise BadFile(number, f"is no header of a match file: {cut(line, SHOWN, '…')}")
        number_of = header[2] if header[1] != "word" else None
        key = " ".join(part for part in (header[1], number_of, header[3]) if part)
        if key in at:
            raise BadFile(number, f"{key} stands in line {at[key]} already")
        at[key] = number
        found.append((header[1], header[2] or "", header[3] or "", header[4]))
    for name in ("game", "edition", "players"):
        if name not in at:
            raise BadFile(first + len(found) + 1, f"the headers lack {name}")
    if "seed" not in at and "dice" not in at:
        raise BadFile(first + len(found) + 1, "the headers lack dice")
    return at, found


def _known(header: "re.Match[str]") -> bool:
    name, number, seat = header[1], bool(header[2]), bool(header[3])
    return (
        (name in ONCE and not number and not seat)
        or (name in FOR_SEATS and seat and not number)
        or (name in NUMBERED and seat and number)
    )


def _match(
    lines: Sequence[str], first: int, at: dict[str, int], found: list[tuple[str, str, str, str]]
) -> tuple[MatchFile, tuple[int, ...]]:
    once = {name: value for name, _, _, value in found if name in ONCE}
    names = {seat: _json(at[f"name {seat}"], value, str) for name, _, seat, value in found if name == "name"}

    def of_seats(header: str) -> tuple[tuple[Seat, Any], ...]:
        kind = FOR_SEATS.get(header) or NUMBERED[header]
        return tuple(
            (seat, _json(at[" ".join(part for part in (header, number, seat) if part)], value, kind))
            for name, number, seat, value in found
            if name == header
        )

    first += "seed" not in at  # the blank line
    played, numbers = [], []
    for number, line in enumerate(lines[first:-1], first + 1):
        played.append(_line(number, line, names))
        numbers.append(number)
    last = lines[-1] if len(lines) > first else ""
    if not last.startswith("= "):
        raise BadFile(len(lines), "is not how a match ends, with = at the beginning: the file is cut")
    return (
        MatchFile(
            game=once["game"],
            edition=_whole(at["edition"], once["edition"]),
            players=tuple(once["players"].split(" ")),
            lines=tuple(played),
            ending=None if last == "= goes on" else _ending(len(lines), last),
            comments=tuple(line[2:] for line in lines if line.startswith("#")),
            options=_options(at, once.get("options", "")),
            seed=once.get("seed"),
            private="private" in once,
            clock=once.get("clock", ""),
            host=once.get("host"),
            bots=tuple(once["computer"].split(" ")) if "computer" in once else (),
            names=tuple(names.items()),
            commitment=once.get("fingerprint", ""),
            dice=_whole(at["dice"], once["dice"]) if "dice" in once else 0,
            words=tuple(
                Word(int(number), seat, _json(at[f"word {seat}"], value, str))
                for name, number, seat, value in found
                if name == "word"
            ),
            secret=once.get("secret", ""),
            people=of_seats("person"),
            agreed=_json(at["agreed"], once["agreed"], Agreed) if "agreed" in once else None,
            holdings=of_seats("seat"),
            waiting=of_seats("question"),
            notes=of_seats("note"),
            ahead=of_seats("ahead"),
        ),
        tuple(numbers),
    )


def _line(number: int, line: str, names: dict[str, str]) -> Played | Said:
    if found := _SAYS.fullmatch(line):
        seat, text = found["seat"], _json(number, found["text"], str)
        facts = codec.dumps({"name": names.get(seat, ""), "text": text})
        return Said("said", seat, seat, facts, _needed(number, found["at"]))
    if found := _SAID.fullmatch(line):
        facts = codec.dumps(_json(number, found["facts"], dict[str, Any]))
        return Said(found["what"], found["seat"], found["by"], facts, _needed(number, found["at"]))
    found = _PLAYED.fullmatch(line)
    if found is None:
        raise BadFile(number, f"is no move: {cut(line, SHOWN, '…')}")
    if found["clock"]:
        _needed(number, found["at"])
    return Played(
        found["seat"],
        found["move"] or found["own"],
        _draws(number, found["draws"]),
        _moment(number, found["at"]),
        bool(found["clock"]),
    )


def _draws(number: int, text: str | None) -> tuple[Draw, ...]:
    draws = []
    for one in text.split(" ") if text else ():
        found = _DRAW.fullmatch(one)
        if found is None or int(found[1]) > int(found[2]):
            raise BadFile(number, f"{cut(one, SHOWN, '…')} is no draw, such as 3/6 for the third of six")
        draws.append(Draw(found[3], int(found[2]), int(found[1]) - 1))
    return tuple(draws)


def _ending(number: int, line: str) -> Ending:
    found = _ENDING.fullmatch(line)
    if found is None:
        raise BadFile(number, f"is no ending: {cut(line, SHOWN, '…')}")
    results = []
    for one in found["told"].split(", ") if found["told"] else ():
        told = _STANDING.fullmatch(one)
        if told is None:
            raise BadFile(number, f"{cut(one, SHOWN, '…')} is no result of a seat, such as red 21 (1)")
        results.append(SeatResult(told[1], int(told[2]) if told[2] else None, int(told[3])))
    return Ending(found["reason"], tuple(results), _moment(number, found["at"]))


def _options(at: dict[str, int], text: str) -> tuple[tuple[str, str], ...]:
    options: dict[str, str] = {}
    for one in text.split(" ") if text else ():
        found = _OPTION.fullmatch(one)
        if found is None:
            raise BadFile(at["options"], f"{cut(one, SHOWN, '…')} isn't NAME=CHOICE")
        if found[1] in options:
            raise BadFile(at["options"], f"{found[1]} stands twice")
        options[found[1]] = found[2]
    return tuple(options.items())


def _whole(number: int, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise BadFile(number, f"{cut(text, SHOWN, '…')} is no number")
    return int(text)


def _moment(number: int, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise BadFile(number, f"{text} is no moment") from None


def _needed(number: int, text: str | None) -> datetime:
    at = _moment(number, text)
    if at is None:
        raise BadFile(number, "lacks its moment, such as @2026-03-01T18:30:00Z")
    return at


def _json(number: int, text: str, kind: Any) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise BadFile(number, f"{cut(text, SHOWN, '…')} is not well-formed JSON of this header") from None

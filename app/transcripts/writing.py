"""The text of a match file. Equal matches give equal texts."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

import msgspec

from app.engine import codec
from app.engine.chance import Draw
from app.engine.game import Seat
from app.transcripts.form import Ending, MatchFile, Played, Said
from app.words.someone import named

_UNSEEN = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters, breaks of lines and marks of direction: written so that they are seen."""


def text_of(match: MatchFile) -> str:
    """The text of the file; each line ends with a line feed."""
    return named("".join(f"{line}\n" for line in lines_of(match)), lambda: "Someone")


def lines_of(match: MatchFile) -> Iterator[str]:
    """Yield the lines of the file."""
    yield from (f"# {comment}" if comment else "#" for comment in match.comments)
    yield from headers(match)
    if not match.bare:
        yield ""
    names = dict(match.names)
    yield from (_played(one) if isinstance(one, Played) else said_line(one, names) for one in match.lines)
    yield "= goes on" if match.ending is None else _ending(match.ending)


def headers(match: MatchFile) -> Iterator[str]:
    """Yield the headers, in their order."""
    yield f"game: {match.game}"
    yield f"edition: {match.edition}"
    yield f"players: {' '.join(match.players)}"
    if match.options:
        yield f"options: {options_text(match.options)}"
    if match.seed is not None:
        yield f"seed: {match.seed}"
        return
    if match.private:
        yield "private: yes"
    if match.clock:
        yield f"clock: {match.clock}"
    if match.host:
        yield f"host: {match.host}"
    if match.bots:
        yield f"computer: {' '.join(match.bots)}"
    yield from (f"name {seat}: {quoted(name)}" for seat, name in match.names)
    if match.commitment:
        yield f"fingerprint: {match.commitment}"
    yield f"dice: {match.dice}"
    yield from (f"word {one.place} {one.seat}: {quoted(one.text)}" for one in match.words)
    if match.secret:
        yield f"secret: {match.secret}"
    yield from (f"person {seat}: {seen(codec.dumps(person))}" for seat, person in match.people)
    if match.agreed is not None:
        yield f"agreed: {codec.dumps(match.agreed)}"
    yield from (f"seat {seat}: {codec.dumps(holding)}" for seat, holding in match.holdings)
    yield from _numbered("question", match.waiting)
    yield from _numbered("note", match.notes)
    yield from _numbered("ahead", match.ahead)


def _numbered(header: str, several: Iterable[tuple[Seat, msgspec.Struct]]) -> Iterator[str]:
    """Yield a header that a seat can have several times: they are counted for each seat."""
    counts: Counter[Seat] = Counter()
    for seat, one in several:
        counts[seat] += 1
        yield f"{header} {counts[seat]} {seat}: {seen(codec.dumps(one))}"


def options_text(options: Iterable[tuple[str, str]]) -> str:
    """Options as their header has them."""
    return " ".join(f"{name}={choice}" for name, choice in options)


def quoted(text: str) -> str:
    """A text as a JSON string in which every character can be seen."""
    return seen(msgspec.json.encode(text).decode())


def seen(json: str) -> str:
    """JSON in which every character can be seen."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


def draw_text(draw: Draw) -> str:
    """A draw as people count: `3/6` is the third of six. The name of its chance follows, if it has one."""
    return f"{draw.result + 1}/{draw.among}{draw.name}"


def moment(at: datetime) -> str:
    """A moment to the second, in UTC."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _at(at: datetime | None) -> str:
    return f" @{moment(at)}" if at is not None else ""


def _played(one: Played) -> str:
    draws = f" [{' '.join(map(draw_text, one.draws))}]" if one.draws else ""
    clock = " by the clock" if one.by_clock else ""
    return f"{f'{one.seat}: ' if one.seat else ''}{one.move}{draws}{_at(one.at)}{clock}"


def said_line(one: Said, names: Mapping[Seat, str]) -> str:
    """The line of a notice; a message by a player who has this name is told more shortly."""
    if one.what == "said" and one.seat is not None and one.seat == one.by_seat:
        facts = msgspec.json.decode(one.facts)
        if facts.keys() == {"name", "text"} and facts["name"] == names.get(one.seat):
            return f"{one.seat} says {quoted(facts['text'])}{_at(one.at)}"
    seat = f" of {one.seat}" if one.seat else ""
    by_seat = f" by {one.by_seat}" if one.by_seat else ""
    return f"* {one.what}{seat}{by_seat} {seen(one.facts)}{_at(one.at)}"


def _ending(ending: Ending) -> str:
    told = ", ".join(
        f"{one.seat} {f'{one.score} ' if one.score is not None else ''}({one.place})"
        for one in ending.results
    )
    return f"= {ending.reason}{f': {told}' if told else ''}{_at(ending.at)}"

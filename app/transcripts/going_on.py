"""A match that goes on brings along its clocks, open questions, and what its players keep for it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import msgspec

from app import narrate
from app.engine.errors import RulesError
from app.engine.game import Asking, Game, Seat
from app.people import service as people
from app.people.errors import Refused
from app.play.clock.rules import Rule, Stop
from app.play.clock.turn import TurnClock
from app.play.match import chairs, questions
from app.play.match.snapshot import MatchSnapshot
from app.play.moves import wishes
from app.play.moves.orders import LONGEST_WISH, MOST_WISHES
from app.play.seats import notes
from app.play.seats.giving import ANYBODY
from app.play.seats.organiser import MOST_DAYS
from app.store.connection import Connection
from app.transcripts.export import counted
from app.transcripts.form import Agreed, Ahead, BadFile, Holding, MatchFile, Span, Waiting
from app.transcripts.reading import Read

T = TypeVar("T")
MOST_SPANS = 500
"""Pauses of a match, absences of a player."""
LONGEST = 10**9
"""Seconds of thinking time."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_REMINDED = re.compile(r"(?:\d{1,5}[%h] ?){0,9}", re.ASCII)
EARLIEST, FARTHEST = datetime(2000, 1, 1, tzinfo=UTC), timedelta(days=5000)
"""Moments lie between the first and so much from now."""


class Facts(msgspec.Struct, frozen=True):
    """The match as it stands after its last line."""

    game: Game
    asking: Sequence[Asking]
    ply: int
    rule: Rule
    now: datetime


def check(read: Read, facts: Facts) -> None:
    """Raises BadFile for what doesn't fit to the match, its players or this moment."""
    match, now = read.match, facts.now
    if match.ending is not None:
        for name in ("agreed", "seat", "question", "ahead"):
            if line := next((at for key, at in read.at.items() if key.split(" ")[0] == name), 0):
                raise BadFile(line, "belongs to a game that goes on")
    if match.agreed is not None:
        _check_agreed(read.line("agreed"), match.agreed, facts)
    persons = {seat for seat, _ in match.people}
    for line, _, person in _each(read, "person", match.people):
        _check_spans(line, person.away, now + FARTHEST)
    for line, seat, holding in _each(read, "seat", match.holdings):
        _check_person(line, seat, persons)
        _check_holding(line, holding, facts)
    for line, seat, note in _each(read, "note", match.notes):
        _check_person(line, seat, persons)
        _check_moments(line, now, note.at)
        try:
            same = notes.check(note.text) == note.text
        except Refused as error:
            raise BadFile(line, _said(error)) from None
        if not same:
            raise BadFile(line, "the note has characters or lines that a note can't have here")
    for line, seat, order in _each(read, "ahead", match.ahead):
        _check_person(line, seat, persons)
        _check_ahead(line, order, facts)
    many = Counter(seat for seat, one in match.ahead if one.kind == "wish")
    for seat, most in many.items():
        if most > MOST_WISHES:
            raise BadFile(read.at[f"ahead {most} {seat}"], f"there are more than {MOST_WISHES}")
    _check_waiting(read, facts)


def _each(read: Read, header: str, several: Sequence[tuple[Seat, T]]) -> Iterator[tuple[int, Seat, T]]:
    """Yield what stands behind a header, with the number of its line and its seat."""
    counts: Counter[Seat] = Counter()
    for seat, one in several:
        counts[seat] += 1
        yield read.at.get(f"{header} {seat}") or read.at[f"{header} {counts[seat]} {seat}"], seat, one


def _said(error: RulesError | Refused, game: Game | None = None) -> str:
    return " ".join(narrate.refusal(game, narrate.FALLBACK, error).split())


def _check_person(line: int, seat: Seat, persons: set[Seat]) -> None:
    if seat not in persons:
        raise BadFile(line, "names a seat that no person has")


def _check_moments(line: int, latest: datetime, *moments: datetime | None) -> None:
    for at in moments:
        if at is not None and not EARLIEST <= at <= latest:
            raise BadFile(line, f"{at:%Y-%m-%d %H:%M} can't be right")


def _check_spans(line: int, spans: Sequence[Span], latest: datetime) -> None:
    if len(spans) > MOST_SPANS:
        raise BadFile(line, f"has more than {MOST_SPANS} spans of time")
    for one in spans:
        _check_moments(line, latest, one.begins, one.ends)
        if one.ends is not None and one.ends <= one.begins:
            raise BadFile(line, "a span of time ends before it begins")


def _check_numbers(line: int, *numbers: float | None) -> None:
    if any(one is not None and not 0 <= one <= LONGEST for one in numbers):
        raise BadFile(line, "a number can't be right")


def _check_agreed(line: int, agreed: Agreed, facts: Facts) -> None:
    _check_spans(line, agreed.pauses, facts.now)
    if agreed.seats not in (None, ANYBODY) or not 0 <= agreed.extended <= MOST_DAYS:
        raise BadFile(line, "is nothing that players can agree upon here")
    if facts.rule.kind == "none" and agreed.pauses:
        raise BadFile(line, "a game without a clock has no pauses")


def _check_holding(line: int, one: Holding, facts: Facts) -> None:
    _check_moments(line, facts.now, one.since, one.open, one.credited_until)
    _check_numbers(line, one.bank, one.credited, one.notices, one.ply + 1)
    if one.ply > facts.ply:
        raise BadFile(line, "names a move that was not made")


def _check_ahead(line: int, one: Ahead, facts: Facts) -> None:
    _check_moments(line, facts.now, one.at)
    _check_moments(line, facts.now + FARTHEST, one.until)
    if not 0 <= one.ply <= facts.ply:
        raise BadFile(line, "names a move that was not made")
    if one.kind == "policy" and one.name in {policy.name for policy in facts.game.policies}:
        try:
            fits = facts.game.read_policy(one.name, one.text) == one.text
        except RulesError as error:
            raise BadFile(line, _said(error, facts.game)) from None
    else:
        fits = one.kind == "wish" and not one.name and one.until is None and _is_wish(one.text)
    if not fits:
        raise BadFile(line, "is nothing that a player can leave ahead in this game")


def _is_wish(text: str) -> bool:
    return 0 < len(text) <= LONGEST_WISH and _CONTROL.search(text) is None


def _check_waiting(read: Read, facts: Facts) -> None:
    if read.match.agreed is None and not read.match.waiting:
        return  # the file of an earlier version
    asked = [(one.seat, one.asks, one.about) for one in facts.asking]
    found = [(seat, one.asks, one.about) for seat, one in read.match.waiting]
    for line, seat, one in _each(read, "question", read.match.waiting):
        if (seat, one.asks, one.about) not in asked or found.count((seat, one.asks, one.about)) > 1:
            raise BadFile(line, "the game doesn't ask this at its end")
        if not 0 <= one.turn <= facts.ply or not 0 <= one.number < (facts.ply + 1) * questions.AT_ONCE:
            raise BadFile(line, "names a move that was not made")
        _check_moments(line, facts.now, one.begun_at, one.late_at)
        _check_moments(line, facts.now + FARTHEST, one.due_at, one.remind_at, one.announced_at)
        _check_numbers(line, one.allowed)
        if _REMINDED.fullmatch(one.reminded or "") is None:
            raise BadFile(line, "names no reminders")
        if (one.begun_at is None) != (one.allowed is None) or (one.begun_at and facts.rule.kind == "none"):
            raise BadFile(line, "has no whole clock")
        try:
            people.check_zone("UTC" if one.zone is None else one.zone)
        except Refused as error:
            raise BadFile(line, _said(error)) from None
    numbers = Counter(one.number for _, one in read.match.waiting)
    if len(found) < len(asked) or any(many > 1 for many in numbers.values()):
        raise BadFile(read.line("agreed"), "the questions below are not all that the game asks at its end")


def pauses(match: MatchFile, rule: Rule, now: datetime) -> tuple[Stop, ...]:
    """The pauses of a match that goes on: if it has a clock, it is paused."""
    found = match.agreed.pauses if match.agreed is not None else ()
    stops = tuple(Stop(one.begins, one.ends) for one in found)
    if rule.kind == "none" or any(one.ends is None for one in stops):
        return stops
    return (*stops, Stop(now))


def write(connection: Connection, match: MatchFile, snapshot: MatchSnapshot) -> None:
    """Write down what the players had on their seats, and their notes and conditional moves."""
    told = counted(connection, snapshot)
    for seat, one in match.holdings:
        heard = told[min(one.notices, len(told)) - 1] if one.notices and told else 0
        brought = chairs.Brought(
            one.since or snapshot.started_at,
            one.open,
            one.bank,
            one.credited or 0,
            one.credited_until,
            one.ply,
            heard,
        )
        chairs.bring(connection, snapshot.holder(seat).chair_id, brought)
    for seat in snapshot.seats:
        chair_id = snapshot.holder(seat).chair_id
        kept = [notes.Kept(one.text, one.at) for of, one in match.notes if of == seat]
        notes.bring(connection, chair_id, kept)
        orders = [_order(one) for of, one in match.ahead if of == seat]
        wishes.bring(connection, snapshot.match_id, chair_id, seat, orders)


def _order(one: Ahead) -> wishes.LeftAhead:
    return wishes.LeftAhead(one.kind, one.name or "", one.text, one.until, one.at, one.ply)


def ask(
    connection: Connection,
    now: datetime,
    match: MatchFile,
    snapshot: MatchSnapshot,
    asking: Sequence[Asking],
    begun: Mapping[Seat, TurnClock],
) -> dict[Seat, int]:
    """Open the questions of its position as they were open, each with the clock of its turn.

    `begun`: the clocks of turns that begin now, for a file that has no questions. Returns for each seat that
    is asked, and not the server for it, the ply at which its turn began.
    """
    known = {(seat, one.asks, one.about): one for seat, one in match.waiting}
    places: Counter[Seat] = Counter()
    changes, turns = [], dict[Seat, int]()
    for number, one in enumerate(asking, snapshot.ply * questions.AT_ONCE):
        before = known.get((one.seat, one.asks, one.about))
        automated = snapshot.holder(one.seat).automated
        timed = not one.optional and not automated
        clock = _clock(before) if before is not None else begun[one.seat] if timed else TurnClock()
        turn = before.turn if before is not None else snapshot.ply
        ahead = automated or (before is not None and before.ahead)
        changes.append(
            questions.Change(
                one.seat,
                places[one.seat],
                before.number if before is not None else number,
                one.asks,
                one.about,
                turn,
                one.optional,
                ahead,
                clock,
            )
        )
        places[one.seat] += 1
        if not one.optional and not ahead:
            turns[one.seat] = turn
    questions.replace(connection, now, snapshot.match_id, changes)
    return turns


def _clock(one: Waiting) -> TurnClock:
    facts = msgspec.structs.asdict(one)
    known = {name: facts[name] for name in TurnClock.__struct_fields__ if facts[name] is not None}
    return TurnClock(**known)

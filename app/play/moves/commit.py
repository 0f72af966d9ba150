"""Writing down what happened: log, snapshot, questions and emails, all or nothing.

Four statements at most: the match is compared and set, the log grows, questions are closed and opened in one
upsert, emails are enqueued. An answered question is closed, and the log tells its answer; one that stays the
same keeps its number, so that one player's answer does not spoil another's link.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from itertools import count

import msgspec

from app import metrics
from app.engine import codec
from app.engine.game import Asking, Move, Outcome, Record, Seat
from app.play.clock.turn import UNTIMED, TurnClock
from app.play.match import cache, chairs, log, matches, questions, turn_clocks
from app.play.match.log import Entry
from app.play.match.matches import Barrier
from app.play.match.snapshot import MatchSnapshot, OpenQuestion, SeatHolder
from app.play.moves import wishes
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue
from app.store.session import wake_after_commit

__all__ = [
    "Answered",
    "Barrier",
    "Entry",
    "Overtaken",
    "Recorded",
    "ask",
    "asked_letter",
    "over_letters",
    "record",
]


class Overtaken(Exception):  # noqa: N818 - a fact: read again
    """Another writer passed between reading and writing."""


class Answered(msgspec.Struct, frozen=True):
    """The question that was answered."""

    number: int
    typed: str | None = None
    """A digest of the answer as it was typed, if that was not the log's notation."""


class Recorded(msgspec.Struct, frozen=True):
    """The match after its log has grown."""

    ply: int
    turns: Collection[tuple[Seat, int]] = ()
    """Of all questions that are open now: the seat, and the ply at which its turn began."""


class Asked(msgspec.Struct, frozen=True):
    """The open questions after a ply."""

    begun: set[Seat]
    """The seats whose turn began."""
    turns: Collection[tuple[Seat, int]]
    """As `Recorded.turns`."""


def record(
    connection: Connection,
    now: datetime,
    match: MatchSnapshot,
    entries: Sequence[Entry],
    state: Record,
    barrier: Barrier | None,
    *,
    source: str,
    source_key: str | None = None,
    answered: Answered | None = None,
    outcome: Outcome | None = None,
    news: int | None = None,
) -> Recorded:
    """Write the entries and all that follows from them. Raises Overtaken.

    With an outcome the match is over; without a barrier the last one stays. `news`: of the snapshot, if the
    match is not locked: then nobody may have moved its deadlines or taken a seat meanwhile either.
    """
    ply = match.ply + len(entries)
    text = codec.dumps(state)
    if not matches.advance(
        connection, now, match.match_id, match.ply, news, ply, text, barrier=barrier, outcome=outcome
    ):
        raise Overtaken
    ordering = {holder.seat for holder in match.holders if holder.orders}
    # The match is ours since its row was changed. Orders that were left between reading and that, which only
    # a database with several writers allows, would miss the questions that open now.
    if log.write(
        connection,
        now,
        match.slug,
        match.match_id,
        match.ply + 1,
        entries,
        source,
        source_key,
        ordering=ordering,
        answers=answered.number if answered is not None else None,
        typed=answered.typed if answered is not None else None,
    ):
        raise Overtaken
    metrics.count("moves", match.slug, source, many=len(entries))
    cache.keep(match.slug, match.edition, text, state)
    asking = () if outcome is not None else match.game.asking(state)
    automated = {holder.seat for holder in match.holders if holder.automated}
    # Who takes a step back wants to think again, so none of their orders plays at once.
    ahead_of = ordering - {entry.seat for entry in entries if entry.move == "undo"}
    new = ask(
        connection,
        now,
        match.match_id,
        match.open,
        asking,
        ply,
        automated,
        answered,
        lambda seat: turn_clocks.begin(match.rule, match.holder(seat), match.calendar(seat), now),
        ahead_of,
        lambda one: _options(match, match.state, one) == _options(match, text, one),
    )
    still = {one.seat for one in asking if not one.optional}
    if ordering:
        wishes.settle(connection, now, match, ply, still, over=outcome is not None)
    if outcome is not None:
        questions.clear(connection, match.match_id)
        enqueue(connection, now, *over_letters(connection, match))
        return Recorded(ply)
    if match.rule.kind == "bank":
        for chair_id, bank in turn_clocks.banked(match, still, now):
            chairs.set_bank(connection, chair_id, bank)
    asked = [holder for holder in match.holders if holder.seat in new.begun - automated - ahead_of]
    enqueue(connection, now, *(asked_letter(match.match_id, holder, ply) for holder in asked))
    if any(one.seat in automated | ahead_of for one in asking):
        wake_after_commit(connection)
    return Recorded(ply, new.turns)


def ask(
    connection: Connection,
    now: datetime,
    match_id: int,
    before: Sequence[OpenQuestion],
    asking: Sequence[Asking],
    ply: int,
    automated: Collection[Seat],
    answered: Answered | None = None,
    begin: Callable[[Seat], TurnClock] = lambda _seat: UNTIMED,
    ahead_of: Collection[Seat] = (),
    unchanged: Callable[[Asking], bool] = lambda _one: True,
) -> Asked:
    """Close outdated questions, keep unchanged ones, open the others.

    `begin` starts the clock of a turn that begins; within a turn it runs on. `ahead_of`: the seats whose
    players left orders, which the server tries before it asks. `unchanged`: whether a question that was open
    before has the same answers as then. Listing them takes long, and few questions outlast a move.
    """
    assert len(asking) < questions.AT_ONCE
    left = list(before)
    turns = {one.seat: one.turn for one in before if not one.optional}
    fresh = {one.seat for one in asking if not one.optional} - turns.keys()
    turns |= dict.fromkeys(fresh, ply)
    clocks = {one.seat: one.time for one in before if not one.optional}
    clocks |= {seat: begin(seat) for seat in fresh if seat not in automated}
    new: list[tuple[int, Asking]] = []
    for number, one in enumerate(asking, ply * questions.AT_ONCE):
        old = next((old for old in left if old.is_of(one)), None)
        if old is not None and (answered is None or old.name.number != answered.number) and unchanged(one):
            left.remove(old)
        else:
            new.append((number, one))
    stay = {(one.seat, one.place) for one in before if one not in left}
    changes: list[questions.Change] = []
    for number, one in new:
        place = next(place for place in count() if (one.seat, place) not in stay)
        stay.add((one.seat, place))
        nobody = one.seat in automated
        timed = not one.optional and not nobody
        changes.append(
            questions.Change(
                one.seat,
                place,
                number,
                one.asks,
                one.about,
                turns.get(one.seat, ply),
                one.optional,
                nobody or (one.seat in ahead_of and not one.optional),
                clocks.get(one.seat, UNTIMED) if timed else UNTIMED,
            )
        )
    changes += (_closed(old, now) for old in left if (old.seat, old.place) not in stay)
    questions.replace(connection, now, match_id, changes)
    open_turns = {(one.seat, one.turn) for one in before if one not in left}
    return Asked(fresh, open_turns | {(one.seat, one.turn) for one in changes if one.closed_at is None})


def _options(match: MatchSnapshot, state: str, asking: Asking) -> tuple[Move, ...] | None:
    """The answers that a question has in a stored state; None: it is not asked there."""
    found = cache.decisions(match.slug, match.edition, state)
    return next((one.options for one in found if one.asking == asking), None)


def _closed(old: OpenQuestion, now: datetime) -> questions.Change:
    number = old.name.number
    return questions.Change(
        old.seat, old.place, number, old.asks, old.about, old.turn, old.optional, closed_at=now
    )


def asked_letter(match_id: int, holder: SeatHolder, turn: int) -> LetterRequest:
    """The email that asks a seat's player for a move: one for each turn."""
    once = f"asked:{match_id}:{holder.seat}:{holder.player_id}:{turn}"
    return holder.letter(match_id, "asked", once, turn=turn)


def over_letters(connection: Connection, match: MatchSnapshot) -> Iterator[LetterRequest]:
    """The emails that tell the result, one to each player who ever had a seat."""
    seats = {holder.player_id: holder.seat for holder in match.holders if holder.player_id is not None}
    for former in chairs.former_players(connection, match.match_id):
        seats.setdefault(former.player_id, former.seat)
    for player_id, seat in seats.items():
        yield LetterRequest(
            kind="over",
            once=f"over:{match.match_id}:{seat}:{player_id}",
            match_id=match.match_id,
            seat=seat,
            player_id=player_id,
        )

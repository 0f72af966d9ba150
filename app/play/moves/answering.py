"""Answering a question with a line: worked out on the snapshot, then written down."""

import hashlib
from collections.abc import Collection, Sequence

import msgspec

from app import clock
from app.engine import codec
from app.engine.chance import Chance
from app.engine.errors import RulesError, UnreadableMove
from app.engine.game import Outcome, Record, Seat
from app.graphemes import cut
from app.play.match.log import Entry
from app.play.match.matches import Barrier
from app.play.match.records import Closed, Done, Refused
from app.play.match.snapshot import MatchSnapshot, Named
from app.play.moves.commit import Answered, record
from app.store.connection import Connection

LONGEST_LINE = 20_000


def answer(
    connection: Connection,
    match: MatchSnapshot,
    named: Named,
    text: str,
    *,
    source: str,
    source_key: str | None = None,
    news: int | None = None,
) -> Done:
    """Answer a question of a match already read, for any viewer; `news` as in `record`. Raises as `play`."""
    if named.closed or not match.running or named.seat is None:
        lines = match.game.split(text) if len(text) <= LONGEST_LINE else ()
        if named.seat is not None and named.moves and _same(match, named.seat, named, lines):
            return Done(match.match_id, named.seat, match.ply, named.moves, again=True)
        raise Closed("answered" if match.running else match.why_closed, match_id=match.match_id)
    worked = work_out(match, named.seat, text)
    return write_down(connection, match, named, worked, source=source, source_key=source_key, news=news)


class Worked(msgspec.Struct, frozen=True):
    """A line played on a state, not yet written down."""

    lines: tuple[str, ...]
    entries: tuple[Entry, ...]
    state: Record
    barrier: Barrier | None


def work_out(match: MatchSnapshot, seat: Seat, text: str) -> Worked:
    """Play a line on the present state. Raises Refused and RulesError as `play`."""
    game = match.game
    lines = game.split(text) if len(text) <= LONGEST_LINE else ()
    if not lines:
        raise UnreadableMove(cut(text, LONGEST_LINE))
    state, barrier, entries = match.load(), None, list[Entry]()
    revealed = False
    for line in lines:
        # Before the step is even read: an error about it could tell what the step before revealed, and a
        # refused line leaves no trace.
        if revealed:
            raise Refused("after_a_reveal", line=line)
        if entries and game.outcome(state) is not None:
            raise Refused("after_the_end", line=line)
        ply = match.ply + len(entries) + 1
        move = game.parse(state, seat, line)
        step = game.apply(state, seat, move, Chance(match.seed, ply))
        revealed = step.reveals
        if revealed:
            barrier = Barrier(ply)
        elif (barrier.seat if barrier else match.barrier_seat) != seat:
            before = codec.dumps(state) if entries else match.state
            barrier = Barrier(ply - 1, seat, before)
        state = step.state
        entries.append(Entry(seat, game.format(move), step.told))
    return Worked(lines, tuple(entries), state, barrier)


def write_down(
    connection: Connection,
    match: MatchSnapshot,
    named: Named,
    worked: Worked,
    *,
    source: str,
    source_key: str | None = None,
    news: int | None = None,
) -> Done:
    """Record a line that was worked out as the answer to a question. Raises Overtaken."""
    moves = tuple(entry.move for entry in worked.entries)
    done = record(
        connection,
        clock.now(),
        match,
        worked.entries,
        worked.state,
        worked.barrier,
        source=source,
        source_key=source_key,
        answered=Answered(named.name.number, _digest(worked.lines) if worked.lines != moves else None),
        outcome=ranked(
            match.game.outcome(worked.state),
            match.seats,
            {holder.seat for holder in match.holders if holder.resigned},
        ),
        news=news,
    )
    seat = worked.entries[0].seat or ""
    return Done(match.match_id, seat, done.ply, moves, goes_on=(seat, named.turn) in done.turns)


def _same(match: MatchSnapshot, seat: Seat, named: Named, lines: tuple[str, ...]) -> bool:
    """The lines are the answer that was given, as typed then or by their meaning."""
    if named.moves == lines or named.typed == _digest(lines):
        return True
    game, state = match.game, match.load()
    try:
        return tuple(game.format(game.parse(state, seat, line)) for line in lines) == named.moves
    except RulesError:
        return False


def _digest(lines: tuple[str, ...]) -> str:
    return hashlib.blake2b("\n".join(lines).encode(errors="replace"), digest_size=12).hexdigest()


def ranked(outcome: Outcome | None, seats: Sequence[Seat], resigned: Collection[Seat]) -> Outcome | None:
    """The outcome with everybody who resigned behind the others, who keep their order."""
    if outcome is None or not resigned:
        return outcome
    stayed = {seat: outcome.places[seat] for seat in seats if seat not in resigned}
    places = {seat: 1 + sum(other < mine for other in stayed.values()) for seat, mine in stayed.items()}
    last = len(stayed) + 1
    return msgspec.structs.replace(outcome, places={seat: places.get(seat, last) for seat in seats})

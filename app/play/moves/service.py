"""A line played, a step taken back, a seat resigned: one transaction each, for every way in."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

import msgspec

from app import clock
from app.engine import codec
from app.engine.game import Outcome, Seat
from app.play.match import chairs, log, matches, questions, reading
from app.play.match.locking import seated
from app.play.match.log import Entry
from app.play.match.matches import Barrier
from app.play.match.records import Closed, Done, NotFound, Viewer
from app.play.match.replay import replayed, undone
from app.play.match.snapshot import MatchSnapshot
from app.play.match.vacancies import close_opening
from app.play.moves.answering import answer
from app.play.moves.commit import Overtaken, record
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.session import Store
from app.store.sql import Clash

ATTEMPTS = 5

T = TypeVar("T")
Writer = Callable[[Connection], None]
Along = Callable[[MatchSnapshot, Seat], Writer | None]


def play(
    store: Store,
    viewer: Viewer,
    question_id: str,
    text: str,
    *,
    source: str = "web",
    source_key: str | None = None,
    along: Along | None = None,
) -> Done:
    """Answer an open question with a line of one or more steps.

    What `along` returns for the match as it was before, and the seat, writes in the same transaction.

    The line is played whole or not at all. The same answer given again is Done(again=True) and records
    nothing. Raises NotFound (no such question, or not the viewer's), Closed ("answered" otherwise, "over",
    "resigned", "busy"), Refused("after_the_end", "after_a_reveal") and RulesError; then nothing has changed.
    """
    name = questions.named(question_id)
    if name is None:
        raise NotFound("question")

    def attempt(connection: Connection, number: int) -> Done:
        if number:
            hold_match(connection, name.match_id)  # overtaken before: now the others wait
        match = reading.by_question(connection, name, viewer.token)
        seat = _answering(match, viewer) if match is not None else None
        if match is None or match.named is None or seat is None:
            raise NotFound("question")
        if match.holder(seat).resigned:
            raise Closed("resigned", match_id=match.match_id)
        if source_key is not None and (before := known(connection, source_key)):
            return before
        named = match.named
        if match.holder(seat).open_since is not None and match.running and not named.closed:
            match = close_opening(connection, clock.now(), match, seat)
        done = answer(
            connection,
            match,
            named,
            text,
            source=source,
            source_key=source_key,
            news=match.news,
        )
        if along is not None and not done.again:
            write = along(match, seat)
            if write is not None:
                write(connection)
        return done

    return persist(store, attempt)


def take_back(store: Store, viewer: Viewer, match_id: int, *, ply: int | None = None) -> Done:
    """Take back the seat's last step: in its own turn, until something is revealed or another seat acts.

    `ply` is that of the page which offered it: the same page can take back one step only, and asking again is
    Done(again=True). Raises NotFound, Closed("over", "nothing_to_take_back", or "changed_since"
    where another thing followed that ply).
    """

    def attempt(connection: Connection, _number: int) -> Done:
        match, seat = seated(connection, match_id, viewer)
        if ply is not None and ply != match.ply:
            following = log.told(connection, match.slug, match_id, ply, ply + 1)
            if [(one.seat, one.move) for one in following] == [(seat, "undo")]:
                return Done(match_id, seat, ply + 1, ("undo",), again=True)
            raise Closed("changed_since" if match.running else match.why_closed, match_id=match_id)
        return step_back(connection, match, seat, source="web")

    return persist(store, attempt)


def step_back(
    connection: Connection, match: MatchSnapshot, seat: Seat, *, source: str, source_key: str | None = None
) -> Done:
    """As `take_back`, for a match already read and a seat known to be the viewer's."""
    match_id = match.match_id
    if not can_take_back(match, seat):
        raise Closed("nothing_to_take_back" if match.running else match.why_closed, match_id=match_id)
    kept = undone(log.plies(connection, match_id, match.barrier_ply))[:-1]
    before = codec.load_state(match.game, matches.barrier_state(connection, match_id))
    state = replayed(match.game, before, match.seed, kept)
    ply = match.ply + 1
    record(
        connection,
        clock.now(),
        match,
        [Entry(seat, "undo")],
        state,
        None if kept else Barrier(ply),
        source=source,
        source_key=source_key,
    )
    return Done(match_id, seat, ply, ("undo",))


def can_take_back(match: MatchSnapshot, seat: Seat) -> bool:
    """It is the seat's turn, and the last to act since the barrier was the seat."""
    return match.running and match.barrier_seat == seat and match.asked(seat)


def resign(store: Store, viewer: Viewer, match_id: int, *, source: str = "web") -> Done:
    """Give up the seat: default moves play on for it and it ranks last. The last seat left wins at once.

    Twice is Done(again=True). Raises NotFound, Closed("over", "moved").
    """

    def attempt(connection: Connection, _number: int) -> Done:
        match, seat = seated(connection, match_id, viewer)
        if not match.running:
            raise Closed(match.why_closed, match_id=match_id)
        if match.holder(seat).resigned:
            return Done(match_id, seat, match.ply, ("resign",), again=True)
        ply = give_up(connection, clock.now(), match, seat, source=source)
        return Done(match_id, seat, ply, ("resign",))

    return persist(store, attempt)


def check_resigning(store: Store, viewer: Viewer, match_id: int) -> None:
    """Raises Closed("over", "moved", "resigned") with nothing to give up, NotFound without a seat."""
    with store.reading() as connection:
        match = reading.by_match(connection, match_id)
    seat = match.seat_of(viewer) if match is not None else None
    if match is None or seat is None:
        raise NotFound("match")
    if not match.running:
        raise Closed(match.why_closed, match_id=match_id)
    if match.holder(seat).resigned:
        raise Closed("resigned", match_id=match_id)


def give_up(
    connection: Connection,
    now: datetime,
    match: MatchSnapshot,
    seat: Seat,
    *,
    source: str = "web",
    lost: bool = False,
) -> int:
    """Resign a seat of a running match; returns the ply after it. Raises Overtaken.

    `lost`: by the clock.
    """
    chairs.resign(connection, now, match.holder(seat).chair_id, lost=lost)
    questions.give_up(connection, match.match_id, seat)
    holders = tuple(
        msgspec.structs.replace(holder, resigned=holder.resigned or holder.seat == seat)
        for holder in match.holders
    )
    match = msgspec.structs.replace(match, holders=holders)
    left = [holder.seat for holder in holders if not holder.resigned]
    outcome = None
    if len(left) == 1:
        outcome = Outcome({s: 1 if s in left else 2 for s in match.seats}, {}, "resigned")
    barrier = None if match.barrier_seat not in (None, seat) else Barrier(match.ply + 1)
    entries = [Entry(seat, "resign")]
    return record(connection, now, match, entries, match.load(), barrier, source=source, outcome=outcome).ply


def persist(store: Store, attempt: Callable[[Connection, int], T]) -> T:
    """The attempt's result; it is repeated while another writer is faster. Raises Closed("busy")."""
    for number in range(ATTEMPTS):
        try:
            with store.statements() as connection:
                return attempt(connection, number)
        except Overtaken:
            continue
        except Clash:  # the same source key, written at the same moment: the next attempt finds it
            if number:
                raise
    raise Closed("busy")


def _answering(match: MatchSnapshot, viewer: Viewer) -> Seat | None:
    """The seat for which the viewer may answer the named question, or None.

    They hold the seat, or a token of the question's turn. The turn of a closed question, and the seat of one
    that nobody answered, are not known any more: then a token of the seat that is not younger will do.
    """
    token, named = match.token, match.named
    assert named is not None
    if token is not None and not token.ended and named.seat in (None, token.seat):
        good = token.turn <= named.turn if named.closed else token.turn == named.turn
        if good and token.player_id in (None, match.holder(token.seat).player_id):
            return token.seat
    own = match.seat_of(viewer)
    return own if named.seat in (None, own) else None


def known(connection: Connection, source_key: str) -> Done | None:
    """The result that was recorded for this key before, or None."""
    found = log.of_key(connection, source_key)
    if found is None or found.seat is None:
        return None
    return Done(found.match_id, found.seat, found.ply, (found.move,), again=True)

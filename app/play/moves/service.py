"""The one door: a line played, taken back, a seat resigned. Each is one transaction, whoever asks."""

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

import msgspec

from app import clock
from app.engine import codec
from app.engine.chance import Chance
from app.engine.errors import RulesError, UnreadableMove
from app.engine.game import Outcome, Record, Seat
from app.play.match import snapshot as reading
from app.play.match.locking import seated
from app.play.match.records import Closed, Done, NotFound, Refused, Viewer
from app.play.match.replay import Ply, replayed, undone
from app.play.match.snapshot import MatchSnapshot, Named
from app.play.match.vacancies import close_opening
from app.play.moves.commit import Answered, Barrier, Entry, Overtaken, record
from app.store.session import Store
from app.store.statement import Clash, Statement, Wire, stored

ATTEMPTS = 5
LONGEST_LINE = 20_000

T = TypeVar("T")

_lock = Statement('SELECT id FROM "match" WHERE id = (SELECT match_id FROM question WHERE id = ?) FOR UPDATE')
_by_key = Statement("SELECT match_id, ply, seat, move FROM played WHERE source_key = ?")
_since = Statement("SELECT ply, seat, move FROM played WHERE match_id = ? AND ply > ? ORDER BY ply")
_barrier_state = Statement('SELECT barrier_state FROM "match" WHERE id = ?')
_resign = Statement("UPDATE chair SET resigned_at = ?, lost = ? WHERE id = ?")
_leave = Statement(
    """UPDATE question SET unmanned = ?, begun_at = NULL, due_at = NULL, remind_at = NULL
       WHERE match_id = ? AND seat = ? AND closed_at IS NULL"""
)


def play(
    store: Store,
    bearer: Viewer,
    question_id: str,
    text: str,
    *,
    source: str = "web",
    source_key: str | None = None,
) -> Done:
    """Answer an open question with a line of one or more steps, and record all that follows from it.

    The line is played whole or not at all. The same answer given again is Done(again=True) and records
    nothing. Raises NotFound (no such question, or not the bearer's), Closed ("answered" otherwise, "over",
    "resigned", "busy"), Refused("after_the_end", "after_a_reveal") and RulesError; then nothing has changed.
    """

    def attempt(connection: Wire, number: int) -> Done:
        if number and connection.dialect.name != "sqlite":
            _lock.fetch(connection, question_id)  # overtaken before: now the others wait
        standing = reading.by_question(connection, question_id, bearer.token)
        if standing is None or standing.named is None or not _may_answer(standing, standing.named, bearer):
            raise NotFound("question")
        if standing.place(standing.named.seat).resigned:
            raise Closed("resigned", match_id=standing.match_id)
        if source_key is not None and (before := known(connection, source_key)):
            return before
        seat = standing.named.seat
        if standing.place(seat).open_since is not None and standing.running and not standing.named.closed:
            standing = close_opening(connection, clock.now(), standing, seat)
        assert standing.named is not None
        return answer(
            connection,
            standing,
            standing.named,
            text,
            source=source,
            source_key=source_key,
            news=standing.news,
        )

    return persist(store, attempt)


def answer(
    connection: Wire,
    standing: MatchSnapshot,
    named: Named,
    text: str,
    *,
    source: str,
    source_key: str | None = None,
    news: int | None = None,
) -> Done:
    """As `play`, for a question already read, whoever may answer it; `news` as of `record`."""
    if named.closed or not standing.running:
        lines = standing.game.split(text) if len(text) <= LONGEST_LINE else ()
        if named.answer is not None and _same(standing, named, lines):
            moves = tuple(named.answer.split("\n")[1:])
            return Done(standing.match_id, named.seat, standing.ply, moves, again=True)
        raise Closed("answered" if standing.running else "over", match_id=standing.match_id)
    worked = work_out(standing, named.seat, text)
    return write_down(connection, standing, named, worked, source=source, source_key=source_key, news=news)


class Worked(msgspec.Struct, frozen=True):
    """A line played on a state, and not written down yet."""

    lines: tuple[str, ...]
    entries: tuple[Entry, ...]
    state: Record
    barrier: Barrier | None


def work_out(standing: MatchSnapshot, seat: Seat, text: str) -> Worked:
    """What a line does if the seat plays it now. Raises as `play`, but for Closed and NotFound."""
    game = standing.game
    lines = game.split(text) if len(text) <= LONGEST_LINE else ()
    if not lines:
        raise UnreadableMove(text[:LONGEST_LINE])
    state, barrier, entries = standing.load(), None, list[Entry]()
    revealed = False
    for line in lines:
        # Before the step is even read: an error about it could tell what the step before brought to light,
        # and a line that is refused leaves no trace.
        if revealed:
            raise Refused("after_a_reveal", line=line)
        if entries and game.outcome(state) is not None:
            raise Refused("after_the_end", line=line)
        ply = standing.ply + len(entries) + 1
        move = game.parse(state, seat, line)
        step = game.apply(state, seat, move, Chance(standing.seed, ply))
        revealed = step.reveals
        if revealed:
            barrier = Barrier(ply)
        elif (barrier.seat if barrier else standing.barrier_seat) != seat:
            before = codec.dumps(state) if entries else standing.state
            barrier = Barrier(ply - 1, seat, before)
        state = step.state
        entries.append(Entry(seat, game.format(move), step.told))
    return Worked(lines, tuple(entries), state, barrier)


def write_down(
    connection: Wire,
    standing: MatchSnapshot,
    named: Named,
    worked: Worked,
    *,
    source: str,
    source_key: str | None = None,
    news: int | None = None,
) -> Done:
    """Record what was worked out for the standing as the answer to a question. Raises Overtaken."""
    moves = tuple(entry.move for entry in worked.entries)
    ply = record(
        connection,
        clock.now(),
        standing,
        worked.entries,
        worked.state,
        worked.barrier,
        source=source,
        source_key=source_key,
        answered=Answered(named.id, "\n".join((_digest(worked.lines), *moves))),
        outcome=_ranked(standing, standing.game.outcome(worked.state)),
        news=news,
    )
    return Done(standing.match_id, named.seat, ply, moves)


def take_back(store: Store, bearer: Viewer, match_id: int) -> Done:
    """Take back the seat's last step: within its turn, until something was revealed or another acted.

    Raises NotFound, Closed("over" or "nothing_to_take_back").
    """

    def attempt(connection: Wire, _number: int) -> Done:
        standing, seat = seated(connection, match_id, bearer)
        return step_back(connection, standing, seat, source="web")

    return persist(store, attempt)


def step_back(
    connection: Wire, standing: MatchSnapshot, seat: Seat, *, source: str, source_key: str | None = None
) -> Done:
    """As `take_back`, for a match already read and who holds the seat."""
    match_id = standing.match_id
    if not can_take_back(standing, seat):
        raise Closed("nothing_to_take_back" if standing.running else "over", match_id=match_id)
    since = [Ply(*row) for row in _since.fetch(connection, match_id, standing.barrier_ply)]
    kept = undone(since)[:-1]
    before = codec.load_state(standing.game, _barrier_state.fetch(connection, match_id)[0][0])
    state = replayed(standing.game, before, standing.seed, kept)
    ply = standing.ply + 1
    record(
        connection,
        clock.now(),
        standing,
        [Entry(seat, "undo")],
        state,
        None if kept else Barrier(ply),
        source=source,
        source_key=source_key,
    )
    return Done(match_id, seat, ply, ("undo",))


def can_take_back(standing: MatchSnapshot, seat: Seat) -> bool:
    """The seat is at turn and has done something since the barrier."""
    return standing.running and standing.barrier_seat == seat and standing.asked(seat)


def resign(store: Store, bearer: Viewer, match_id: int, *, source: str = "web") -> Done:
    """Give the seat up: its default moves play on, it ranks last. A seat that remains alone wins at once.

    Twice is Done(again=True). Raises NotFound, Closed("over").
    """

    def attempt(connection: Wire, _number: int) -> Done:
        standing, seat = seated(connection, match_id, bearer)
        if not standing.running:
            raise Closed("over", match_id=match_id)
        if standing.place(seat).resigned:
            return Done(match_id, seat, standing.ply, ("resign",), again=True)
        ply = give_up(connection, clock.now(), standing, seat, source=source)
        return Done(match_id, seat, ply, ("resign",))

    return persist(store, attempt)


def give_up(
    connection: Wire,
    now: datetime,
    standing: MatchSnapshot,
    seat: Seat,
    *,
    source: str = "web",
    lost: bool = False,
) -> int:
    """Take the seat of a running match from its player. The ply after it. Raises Overtaken.

    `lost`: by the clock.
    """
    _resign.run(connection, stored(connection, now), lost, standing.place(seat).chair_id)
    _leave.run(connection, True, standing.match_id, seat)
    places = tuple(
        msgspec.structs.replace(place, resigned=place.resigned or place.seat == seat)
        for place in standing.places
    )
    standing = msgspec.structs.replace(standing, places=places)
    left = [place.seat for place in places if not place.resigned]
    outcome = None
    if len(left) == 1:
        outcome = Outcome({s: 1 if s in left else 2 for s in standing.seats}, {}, "resigned")
    barrier = None if standing.barrier_seat not in (None, seat) else Barrier(standing.ply + 1)
    entries = [Entry(seat, "resign")]
    return record(
        connection, now, standing, entries, standing.load(), barrier, source=source, outcome=outcome
    )


def persist(store: Store, attempt: Callable[[Wire, int], T]) -> T:
    """What the attempt gives, tried again where another writer was faster. Raises Closed("busy")."""
    for number in range(ATTEMPTS):
        try:
            with store.statements() as connection:
                return attempt(connection, number)
        except Overtaken:
            continue
        except Clash:  # the same source key, written at the same moment: now it is there to be found
            if number:
                raise
    raise Closed("busy")


def _may_answer(standing: MatchSnapshot, named: Named, bearer: Viewer) -> bool:
    """The bearer holds the seat, or a token of the run to which the question belongs."""
    turn, player_id = standing.turn, standing.place(named.seat).player_id
    if turn is not None and (turn.seat, turn.run) == (named.seat, named.run):
        return turn.player_id in (None, player_id)
    return standing.seat_of(bearer) == named.seat


def known(connection: Wire, source_key: str) -> Done | None:
    """What was recorded for this key before."""
    for match_id, ply, seat, move in _by_key.fetch(connection, source_key):
        return Done(match_id, seat, ply, (move,), again=True)
    return None


def _same(standing: MatchSnapshot, named: Named, lines: tuple[str, ...]) -> bool:
    """The lines are what the question was answered with, as typed then or by their meaning."""
    assert named.answer is not None
    digest, *moves = named.answer.split("\n")
    if digest == _digest(lines) or list(lines) == moves:
        return True
    game, state = standing.game, standing.load()
    try:
        return [game.format(game.parse(state, named.seat, line)) for line in lines] == moves
    except RulesError:
        return False


def _digest(lines: tuple[str, ...]) -> str:
    return hashlib.blake2b("\n".join(lines).encode(errors="replace"), digest_size=12).hexdigest()


def _ranked(standing: MatchSnapshot, outcome: Outcome | None) -> Outcome | None:
    """The outcome with all who resigned behind the others, who keep their order."""
    if outcome is None or not any(place.resigned for place in standing.places):
        return outcome
    stayed = {place.seat: outcome.places[place.seat] for place in standing.places if not place.resigned}
    places = {seat: 1 + sum(other < mine for other in stayed.values()) for seat, mine in stayed.items()}
    last = len(stayed) + 1
    return msgspec.structs.replace(outcome, places={seat: places.get(seat, last) for seat in standing.seats})

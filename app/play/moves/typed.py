"""A line that names no question, written by hand as in a reply: played for whatever its seat is asked.

Who writes so may write to an old letter. What he means belongs to the run of questions that it asked in;
when that is over, nothing is played.
"""

from collections.abc import Callable

from app import clock
from app.engine.errors import RulesError
from app.engine.game import Seat
from app.play.match import snapshot as reading
from app.play.match.locking import seated
from app.play.match.records import Closed, Done, Viewer
from app.play.match.snapshot import MatchSnapshot, Named, Open
from app.play.match.vacancies import close_opening
from app.play.moves import service
from app.store.session import Store
from app.store.statement import Wire


def play_line(
    store: Store,
    bearer: Viewer,
    match_id: int,
    text: str,
    *,
    run: int | None,
    source: str,
    source_key: str,
) -> Done:
    """Answer the open question of the bearer's seat that the line fits, as `service.play` does.

    `run` is the one for which it was meant; None: whichever is open. What was recorded under the key before
    is Done(again=True). Raises NotFound, Closed ("over", "resigned", "turn_over", "not_asked", "busy"),
    Refused and RulesError; then nothing has changed.
    """

    def attempt(connection: Wire, standing: MatchSnapshot, seat: Seat) -> Done:
        asked = _open(standing, seat, run)
        one = _meant(standing, asked, text)
        named = Named(one.id, seat, one.run, closed=False, answer=None)
        return service.answer(
            connection,
            standing,
            named,
            text,
            source=source,
            source_key=source_key,
            news=standing.news,
        )

    return _once(store, bearer, match_id, source_key, attempt)


def undo_line(
    store: Store, bearer: Viewer, match_id: int, *, run: int | None, source: str, source_key: str
) -> Done:
    """Take the seat's last step back, as `service.take_back` does. Raises as `play_line`."""

    def attempt(connection: Wire, standing: MatchSnapshot, seat: Seat) -> Done:
        _open(standing, seat, run)
        return service.step_back(connection, standing, seat, source=source, source_key=source_key)

    return _once(store, bearer, match_id, source_key, attempt)


def _once(
    store: Store,
    bearer: Viewer,
    match_id: int,
    source_key: str,
    attempt: Callable[[Wire, MatchSnapshot, Seat], Done],
) -> Done:
    def keyed(connection: Wire, _number: int) -> Done:
        if (known := service.known(connection, source_key)) is not None:
            return known
        standing, seat = seated(connection, match_id, bearer)
        if not standing.running:
            raise Closed("over", match_id=match_id)
        if standing.place(seat).resigned:
            raise Closed("resigned", match_id=match_id)
        if standing.place(seat).open_since is not None:
            standing = close_opening(connection, clock.now(), standing, seat)
        return attempt(connection, standing, seat)

    return service.persist(store, keyed)


def _open(standing: MatchSnapshot, seat: Seat, run: int | None) -> tuple[Open, ...]:
    """What the seat is asked, what it is waited for first. Raises Closed."""
    asked = tuple(sorted((one for one in standing.open if one.seat == seat), key=lambda one: one.optional))
    if run is not None and all(one.run != run for one in asked):
        raise Closed("turn_over", match_id=standing.match_id)
    if not asked:
        raise Closed("not_asked", match_id=standing.match_id)
    return asked


def _meant(standing: MatchSnapshot, asked: tuple[Open, ...], text: str) -> Open:
    """Which of several questions a line answers: the one that offers its first step, else the first."""
    if len(asked) > 1:
        game, state, seat = standing.game, standing.load(), asked[0].seat
        by_mark = {one.fingerprint: one for one in asked}
        try:
            move = game.parse(state, seat, game.split(text)[0])
        except (RulesError, IndexError):
            return asked[0]
        for decision, mark in standing.decisions():
            if decision.seat == seat and mark in by_mark and move in decision.options:
                return by_mark[mark]
    return asked[0]


def run_of(connection: Wire, match_id: int, player_id: int) -> tuple[Seat | None, int | None]:
    """The seat that the player holds in a match, and the run in which it is asked now.

    (None, None): he holds none. (seat, None): the match does not wait for it.
    """
    standing = reading.by_match(connection, match_id)
    seat = standing.seat_of(Viewer(player_id=player_id)) if standing is not None else None
    if standing is None or seat is None:
        return None, None
    runs = [one.run for one in standing.open if one.seat == seat and not one.optional]
    return seat, min(runs, default=None)

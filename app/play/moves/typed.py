"""A line without a question, as in a reply: played for the question that the seat is asked.

A reply may answer an old email. Its line belongs to the turn that this email asked for; when that is over,
nothing is played.
"""

from collections.abc import Callable

from app import clock
from app.engine.errors import RulesError
from app.engine.game import Seat
from app.play.match import reading
from app.play.match.locking import seated
from app.play.match.records import Closed, Done, Viewer
from app.play.match.snapshot import MatchSnapshot, Named, OpenQuestion
from app.play.match.vacancies import close_opening
from app.play.moves import service
from app.play.moves.answering import answer
from app.store.connection import Connection
from app.store.session import Store


def play_line(
    store: Store,
    viewer: Viewer,
    match_id: int,
    text: str,
    *,
    turn: int | None,
    source: str,
    source_key: str,
) -> Done:
    """Answer the open question of the viewer's seat that the line fits, as `service.play` does.

    `turn`: the one for which it was meant; None: any. What was recorded under the key before is
    Done(again=True). Raises NotFound, Closed ("over", "resigned", "turn_over", "not_asked", "busy"),
    Refused and RulesError; then nothing has changed.
    """

    def attempt(connection: Connection, match: MatchSnapshot, seat: Seat) -> Done:
        asked = _open(match, seat, turn)
        one = _meant(match, asked, text)
        named = Named(one.name, seat, one.turn)
        return answer(
            connection,
            match,
            named,
            text,
            source=source,
            source_key=source_key,
            news=match.news,
        )

    return _once(store, viewer, match_id, source_key, attempt)


def undo_line(
    store: Store, viewer: Viewer, match_id: int, *, turn: int | None, source: str, source_key: str
) -> Done:
    """Take back the seat's last step, as `service.take_back` does. Raises as `play_line`."""

    def attempt(connection: Connection, match: MatchSnapshot, seat: Seat) -> Done:
        _open(match, seat, turn)
        return service.step_back(connection, match, seat, source=source, source_key=source_key)

    return _once(store, viewer, match_id, source_key, attempt)


def _once(
    store: Store,
    viewer: Viewer,
    match_id: int,
    source_key: str,
    attempt: Callable[[Connection, MatchSnapshot, Seat], Done],
) -> Done:
    def keyed(connection: Connection, _number: int) -> Done:
        if (known := service.known(connection, source_key)) is not None:
            return known
        match, seat = seated(connection, match_id, viewer)
        if not match.running:
            raise Closed(match.why_closed, match_id=match_id)
        if match.holder(seat).resigned:
            raise Closed("resigned", match_id=match_id)
        if match.holder(seat).open_since is not None:
            match = close_opening(connection, clock.now(), match, seat)
        return attempt(connection, match, seat)

    return service.persist(store, keyed)


def _open(match: MatchSnapshot, seat: Seat, turn: int | None) -> tuple[OpenQuestion, ...]:
    """The seat's open questions, optional ones last. Raises Closed."""
    asked = tuple(sorted((one for one in match.open if one.seat == seat), key=lambda one: one.optional))
    if turn is not None and all(one.turn != turn for one in asked):
        raise Closed("turn_over", match_id=match.match_id)
    if not asked:
        raise Closed("not_asked", match_id=match.match_id)
    return asked


def _meant(match: MatchSnapshot, asked: tuple[OpenQuestion, ...], text: str) -> OpenQuestion:
    """The question that a line answers: the one that offers its first step, else the first."""
    if len(asked) > 1:
        game, state, seat = match.game, match.load(), asked[0].seat
        try:
            move = game.parse(state, seat, game.split(text)[0])
        except (RulesError, IndexError):
            return asked[0]
        for decision in match.decisions():
            if decision.seat == seat and move in decision.options:
                return next((one for one in asked if one.is_of(decision)), asked[0])
    return asked[0]


def turn_of(connection: Connection, match_id: int, player_id: int) -> tuple[Seat | None, int | None]:
    """The player's seat in a match, and its present turn.

    (None, None): they hold none. (seat, None): the match does not wait for it.
    """
    match = reading.by_match(connection, match_id)
    seat = match.seat_of(Viewer(player_id=player_id)) if match is not None else None
    if match is None or seat is None:
        return None, None
    turns = [one.turn for one in match.open if one.seat == seat and not one.optional]
    return seat, min(turns, default=None)

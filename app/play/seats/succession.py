"""A player follows another on an open seat of a running match."""

from datetime import datetime

import msgspec

from app.engine.game import Seat
from app.people.names import told_apart
from app.play.match import chairs, matches, notices, questions, reading
from app.play.match.announce import announce
from app.play.match.locking import keys
from app.play.match.records import Closed
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.play.match.vacancies import end_offers, full_move
from app.play.moves import wishes
from app.play.moves.commit import asked_letter
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue


def replace(
    connection: Connection,
    now: datetime,
    snapshot: MatchSnapshot,
    seat: Seat,
    player_id: int,
    why: str | None = None,
) -> None:
    """Seat the new player and write to both. Raises Closed("seat_closed").

    `why`: OPERATOR if the operator gave the seat away; else its player left it open.
    """
    match_id, former = snapshot.match_id, snapshot.holder(seat)
    if not chairs.vacate(connection, now, former.chair_id):
        raise Closed("seat_closed", match_id=match_id)
    heir = keys(snapshot)
    if former.player_id == snapshot.organiser_id and heir is not None:
        # Otherwise the new player, perhaps a stranger to everybody, would become the organiser.
        matches.set_organiser(connection, match_id, snapshot.holder(heir).player_id)
    bank = former.bank
    if bank is not None:
        bank = max(bank, snapshot.rule.full_move.total_seconds())
    last_notice = notices.last(connection, match_id)
    chair_id = chairs.succeed(connection, now, match_id, seat, player_id, bank, last_notice)
    wishes.end(connection, now, former.chair_id, snapshot.ply, "replaced")
    end_offers(connection, now, match_id, seat)
    questions.hand_over(connection, match_id, seat, snapshot.ply)
    fresh = reading.by_match(connection, match_id)
    assert fresh is not None
    full_move(connection, now, fresh, seat, anew=True)
    organisers = [holder for holder in fresh.holders if holder.seat == keys(fresh) != seat]
    once = f"seat_taken:{chair_id}"
    *_, before = told_apart([*(holder.name for holder in fresh.holders), former.name])
    announce(connection, now, match_id, "seat_taken", once=once, to=organisers, seat=seat, before=before)
    enqueue(connection, now, _welcome_letter(fresh, fresh.holder(seat)), _farewell_letter(fresh, former, why))


def _welcome_letter(snapshot: MatchSnapshot, holder: SeatHolder) -> LetterRequest:
    """The new player's first letter: their turn, or the fact that they play now."""
    if snapshot.asked(holder.seat):
        letter = asked_letter(snapshot.match_id, holder, snapshot.ply)
        return msgspec.structs.replace(letter, once=f"{letter.once}:{holder.chair_id}")
    return holder.letter(snapshot.match_id, "joined", f"joined:{holder.chair_id}")


def _farewell_letter(snapshot: MatchSnapshot, holder: SeatHolder, why: str | None) -> LetterRequest:
    letter = holder.letter(snapshot.match_id, "replaced", f"replaced:{holder.chair_id}")
    return msgspec.structs.replace(letter, consequence=why)

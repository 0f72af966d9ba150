"""An open seat of a running match is offered to somebody, by its organiser or at his own wish, and taken."""

from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection

from app import clock
from app.engine.game import Game, Seat
from app.people import service as people
from app.play.lobby.invitations import LIFETIME, seat_offer_letter
from app.play.match import presence, reading
from app.play.match.announce import announce
from app.play.match.editions import rules_of
from app.play.match.links import hash_of
from app.play.match.locking import held, held_running, hold, keys
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.play.match.vacancies import end_offers, full_move
from app.play.moves import wishes
from app.play.moves.commit import asked_letter
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.statement import Statement, moment, moment_or_none, stored

MOST_OFFERS = 20
"""Letters about one open seat that may be out at once: strangers can have them sent."""

_by_token = Statement(
    """SELECT i.id, i.match_id, i.seat, i.status, i.player_id, i.address, i.address_key, m.game,
              m.edition, i.expires_at
       FROM token t JOIN invitation i ON i.id = t.invitation_id JOIN "match" m ON m.id = i.match_id
       WHERE t.hash = ? AND t.purpose = 'invitation' AND i.seat <> ''"""
)
_asked = Statement(
    "SELECT id, seat, status, expires_at FROM invitation WHERE match_id = ? AND address_key = ?"
)
_player = Statement("SELECT id FROM player WHERE address_key = ?")
_out = Statement(
    """SELECT count(*) FROM invitation
       WHERE match_id = ? AND seat = ? AND status = 'invited' AND expires_at > ?"""
)
_invite = Statement(
    """INSERT INTO invitation (match_id, address, address_key, organiser, seat, status, word, invited_at,
                               expires_at)
       VALUES (?, ?, ?, ?, ?, 'invited', '', ?, ?)""",
    after="RETURNING id",
)
_invite_anew = Statement(
    """UPDATE invitation SET seat = ?, status = 'invited', invited_at = ?, expires_at = ?, player_id = NULL,
                             answered_at = NULL, reminded_at = NULL
       WHERE id = ?"""
)
_answer = Statement(
    """UPDATE invitation SET status = ?, player_id = ?, answered_at = ? WHERE id = ? AND status = 'invited'"""
)
_inherit = Statement('UPDATE "match" SET organiser_id = ? WHERE id = ?')
_leave = Statement(
    """UPDATE chair SET until = ?, open_since = NULL, pause_wanted_at = NULL
       WHERE id = ? AND until IS NULL AND open_since IS NOT NULL"""
)
_sit = Statement(
    """INSERT INTO chair (match_id, seat, player_id, bot, name, since, heard_ply, bank, heard_notice)
       SELECT ?, ?, ?, ?, '', ?, -1, ?, COALESCE(MAX(id), 0) FROM notice WHERE match_id = ?""",
    after="RETURNING id",
)
_new_run = Statement(
    """UPDATE question SET run = ?, unmanned = ? WHERE match_id = ? AND seat = ? AND closed_at IS NULL"""
)


class Offer(msgspec.Struct, frozen=True):
    """A seat of a running match as it is offered to the bearer of an invitation."""

    invitation_id: int
    match_id: int
    seat: Seat
    status: str
    """invited, accepted, declined, withdrawn, expired."""
    player_id: int | None
    address: str
    key: str
    game: Game
    expires_at: datetime | None

    def stands(self, now: datetime) -> bool:
        """It is not answered, and its time is not over."""
        return self.status == "invited" and not self.ended(now)

    def ended(self, now: datetime) -> bool:
        """Nobody answered it, and its time is over."""
        over = self.expires_at is not None and self.expires_at <= now
        return self.status == "expired" or (self.status == "invited" and over)


def offer(store: Store, bearer: Viewer, match_id: int, seat: Seat, address: str) -> None:
    """Invite somebody to an open seat; once an hour for each address. Twice is once.

    Raises NotFound, Closed("over", "seat_closed"), Refused("not_organiser", "address", "plays_already",
    "too_often").
    """
    address, key = people.check_address(address)
    now = clock.now()
    with store.transaction() as connection:
        standing, mine = held(connection, match_id, bearer)
        if mine != keys(standing):
            raise Refused("not_organiser")
        _offer(connection, now, standing, seat, (address, key))


def request_offer(store: Store, match_id: int, seat: Seat, address: str) -> None:
    """Send the owner of an address a letter by which he may take an open seat.

    Nobody learns by it whether the address plays here. Raises NotFound, Closed("over", "seat_closed"),
    Refused("address", "too_often").
    """
    address, key = people.check_address(address)
    now = clock.now()
    with store.transaction() as connection:
        standing = held_running(connection, match_id)
        try:
            _offer(connection, now, standing, seat, (address, key), "own_wish")
        except Refused as error:
            if error.reason != "plays_already":
                raise


def offer_by_token(store: Store, token: str) -> Offer | None:
    """The offer of a seat that an invitation's link leads to; None: it is no such link."""
    with store.reading() as connection:
        return _read(connection, token)


def take(store: Store, token: str, name: str, language: str, zone: str) -> Offer:
    """Sit down on the seat that is offered. Whoever comes first has it; twice is once.

    It has at least a full move's time. What its player before kept for himself stays his own, and his links
    and standing orders end. Raises NotFound, Refused(name, language, zone, "plays_already"), and Closed with
    what became of the offer: "over", "seat_closed", "declined", "offer_expired".
    """
    name = people.clean_name(name)
    language, zone = people.check_language(language), people.check_zone(zone)
    now = clock.now()
    with store.transaction() as connection:
        found = _held(connection, token)
        standing = reading.by_match(connection, found.match_id)
        if standing is None:
            raise NotFound("invitation")
        if found.status == "accepted" and found.player_id == standing.place(found.seat).player_id:
            return found
        _check(standing, found, now)
        player_id = people.keep(connection, found.address, found.key, name, language, zone)
        if any(place.player_id == player_id for place in standing.places):
            raise Refused("plays_already")
        _answer.run(connection, "accepted", player_id, stored(connection, now), found.invitation_id)
        _replace(connection, now, standing, found.seat, player_id)
    presence.changed(store, player_id)  # his zone perhaps, by which the clocks of his other matches run
    return msgspec.structs.replace(found, status="accepted", player_id=player_id)


def decline(store: Store, token: str) -> Offer:
    """Say no. Twice is once. Raises NotFound, Closed with what became of the offer."""
    now = clock.now()
    with store.transaction() as connection:
        found = _held(connection, token)
        if found.status == "declined":
            return found
        if _answer.run(connection, "declined", None, stored(connection, now), found.invitation_id) != 1:
            raise Closed(
                {"withdrawn": "seat_closed", "expired": "offer_expired"}.get(found.status, found.status)
            )
        return msgspec.structs.replace(found, status="declined")


def _offer(
    connection: Connection,
    now: datetime,
    standing: MatchSnapshot,
    seat: Seat,
    whom: tuple[str, str],
    by: str | None = None,
) -> None:
    address, key = whom
    if seat not in standing.seats or standing.place(seat).open_since is None:
        raise Closed("seat_closed", match_id=standing.match_id)
    players = {row[0] for row in _player.fetch(connection, key)}
    if any(place.player_id in players for place in standing.places):
        raise Refused("plays_already")
    at, ends = stored(connection, now), stored(connection, now + LIFETIME)
    known = next(iter(_asked.fetch(connection, standing.match_id, key)), None)
    if known is not None and (known[1], known[2]) == (seat, "invited") and now < moment(known[3]):
        invitation_id = known[0]
    elif _out.fetch(connection, standing.match_id, seat, at)[0][0] >= MOST_OFFERS:
        raise Refused("too_often", most=MOST_OFFERS)
    elif known is not None:
        invitation_id = known[0]
        _invite_anew.run(connection, seat, at, ends, invitation_id)
    else:
        values = (standing.match_id, address, key, False, seat, at, ends)
        invitation_id = _invite.fetch(connection, *values)[0][0]
    enqueue(connection, now, seat_offer_letter(standing.match_id, invitation_id, now, by))


def _held(connection: Connection, token: str) -> Offer:
    found = _read(connection, token)
    if found is not None:
        hold(connection, found.match_id)
        found = _read(connection, token)
    if found is None:
        raise NotFound("invitation")
    return found


def _read(connection: Connection, token: str) -> Offer | None:
    for *what, slug, edition, expires_at in _by_token.fetch(connection, hash_of(token)):
        names = ("invitation_id", "match_id", "seat", "status", "player_id", "address", "key")
        values = dict(zip(names, what, strict=True))
        return Offer(**values, game=rules_of(slug, edition), expires_at=moment_or_none(expires_at))
    return None


def _check(standing: MatchSnapshot, found: Offer, now: datetime) -> None:
    """Raises Closed with why the seat cannot be taken by this offer."""
    if not standing.running:
        raise Closed("over", match_id=standing.match_id)
    if found.status == "declined":
        raise Closed("declined")
    if standing.place(found.seat).open_since is None or found.status not in ("invited", "expired"):
        raise Closed("seat_closed", match_id=standing.match_id)
    if not found.stands(now):
        raise Closed("offer_expired")


def _replace(
    connection: Connection, now: datetime, standing: MatchSnapshot, seat: Seat, player_id: int
) -> None:
    """Somebody else sits on the seat from now on; both hear of it. Raises Closed("seat_closed")."""
    at, old = stored(connection, now), standing.place(seat)
    if _leave.run(connection, at, old.chair_id) != 1:
        raise Closed("seat_closed", match_id=standing.match_id)
    heir = keys(standing)
    if old.player_id == standing.organiser_id and heir is not None:
        # Else the table would be the newcomer's, whom nobody may know.
        _inherit.run(connection, standing.place(heir).player_id, standing.match_id)
    bank = old.bank
    if bank is not None:
        bank = max(bank, standing.rule.full_move.total_seconds())
    values: tuple[Any, ...] = (standing.match_id, seat, player_id, False, at, bank, standing.match_id)
    chair_id = _sit.fetch(connection, *values)[0][0]
    wishes.end(connection, now, old.chair_id, standing.ply, "replaced")
    end_offers(connection, now, standing.match_id, seat)
    _new_run.run(connection, standing.ply, False, standing.match_id, seat)
    once = f"seat_taken:{chair_id}"
    fresh = reading.by_match(connection, standing.match_id)
    assert fresh is not None
    full_move(connection, now, fresh, seat, anew=True)
    concerned = [place for place in fresh.places if place.seat == keys(fresh) != seat]
    announce(
        connection, now, fresh.match_id, "seat_taken", once=once, to=concerned, seat=seat, before=old.name
    )
    enqueue(connection, now, _welcome(fresh, fresh.place(seat)), _farewell(fresh, old))


def _welcome(standing: MatchSnapshot, place: SeatHolder) -> LetterRequest:
    """To the newcomer: his turn, or that he plays."""
    if standing.asked(place.seat):
        letter = asked_letter(standing.match_id, place, standing.ply)
        return msgspec.structs.replace(letter, once=f"{letter.once}:{place.chair_id}")
    return place.letter(standing.match_id, "joined", f"joined:{place.chair_id}")


def _farewell(standing: MatchSnapshot, place: SeatHolder) -> LetterRequest:
    """To him whose seat somebody else has taken."""
    return place.letter(standing.match_id, "replaced", f"replaced:{place.chair_id}")

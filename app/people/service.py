"""Players: who they are, and how they come back without a password."""

from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import Connection

from app import clock
from app.people import suppression
from app.people.checks import (
    check_address,
    check_language,
    check_word,
    check_zone,
    clean_name,
    languages,
)
from app.people.errors import NotFound
from app.people.preferences import judge_anew
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.statement import Statement, stored
from app.store.tokens import hash_of

__all__ = ["check_address", "check_language", "check_word", "check_zone", "clean_name", "languages"]

SIGN_IN_LASTS = timedelta(hours=24)


class Person(msgspec.Struct, frozen=True):
    """A player, as the house knows him."""

    id: int
    address: str
    name: str
    language: str
    zone: str
    session_epoch: int
    bounces: bool = False
    """Letters to him come back."""


_COLUMNS = """id, address, name, language, zone, session_epoch, EXISTS (
    SELECT 1 FROM suppressed s WHERE s.address_key = player.address_key AND s.reason = 'bounced')"""
_by_id = Statement(f"SELECT {_COLUMNS} FROM player WHERE id = ?")  # noqa: S608 - constants
_by_key = Statement(f"SELECT {_COLUMNS} FROM player WHERE address_key = ?")  # noqa: S608 - constants
_keep = Statement(
    """INSERT INTO player (address, address_key, name, language, zone, session_epoch, created_at)
       VALUES (?, ?, ?, ?, ?, 0, ?)""",
    after="""ON CONFLICT (address_key) DO UPDATE
             SET name = excluded.name, language = excluded.language, zone = excluded.zone
             RETURNING id""",
)
_change = Statement("UPDATE player SET name = ?, language = ?, zone = ? WHERE id = ?")
_use = Statement(
    """UPDATE token SET used_at = ?
       WHERE hash = ? AND purpose = 'sign_in' AND used_at IS NULL AND expires_at > ?
       RETURNING player_id"""
)
_key_of = Statement("SELECT address_key FROM player WHERE id = ?")
_signed_in = Statement("UPDATE player SET seen_at = ? WHERE id = ?")
_of_turn = Statement(
    """SELECT p.id FROM token t JOIN player p ON p.id = t.player_id WHERE t.hash = ? AND t.purpose = 'turn'"""
)
_unanswered = Statement(
    """SELECT i.id, i.organiser, i.match_id, i.seat FROM invitation i JOIN "match" m ON m.id = i.match_id
       WHERE i.address_key = ? AND i.status = 'invited'
           AND (m.status IN ('unconfirmed', 'open') OR (m.status = 'running' AND i.seat <> ''))"""
)


def player(store: Store, player_id: int) -> Person | None:
    """The player, or None."""
    with store.reading() as connection:
        return _person(_by_id.fetch(connection, player_id))


def keep(connection: Connection, address: str, key: str, name: str, language: str, zone: str) -> int:
    """The id of the player with this address, made or renewed. The values must have been checked."""
    made = _keep.fetch(connection, address, key, name, language, zone, stored(connection, clock.now()))
    return int(made[0][0])


def update(store: Store, player_id: int, name: str, language: str, zone: str) -> Person:
    """The player with his new name, language and time zone. Raises Refused, NotFound."""
    values = (clean_name(name), check_language(language), check_zone(zone))
    with store.transaction() as connection:
        _change.run(connection, *values, player_id)
        judge_anew(connection, player_id)
        person = _person(_by_id.fetch(connection, player_id))
    if person is None:
        raise NotFound("player")
    return person


def ask_links(store: Store, address: str) -> None:
    """Send fresh links for all that waits for the owner of the address: games, invitations, signing in.

    One letter of each an hour. Nothing comes back: nobody learns whether an address is known. Raises
    Refused where the text is no address.
    """
    _, key = check_address(address)
    now = clock.now()
    hour = f"{now:%Y%m%d%H}"
    with store.transaction() as connection:
        wanted = []
        if person := _person(_by_key.fetch(connection, key)):
            wanted.append(_links(person.id, now))
        for invitation_id, organiser, match_id, seat in _unanswered.fetch(connection, key):
            kind = "seat_offer" if seat else "confirm" if organiser else "invited"
            once = f"{kind}:{invitation_id}:{hour}"
            wanted.append(LetterRequest(kind=kind, once=once, match_id=match_id, invitation_id=invitation_id))
        enqueue(connection, now, *wanted)


def ask_links_by_turn(store: Store, token: str) -> None:
    """Send the same letter to whom a turn's link, old or new, was sent; one an hour.

    To his registered address only: who holds an old link gets nothing by it, and learns nothing.
    """
    now = clock.now()
    with store.transaction() as connection:
        for (player_id,) in _of_turn.fetch(connection, hash_of(token)):
            enqueue(connection, now, _links(player_id, now))


def _links(player_id: int, now: datetime) -> LetterRequest:
    return LetterRequest(kind="links", once=f"links:{player_id}:{now:%Y%m%d%H}", player_id=player_id)


def ask_sign_in(store: Store, address: str) -> None:
    """Send a link to sign in by, at most one in ten minutes. As silent as `ask_links`. Raises Refused."""
    _, key = check_address(address)
    now = clock.now()
    with store.transaction() as connection:
        if person := _person(_by_key.fetch(connection, key)):
            once = f"sign_in:{person.id}:{now:%Y%m%d%H}{now.minute // 10}"
            enqueue(connection, now, LetterRequest(kind="sign_in", once=once, player_id=person.id))


def sign_in(store: Store, token: str) -> Person:
    """Whom the token signs in; it is used up. Only a button does this, never a link. Raises NotFound."""
    with store.transaction() as connection:
        now = stored(connection, clock.now())
        used = _use.fetch(connection, now, hash_of(token), now)
        person = _person(_by_id.fetch(connection, used[0][0])) if used else None
        if person is not None:  # he sees what waits for him: a letter need not say it
            _signed_in.run(connection, now, person.id)
    if person is None:
        raise NotFound("sign_in")
    return person


def try_letters_again(store: Store, player_id: int) -> None:
    """Send letters to his address once more, also the one for a turn that waits. They may bounce again."""
    with store.transaction() as connection:
        for (key,) in _key_of.fetch(connection, player_id):
            if suppression.lift(connection, key, "bounced"):
                judge_anew(connection, player_id)


def sign_out_everywhere(store: Store, player_id: int) -> None:
    """End all sessions of the player, on every device."""
    with store.transaction() as connection:
        Statement("UPDATE player SET session_epoch = session_epoch + 1 WHERE id = ?").run(
            connection, player_id
        )


def _person(rows: Any) -> Person | None:
    if not rows:
        return None
    *known, bounces = rows[0]
    return msgspec.structs.replace(Person(*known), bounces=bool(bounces))

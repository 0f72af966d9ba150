"""Changing one's mail address: asked for by the player, confirmed by a letter to the new one."""

import hashlib
from datetime import timedelta
from typing import Any

from app import clock
from app.people import suppression
from app.people.checks import check_address
from app.people.errors import NotFound, Refused
from app.people.preferences import judge_anew
from app.people.service import Person, player
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.statement import Clash, Statement, Wire, stored
from app.store.tokens import hash_of

ASKED, CHANGED = "address", "address_changed"
"""Kinds of letters: to the new address, and to the old one. Each says where it goes."""
LASTS = timedelta(hours=24)
MOST_A_DAY = 5

_of_player = Statement("SELECT address, address_key FROM player WHERE id = ?")
_of_key = Statement("SELECT id FROM player WHERE address_key = ?")
_lately = Statement("SELECT count(*) FROM letter WHERE player_id = ? AND kind = 'address' AND created_at > ?")
_found = Statement(
    """SELECT t.player_id, l.id, l.to_address, t.used_at FROM token t JOIN letter l ON l.id = t.letter_id
       WHERE t.hash = ? AND t.purpose = 'address' AND t.expires_at > ?
         AND NOT EXISTS (SELECT 1 FROM letter n WHERE n.player_id = t.player_id AND n.kind = 'address'
                         AND n.created_at > l.created_at)"""
)
_use = Statement("UPDATE token SET used_at = ? WHERE hash = ? AND used_at IS NULL")
_move = Statement(
    "UPDATE player SET address = ?, address_key = ?, session_epoch = session_epoch + 1 WHERE id = ?"
)
_revoke = Statement(
    """DELETE FROM token WHERE hash <> ? AND (player_id = ? OR invitation_id IN (
           SELECT id FROM invitation WHERE player_id = ?))"""
)


def ask_address(store: Store, player_id: int, text: str) -> None:
    """Send a letter to the new address, by which the change is confirmed. An earlier one counts no longer.

    Nothing is sent, and nobody learns it, where somebody else plays under that address. Raises
    Refused("address", "address_same" or "too_often").
    """
    address, key = check_address(text)
    now = clock.now()
    with store.transaction() as connection:
        ((_, old_key),) = _of_player.fetch(connection, player_id)
        if key == old_key:
            raise Refused("address_same", address=address)
        since = stored(connection, now - timedelta(days=1))
        if _lately.fetch(connection, player_id, since)[0][0] >= MOST_A_DAY:
            raise Refused("too_often", most=MOST_A_DAY)
        if _of_key.fetch(connection, key):
            return
        digest = hashlib.sha256(key.encode()).hexdigest()[:16]
        once = f"{ASKED}:{player_id}:{digest}:{now:%Y%m%d%H%M}"
        enqueue(
            connection, now, LetterRequest(kind=ASKED, once=once, player_id=player_id, to_address=address)
        )


def asked_address(store: Store, token: str) -> str:
    """The new address that a letter's link confirms. Raises NotFound: too late, or asked anew meanwhile."""
    with store.reading() as connection:
        return str(_asked(connection, token)[2])


def change_address(store: Store, token: str) -> Person:
    """The player under his new address. Twice is once. Raises NotFound, Refused("address_taken").

    All his sessions end, and whatever was sent to the old address opens nothing any more. It is told of the
    change; fresh links go to the new one.
    """
    now = clock.now()
    with store.transaction() as connection:
        player_id, letter_id, about, used_at = _asked(connection, token)
        address, key = check_address(about)
        if used_at is None and _use.run(connection, stored(connection, now), hash_of(token)):
            ((old, _),) = _of_player.fetch(connection, player_id)
            _take(connection, player_id, address, key)
            _revoke.run(connection, hash_of(token), player_id, player_id)
            suppression.lift(connection, key, "bounced")
            judge_anew(connection, player_id)
            told = LetterRequest(
                kind=CHANGED, once=f"{CHANGED}:{letter_id}", player_id=player_id, to_address=old
            )
            fresh = LetterRequest(kind="links", once=f"links:{player_id}:{letter_id}", player_id=player_id)
            enqueue(connection, now, told, fresh)
    person = player(store, player_id)
    assert person is not None
    return person


def _take(connection: Wire, player_id: int, address: str, key: str) -> None:
    if _of_key.fetch(connection, key):
        raise Refused("address_taken")
    try:
        _move.run(connection, address, key, player_id)
    except Clash:  # taken in this very moment
        raise Refused("address_taken") from None


def _asked(connection: Wire, token: str) -> Any:
    rows = _found.fetch(connection, hash_of(token), stored(connection, clock.now()))
    if not rows:
        raise NotFound("new_address")
    return rows[0]

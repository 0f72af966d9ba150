"""Change a player's email address: requested on the site, confirmed by a link sent to the new address."""

import hashlib
from datetime import timedelta

import msgspec

from app import clock
from app.people import logins, suppression
from app.people.checks import check_address
from app.people.errors import NotFound, Refused
from app.people.service import Person, player, player_with_key
from app.store import outbox, tokens
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue, reconsider
from app.store.session import Store
from app.store.sql import Clash, Command, Query

ASKED, CHANGED = "address", "address_changed"
"""Kinds of letters: to the new address, and to the old one. `to_address` says where they go."""
LASTS = timedelta(hours=24)
"""How long the link can confirm a change."""
MOST_A_DAY = 5


class _Address(msgspec.Struct, frozen=True):
    address: str
    address_key: str


class _Change(msgspec.Struct, frozen=True):
    """A requested change, by its letter to the new address."""

    player_id: int
    letter_id: str
    address: str
    used: bool


_of_player = Query(_Address, "SELECT address, address_key FROM player WHERE id = :player_id")
_move = Command("UPDATE player SET address = :address, address_key = :key WHERE id = :player_id")


def request_change(store: Store, player_id: int, text: str) -> None:
    """Send a link that confirms the change to the new address. Earlier links stop working.

    If the address belongs to another player nothing is sent, and nobody learns it. Raises Refused("address",
    "address_same" or "too_often").
    """
    address, key = check_address(text)
    now = clock.now()
    with store.transaction() as connection:
        if key == _of_player.one(connection, player_id=player_id).address_key:
            raise Refused("address_same", address=address)
        if outbox.count_since(connection, player_id, ASKED, now - timedelta(days=1)) >= MOST_A_DAY:
            raise Refused("too_often", most=MOST_A_DAY)
        if player_with_key(connection, key) is not None:
            return
        digest = hashlib.sha256(key.encode()).hexdigest()[:16]
        once = f"{ASKED}:{player_id}:{digest}:{now:%Y%m%d%H%M}"
        enqueue(
            connection, now, LetterRequest(kind=ASKED, once=once, player_id=player_id, to_address=address)
        )


def requested_address(store: Store, token: str) -> str:
    """The new address that a link confirms. Raises NotFound: the link is too old, or not the last."""
    with store.reading() as connection:
        return _change(connection, token).address


def confirm_change(store: Store, token: str) -> Person:
    """The player with the new address. Twice is once. Raises NotFound, Refused("address_taken").

    All sessions end, and links sent to the old address stop working. A notice goes to the old address, fresh
    links to the new one.
    """
    now = clock.now()
    with store.transaction() as connection:
        change = _change(connection, token)
        player_id, letter_id = change.player_id, change.letter_id
        address, key = check_address(change.address)
        if not change.used and tokens.use(connection, now, token):
            old = _of_player.one(connection, player_id=player_id).address
            _take(connection, player_id, address, key)
            logins.end_all(connection, player_id)
            tokens.end_all(connection, now, player_id, kept=token)
            suppression.lift(connection, key, "bounced")
            reconsider(connection, now, player_id)
            told = LetterRequest(
                kind=CHANGED, once=f"{CHANGED}:{letter_id}", player_id=player_id, to_address=old
            )
            fresh = LetterRequest(kind="links", once=f"links:{player_id}:{letter_id}", player_id=player_id)
            enqueue(connection, now, told, fresh)
    person = player(store, player_id)
    assert person is not None
    return person


def _take(connection: Connection, player_id: int, address: str, key: str) -> None:
    if player_with_key(connection, key) is not None:
        raise Refused("address_taken")
    try:
        _move.run(connection, address=address, key=key, player_id=player_id)
    except Clash:  # another player took it since the check
        raise Refused("address_taken") from None


def _change(connection: Connection, token: str) -> _Change:
    """The change that a token confirms, confirmed or not. Raises NotFound."""
    found = tokens.find(connection, token, ASKED)
    if found is None or found.player_id is None or found.letter_id is None:
        raise NotFound("new_address")
    if found.expires_at is None or found.expires_at <= clock.now():
        raise NotFound("new_address")
    if outbox.latest(connection, found.player_id, ASKED) != found.letter_id:
        raise NotFound("new_address")
    address = outbox.address_of(connection, found.letter_id)
    return _Change(found.player_id, found.letter_id, address, found.used_at is not None)

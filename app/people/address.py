"""Change a player's email address: requested on the site, confirmed by a button in an email to the new one.

For some days the former address still signs in, and a link that was sent there undoes the change. What a
request brings about never tells whether the address is another player's.
"""

from datetime import datetime, timedelta

import msgspec

from app import clock
from app.people import api_keys, bars, confirmations, feeds, former, logins, suppression
from app.people.checks import check_address
from app.people.confirmations import Confirmation
from app.people.errors import NotFound, Refused
from app.people.former import FormerAddress
from app.people.service import Person, player, player_with_key
from app.store import outbox, tokens
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue, reconsider
from app.store.session import Store
from app.store.sql import Clash, Command, Query

ASKED, CHANGED = "address", "address_changed"
"""Kinds of letters: to the new address, and to the old one. `to_address` says where they go."""
UNDO = "undo"
"""The purpose of the link that undoes a change."""
LASTS = confirmations.LASTS
"""How long the link in the email to the new address confirms the change."""
WAITS = timedelta(days=8)
"""How long that email can wait to be sent, because strangers get few emails a day."""
MOST_A_DAY = 5


class _Address(msgspec.Struct, frozen=True):
    address: str
    address_key: str


_of_player = Query(_Address, "SELECT address, address_key FROM player WHERE id = :player_id")
_move = Command("UPDATE player SET address = :address, address_key = :key WHERE id = :player_id")


def request_change(store: Store, player_id: int, text: str) -> None:
    """Send a link that confirms the change to the new address. Earlier links stop working.

    If the address is another player's, everything is the same but that the email is not sent: this is decided
    when it is written. Raises Refused("address", "address_same",
    "other_address_barred" or "too_often").
    """
    address, key = check_address(text)
    now = clock.now()
    with store.transaction() as connection:
        if key == _of_player.one(connection, player_id=player_id).address_key:
            raise Refused("address_same", address=address)
        bars.check(connection, key, "other_address_barred", address=address)
        day = now - timedelta(days=1)
        if confirmations.count_since(connection, player_id, ASKED, day) >= MOST_A_DAY:
            raise Refused("too_often", most=MOST_A_DAY)
        number = confirmations.ask(connection, now, player_id, ASKED, {"address": address}, lasts=WAITS)
        letter = LetterRequest(
            kind=ASKED,
            once=f"{ASKED}:{player_id}:{number}",
            player_id=player_id,
            to_address=address,
            confirmation_id=number,
        )
        enqueue(connection, now, letter)


def requested(connection: Connection, now: datetime, confirmation_id: int | None) -> Confirmation | None:
    """The change that an email to a new address asks to confirm; None if it must not be sent any more.

    It must not be where another player has the address, and where a later request takes its place.
    """
    asked = confirmations.find(connection, confirmation_id or 0)
    if asked is None or not asked.waits(now):
        return None
    if confirmations.latest(connection, asked.player_id, ASKED) != asked.id:
        return None
    _, key = check_address(asked.facts["address"])
    return asked if player_with_key(connection, key) in (None, asked.player_id) else None


def requested_address(store: Store, token: str) -> str:
    """The new address that a link confirms. Raises NotFound: the link is too old, or not the last."""
    with store.reading() as connection:
        return _asked(connection, token).facts["address"]


def confirm_change(store: Store, token: str) -> Person:
    """The player with the new address. Twice is once. Raises NotFound, Refused("address_taken").

    All sessions end; links sent to the old address and the addresses of feeds stop working. The old address
    gets a link that undoes the change, the new one fresh links.
    """
    now = clock.now()
    with store.transaction() as connection:
        asked = _asked(connection, token)
        player_id = asked.player_id
        address, key = check_address(asked.facts["address"])
        if asked.done_at is None and tokens.use(connection, now, token):
            old = _of_player.one(connection, player_id=player_id)
            _take(connection, player_id, address, key)
            former.end(connection, now, player_id, key)
            number = former.keep(connection, now, player_id, old.address, old.address_key)
            confirmations.finish(connection, now, asked.id)
            _end_all(connection, now, player_id, kept=token)
            feeds.end(connection, player_id)
            confirmations.end_all(connection, now, player_id)
            suppression.lift(connection, key, "bounced")
            reconsider(connection, now, player_id)
            told = LetterRequest(
                kind=CHANGED,
                once=f"{CHANGED}:{number}",
                player_id=player_id,
                to_address=old.address,
                former_id=number,
            )
            enqueue(connection, now, told, _fresh(player_id, f"{CHANGED}:{number}"))
    return _person(store, player_id)


def former_address(store: Store, token: str) -> FormerAddress:
    """The address that a link restores, or has restored. Raises NotFound: it is too old."""
    with store.reading() as connection:
        return _former(connection, token)


def undo_change(store: Store, token: str) -> Person:
    """The player with the address that they had before. Twice is once. Raises NotFound, Refused.

    All sessions and links of the account end; fresh links go to the restored address.
    """
    now = clock.now()
    with store.transaction() as connection:
        found = _former(connection, token)
        player_id = found.player_id
        if found.stands(now):
            # First, or the address would count as taken by its own player.
            former.end_since(connection, now, player_id, found.id)
            _take(connection, player_id, found.address, found.address_key)
            _end_all(connection, now, player_id)
            feeds.end(connection, player_id)
            confirmations.end_all(connection, now, player_id)
            reconsider(connection, now, player_id)
            enqueue(connection, now, _fresh(player_id, f"{UNDO}:{found.id}"))
    return _person(store, player_id)


def _asked(connection: Connection, token: str) -> Confirmation:
    """The change that a token confirms, confirmed or not. Raises NotFound."""
    now = clock.now()
    found = tokens.find(connection, token, ASKED)
    if found is None or not found.lasts(now):
        raise NotFound("new_address")
    number = outbox.confirmation_of(connection, found.letter_id or "")
    asked = confirmations.find(connection, number or 0)
    if asked is None or confirmations.latest(connection, asked.player_id, ASKED) != asked.id:
        raise NotFound("new_address")
    if asked.done_at is None and not asked.waits(now):
        raise NotFound("new_address")
    return asked


def _former(connection: Connection, token: str) -> FormerAddress:
    now = clock.now()
    found = tokens.find(connection, token, UNDO)
    number = outbox.former_of(connection, found.letter_id or "") if found is not None else None
    known = former.find(connection, number or 0)
    if found is None or known is None or not found.lasts(now):
        raise NotFound("undo")
    restored = _of_player.one(connection, player_id=known.player_id).address_key == known.address_key
    if not known.stands(now) and not restored:
        raise NotFound("undo")
    return known


def _take(connection: Connection, player_id: int, address: str, key: str) -> None:
    if player_with_key(connection, key) not in (None, player_id):
        raise Refused("address_taken")
    bars.check(connection, _of_player.one(connection, player_id=player_id).address_key)
    bars.check(connection, key)
    try:
        _move.run(connection, address=address, key=key, player_id=player_id)
    except Clash:  # another player took it since the check
        raise Refused("address_taken") from None


def _end_all(connection: Connection, now: datetime, player_id: int, kept: str = "") -> None:
    logins.end_all(connection, player_id)
    api_keys.end_all(connection, player_id)
    tokens.end_all(connection, now, player_id, kept=kept)


def _fresh(player_id: int, occasion: str) -> LetterRequest:
    return LetterRequest(kind="links", once=f"links:{player_id}:{occasion}", player_id=player_id)


def _person(store: Store, player_id: int) -> Person:
    person = player(store, player_id)
    assert person is not None
    return person

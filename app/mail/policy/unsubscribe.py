"""Leaving the list of a letter: its match, its kind, or everything. Showing it changes nothing."""

from collections.abc import Mapping

import msgspec

from app import clock
from app.mail.core import signed_addresses
from app.mail.core.context import TO_ABOUT
from app.mail.policy.rules import event_of
from app.people import preferences, suppression
from app.people.checks import check_address
from app.people.errors import NotFound, Refused
from app.settings import Settings
from app.store.session import Store
from app.store.statement import Statement, Wire

MATCH, KIND, ALL = SCOPES = ("match", "kind", "all")
"""What one may leave, the narrowest first."""

_letter = Statement(
    """SELECT l.kind, l.match_id, p.id, p.language, COALESCE(i.address_key, p.address_key), m.game, m.status,
              l.to_address, l.sent_to
       FROM letter l
       LEFT JOIN invitation i ON i.id = l.invitation_id AND l.player_id IS NULL
       LEFT JOIN player p ON p.id = l.player_id OR (l.player_id IS NULL AND p.address_key = i.address_key)
       LEFT JOIN "match" m ON m.id = l.match_id
       WHERE l.id = ?"""
)


class Leaving(msgspec.Struct, frozen=True):
    """A letter whose reader wants fewer like it."""

    event: str
    match_id: int | None
    game: str | None
    """Its slug."""
    running: bool
    """The match goes on whatever its player reads."""
    player_id: int | None
    """None: the letter went to an address that nobody plays under."""
    address_key: str
    language: str | None
    scopes: Mapping[str, bool]
    """What there is to leave; whether it is left."""

    @property
    def narrowest(self) -> str:
        """What one click leaves."""
        return next(iter(self.scopes))


def leaving(store: Store, settings: Settings, text: str) -> Leaving:
    """What can be left by the address `/u/<text>`, and how it stands. Raises NotFound."""
    with store.reading() as connection:
        return _found(connection, settings, text)


def leave(store: Store, settings: Settings, text: str, scope: str = "") -> Leaving:
    """No more letters of that scope; without one, of the narrowest. Raises NotFound, Refused("scope")."""
    with store.transaction() as connection:
        found = _found(connection, settings, text)
        _set(connection, found, scope or found.narrowest, leaves=True)
        return _found(connection, settings, text)


def come_back(store: Store, settings: Settings, text: str, scope: str) -> Leaving:
    """Undo `leave`. Raises NotFound, Refused("scope")."""
    with store.transaction() as connection:
        found = _found(connection, settings, text)
        _set(connection, found, scope, leaves=False)
        return _found(connection, settings, text)


def unsubscribe_by_mail(store: Store, settings: Settings, local_part: str) -> bool:
    """Take a mail to `u+…` as one click on its letter. False: the address is none of ours."""
    if signed_addresses.letter_at(settings, signed_addresses.LEAVE, local_part) is None:
        return False
    try:
        leave(store, settings, local_part.partition("+")[2])
    except NotFound:
        return False
    return True


def _found(connection: Wire, settings: Settings, text: str) -> Leaving:
    letter_id = signed_addresses.letter_of(settings, signed_addresses.LEAVE, text)
    rows = _letter.fetch(connection, letter_id) if letter_id is not None else ()
    if not rows:
        raise NotFound("letter")
    kind, match_id, player_id, language, key, game, status, to_address, sent_to = rows[0]
    event = event_of(kind)
    if kind in TO_ABOUT:  # whoever reads there is perhaps not the player
        player_id, (_, key) = None, check_address(to_address)
    elif player_id is not None and sent_to not in ("", key):  # the player no longer reads there
        raise NotFound("letter")
    wanted = [MATCH] * (match_id is not None) + [KIND] * bool(event and player_id is not None) + [ALL]
    found = Leaving(event, match_id, game, status == "running", player_id, key or "", language, {})
    return msgspec.structs.replace(found, scopes={scope: _left(connection, found, scope) for scope in wanted})


def _set(connection: Wire, found: Leaving, scope: str, *, leaves: bool) -> None:
    if scope not in found.scopes:
        raise Refused("scope", scope=scope[:40])
    match_id = found.match_id if scope == MATCH else None
    if found.player_id is not None:
        change = preferences.unsubscribe if leaves else preferences.resubscribe
        event = found.event if scope == KIND else ""
        change(connection, found.player_id, match_id or preferences.ALL, event)
    elif leaves and suppression.suppression_of(connection, found.address_key, match_id) is None:
        suppression.suppress(connection, found.address_key, "unwanted", clock.now(), match_id=match_id)
    elif not leaves:
        suppression.lift(connection, found.address_key, "unwanted", match_id)


def _left(connection: Wire, found: Leaving, scope: str) -> bool:
    match_id = found.match_id if scope == MATCH else None
    if found.player_id is None:
        return suppression.is_unwanted(connection, found.address_key, match_id)
    event = found.event if scope == KIND else ""
    return preferences.is_unsubscribed(connection, found.player_id, match_id or preferences.ALL, event)

"""Unsubscribing by a letter's address, from its match, its kind, or everything."""

from collections.abc import Mapping

import msgspec

from app import clock
from app.graphemes import cut
from app.mail.core import outbox, signed_addresses
from app.mail.core.recipients import addressee
from app.mail.letters.kinds import KINDS
from app.people import preferences, suppression
from app.people.errors import NotFound, Refused
from app.play.views import letter_facts
from app.settings import Settings
from app.store.connection import Connection
from app.store.session import Store

MATCH, KIND, ALL = SCOPES = ("match", "kind", "all")
"""The lists that can be left, the narrowest first."""


class Leaving(msgspec.Struct, frozen=True):
    """A letter whose reader unsubscribes."""

    event: str
    match_id: int | None
    game: str | None
    """Its slug."""
    running: bool
    """The match goes on without its emails."""
    player_id: int | None
    """None: nobody plays under the letter's address."""
    address_key: str
    language: str | None
    scopes: Mapping[str, bool]
    """The lists that can be left, and whether each is left now."""

    @property
    def asked_for(self) -> bool:
        """The letter comes only when it is asked for, so it is on no list that could be left."""
        return self.event == "account" and self.player_id is not None

    @property
    def narrowest(self) -> str:
        """The list that one click leaves."""
        return next(iter(self.scopes))


def leaving(store: Store, settings: Settings, text: str) -> Leaving:
    """The lists that can be left at `/u/<text>`, and whether they are. Raises NotFound."""
    with store.reading() as connection:
        return _found(connection, settings, text)


def leave(store: Store, settings: Settings, text: str, scope: str = "") -> Leaving:
    """Stop letters of a scope, by default the narrowest. Raises NotFound, Refused("scope").

    One click in a letter that a player asked for changes nothing: it bars no way back in, and the letters of
    games are not what the click is about.
    """
    with store.transaction() as connection:
        found = _found(connection, settings, text)
        if not scope and found.asked_for:
            return found
        _set(connection, found, scope or found.narrowest, leaves=True)
        return _found(connection, settings, text)


def come_back(store: Store, settings: Settings, text: str, scope: str) -> Leaving:
    """Undo `leave`. Raises NotFound, Refused("scope")."""
    with store.transaction() as connection:
        found = _found(connection, settings, text)
        _set(connection, found, scope, leaves=False)
        return _found(connection, settings, text)


def unsubscribe_by_mail(store: Store, settings: Settings, local_part: str) -> bool:
    """Take a mail to `u+…` as one click in its letter. False: the address was not signed here."""
    if signed_addresses.letter_at(settings, signed_addresses.LEAVE, local_part) is None:
        return False
    try:
        leave(store, settings, local_part.partition("+")[2])
    except NotFound:
        return False
    return True


def _found(connection: Connection, settings: Settings, text: str) -> Leaving:
    letter_id = signed_addresses.letter_of(settings, signed_addresses.LEAVE, text)
    letter = outbox.letter(connection, letter_id) if letter_id is not None else None
    if letter is None:
        raise NotFound("letter")
    event, to = KINDS[letter.kind].event, addressee(connection, letter)
    player_id = to.player.player_id if to.player is not None else None
    if letter.to_address is not None:  # the person who reads there is perhaps not the player
        player_id = None
    elif player_id is not None and letter.sent_to not in ("", to.address_key):  # nor here any more
        raise NotFound("letter")
    match = letter_facts.label(connection, letter.match_id) if letter.match_id is not None else None
    listed = event and event != "account" and player_id is not None
    wanted = [MATCH] * (match is not None) + [KIND] * bool(listed) + [ALL]
    found = Leaving(
        event,
        letter.match_id,
        match.game if match is not None else None,
        match is not None and match.status == "running",
        player_id,
        to.address_key,
        to.player.language if to.player is not None else None,
        {},
    )
    return msgspec.structs.replace(found, scopes={scope: _left(connection, found, scope) for scope in wanted})


def _set(connection: Connection, found: Leaving, scope: str, *, leaves: bool) -> None:
    if scope not in found.scopes:
        raise Refused("scope", scope=cut(scope, 40))
    match_id = found.match_id if scope == MATCH else None
    if found.player_id is not None:
        change = preferences.unsubscribe if leaves else preferences.resubscribe
        event = found.event if scope == KIND else ""
        change(connection, found.player_id, match_id or preferences.ALL, event)
    elif leaves and suppression.suppression_of(connection, found.address_key, match_id) is None:
        suppression.suppress(connection, found.address_key, "unwanted", clock.now(), match_id=match_id)
    elif not leaves:
        suppression.lift(connection, found.address_key, "unwanted", match_id)


def _left(connection: Connection, found: Leaving, scope: str) -> bool:
    match_id = found.match_id if scope == MATCH else None
    if found.player_id is None:
        return suppression.is_unwanted(connection, found.address_key, match_id)
    event = found.event if scope == KIND else ""
    return preferences.is_unsubscribed(connection, found.player_id, match_id or preferences.ALL, event)

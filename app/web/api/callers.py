"""The program that asks: whose key it has, and what the key may do. Cookies are never read."""

import re

import msgspec
from flask import request

from app import words
from app.people import api_keys
from app.people import service as people
from app.people.api_keys import BEGINS
from app.people.errors import NotFound, Refused, SiteError
from app.people.service import Person
from app.play.match.records import ANYBODY, Viewer
from app.store.session import Store
from app.web.core.allowances import MISSES, missed_key

_BEARER = re.compile(r"Bearer +(\S+)\s*", re.IGNORECASE)


class NoKey(SiteError):  # noqa: N818
    """There is no key, or none that opens anything. 401."""


class OtherScope(SiteError):  # noqa: N818
    """The key may not do this. 403."""


class Caller(msgspec.Struct, frozen=True):
    """The asking player, known by a key, or anybody."""

    player: Person | None = None
    scopes: tuple[str, ...] = ()

    @property
    def viewer(self) -> Viewer:
        """As the viewer of matches."""
        return ANYBODY if self.player is None else Viewer(player_id=self.player.id)

    @property
    def language(self) -> str:
        """The language that the program asks for, else the player's."""
        own = [self.player.language] if self.player is not None else []
        return words.resolve([*request.accept_languages.values(), *own])

    @property
    def own(self) -> Person:
        """The player. Raises NoKey: nobody in particular asks."""
        if self.player is None:
            raise NoKey("key_needed")
        return self.player

    def check(self, scope: str | None) -> None:
        """Raises NoKey and OtherScope unless the key may do it; None: anybody may."""
        if scope is not None and scope not in self.scopes:
            if self.player is None:
                raise NoKey("key_needed")
            raise OtherScope("key_scope", scope=scope)


def caller(store: Store) -> Caller:
    """The caller of the current request.

    Raises Refused("key_in_address"), NoKey("key_unknown"), and Refused("too_often") where one visitor
    has tried too many keys that don't exist.
    """
    if BEGINS in request.full_path:
        raise Refused("key_in_address")
    sent = request.headers.get("Authorization", "")
    if not sent:
        return Caller()
    found = _BEARER.fullmatch(sent)
    try:
        if found is None:
            raise NotFound("api_key")
        holder = api_keys.holder(store, found[1])
        player = people.player(store, holder.player_id)
    except NotFound:
        player = None
    if player is None:
        if missed_key():
            raise Refused("too_often", most=MISSES.most)
        raise NoKey("key_unknown")
    return Caller(player, holder.scopes)

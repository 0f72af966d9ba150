"""Limits on requests. They count misses and forms without a key; who has a good key is never limited.

All processes share the counters. Where these cannot be read or written, nobody is refused.
"""

import hashlib
import logging
from datetime import timedelta

import msgspec
from flask import current_app, request

from app import clock
from app.play.match.records import Refused, Viewer
from app.store import counters
from app.store.session import Store
from app.web.core import sessions
from app.web.core.context import site
from app.web.core.visitors import Visitor, visitor

log = logging.getLogger(__name__)

BY_TOKEN = ("/t/", "/i/", "/u/", "/s/", "/f/", "/a/", "/c/", "/k/", "/join/", "/p/", "/r/")
"""Paths with a token or a signature in them, which may be tried."""


class Limit(msgspec.Struct, frozen=True):
    """How many tries are allowed within a while, which begins with the first."""

    name: str
    most: int
    span: timedelta


MISSES = Limit("misses", 30, timedelta(minutes=1))
"""Tokens that don't exist, of one visitor. The next ones are told to wait; good ones work all the same."""
REQUESTS = Limit("forms", 60, timedelta(hours=1))
"""Forms that send an email: of one player, one link, or one visitor who has neither."""
JOINS = Limit("joins", 6, timedelta(hours=1))
"""Addresses for which one visitor asks to join games: far fewer than a game takes in that time from all."""
AGAIN = Limit("again", 3, timedelta(hours=1))
"""How often a link may say of its player's address that it takes emails again, each of which may bounce."""
PICTURES = Limit("pictures", 6, timedelta(minutes=1))
"""Pictures that are made for one visitor; those that are there are for everybody."""
TRIES = Limit("tries", 900, timedelta(hours=1))
"""Moves that are worked out for one visitor who tries a game: some dozens of games."""


def allow(limit: Limit, viewer: Viewer | None = None) -> None:
    """Count one request of this viewer, or of the request's own. Raises Refused("too_often").

    A viewer without a key is counted by address, unless a proxy hides who it is.
    """
    viewer = viewer or sessions.viewer()
    if viewer.token:
        who = f"token {viewer.token}"
    elif viewer.player_id is not None:
        who = f"player {viewer.player_id}"
    elif viewer.chair_id is not None:
        who = f"chair {viewer.chair_id}"
    elif not spares(limit):
        raise Refused("too_often", most=limit.most)
    else:
        return
    if not _counted(limit, who):
        raise Refused("too_often", most=limit.most)


def spares(limit: Limit) -> bool:
    """Count one request by the visitor's address, signed in or not; False if there were too many.

    What comes by a proxy that hides its visitors is not counted.
    """
    asks = asking()
    return not asks.known or _counted(limit, asks.key)


def missed() -> bool:
    """Count a token that doesn't exist; True if there were too many of them from this visitor."""
    return request.path.startswith(BY_TOKEN) and missed_key()


def missed_key() -> bool:
    """As `missed`, for a program's key, which is in no path."""
    return not _counted(MISSES, asking().key)


def asking() -> Visitor:
    """The visitor of the current request."""
    environ = request.environ
    found = visitor(
        environ.get("REMOTE_ADDR", ""),
        environ.get("HTTP_X_FORWARDED_FOR", ""),
        environ.get("HTTP_FORWARDED", ""),
        site().settings.trusted_proxies,
    )
    if found.unheard:
        _say_once(f"{found.key} sends X-Forwarded-For, and TIDEPOST_TRUSTED_PROXIES doesn't name it")
    return found


def _counted(limit: Limit, who: str) -> bool:
    key = site().settings.secret_keys[0].encode()[:64]
    name = hashlib.blake2b(f"{limit.name} {who}".encode(errors="replace"), digest_size=16, key=key)
    store: Store = current_app.extensions["counters"]
    try:
        return counters.count(store, name.hexdigest(), limit.most, limit.span, clock.now())
    except Exception as error:  # noqa: BLE001 - any driver may raise anything, and nobody is to suffer for it
        log.warning("a counter could not be kept: %s", type(error).__name__)
        return True


def _say_once(what: str) -> None:
    said: set[str] = current_app.extensions.setdefault("said", set())
    if not said:  # the first is enough to tell, and strangers must not fill the log
        said.add(what)
        log.warning("%s", what)

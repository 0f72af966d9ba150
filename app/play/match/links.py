"""The links in emails: their tokens, and the paths they lead to."""

from typing import Any

from app import clock
from app.store import tokens
from app.store.connection import Connection
from app.store.tokens import NewToken, key_of

__all__ = ["key_of"]

PATHS = {
    "turn": "/t/",
    "invitation": "/i/",
    "sign_in": "/s/",
    "address": "/a/",
    "confirm": "/c/",
    "undo": "/k/",
    "again": "/r/",
}


def mint(connection: Connection, purpose: str, **what: Any) -> str:
    """A new token for a turn (`match_id, seat, run, player_id`), an invitation, signing in or replying.

    A turn's token is good for one turn of the seat, and only while the same player holds it; an invitation's
    as long as the invitation; one for signing in until `expires_at`. A reply's is part of the address that
    the player writes to; its `run` is the turn that the email asked for.
    """
    return tokens.mint(connection, purpose, clock.now(), **what)


def make(purpose: str, **what: Any) -> tuple[str, NewToken]:
    """A token as `mint` makes it, and its row, which is yet to be kept."""
    return tokens.make(purpose, clock.now(), **what)


def path(purpose: str, token: str) -> str:
    """The path of a token's page, below TIDEPOST_URL."""
    return PATHS[purpose] + token


def match_path(match_id: int) -> str:
    """The path of a match's page."""
    return f"/m/{match_id}"

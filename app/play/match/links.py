"""What stands behind the links of letters: their tokens, and the paths they lead to."""

from typing import Any

from sqlalchemy import Connection

from app import clock
from app.store import tokens
from app.store.tokens import hash_of

__all__ = ["hash_of"]

PATHS = {"turn": "/t/", "invitation": "/i/", "sign_in": "/s/", "address": "/a/"}


def mint(connection: Connection, purpose: str, **what: Any) -> str:
    """A new token for a turn (`match_id, seat, run, player_id`), an invitation, signing in or replying.

    A turn's token is good for the seat's unbroken run of questions and only while the same player sits
    there; an invitation's as long as the invitation; one for signing in until `expires_at`. By a reply's
    the player writes to the house from his own address; its `run` is the one that its letter asked in.
    """
    return tokens.mint(connection, purpose, clock.now(), **what)


def path(purpose: str, token: str) -> str:
    """The path of a token's page, below TIDEPOST_URL."""
    return PATHS[purpose] + token


def match_path(match_id: int) -> str:
    """A match's page, to bookmark."""
    return f"/m/{match_id}"

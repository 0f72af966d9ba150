"""Webhooks of a match: its host sets them and takes them away, and its log says so."""

from datetime import datetime

from app.people import webhooks
from app.people.errors import Refused
from app.people.webhooks import Means, NewHook
from app.play.match import matches, notices
from app.play.match.locking import held, keys, seated
from app.play.match.records import NotFound, Viewer
from app.store.session import Store


def add(store: Store, now: datetime, viewer: Viewer, match_id: int, new: NewHook, means: Means) -> str:
    """Have another program told what anybody sees of the match; returns the secret that signs the posts.

    Raises NotFound also for those who aren't its host, Closed("over"), Refused("hook_private") and as
    `webhooks.add`.
    """
    with store.transaction() as connection:
        match, seat = held(connection, match_id, viewer)
        host = match.holder(seat).player_id
        if seat != keys(match) or host is None:
            raise NotFound("match")
        if matches.is_private(connection, match_id):
            raise Refused("hook_private")
        secret = webhooks.add(connection, now, host, match_id, new, means)
        notices.tell(connection, now, match_id, "hook_added", by_seat=seat, form=new.format)
    return secret


def remove(store: Store, now: datetime, viewer: Viewer, match_id: int, webhook_id: int) -> None:
    """Take one away, also one that an earlier host set. Raises NotFound, also for those who don't host it."""
    found = webhooks.named(webhooks.of_match(store, match_id), webhook_id)
    with store.transaction() as connection:
        match, seat = seated(connection, match_id, viewer)
        if seat != keys(match):
            raise NotFound("match")
        if webhooks.delete(connection, found.id):
            notices.tell(connection, now, match_id, "hook_removed", by_seat=seat, form=found.format)

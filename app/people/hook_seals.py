"""The newest key seals the secrets of webhooks again, at the first sweep, so that earlier keys can go."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from app.people.sealed import Unopened, is_current, name_of, opened, sealed
from app.people.webhooks import label_of
from app.store import heartbeat
from app.store.session import Store
from app.store.sql import Command, Query

EVERY = timedelta(hours=12)
"""Between two looks at all hooks, as long as the newest key is the same."""
AT_A_TIME = 200
"""Hooks that are read at a time."""


class _Sealed(msgspec.Struct, frozen=True):
    """The secrets of a hook. The repr shows none."""

    id: int
    url: str
    secret: str
    label: str

    def __repr__(self) -> str:
        return f"<_Sealed {self.id}>"


_page = Query(_Sealed, "SELECT id, url, secret, label FROM webhook WHERE id > :after ORDER BY id LIMIT :most")
_seal = Command(
    """UPDATE webhook SET url = :url, secret = :secret, label = :label
       WHERE id = :webhook_id AND url = :before"""
)


def look_after(store: Store, now: datetime, keys: Sequence[str]) -> int:
    """Seal anew what the newest key has not sealed, at times; returns how many hooks."""
    name = f"hooks sealed by {name_of(keys[0])}"
    last = heartbeat.last(store, name)
    if last is not None and now - last < EVERY:
        return 0
    changed = seal_anew(store, keys)
    with store.transaction() as connection:
        heartbeat.mark(connection, name, now)
    return changed


def seal_anew(store: Store, keys: Sequence[str]) -> int:
    """Seal by the first key what another sealed, or none; returns how many hooks.

    What no key opens stays: it may be missing here alone.
    """
    changed, after = 0, 0
    while True:
        with store.reading() as connection:
            found = _page.all(connection, after=after, most=AT_A_TIME)
        changed += sum(_sealed_anew(store, keys, one) for one in found)
        if len(found) < AT_A_TIME:
            return changed
        after = found[-1].id


def _sealed_anew(store: Store, keys: Sequence[str], one: _Sealed) -> int:
    if is_current(keys, one.url) and is_current(keys, one.secret):
        return 0
    try:
        url, secret = opened(keys, one.url), opened(keys, one.secret)
    except Unopened:
        return 0
    with store.transaction() as connection:
        return _seal.run(
            connection,
            webhook_id=one.id,
            before=one.url,
            url=sealed(keys, url),
            secret=sealed(keys, secret),
            label=one.label or label_of(url),
        )

"""Addresses at which players have other programs told: of what they are told, or of a game that they host.

The address is a secret, sealed in the database: pages show its host and its last letters. A hook tells
nothing until a test of it has arrived: nobody can have somebody else's server called but by tests, and of
these there are few.
"""

import base64
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import msgspec

from app.graphemes import cut
from app.people.checks import check_language
from app.people.errors import NotFound, Refused
from app.people.sealed import sealed
from app.store.connection import Connection
from app.store.session import Store, wake_after_commit
from app.store.sql import Command, Query
from app.store.tokens import hash_of

FORMATS = ("discord", "slack", "json")
EVENTS: Mapping[bool, tuple[str, ...]] = {
    False: ("turn", "started", "over", "chat", "invitation"),
    True: ("turn", "over"),
}
"""The events that a player's own hook can tell, and (True) that of a game."""
MOST = 5
"""Hooks of a player."""
MOST_OF_MATCH = 3
MOST_OF_GAMES = 20
"""Hooks that a player has set for games."""
TEST_AFTER = timedelta(minutes=1)
"""Between two tests of a hook."""
LONGEST_ADDRESS = 1000
SECRETS = "whsec_"
"""The beginning of secrets (as Standard Webhooks has it); 32 bytes in base64 follow."""


class NewHook(msgspec.Struct, frozen=True):
    """A hook to be set. The repr shows no secret."""

    format: str
    url: str
    events: Collection[str]
    language: str
    """That it speaks."""

    def __repr__(self) -> str:
        return f"<NewHook {self.format}>"


class Means(msgspec.Struct, frozen=True):
    """The means of the server: keys that seal, and addresses that its operator vouches for."""

    keys: Sequence[str]
    """The secret keys of the server, of which the first seals."""
    vouched: Collection[str]
    """Origins that the operator vouches for."""

    def __repr__(self) -> str:
        return "<Means>"


class Webhook(msgspec.Struct, frozen=True):
    """A hook as its page shows it."""

    id: int
    player_id: int
    match_id: int
    """0: it tells what its player is told."""
    format: str
    language: str
    """That it speaks; empty: its player's."""
    label: str
    """The address without what is secret in it."""
    hash: str
    """Of the address."""
    events: str
    """Words with a blank before and behind each."""
    status: str
    """new (no test has arrived yet), on, off (it failed for too long)."""
    tested_at: datetime | None
    failing_since: datetime | None
    error: str
    """The last failure: a status of HTTP, or a word; empty once a post has arrived."""
    sent_at: datetime | None
    testing: bool
    """A test waits to be sent."""

    @property
    def masked(self) -> str:
        """The address without what is secret in it."""
        return self.label or "…"


_COLUMNS = """w.id, w.player_id, w.match_id, w.format, w.language, w.label, w.hash, w.events, w.status,
              w.tested_at, w.failing_since, w.error, w.sent_at,
              EXISTS (SELECT 1 FROM hookpost t WHERE t.webhook_id = w.id AND t.event = 'test'
                      AND t.status = 'waiting') AS testing"""
_of_player = Query(
    Webhook,
    f"""SELECT {_COLUMNS} FROM webhook w
        WHERE w.player_id = :player_id AND w.match_id = 0 ORDER BY w.id""",  # noqa: S608 - constants
)
_of_match = Query(
    Webhook,
    f"SELECT {_COLUMNS} FROM webhook w WHERE w.match_id = :match_id ORDER BY w.id",  # noqa: S608 - constants
)
_all_of = Query(
    Webhook,
    f"SELECT {_COLUMNS} FROM webhook w WHERE w.player_id = :player_id ORDER BY w.id",  # noqa: S608 - constants
)
_count_of_games = Query(
    int, "SELECT count(*) AS many FROM webhook WHERE player_id = :player_id AND match_id <> 0"
)
_insert = Query(
    int,
    """INSERT INTO webhook (player_id, match_id, format, language, url, label, hash, secret, events, status,
                            created_at, failures, error)
       VALUES (:player_id, :match_id, :format, :language, :url, :label, :hash, :secret, :events, 'new',
               :now, 0, '')
       ON CONFLICT (player_id, match_id, hash) DO NOTHING RETURNING id""",
)
_test = Command(
    """UPDATE webhook SET tested_at = :now, rests_until = NULL
       WHERE id = :webhook_id AND (tested_at IS NULL OR tested_at <= :before)"""
)
_ask_test = Command(
    """INSERT INTO hookpost (webhook_id, occasion, event, match_id, seat, run, invitation_id, status,
                             created_at, due_at)
       VALUES (:webhook_id, :occasion, 'test', 0, '', 0, 0, 'waiting', :now, :now)"""
)
_hurry = Command(
    """UPDATE hookpost SET due_at = :now
       WHERE webhook_id = :webhook_id AND status = 'waiting' AND due_at > :now"""
)
_delete_posts = Command("DELETE FROM hookpost WHERE webhook_id = :webhook_id")
_delete = Command("DELETE FROM webhook WHERE id = :webhook_id")
_failing = Query(
    int, "SELECT count(*) AS many FROM webhook WHERE failing_since IS NOT NULL AND status = 'on'"
)


def of_player(store: Store, player_id: int) -> list[Webhook]:
    """The hooks by which a player is told."""
    with store.reading() as connection:
        return _of_player.all(connection, player_id=player_id)


def of_match(store: Store, match_id: int) -> list[Webhook]:
    """The hooks that tell of a game."""
    with store.reading() as connection:
        return _of_match.all(connection, match_id=match_id)


def all_of(connection: Connection, player_id: int) -> list[Webhook]:
    """All hooks that a player has set, for games too."""
    return _all_of.all(connection, player_id=player_id)


def add_own(store: Store, now: datetime, player_id: int, new: NewHook, means: Means) -> str:
    """Keep a hook by which its player is told. Returns and raises as `add`."""
    with store.transaction() as connection:
        return add(connection, now, player_id, 0, new, means)


def add(
    connection: Connection, now: datetime, player_id: int, match_id: int, new: NewHook, means: Means
) -> str:
    """Keep a hook and have it tested; returns the secret that signs its posts, empty where none does.

    Who may set one for the match is the caller's to know.
    Raises Refused as `check`, and "hook_twice", "hook_most".
    """
    known = check(match_id, new, means)
    secret = SECRETS + base64.b64encode(secrets.token_bytes(32)).decode() if new.format == "json" else ""
    here = _of_match.all(connection, match_id=match_id) if match_id else []
    hashed = hash_of(new.url)
    if any(one.hash == hashed for one in here):
        raise Refused("hook_twice")
    made = _insert.first(
        connection,
        player_id=player_id,
        match_id=match_id,
        format=new.format,
        language=new.language,
        url=sealed(means.keys, new.url),
        label=label_of(new.url),
        hash=hashed,
        secret=sealed(means.keys, secret),
        events=f" {' '.join(known)} ",
        now=now,
    )
    if made is None:
        raise Refused("hook_twice")
    own = _of_player.all(connection, player_id=player_id)
    if match_id == 0 and len(own) > MOST:
        raise Refused("hook_most", most=MOST)
    if match_id and len(here) >= MOST_OF_MATCH:
        raise Refused("hook_most", most=MOST_OF_MATCH)
    if match_id and _count_of_games.one(connection, player_id=player_id) > MOST_OF_GAMES:
        raise Refused("hook_most", most=MOST_OF_GAMES)
    _ask(connection, now, made)
    return secret


def test(store: Store, now: datetime, hooks: Iterable[Webhook], webhook_id: int) -> None:
    """Have one of these hooks tested at once; what waits there goes with it. Raises NotFound, Refused."""
    found = named(hooks, webhook_id)
    with store.transaction() as connection:
        if not _ask(connection, now, found.id):
            raise Refused("hook_soon")
        _hurry.run(connection, webhook_id=found.id, now=now)


def remove(store: Store, hooks: Iterable[Webhook], webhook_id: int) -> None:
    """Delete one of these hooks, with what waits there. Raises NotFound."""
    found = named(hooks, webhook_id)
    with store.transaction() as connection:
        delete(connection, found.id)


def delete(connection: Connection, webhook_id: int) -> bool:
    """Delete a hook and its posts. False: it was gone."""
    _delete_posts.run(connection, webhook_id=webhook_id)
    return _delete.run(connection, webhook_id=webhook_id) == 1


def delete_all_of(connection: Connection, player_id: int) -> int:
    """Delete all that a player has set, for games too; returns how many."""
    found = _all_of.all(connection, player_id=player_id)
    for one in found:
        delete(connection, one.id)
    return len(found)


def delete_of_match(connection: Connection, match_id: int, most: int) -> int:
    """Delete hooks that told of a match, so many at most; returns how many."""
    found = _of_match.all(connection, match_id=match_id)[:most]
    for one in found:
        delete(connection, one.id)
    return len(found)


def count_failing(store: Store) -> int:
    """The number of hooks that are on, and fail."""
    with store.reading() as connection:
        return _failing.one(connection)


def check(match_id: int, new: NewHook, means: Means) -> list[str]:
    """The events that the hook would tell.

    Raises Refused("hook_address", "choice", "hook_events", "language").
    """
    if new.format not in FORMATS:
        raise Refused("choice", choice=cut(new.format, 40))
    check_language(new.language)
    known = [one for one in EVENTS[match_id != 0] if one in new.events]
    if not known:
        raise Refused("hook_events")
    check_address(new.url, means.vouched)
    return known


def label_of(url: str) -> str:
    """An address without what is secret in it: its host, and its last letters."""
    return f"{urlsplit(url).netloc}/…{url[-4:]}"


def check_address(url: str, vouched: Collection[str]) -> None:
    """Raises Refused unless it is an address by https on its own port, or of an origin that is vouched for.

    Whether the server's address is a public one is looked at each time something is sent there.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or {"https": 443, "http": 80}.get(parts.scheme, 0)
        origin = f"{parts.scheme}://{(parts.hostname or '').casefold()}:{port}"
        good = parts.scheme == "https" and "." in (parts.hostname or "") and port == 443
    except ValueError:
        raise Refused("hook_address") from None
    plain = url.isascii() and url.isprintable() and not set(url) & set(' "<>\\^`{|}')
    if not plain or "@" in parts.netloc or parts.fragment or len(url) > LONGEST_ADDRESS:
        raise Refused("hook_address")
    if not good and origin not in vouched:
        raise Refused("hook_address")


def named(hooks: Iterable[Webhook], webhook_id: int) -> Webhook:
    """The one of that number. Raises NotFound."""
    found = next((one for one in hooks if one.id == webhook_id), None)
    if found is None:
        raise NotFound("webhook")
    return found


def _ask(connection: Connection, now: datetime, webhook_id: int) -> bool:
    """Ask for a test. False: there was one just now."""
    if not _test.run(connection, webhook_id=webhook_id, now=now, before=now - TEST_AFTER):
        return False
    _ask_test.run(connection, webhook_id=webhook_id, occasion=f"test:{now.isoformat()}", now=now)
    wake_after_commit(connection)
    return True

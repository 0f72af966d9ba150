"""The outbox of webhooks: what each is to tell, until it was told, or is no longer true, or is given up.

A worker holds a hook while it sends there, so that what waits for it goes in one request, in its order.
"""

from datetime import datetime, timedelta

import msgspec

from app.store.connection import Connection
from app.store.session import wake_after_commit
from app.store.sql import Command, Query

LEASE = timedelta(minutes=2)
"""How long a worker holds a hook: longer than a request can last."""
KEPT = timedelta(days=14)
"""How long it is known what was told, so that nothing is told twice."""
SOON = timedelta(seconds=15)
"""After which a hook is looked at again that another worker holds."""
MOST_AT_ONCE = 20
"""Posts of one request."""


class Occasion(msgspec.Struct, frozen=True, kw_only=True):
    """Something that hooks may tell. `occasion` names it: the same is told once by each hook."""

    event: str
    occasion: str
    match_id: int = 0
    seat: str = ""
    run: int = 0
    invitation_id: int = 0


class Post(msgspec.Struct, frozen=True):
    """Something that a hook is to tell."""

    occasion: str
    event: str
    match_id: int
    seat: str
    run: int
    invitation_id: int
    created_at: datetime


class Held(msgspec.Struct, frozen=True):
    """A hook that a worker holds. The repr shows no secret."""

    id: int
    player_id: int
    match_id: int
    format: str
    language: str
    """That it speaks; empty: its player's."""
    url: str
    secret: str
    """Both as they are kept: sealed."""
    status: str
    failures: int
    failing_since: datetime | None

    def __repr__(self) -> str:
        return f"<Held {self.id}>"


_COLUMNS = "webhook_id, occasion, event, match_id, seat, run, invitation_id, status, created_at, due_at"
_VALUES = ":occasion, :event, :match_id, :seat, :run, :invitation_id, 'waiting', :now, :now"
_ask = Command(
    f"""INSERT INTO hookpost ({_COLUMNS})
        SELECT w.id, {_VALUES} FROM webhook w
        WHERE w.player_id = :player_id AND w.match_id = 0 AND w.status = 'on' AND w.events LIKE :word
        ON CONFLICT (webhook_id, occasion) DO NOTHING"""  # noqa: S608 - constants
)
_ask_of_match = Command(
    f"""INSERT INTO hookpost ({_COLUMNS})
        SELECT w.id, {_VALUES} FROM webhook w
        WHERE w.match_id = :match_id AND w.status = 'on' AND w.events LIKE :word
        ON CONFLICT (webhook_id, occasion) DO NOTHING"""  # noqa: S608 - constants
)
_wanted = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM webhook WHERE player_id = :player_id AND match_id = 0 AND status = 'on')
           OR EXISTS (SELECT 1 FROM webhook WHERE match_id = :match_id AND match_id <> 0 AND status = 'on')
           AS wanted""",
)
_due = Query(
    int,
    """SELECT webhook_id FROM hookpost WHERE status = 'waiting' AND due_at <= :now
       ORDER BY due_at LIMIT :most""",
)
_take = Query(
    Held,
    """UPDATE webhook SET held_until = :until
       WHERE id = :webhook_id AND (held_until IS NULL OR held_until <= :now)
         AND (rests_until IS NULL OR rests_until <= :now)
       RETURNING id, player_id, match_id, format, language, url, secret, status, failures, failing_since""",
)


_rests = Query(datetime, "SELECT rests_until FROM webhook WHERE id = :webhook_id AND rests_until > :now")
_waiting = Query(
    Post,
    """SELECT occasion, event, match_id, seat, run, invitation_id, created_at FROM hookpost
       WHERE webhook_id = :webhook_id AND status = 'waiting' AND due_at <= :now
       ORDER BY created_at, occasion LIMIT :most""",
)
_settle = Command(
    """UPDATE hookpost SET status = :status
       WHERE webhook_id = :webhook_id AND occasion = :occasion AND status = 'waiting'"""
)
_put_off = Command(
    """UPDATE hookpost SET due_at = :until
       WHERE webhook_id = :webhook_id AND status = 'waiting' AND due_at < :until"""
)
_arrived = Command(
    """UPDATE webhook SET held_until = NULL, rests_until = :until, failures = 0, failing_since = NULL,
                          error = '', sent_at = :now,
                          status = CASE WHEN :tested THEN 'on' ELSE status END
       WHERE id = :webhook_id"""
)
_failed = Command(
    """UPDATE webhook SET held_until = NULL, rests_until = :until, failures = failures + 1,
                          failing_since = COALESCE(failing_since, :now), error = :error
       WHERE id = :webhook_id"""
)
_release = Command("UPDATE webhook SET held_until = NULL WHERE id = :webhook_id")
_switch_off = Command("UPDATE webhook SET status = 'off' WHERE id = :webhook_id AND status = 'on'")
_give_up = Command(
    "UPDATE hookpost SET status = 'failed' WHERE webhook_id = :webhook_id AND status = 'waiting'"
)
_give_up_tests = Command(
    """UPDATE hookpost SET status = 'failed'
       WHERE webhook_id = :webhook_id AND status = 'waiting' AND event = 'test'"""
)
_forget = Command(
    """DELETE FROM hookpost WHERE (webhook_id, occasion) IN
           (SELECT webhook_id, occasion FROM hookpost WHERE created_at <= :before
            ORDER BY created_at LIMIT :most)"""
)


def wanted(connection: Connection, player_id: int | None, match_id: int | None) -> bool:
    """Whether there is a hook that tells this player, or of this match."""
    return _wanted.one(connection, player_id=player_id or 0, match_id=match_id or 0)


def ask(connection: Connection, now: datetime, what: Occasion, player_id: int) -> None:
    """Have a player's own hooks tell something, those that are to."""
    word = f"% {what.event} %"
    if _ask.run(connection, what, player_id=player_id, word=word, now=now):
        wake_after_commit(connection)


def ask_of_match(connection: Connection, now: datetime, what: Occasion) -> None:
    """Have the hooks of a match tell something, those that are to."""
    if _ask_of_match.run(connection, what, word=f"% {what.event} %", now=now):
        wake_after_commit(connection)


def due(connection: Connection, now: datetime, most: int) -> list[int]:
    """The hooks at which so many posts are due, the longest waiting first."""
    return list(dict.fromkeys(_due.all(connection, now=now, most=most)))


def take(connection: Connection, now: datetime, webhook_id: int) -> tuple[Held, list[Post]] | None:
    """Hold a hook, with what is due there. None: it rests, or another worker holds it."""
    held = _take.first(connection, webhook_id=webhook_id, now=now, until=now + LEASE)
    if held is not None:
        return held, _waiting.all(connection, webhook_id=webhook_id, now=now, most=MOST_AT_ONCE)
    rests = _rests.first(connection, webhook_id=webhook_id, now=now)
    _put_off.run(connection, webhook_id=webhook_id, until=rests or now + SOON)
    return None


def settle(connection: Connection, held: Held, post: Post, status: str) -> None:
    """Keep what became of it: sent, dropped."""
    _settle.run(connection, post, webhook_id=held.id, status=status)


def put_off(connection: Connection, held: Held, until: datetime) -> None:
    """End the hold; what is due is looked at again then."""
    _put_off.run(connection, webhook_id=held.id, until=until)
    release(connection, held)


def release(connection: Connection, held: Held) -> None:
    """End the hold."""
    _release.run(connection, webhook_id=held.id)


def arrived(connection: Connection, now: datetime, held: Held, until: datetime, *, tested: bool) -> None:
    """A post arrived: the hook's failures are over, and it rests for a little. A test turns it on."""
    _arrived.run(connection, webhook_id=held.id, now=now, until=until, tested=tested)
    _put_off.run(connection, webhook_id=held.id, until=until)


def failed(connection: Connection, now: datetime, held: Held, until: datetime, error: str) -> None:
    """Nothing arrived: the hook rests, what waits is tried again then. Tests are not."""
    _failed.run(connection, webhook_id=held.id, now=now, until=until, error=error)
    _give_up_tests.run(connection, webhook_id=held.id)
    _put_off.run(connection, webhook_id=held.id, until=until)


def switch_off(connection: Connection, held: Held) -> bool:
    """Let a hook tell nothing until a test arrives, and give up what waits. False: it was not on."""
    _give_up.run(connection, webhook_id=held.id)
    return _switch_off.run(connection, webhook_id=held.id) == 1


def forget(connection: Connection, before: datetime, most: int) -> int:
    """Delete posts that were asked for before a moment; returns how many."""
    return _forget.run(connection, before=before, most=most)

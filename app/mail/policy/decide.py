"""The decision whether a letter can go now: its reader's settings, and whether letters reach the address."""

from datetime import datetime, timedelta

from app.mail.core import outbox, pushes
from app.mail.core.kind import Kind
from app.mail.core.letter import LetterRow
from app.mail.core.recipients import Addressee, addressee
from app.mail.letters.kinds import KINDS
from app.mail.policy.rules import (
    CHAT_EVERY,
    QUIET,
    InDigest,
    Later,
    Never,
    Now,
    Reader,
    Verdict,
    next_digest,
    presses,
    when,
)
from app.people import bars, blocks, preferences
from app.people.mailboxes import is_nowhere
from app.people.suppression import suppression_of
from app.play.match import chairs
from app.play.views import letter_facts
from app.store.connection import Connection
from app.store.outbox import LetterRequest

_OPENING = ("confirm", "sign_in", "address")
"""Kinds of letters by which something begins that a bar forbids."""
WATCHED_FOR = timedelta(seconds=150)
"""A page that looked so long ago may still be before its reader's eyes: they look more and more seldom."""


def decide(connection: Connection, letter: LetterRow, now: datetime, quiet: timedelta = QUIET) -> Verdict:
    """The verdict on the letter at this moment."""
    kind, to = KINDS[letter.kind], addressee(connection, letter)
    if is_nowhere(to.address_key):
        return Never("replaced")
    if is_barred(connection, letter, kind, to):
        return Never("barred")
    if (never := stopped(connection, letter, kind, to)) is not None:
        return never
    if is_silenced(connection, letter, to):
        return Never("blocked")
    if kind.answers and letter.digest_at is not None and now < letter.digest_at:
        return Later(letter.digest_at, "collecting")
    if to.player is None or letter.resent or kind.answers or kind.event == "account":
        return Now()  # nobody can leave what they ask for, or what their account depends on
    player_id = to.player.player_id
    match_id = letter.due_match_id or letter.match_id
    choice = preferences.choice_of(connection, player_id, match_id, kind.event)
    if letter.digest_at is not None and choice != "left" and now < letter.digest_at:
        return Later(letter.digest_at, "digest")
    reader, deadline = _reader(connection, letter, to), _deadline(connection, letter, player_id)
    found = when(kind, choice, reader, now, letter.created_at, deadline, quiet)
    if isinstance(found, Now) and letter.kind == "chat":
        last = outbox.last_sent(connection, letter)
        if last is not None and now < last + CHAT_EVERY:
            return Later(last + CHAT_EVERY, "collected")
    if isinstance(found, InDigest):
        at = letter.due_at if letter.reason == "digest" else found.at
        known = outbox.of_occasion(connection, digest_of(player_id, at).once)
        if known is not None and known.status != "waiting":
            at = next_digest(reader, now)
        found = Now() if presses(deadline, at) else InDigest(at, player_id)
    return found


def is_silenced(connection: Connection, letter: LetterRow, to: Addressee) -> bool:
    """Whether the letter comes from a person that its reader has muted or blocked."""
    if to.player is None or letter.match_id is None:
        return False
    if KINDS[letter.kind].event == "invitation" and letter.offer != "own_wish":
        host = letter_facts.host_of(connection, letter.match_id)
        return blocks.blocks(connection, to.player.player_id, host)
    if letter.by_seat is not None:
        other = letter_facts.player_of(connection, letter.match_id, letter.by_seat)
        return other in blocks.silenced(connection, to.player.player_id)
    return False


def digest_of(player_id: int, at: datetime) -> LetterRequest:
    """The request for the player's digest of that moment."""
    once = f"digest:{player_id}:{at.isoformat(timespec='minutes')}"
    return LetterRequest(kind="digest", once=once, player_id=player_id, digest_at=at)


def stopped(connection: Connection, letter: LetterRow, kind: Kind, to: Addressee) -> Never | None:
    """Never, if letters to the address are suppressed and its reader has not asked for this one since.

    A stranger who wants no letters gets none that were asked for in their name.
    """
    bar = suppression_of(connection, to.address_key, letter.match_id)
    if bar is None:
        return None
    asked_since = (kind.on_request or letter.resent) and letter.created_at > bar.at
    if asked_since and (bar.reason == "bounced" or kind.answers or to.confirmed):
        return None
    if bar.reason == "unwanted" and kind.owed:
        return None
    return Never("suppressed" if bar.reason == "bounced" else "left")


def is_barred(connection: Connection, letter: LetterRow, kind: Kind, to: Addressee) -> bool:
    """Whether a bar stops it: an address with a bar gets what its running games need, and nothing else."""
    if letter.kind == bars.TURNED_AWAY or not to.address_key or bars.of(connection, to.address_key) is None:
        return False
    if to.player is None or kind.event == "invitation" or letter.kind in _OPENING:
        return True
    return letter.kind != "over" and not chairs.running_of(connection, to.player.player_id)


def _reader(connection: Connection, letter: LetterRow, to: Addressee) -> Reader:
    if letter.player_id is None or to.player is None:
        return Reader()
    player, seen = to.player, to.player.seen_at
    if letter.match_id is not None:
        here = letter_facts.seen_at(connection, letter.match_id, letter.player_id)
        seen = max((one for one in (seen, here) if one is not None), default=None)
    shown = letter.kind == "asked" and _is_shown(connection, letter, letter.player_id)
    return Reader(player.zone, player.digest_hour, player.quiet_from, player.quiet_to, seen, shown)


def _is_shown(connection: Connection, letter: LetterRow, player_id: int) -> bool:
    """Whether a browser is notified of the letter's turn, or a visible page looked for it since."""
    if pushes.asked(connection, letter.id):
        return True
    since = letter.created_at - WATCHED_FOR
    return letter_facts.watched_since(connection, letter.match_id or 0, player_id, since)


def _deadline(connection: Connection, letter: LetterRow, player_id: int) -> datetime | None:
    """The deadline that the player must keep in the letter's match, or in any if it is about none."""
    if letter.match_id is None:
        return letter_facts.first_deadline(connection, player_id)
    if letter.seat is None:
        return None
    return letter_facts.deadline(connection, letter.match_id, letter.seat)

"""Chat: what players say to everybody in the match."""

import hashlib
from collections.abc import Iterator
from datetime import datetime, timedelta

from app import clock
from app.people import blocks, hook_posts, preferences
from app.people.checks import check_text
from app.people.hook_posts import Occasion
from app.play.match import notices
from app.play.match.locking import seated
from app.play.match.records import Closed, Refused, Viewer
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store

LONGEST_SAID = 1_000
"""Characters."""
MOST_SAID = 50
"""Lines of one seat in a day."""


def say(store: Store, viewer: Viewer, match_id: int, text: str, *, once: str | None = None) -> bool:
    """Say a line to everybody: it is in the public log and in the next letters. False: `once` came before.

    Every player of the match may, at any time, even after its end. `once` names the occasion; the same text
    on the same occasion is said once. Raises NotFound (no such match, or not a player of it),
    Closed("moved") and Refused("text_empty", "text_too_long", "said_too_often").
    """
    line = check_text(text, LONGEST_SAID)
    with store.transaction() as connection:
        snapshot, seat = seated(connection, match_id, viewer)
        if not snapshot.running and not snapshot.over:
            raise Closed(snapshot.why_closed, match_id=match_id)
        speaker = snapshot.holder(seat)
        now = clock.now()
        if not notices.tell(
            connection,
            now,
            match_id,
            "said",
            seat=seat,
            by_seat=seat,
            once=occasion_key(f"said:{speaker.chair_id}", line, once),
            text=line,
            name=speaker.name,
        ):
            return False
        if notices.said_since(connection, match_id, seat, now - timedelta(days=1)) > MOST_SAID:
            raise Refused("said_too_often", most=MOST_SAID)
        enqueue(connection, now, *_letters(connection, now, snapshot, speaker))
        _ask_hooks(connection, now, snapshot, speaker)
        return True


def _ask_hooks(connection: Connection, now: datetime, snapshot: MatchSnapshot, speaker: SeatHolder) -> None:
    """Have the webhooks of the others tell of it, but of those who have muted the speaker."""
    what = Occasion(
        event="chat", occasion=f"chat:{snapshot.match_id}:{now.isoformat()}", match_id=snapshot.match_id
    )
    for holder in snapshot.holders:
        player_id = holder.player_id
        if player_id is None or player_id == speaker.player_id:
            continue
        if hook_posts.wanted(connection, player_id, None) and speaker.player_id not in blocks.silenced(
            connection, player_id
        ):
            hook_posts.ask(connection, now, what, player_id)


def _letters(
    connection: Connection, now: datetime, snapshot: MatchSnapshot, speaker: SeatHolder
) -> Iterator[LetterRequest]:
    """The letters for players who chose them. The others read the line in their next letter.

    Players who have muted the speaker get none.
    """
    match_id = snapshot.match_id
    for holder in snapshot.holders:
        player_id = holder.player_id
        if player_id is None or player_id == speaker.player_id:
            continue
        if speaker.player_id in blocks.silenced(connection, player_id):
            continue
        if preferences.choice_of(connection, player_id, match_id, "chat") in ("at_once", "digest"):
            yield holder.letter(match_id, "chat", f"chat:{match_id}:{player_id}:{now.isoformat()}")


def occasion_key(kind: str, text: str, once: str | None) -> str | None:
    """The key of an occasion and a text, or None without an occasion.

    Another text is another key, so that two windows with the same form don't silence each other.
    """
    if once is None:
        return None
    mark = hashlib.sha256(f"{once} {text}".encode()).hexdigest()[:32]
    return f"{kind}:{mark}"

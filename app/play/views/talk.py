"""What players say to the table, and what each writes to himself."""

import hashlib
from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec

from app import clock
from app.people import preferences
from app.people.checks import check_text
from app.play.match import notices
from app.play.match.locking import seated
from app.play.match.records import NotFound, Refused, Viewer
from app.play.match.snapshot import SeatHolder
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.statement import Statement, Wire, is_key, moment, stored

LONGEST_SAID = 1_000
MOST_SAID = 50
"""By one seat in a day."""
LONGEST_NOTE = 4_000
MOST_NOTES = 100
"""Of one player in one match."""

_said = Statement(
    "SELECT count(*) FROM notice WHERE match_id = ? AND by_seat = ? AND what = 'said' AND at > ?"
)
_notes = Statement("SELECT id, text, at FROM note WHERE chair_id = ? ORDER BY id DESC")
_count = Statement("SELECT count(*) FROM note WHERE chair_id = ?")
_add = Statement(
    "INSERT INTO note (chair_id, text, once, at) VALUES (?, ?, ?, ?)", after="ON CONFLICT (once) DO NOTHING"
)
_change = Statement("UPDATE note SET text = ?, at = ? WHERE id = ? AND chair_id = ?")
_forget = Statement("DELETE FROM note WHERE id = ? AND chair_id = ?")
_noted = Statement("UPDATE chair SET noted = noted + 1 WHERE id = ?")
_listen = Statement(
    """SELECT DISTINCT c.player_id, c.seat FROM chair c
       JOIN preference p ON p.player_id = c.player_id AND p.event = 'chat' AND p.match_id IN (0, c.match_id)
       WHERE c.match_id = ? AND c.until IS NULL"""
)


class Note(msgspec.Struct, frozen=True):
    """What a player wrote to himself."""

    note_id: int
    text: str
    at: datetime
    """When it was last changed."""


def say(store: Store, bearer: Viewer, match_id: int, text: str, *, once: str | None = None) -> bool:
    """Tell the whole table something, in one line. It stands in the public log and in the next letters.

    Anybody who sits there may, whoever is to move, also after the end. `once` names the occasion: the same
    said again on it is False, and changes nothing. Raises NotFound (no such match, or no seat of it) and
    Refused("text_empty", "text_too_long", "said_too_often").
    """
    line = check_text(text, LONGEST_SAID)
    with store.transaction() as connection:
        place = _place(connection, bearer, match_id)
        now = clock.now()
        if not notices.tell(
            connection,
            now,
            match_id,
            "said",
            seat=place.seat,
            by_seat=place.seat,
            once=_occasion(f"said:{place.chair_id}", line, once),
            text=line,
            name=place.name,
        ):
            return False
        ((said,),) = _said.fetch(
            connection, match_id, place.seat, stored(connection, now - timedelta(days=1))
        )
        if said > MOST_SAID:
            raise Refused("said_too_often", most=MOST_SAID)
        enqueue(connection, now, *_letters(connection, now, match_id, place.player_id))
        return True


def _letters(connection: Wire, now: datetime, match_id: int, speaker: int | None) -> Iterator[LetterRequest]:
    """For the others who want letters of what is said. All the rest read it in their next letter."""
    for player_id, seat in _listen.fetch(connection, match_id):
        wanted = preferences.choice_of(connection, player_id, match_id, "chat") in ("at_once", "digest")
        if wanted and player_id != speaker:
            yield LetterRequest(
                kind="chat",
                once=f"chat:{match_id}:{player_id}:{now.isoformat()}",
                match_id=match_id,
                seat=seat,
                player_id=player_id,
            )


def notes(store: Store, bearer: Viewer, match_id: int) -> tuple[Note, ...]:
    """The bearer's own notes on a match, the newest first. A successor on the seat has his own.

    Raises NotFound: no such match, or no seat of it.
    """
    with store.reading() as connection:
        place = _place(connection, bearer, match_id)
        rows = _notes.fetch(connection, place.chair_id)
        return tuple(Note(note_id, text, moment(at)) for note_id, text, at in rows)


def note(store: Store, bearer: Viewer, match_id: int, text: str, *, once: str | None = None) -> bool:
    """Keep a note for the bearer alone. `once` and what is raised: as `say`; and Refused("notes_full")."""
    kept = check_text(text, LONGEST_NOTE, lines=True)
    with store.transaction() as connection:
        place = _place(connection, bearer, match_id)
        key = _occasion(f"note:{place.chair_id}", kept, once)
        if not _add.run(connection, place.chair_id, kept, key, stored(connection, clock.now())):
            return False
        ((count,),) = _count.fetch(connection, place.chair_id)
        if count > MOST_NOTES:
            raise Refused("notes_full", most=MOST_NOTES)
        _noted.run(connection, place.chair_id)
        return True


def change_note(store: Store, bearer: Viewer, match_id: int, note_id: int, text: str) -> None:
    """Give a note another text. Raises NotFound: no such note, or not his; else as `note`."""
    kept = check_text(text, LONGEST_NOTE, lines=True)
    with store.transaction() as connection:
        place = _place(connection, bearer, match_id)
        now = stored(connection, clock.now())
        if not is_key(note_id) or not _change.run(connection, kept, now, note_id, place.chair_id):
            raise NotFound("note")
        _noted.run(connection, place.chair_id)


def delete_note(store: Store, bearer: Viewer, match_id: int, note_id: int) -> None:
    """Delete a note; one that is gone is gone. Raises NotFound: no such match, or no seat of it."""
    with store.transaction() as connection:
        place = _place(connection, bearer, match_id)
        if is_key(note_id) and _forget.run(connection, note_id, place.chair_id):
            _noted.run(connection, place.chair_id)


def _place(connection: Wire, bearer: Viewer, match_id: int) -> SeatHolder:
    """The bearer's seat. Raises NotFound."""
    standing, seat = seated(connection, match_id, bearer)
    return standing.place(seat)


def _occasion(whose: str, text: str, once: str | None) -> str | None:
    """A key of the occasion; another text is another one, so that two windows do not silence each other."""
    if once is None:
        return None
    mark = hashlib.sha256(f"{once} {text}".encode()).hexdigest()[:32]
    return f"{whose}:{mark}"

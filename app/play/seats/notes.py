"""Private notes of players on a match."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from app import clock
from app.people.checks import check_text
from app.play.match import chairs
from app.play.match.locking import seated
from app.play.match.records import NotFound, Refused, Viewer
from app.play.seats.chat import occasion_key
from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Command, Query, is_key

LONGEST_NOTE = 4_000
"""Characters."""
MOST_NOTES = 100
"""Of one player in one match."""


_bring = Command("INSERT INTO note (chair_id, text, at) VALUES (:chair_id, :text, :at)")


class Kept(msgspec.Struct, frozen=True):
    """The text of a note, and when it was last changed."""

    text: str
    at: datetime


class Note(msgspec.Struct, frozen=True):
    """A private note."""

    note_id: int
    text: str
    at: datetime
    """When it was last changed."""


_of_chair = Query(
    Note, "SELECT id AS note_id, text, at FROM note WHERE chair_id = :chair_id ORDER BY id DESC"
)
_count = Query(int, "SELECT count(*) FROM note WHERE chair_id = :chair_id")
_insert = Command(
    """INSERT INTO note (chair_id, text, once, at) VALUES (:chair_id, :text, :once, :now)
       ON CONFLICT (once) DO NOTHING"""
)
_change = Command("UPDATE note SET text = :text, at = :now WHERE id = :note_id AND chair_id = :chair_id")
_delete = Command("DELETE FROM note WHERE id = :note_id AND chair_id = :chair_id")


def notes(store: Store, viewer: Viewer, match_id: int) -> tuple[Note, ...]:
    """The viewer's notes on a match, the newest first. Successors on a seat don't see them.

    Raises NotFound: no such match, or not a player of it.
    """
    with store.looking() as connection:
        chair_id = _chair_of(connection, viewer, match_id)
        return tuple(_of_chair.all(connection, chair_id=chair_id))


def of_chair(connection: Connection, chair_id: int) -> list[Note]:
    """The notes of a player's time on a seat, the first one first: for the operator who moves a match."""
    return _of_chair.all(connection, chair_id=chair_id)[::-1]


def check(text: str) -> str:
    """The text of a note as it is kept. Raises Refused("text_empty", "text_too_long")."""
    return check_text(text, LONGEST_NOTE, lines=True)


def bring(connection: Connection, chair_id: int, notes: Sequence[Kept]) -> None:
    """Write down a player's notes from another server, of which `check` was asked."""
    _bring.write(connection, notes, chair_id=chair_id)


def note(store: Store, viewer: Viewer, match_id: int, text: str, *, once: str | None = None) -> bool:
    """Add a note for the viewer alone. `once` and errors are those of `say`, and Refused("notes_full")."""
    kept = check(text)
    with store.transaction() as connection:
        chair_id = _chair_of(connection, viewer, match_id)
        key = occasion_key(f"note:{chair_id}", kept, once)
        if not _insert.run(connection, chair_id=chair_id, text=kept, once=key, now=clock.now()):
            return False
        if _count.one(connection, chair_id=chair_id) > MOST_NOTES:
            raise Refused("notes_full", most=MOST_NOTES)
        chairs.touch_notes(connection, chair_id)
        return True


def keep(store: Store, viewer: Viewer, match_id: int, text: str) -> None:
    """Keep an unsent list among the viewer's notes, in place of another that begins with the same word.

    A list is a text with semicolons, so that no other note is lost. Raises as `note`.
    """
    kept = check_text(text, LONGEST_NOTE, lines=True)
    word = kept.partition(" ")[0]
    with store.transaction() as connection:
        chair_id = _chair_of(connection, viewer, match_id)
        before = _of_chair.all(connection, chair_id=chair_id)
        same = [one.note_id for one in before if one.text.partition(" ")[0] == word and ";" in one.text]
        now = clock.now()
        if same:
            _change.run(connection, note_id=same[0], chair_id=chair_id, text=kept, now=now)
        elif len(before) >= MOST_NOTES:
            raise Refused("notes_full", most=MOST_NOTES)
        else:
            key = occasion_key(f"note:{chair_id}", kept, None)
            _insert.run(connection, chair_id=chair_id, text=kept, once=key, now=now)
        chairs.touch_notes(connection, chair_id)


def drop(store: Store, viewer: Viewer, match_id: int, word: str) -> None:
    """Delete the unsent list that begins with the word, if one is kept. Raises NotFound."""
    with store.transaction() as connection:
        chair_id = _chair_of(connection, viewer, match_id)
        for one in _of_chair.all(connection, chair_id=chair_id):
            if one.text.partition(" ")[0] == word and ";" in one.text:
                _delete.run(connection, note_id=one.note_id, chair_id=chair_id)
                chairs.touch_notes(connection, chair_id)


def change_note(store: Store, viewer: Viewer, match_id: int, note_id: int, text: str) -> None:
    """Change the text of a note. Raises NotFound: no such note, or another player's; else as `note`."""
    kept = check_text(text, LONGEST_NOTE, lines=True)
    with store.transaction() as connection:
        chair_id = _chair_of(connection, viewer, match_id)
        row = {"note_id": note_id, "chair_id": chair_id, "text": kept, "now": clock.now()}
        if not is_key(note_id) or not _change.run(connection, **row):
            raise NotFound("note")
        chairs.touch_notes(connection, chair_id)


def delete_note(store: Store, viewer: Viewer, match_id: int, note_id: int) -> None:
    """Delete a note, if it is there. Raises NotFound: no such match, or not a player of it."""
    with store.transaction() as connection:
        chair_id = _chair_of(connection, viewer, match_id)
        if is_key(note_id) and _delete.run(connection, note_id=note_id, chair_id=chair_id):
            chairs.touch_notes(connection, chair_id)


def _chair_of(connection: Connection, viewer: Viewer, match_id: int) -> int:
    """The viewer's chair. Raises NotFound."""
    snapshot, seat = seated(connection, match_id, viewer)
    return snapshot.holder(seat).chair_id

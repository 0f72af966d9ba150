"""The forms for chat and private notes on a match's page."""

from collections.abc import Callable

import msgspec
from flask import request

from app.play.match.records import PlayerView, Viewer
from app.play.seats import chat, notes
from app.play.seats.chat import LONGEST_SAID
from app.play.seats.notes import LONGEST_NOTE, Note
from app.store.session import Store
from app.web.core.rendering import field

SAY, NOTE, CHANGE, FORGET = "say", "note", "change_note", "forget_note"
LONGEST_READ = 10_000
"""Characters read of a text: more than allowed, so that the refusal can say by how much."""


class ChatForm(msgspec.Struct, frozen=True):
    """The form for a chat message."""

    occasion: str
    """Makes sending the same form twice count once."""
    typed: str
    """A refused message."""
    max_length: int = LONGEST_SAID


class NotesCard(msgspec.Struct, frozen=True):
    """The viewer's private notes and the form for another."""

    notes: tuple[Note, ...]
    occasion: str
    typed: str
    max_length: int = LONGEST_NOTE


def _text() -> str:
    return field("text", LONGEST_READ)


def _note_id() -> int:
    return note_number(request.form.get("note", ""))


def note_number(text: str) -> int:
    """The number of a note in a form; 0: none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


ACTIONS: dict[str, Callable[[Store, Viewer, int], object]] = {
    SAY: lambda store, viewer, match: chat.say(store, viewer, match, _text(), once=field("occasion", 80)),
    NOTE: lambda store, viewer, match: notes.note(store, viewer, match, _text(), once=field("occasion", 80)),
    CHANGE: lambda store, viewer, match: notes.change_note(store, viewer, match, _note_id(), _text()),
    FORGET: lambda store, viewer, match: notes.delete_note(store, viewer, match, _note_id()),
}
"""The action of each button. Each raises the errors of its service."""
ANCHORS = {SAY: "say", NOTE: "notes", CHANGE: "notes", FORGET: "notes"}
"""The part of the page to return to after each action."""


def occasion(view: PlayerView, notes: tuple[Note, ...], noted: int) -> str:
    """A key of the page's state: equal forms sent from the same state act once.

    `noted` rises with the notes and orders of the viewer's own seat.
    """
    last = view.notices[-1].notice_id if view.notices else 0
    newest = notes[0].note_id if notes else 0
    return f"state {view.last_ply}.{last}.{newest}.{len(notes)}.{noted}"

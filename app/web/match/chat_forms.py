"""What a player says to the table and writes to himself, from the forms on the page of a match."""

from collections.abc import Callable

from flask import request

from app.play.match.records import PlayerView, Viewer
from app.play.views import talk
from app.store.session import Store
from app.web.core.rendering import field

SAY, NOTE, CHANGE, FORGET = "say", "note", "change_note", "forget_note"
ROOM = 10_000
"""Characters that are read of what was typed: more than there is room for, to say by how much."""


def _typed() -> str:
    return field("text", ROOM)


def _note_id() -> int:
    return request.form.get("note", 0, type=int)


ACTS: dict[str, Callable[[Store, Viewer, int], object]] = {
    SAY: lambda store, bearer, match: talk.say(store, bearer, match, _typed(), once=field("occasion", 80)),
    NOTE: lambda store, bearer, match: talk.note(store, bearer, match, _typed(), once=field("occasion", 80)),
    CHANGE: lambda store, bearer, match: talk.change_note(store, bearer, match, _note_id(), _typed()),
    FORGET: lambda store, bearer, match: talk.delete_note(store, bearer, match, _note_id()),
}
"""What the buttons do. Each raises what its service raises."""
PARTS = {SAY: "say", NOTE: "notes", CHANGE: "notes", FORGET: "notes"}
"""Where on the page one goes on after each."""


def occasion(sight: PlayerView, notes: tuple[talk.Note, ...]) -> str:
    """Names this state of the page: what is sent twice from it is one thing, what is sent later another."""
    last = sight.notices[-1].notice_id if sight.notices else 0
    newest = notes[0].note_id if notes else 0
    return f"{sight.last_ply}.{last}.{newest}.{len(notes)}"

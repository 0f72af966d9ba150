"""Operations that play: answers, taking back, resigning, reminders, conditional moves, messages, notes."""

from datetime import datetime
from typing import Annotated, Any

import msgspec
from flask import request
from msgspec import Meta

from app.people.api_keys import PLAY, READ
from app.play.deadlines import nudges
from app.play.match import presence
from app.play.match.records import Done
from app.play.moves import orders, service
from app.play.moves.orders import MOST_WISHES, Orders
from app.play.seats import chat, notes
from app.play.seats.chat import LONGEST_SAID
from app.play.seats.notes import LONGEST_NOTE
from app.web.api.operations import ONCE, Asked, operation
from app.web.api.reading import MATCH, seen
from app.web.api.small_records import Did

LONGEST_ANSWER = 4000
SOURCE = "api"
"""How the log names the way by which an answer came."""


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a question."""

    question: Annotated[str, Meta(max_length=80)]
    """Its id."""
    answer: Annotated[str, Meta(max_length=LONGEST_ANSWER)]
    """One of its `answers`, or any legal move in the game's notation; several steps, each on its own line."""


class Played(msgspec.Struct, frozen=True):
    """An answer that was played."""

    match: int
    seat: str
    ply: int
    """After it."""
    moves: tuple[str, ...]
    """As they were made."""
    again: bool
    """It had been played before; nothing was done now."""


class TakeBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The step to take back."""

    ply: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    """The last ply of the match, as it was read: another step is not taken back."""


class SeatName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat."""

    seat: Annotated[str, Meta(max_length=20)]


class PastOrder(msgspec.Struct, frozen=True):
    """A conditional move that was played or came to nothing."""

    line: str
    """In the game's notation."""
    result: str
    """played, turn_over, none_possible, ended, resigned, replaced or over."""
    at: datetime | None


class Conditional(msgspec.Struct, frozen=True):
    """Conditional moves and standing answers of the caller's seat. Nobody else learns of them."""

    lines: tuple[str, ...]
    """The moves for the next turn, in the order in which they are tried."""
    policies: dict[str, str]
    """Standing answers, by kind."""
    past: tuple[PastOrder, ...]
    """The last ones that were played or came to nothing, newest first."""


class ConditionalMoves(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Conditional moves for the next turn, in the order in which they are tried."""

    lines: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=MOST_WISHES)]
    """In the game's notation; those that are not possible are passed over."""


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A standing answer."""

    choice: Annotated[str, Meta(max_length=40)]
    """One of the policy's choices, with a number for `N`; `ask` ends it."""


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text."""

    text: Annotated[str, Meta(min_length=1, max_length=max(LONGEST_SAID, LONGEST_NOTE))]


class Note(msgspec.Struct, frozen=True):
    """A private note."""

    id: int
    text: str
    at: datetime


class Notes(msgspec.Struct, frozen=True):
    """The caller's notes on a match, the newest first."""

    notes: tuple[Note, ...]
    """Nobody else can read them."""


@operation("POST", f"{MATCH}/answers", Played, scope=PLAY, takes=Answer)
def post_answer(asked: Asked[None, Answer], match_id: int) -> Played:
    """Answer a question of the caller's seat. The line is played whole or not at all.

    The same answer sent again is recorded once. 409: the question is answered otherwise, or the match over.
    """
    seen(asked, match_id)
    body = asked.body
    done = service.play(asked.store, asked.caller.viewer, body.question, body.answer, source=SOURCE)
    return _played(done)


@operation("POST", f"{MATCH}/take-back", Played, scope=PLAY, takes=TakeBack)
def post_take_back(asked: Asked[None, TakeBack], match_id: int) -> Played:
    """Take back the last step of the caller's seat, until something is revealed or another seat acts."""
    return _played(service.take_back(asked.store, asked.caller.viewer, match_id, ply=asked.body.ply))


@operation("POST", f"{MATCH}/resign", Played, scope=PLAY)
def post_resign(asked: Asked, match_id: int) -> Played:
    """Give up the caller's seat: default moves play on for it, and it ranks last. It can't be undone."""
    return _played(service.resign(asked.store, asked.caller.viewer, match_id, source=SOURCE))


@operation("POST", f"{MATCH}/seen", Did, scope=PLAY)
def post_seen(asked: Asked, match_id: int) -> Did:
    """Keep that the caller has seen their turn: no email about it is needed."""
    presence.saw(asked.store, asked.caller.viewer, match_id)
    return Did()


@operation("POST", f"{MATCH}/nudge", Did, scope=PLAY, takes=SeatName)
def post_nudge(asked: Asked[None, SeatName], match_id: int) -> Did:
    """Send a reminder to the player of another seat; once a day at most."""
    return Did(nudges.nudge(asked.store, asked.caller.viewer, match_id, asked.body.seat))


@operation("GET", f"{MATCH}/conditional", Conditional, scope=READ)
def get_conditional(asked: Asked, match_id: int) -> Conditional:
    """The conditional moves and standing answers of the caller's seat."""
    return _conditional(orders.orders(asked.store, asked.caller.viewer, match_id))


@operation("PUT", f"{MATCH}/conditional", Conditional, scope=PLAY, takes=ConditionalMoves)
def put_conditional(asked: Asked[None, ConditionalMoves], match_id: int) -> Conditional:
    """Replace the conditional moves of the caller's seat. They need not be legal now."""
    seen(asked, match_id)
    lines = "\n".join(asked.body.lines)
    return _conditional(orders.leave(asked.store, asked.caller.viewer, match_id, lines))


@operation("DELETE", f"{MATCH}/conditional", Conditional, scope=PLAY)
def delete_conditional(asked: Asked, match_id: int) -> Conditional:
    """Withdraw all conditional moves and standing answers of the caller's seat."""
    return _conditional(orders.withdraw(asked.store, asked.caller.viewer, match_id))


@operation("PUT", f"{MATCH}/policies/<string(maxlength=40):name>", Conditional, scope=PLAY, takes=Setting)
def put_policy(asked: Asked[None, Setting], match_id: int, name: str) -> Conditional:
    """Answer a kind of question in advance, for as long as the caller holds the seat."""
    seen(asked, match_id)
    return _conditional(
        orders.set_policy(asked.store, asked.caller.viewer, match_id, name, asked.body.choice)
    )


@operation("POST", f"{MATCH}/messages", Did, scope=PLAY, takes=Text)
def post_message(asked: Asked[None, Text], match_id: int) -> Did:
    """Say a line to everybody in the match. Read them in its history."""
    return Did(chat.say(asked.store, asked.caller.viewer, match_id, asked.body.text, once=_occasion()))


@operation("GET", f"{MATCH}/notes", Notes, scope=READ)
def get_notes(asked: Asked, match_id: int) -> Notes:
    """The caller's private notes on a match."""
    return _notes(asked, match_id)


@operation("POST", f"{MATCH}/notes", Did, scope=PLAY, takes=Text)
def post_note(asked: Asked[None, Text], match_id: int) -> Did:
    """Add a private note."""
    return Did(notes.note(asked.store, asked.caller.viewer, match_id, asked.body.text, once=_occasion()))


@operation("PUT", f"{MATCH}/notes/<int(max=2147483647):note_id>", Did, scope=PLAY, takes=Text)
def put_note(asked: Asked[None, Text], match_id: int, note_id: int) -> Did:
    """Change the text of a note."""
    notes.change_note(asked.store, asked.caller.viewer, match_id, note_id, asked.body.text)
    return Did()


@operation("DELETE", f"{MATCH}/notes/<int(max=2147483647):note_id>", Did, scope=PLAY)
def delete_note(asked: Asked, match_id: int, note_id: int) -> Did:
    """Delete a note, if it is there."""
    notes.delete_note(asked.store, asked.caller.viewer, match_id, note_id)
    return Did()


def _occasion() -> str | None:
    """The key of the request, by which the same text is said once."""
    return request.headers.get(ONCE)


def _played(done: Done) -> Played:
    return Played(done.match_id, done.seat, done.ply, done.moves, done.again)


def _notes(asked: Asked[Any, Any], match_id: int) -> Notes:
    found = notes.notes(asked.store, asked.caller.viewer, match_id)
    return Notes(tuple(Note(one.note_id, one.text, one.at) for one in found))


def _conditional(found: Orders) -> Conditional:
    policies: dict[str, str] = {}
    for one in found.policies:
        policies.setdefault(one.name, one.text)
    return Conditional(
        tuple(one.text for one in found.wishes),
        policies,
        tuple(PastOrder(one.line, one.result, one.closed_at) for one in found.past),
    )

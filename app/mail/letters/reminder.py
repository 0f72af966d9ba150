"""The reminder: one letter for all that waits for a player, the nearest deadline first."""

import msgspec
from sqlalchemy import Exists, exists, select
from sqlmodel import col

from app import clock, narrate
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.mail.letters import deadlines
from app.people import preferences
from app.play.views.pending import Turn, turns
from app.store.tables import Letter


class Waiting(msgspec.Struct, frozen=True):
    """A turn of the reader's."""

    name: str
    """Of its match and seat."""
    deadline: str
    url: str


def reminder(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To a player for whom something waits whose clock runs, unless a reminder went out since it was due.

    It tells nothing of matches about which he wants no reminders.
    """
    assert errand.player_id is not None
    with desk.store.reading() as connection:
        if connection.execute(select(_reminded_since(errand))).scalar():
            return Dropped("told")
        waiting = [
            turn
            for turn in turns(connection, errand.player_id, clock.now())
            if preferences.wants_reminder(connection, errand.player_id, turn.match_id)
        ]
    timed = [turn.deadline for turn in waiting if turn.deadline is not None]
    if not timed:
        return Dropped("answered")
    if all(one.stands and one.why != "off" for one in timed):  # a weekday off is not his own wish
        return Dropped("stands")
    shown = [_waiting(desk, errand, turn) for turn in waiting]
    return Page({"reader": errand.name, "waiting": shown}, "Tidepost")


def _reminded_since(errand: LetterContext) -> Exists:
    asked = select(col(Letter.created_at)).where(col(Letter.id) == errand.letter_id).scalar_subquery()
    return exists().where(
        col(Letter.player_id) == errand.player_id,
        col(Letter.kind) == errand.kind,
        col(Letter.sent_at) >= asked,
        col(Letter.id) != errand.letter_id,
    )


def _waiting(desk: MailContext, errand: LetterContext, turn: Turn) -> Waiting:
    title = narrate.match_name(turn.game, errand.language, turn.match_id)
    said = [errand.say("reminder_no_clock")]
    if turn.deadline is not None:
        said = deadlines.sentences(errand, turn.deadline, turn.rule)
    name = errand.say("links_line", title, errand.house("seat", turn.seat))
    return Waiting(name, " ".join(said), desk.turn_link(errand, turn.match_id, turn.seat, turn.run))

"""The reminder: one letter about all turns of a player, the nearest deadline first."""

import msgspec

from app import clock, narrate
from app.mail.core import outbox
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.mail.letters import deadlines
from app.people import preferences
from app.play.views.pending import Turn, turns


class Waiting(msgspec.Struct, frozen=True):
    """A turn of the reader's."""

    name: str
    """Of its match and seat."""
    match: str
    """The name of its match."""
    deadline: str
    url: str


def reminder(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a player with a turn whose clock runs, unless another reminder went out since this one was due.

    It leaves out matches for which the player wants no reminders.
    """
    player_id = context.letter.player_id
    assert player_id is not None
    with mailer.store.reading() as connection:
        if outbox.sent_since(connection, context.letter):
            return Dropped("told")
        waiting = [
            turn
            for turn in turns(connection, player_id, clock.now())
            if preferences.wants_reminder(connection, player_id, turn.match_id)
        ]
    timed = [turn.deadline for turn in waiting if turn.deadline is not None]
    if not timed:
        return Dropped("answered")
    if all(one.stands and one.why != "off" for one in timed):  # a weekday off is not the player's own wish
        return Dropped("stands")
    shown = [_waiting(mailer, context, turn) for turn in waiting]
    return Page({"reader": context.name, "waiting": shown}, "Tidepost")


def _waiting(mailer: MailContext, context: LetterContext, turn: Turn) -> Waiting:
    title = narrate.match_name(turn.game, context.language, turn.match_id)
    said = [context.say("reminder_no_clock")]
    if turn.deadline is not None:
        said = deadlines.sentences(context, turn.deadline, turn.rule)
    name = context.say("links_line", title, context.site("seat", turn.seat))
    return Waiting(name, title, " ".join(said), mailer.turn_link(context, turn.match_id, turn.seat, turn.ply))

"""Letters about time: the grace period has begun, it has ended, and another player nudges."""

from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.mail.letters.match import page
from app.play.views import letter_facts
from app.play.views.letter_facts import TurnState


def late(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a seat that missed its deadline, while its grace period runs."""
    turn = context.letter.turn
    return page(mailer, context, turn=turn) if _turn(mailer, context).late else Dropped("answered")


def nudge(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a player, at the request of another: a reminder of a turn, while the match waits for it."""
    if not _turn(mailer, context).open or _acted_since(mailer, context):
        return Dropped("answered")
    written = page(mailer, context, turn=context.letter.turn)
    if isinstance(written, Page):
        if written.facts["stands"]:
            return Dropped("stands")
        written.facts["by_seat"] = context.letter.by_seat
    return written


def timed_out(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a player who missed a deadline: the result, the move that was played, and how to go on."""
    letter = context.letter
    still_theirs = letter.consequence == "replace" and _turn(mailer, context).open
    written = page(mailer, context, turn=letter.turn if still_theirs else None)
    if isinstance(written, Page):
        written.facts["then"] = letter.consequence
    return written


def _turn(mailer: MailContext, context: LetterContext) -> TurnState:
    with mailer.store.reading() as connection:
        return letter_facts.turn_state(connection, context.letter.seat_turn)


def _acted_since(mailer: MailContext, context: LetterContext) -> bool:
    """Whether the seat has answered anything since the letter was enqueued."""
    turn, since = context.letter.seat_turn, context.letter.created_at
    with mailer.store.reading() as connection:
        return letter_facts.answered_since(connection, turn.match_id, turn.seat, since)

"""Letters that time brings: the grace has begun, it is over, and another player asks one to go on."""

from sqlalchemy import ColumnElement, exists, select
from sqlmodel import col

from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.mail.letters.match import page
from app.store.tables import Letter, Question


def late(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To a seat whose time is up, while its grace lasts."""
    waits = _waits(desk, errand, late=True)
    return page(desk, errand, run=errand.run) if waits else Dropped("answered")


def nudge(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To a player whom another reminds that he is waited for, while he is."""
    if not _waits(desk, errand) or _acted_since(desk, errand):
        return Dropped("answered")
    written = page(desk, errand, run=errand.run)
    if isinstance(written, Page):
        if written.facts["stands"]:
            return Dropped("stands")
        written.facts["by_seat"] = errand.by_seat
    return written


def timed_out(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To a player who did not answer in time: what followed, what was played, and how to go on."""
    still_theirs = errand.consequence == "replace" and _waits(desk, errand)
    written = page(desk, errand, run=errand.run if still_theirs else None)
    if isinstance(written, Page):
        written.facts["then"] = errand.consequence
    return written


def _waits(desk: MailContext, errand: LetterContext, *, late: bool = False) -> bool:
    """The run still asks the seat; `late`: in its grace."""
    open_in_run = col(Question.run) == errand.run, col(Question.closed_at).is_(None)
    return _has(desk, errand, *open_in_run, *([col(Question.late_at).is_not(None)] if late else []))


def _acted_since(desk: MailContext, errand: LetterContext) -> bool:
    """The seat has answered something since the letter was asked for."""
    asked_for = select(col(Letter.created_at)).where(col(Letter.id) == errand.letter_id).scalar_subquery()
    return _has(desk, errand, col(Question.answer).is_not(None), col(Question.closed_at) >= asked_for)


def _has(desk: MailContext, errand: LetterContext, *such: ColumnElement[bool]) -> bool:
    """The seat of the letter has, or had, such a question."""
    own = col(Question.match_id) == errand.match_id, col(Question.seat) == errand.seat
    with desk.store.reading() as connection:
        return connection.execute(select(exists().where(*own, *such))).scalar_one()

"""The letter that confirms an absence."""

from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.people.absences import MOST_DAYS
from app.play.deadlines import absences

PATH = "/profile/away"


def away(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To the player: first and last day, and the days that the yearly limit leaves."""
    assert context.letter.player_id is not None
    leave = absences.absences_of(mailer.store, context.letter.player_id)
    found = next(one for one in leave.absences if one.absence_id == context.letter.absence_id)
    if found.cancelled_at is not None:
        return Dropped("cancelled")
    facts = {
        "reader": context.name,
        "first": context.formats.day(found.first),
        "last": context.formats.day(found.last),
        "zone": found.zone,
        "year": found.last.year,
        "left": leave.left(found.last.year),
        "most": MOST_DAYS,
        "url": mailer.link(PATH),
    }
    return Page(facts, "Tidepost")

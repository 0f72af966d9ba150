"""The letter that confirms to a player when he is away."""

from datetime import UTC, datetime, time

from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.people.absences import MOST_DAYS
from app.play.deadlines import absences

PATH = "/profile/away"


def away(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To himself: from when until when, and what the yearly limit leaves."""
    assert errand.player_id is not None
    leave = absences.absences_of(desk.store, errand.player_id)
    found = next(one for one in leave.absences if one.absence_id == errand.absence_id)
    if found.cancelled_at is not None:
        return Dropped("cancelled")
    first, last = (datetime.combine(day, time(12), UTC) for day in (found.first, found.last))
    facts = {
        "reader": errand.name,
        "first": errand.house("day", first),
        "last": errand.house("day", last),
        "zone": found.zone,
        "year": found.last.year,
        "left": leave.left(found.last.year),
        "most": MOST_DAYS,
        "url": desk.link(PATH),
    }
    return Page(facts, "Tidepost")

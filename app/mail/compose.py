"""A row of the outbox into a letter, as late as can be: what is no longer true is not sent."""

from collections.abc import Callable, Mapping

from app.mail import (
    absence_letters,
    digest_letters,
    match_letters,
    people_letters,
    reminder_letters,
    reply_letters,
    seat_letters,
    table_letters,
    time_letters,
)
from app.mail import errand as errands
from app.mail.envelope import seal
from app.mail.errand import Desk, Errand, Page
from app.mail.letter import Composed, Dropped
from app.mail.replying import answerable
from app.settings import Settings
from app.store.session import Store

WRITERS: Mapping[str, Callable[[Desk, Errand], Page | Dropped]] = {
    "confirm": table_letters.confirm,
    "invited": table_letters.invited,
    "invitation_reminder": table_letters.invited,
    "answered": table_letters.answered,
    "expired": table_letters.answered,
    "withdrawn": table_letters.withdrawn,
    "called_off": table_letters.called_off,
    "started": match_letters.started,
    "asked": match_letters.asked,
    "late": time_letters.late,
    "nudge": time_letters.nudge,
    "timed_out": time_letters.timed_out,
    "reminder": reminder_letters.reminder,
    "over": match_letters.over,
    "seat_offer": seat_letters.offered,
    "joined": match_letters.started,
    "replaced": seat_letters.replaced,
    "away": absence_letters.away,
    "news": match_letters.news,
    "chat": match_letters.said,
    "digest": digest_letters.digest,
    "links": people_letters.again,
    "sign_in": people_letters.sign_in,
    "address": people_letters.new_address,
    "address_changed": people_letters.address_changed,
    "reply": reply_letters.reply,
    "reply_confirm": reply_letters.confirm,
}
"""One for each kind of letter; its templates are in `templates/mail/<kind>`."""


def compose(store: Store, settings: Settings, letter_id: str) -> Composed | Dropped:
    """The letter as its reader may see things now, with fresh links; or why it is not to be sent.

    Tokens are made here, in the worker that sends them: they pass through no queue and no log. The tokens of
    an earlier try stay good.
    """
    with store.reading() as connection:
        errand = errands.read(connection, letter_id)
    desk = Desk(store, settings)
    page = WRITERS[errand.kind](desk, errand)
    return page if isinstance(page, Dropped) else seal(settings, errand, answerable(desk, errand, page))

"""A row of the outbox into a letter, as late as can be: what is no longer true is not sent."""

from collections.abc import Callable, Mapping

from app.mail.core import context as errands
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Composed, Dropped
from app.mail.core.reply_address import answerable
from app.mail.letters import absence, match, people, seat, table, time
from app.mail.letters import digest as digest_letters
from app.mail.letters import reminder as reminder_letters
from app.mail.letters import reply as reply_letters
from app.mail.outbound.message import build_message
from app.settings import Settings
from app.store.session import Store

WRITERS: Mapping[str, Callable[[MailContext, LetterContext], Page | Dropped]] = {
    "confirm": table.confirm,
    "invited": table.invited,
    "invitation_reminder": table.invited,
    "answered": table.answered,
    "expired": table.answered,
    "withdrawn": table.withdrawn,
    "called_off": table.called_off,
    "started": match.started,
    "asked": match.asked,
    "late": time.late,
    "nudge": time.nudge,
    "timed_out": time.timed_out,
    "reminder": reminder_letters.reminder,
    "over": match.over,
    "seat_offer": seat.offered,
    "joined": match.started,
    "replaced": seat.replaced,
    "away": absence.away,
    "news": match.news,
    "chat": match.said,
    "digest": digest_letters.digest,
    "links": people.again,
    "sign_in": people.sign_in,
    "address": people.new_address,
    "address_changed": people.address_changed,
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
    desk = MailContext(store, settings)
    page = WRITERS[errand.kind](desk, errand)
    return (
        page if isinstance(page, Dropped) else build_message(settings, errand, answerable(desk, errand, page))
    )

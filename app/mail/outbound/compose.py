"""Composition of a letter, as late as possible: a letter that is no longer true is not sent."""

import msgspec

from app.mail.core.context import MailContext
from app.mail.core.letter import Composed, Dropped, LetterRow
from app.mail.core.recipients import context_of
from app.mail.core.reply_address import answerable
from app.mail.letters.kinds import KINDS
from app.mail.outbound.message import build_message
from app.settings import Settings
from app.store.session import Store


def compose(store: Store, settings: Settings, letter: LetterRow) -> Composed | Dropped:
    """The letter as its reader may see things now, with new links; or the reason for not sending it.

    Tokens are made here, in the worker that sends them: they pass through no queue and no log. They act once
    the letter's text is about to be sent; those of an earlier try stay good.
    """
    with store.looking() as connection:
        context = context_of(connection, letter)
    mailer, kind = MailContext(store, settings), KINDS[letter.kind]
    page = kind.writer(mailer, context)
    if isinstance(page, Dropped):
        return page
    composed = build_message(settings, context, answerable(mailer, context, page, always=kind.repliable))
    return msgspec.structs.replace(composed, tokens=tuple(row for _, row in mailer.made))

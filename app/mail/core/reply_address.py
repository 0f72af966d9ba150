"""The address by which a letter can be replied to: one of its own, made when the letter is composed."""

from datetime import timedelta
from urllib.parse import quote

import msgspec

from app import clock
from app.mail.core import inbound_address
from app.mail.core.context import LetterContext, MailContext, Page
from app.play.moves import typed

LASTING = timedelta(days=60)
"""How long replies to letters about no match are accepted."""
_DIRECTIONS = str.maketrans(dict.fromkeys("\u2066\u2069"))


def answerable(mailer: MailContext, context: LetterContext, page: Page, *, always: bool) -> Page:
    """The page with an address for replies, if its reader can act by one.

    Commands sent there belong to the reader's present turn. `always`: the kind can be replied to even if it
    is about no match in which the reader has a seat.
    """
    letter = context.letter
    if not mailer.settings.inbox or letter.player_id is None:
        return page
    seat = turn = expires_at = None
    with mailer.store.reading() as connection:
        if letter.match_id is not None:
            seat, turn = typed.turn_of(connection, letter.match_id, letter.player_id)
        if seat is None:
            if not always:
                return page
            expires_at = clock.now() + LASTING
    token = mailer.reply_token(
        context,
        match_id=letter.match_id,
        seat=seat,
        run=turn,
        player_id=letter.player_id,
        expires_at=expires_at,
    )
    return msgspec.structs.replace(page, reply_to=inbound_address.address(mailer.settings, token))


def examples(page: Page) -> list[str]:
    """Up to two of the reader's legal answers, for the letter to name."""
    asked = [one for one in page.facts.get("asking", ()) if not one.optional] or page.facts.get("asking", ())
    texts = [text for one in asked for text in (*one.examples, *(answer.text for answer in one.answers))]
    return texts[:2]


def mailto(reply_to: str, subject: str, text: str) -> str:
    """A link that opens a reply with a line already written. Programs that follow links don't send it."""
    body = quote(text.translate(_DIRECTIONS), safe="")
    return f"mailto:{quote(reply_to, safe='@+')}?subject={quote(f'Re: {subject}', safe='')}&body={body}"

"""By what a letter can be answered: an address of its own, made when the letter is written."""

from datetime import timedelta
from urllib.parse import quote

import msgspec

from app import clock
from app.mail.core import inbound_address
from app.mail.core.context import LetterContext, MailContext, Page
from app.play.match import links
from app.play.moves import typed

ABOUT_NO_MATCH = frozenset({"digest", "reply", "reply_confirm"})
"""Kinds of letters that can be answered though they are about no match, or about several."""
LASTING = timedelta(days=60)
"""How long such a letter can be."""
_DIRECTIONS = str.maketrans(dict.fromkeys("\u2066\u2069"))


def answerable(desk: MailContext, errand: LetterContext, page: Page) -> Page:
    """The page with an address for replies, where its reader may act by one.

    What he writes there belongs to the run of questions that he is asked in now.
    """
    if not desk.settings.inbox or errand.player_id is None:
        return page
    seat = run = expires_at = None
    with desk.store.transaction() as connection:
        if errand.match_id is not None:
            seat, run = typed.run_of(connection, errand.match_id, errand.player_id)
        if seat is None:
            if errand.kind not in ABOUT_NO_MATCH:
                return page
            expires_at = clock.now() + LASTING
        token = links.mint(
            connection,
            "reply",
            match_id=errand.match_id,
            seat=seat,
            run=run,
            player_id=errand.player_id,
            letter_id=errand.letter_id,
            expires_at=expires_at,
        )
    return msgspec.structs.replace(page, reply_to=inbound_address.address(desk.settings, token))


def examples(page: Page) -> list[str]:
    """What the reader could write, for the letter to name: some of his legal answers."""
    asked = [one for one in page.facts.get("asking", ()) if not one.optional] or page.facts.get("asking", ())
    texts = [text for one in asked for text in (*one.examples, *(answer.text for answer in one.answers))]
    return texts[:2]


def mailto(reply_to: str, subject: str, text: str) -> str:
    """A link that opens a reply with a line already written. No machine that follows links sends it."""
    body = quote(text.translate(_DIRECTIONS), safe="")
    return f"mailto:{quote(reply_to, safe='@+')}?subject={quote(f'Re: {subject}', safe='')}&body={body}"

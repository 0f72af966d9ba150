"""Operations on the emails that were sent to the caller, with what became of each."""

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from app.mail.policy import history
from app.people.api_keys import ACCOUNT, READ
from app.web.api import cursors
from app.web.api.operations import Asked, operation
from app.web.api.small_records import Did
from app.web.core.sent_letters import LAST, SentLetter, sent_letter

SENT = "/my/emails/sent"


class Email(msgspec.Struct, frozen=True):
    """An email to the caller."""

    id: str
    kind: str
    """Its subject in words, such as `Your turn`."""
    match: int | None
    """The number of its match; null: it is about none."""
    title: str
    """Of its match; empty if it is about none."""
    status: str
    """waiting, sent, unknown (whether it went), failed or dropped."""
    reason: str
    """Why it wasn't sent, in words; empty if there is nothing to say."""
    asked_at: datetime
    """When it was asked for."""
    due_at: datetime
    """When it goes, where it waits."""
    sent_at: datetime | None
    """When it went; null: it did not."""
    again: bool
    """It can be sent again."""


class SentEmails(msgspec.Struct, frozen=True):
    """A page of the caller's emails, the newest first."""

    emails: tuple[Email, ...]
    """With those that wait, and those that were not sent."""
    next: str
    """The cursor of the next page; empty: this is the last."""


class Which(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of the caller's emails."""

    match: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    """The number of the match that they are about; 0: all."""
    cursor: Annotated[str, Meta(max_length=400)] = ""


@operation("GET", SENT, SentEmails, scope=READ, query=Which)
def get_sent_emails(asked: Asked[Which]) -> SentEmails:
    """The emails that were sent to the caller, wait, or were held back and why."""
    number = min(max(cursors.read(asked.query.cursor, int) or 0, 0), LAST)
    found = history.latest(asked.store, asked.caller.own.id, asked.query.match, number)
    more = cursors.written(number + 1) if len(found) > history.MOST and number < LAST else ""
    lines = [sent_letter(one, asked.caller.language) for one in found[: history.MOST]]
    return SentEmails(tuple(map(_email, lines)), more)


@operation("POST", f"{SENT}/<string(maxlength=40):email_id>/again", Did, scope=ACCOUNT)
def post_sent_email_again(asked: Asked, email_id: str) -> Did:
    """Have an email sent again, at once; once an hour at most. Its links last as long as the first ones."""
    history.send_again(asked.store, asked.caller.own.id, email_id)
    return Did()


def _email(one: SentLetter) -> Email:
    line = one.line
    return Email(
        id=line.id,
        kind=one.kind,
        match=line.match_id,
        title=one.title,
        status=line.status,
        reason=one.reason,
        asked_at=line.asked_at,
        due_at=line.due_at,
        sent_at=line.sent_at,
        again=line.again,
    )

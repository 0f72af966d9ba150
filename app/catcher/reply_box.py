"""A reply from the mail catcher's page, built and sent as by a mail program."""

import re
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr

from app import clock
from app.mail.outbound import smtp

LONGEST = 20_000
"""Characters that the box accepts."""
ONCE = re.compile("[0-9a-f]{16}")
"""An id for each filled box, so that a form that is sent twice is one reply."""


def message_id(once: str) -> str:
    """The Message-ID of the reply from that box."""
    return f"<{once}@box.invalid>"


def answers(letter: EmailMessage, once: str) -> bool:
    """Whether the letter answers that reply."""
    return str(letter["In-Reply-To"] or "").strip() == message_id(once)


def send(letter: EmailMessage, quoted: str, text: str, once: str, url: str) -> None:
    """Reply to a letter, with its text quoted below. Raises smtp.Unsent."""
    reply = EmailMessage(policy=policy.SMTP)
    to = parseaddr(str(letter["Reply-To"]))[1]
    sender = parseaddr(str(letter["To"]))[1]
    reply["From"] = sender
    reply["To"] = to
    reply["Subject"] = f"Re: {letter['Subject'] or ''}"
    reply["Date"] = format_datetime(clock.now())
    reply["Message-ID"] = message_id(once)
    reply["In-Reply-To"] = str(letter["Message-ID"] or "")
    reply["References"] = f"{letter['References'] or ''} {letter['Message-ID'] or ''}".strip()
    below = "\n".join(f"> {line}".rstrip() for line in quoted.splitlines())
    typed = "\n".join(text.splitlines())
    reply.set_content(f"{typed}\n\nOn {letter['Date'] or 'that day'}, Tidepost <{to}> wrote:\n\n{below}\n")
    smtp.send(url, sender, to, reply)

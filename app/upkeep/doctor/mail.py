"""Emails out and in: the mail server's greeting and password, a letter to oneself, and the way of a reply."""

import uuid
from collections.abc import Iterator
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime

from app import clock
from app.mail.bounces.refusals import masked
from app.mail.core import inbound_address, inbox, signed_addresses
from app.mail.outbound import signature, smtp, wire
from app.mail.outbound.smtp import Trouble
from app.settings import Settings
from app.soundness.finding import Finding
from app.store.session import Store
from app.upkeep.doctor.finding import Case
from app.upkeep.doctor.waiting import awaited


def smtp_login(case: Case) -> Iterator[Finding]:
    """Whether the mail server greets us, offers TLS where it is wanted, and takes our password."""
    if case.settings.caught:
        return
    server = wire.relay(case.settings.smtp_url)
    if server.scheme == "smtp" and server.user:
        yield Finding(
            f"the password goes to {server.host} without TLS",
            "Anyone on the way can read it and send emails in your name.",
            "Write TIDEPOST_SMTP_URL with ?starttls at its end, or smtps://",
        )
    trouble = smtp.greeted(case.settings.smtp_url)
    if trouble is not None:
        kind, said = trouble
        what, do = _TROUBLES[kind]
        yield Finding(
            f"{server.host}:{server.port} {what}: {masked(said)}",
            "No email goes out; they wait, and players' clocks get the time back.",
            do,
        )


_TROUBLES = {
    Trouble.PASSWORD: ("refuses the password", "Mend user and password in TIDEPOST_SMTP_URL"),
    Trouble.OFFER: ("doesn't offer what is wanted", "Ask its operator for STARTTLS, or the right port"),
    Trouble.ANSWER: ("turns us away", "Ask its operator to let this machine send"),
    Trouble.CERTIFICATE: ("has a certificate that isn't valid", "Write the name that its certificate has"),
    Trouble.AWAY: (
        "can't be reached",
        "Mend TIDEPOST_SMTP_URL, or ask whether your provider blocks this port",
    ),
}


def letter(case: Case) -> Iterator[Finding]:
    """Whether the mail server takes an email to the address that was named."""
    if case.letter_to and not case.settings.caught:
        yield from _handed_over(
            case, case.letter_to, "A test of Tidepost", "This email was sent by `tidepost doctor`.\n"
        )


def reply_path(case: Case) -> Iterator[Finding]:
    """Whether a mail to an address like those of replies comes back to us, and is read."""
    now = case.settings
    if not now.inbox or now.caught or not case.letter_to:
        return
    name = uuid.uuid4().hex
    address = signed_addresses.address(now, signed_addresses.PROBE, name)
    refused = list(_handed_over(case, address, "A test of the way of replies", "tidepost doctor\n"))
    yield from refused
    if refused:
        return
    case.say(f"waiting for a mail to come back, {case.wait:.0f} s at most")
    state = _state(case, name)
    if state == "":
        yield Finding(
            f"a mail to {_shown(address)} didn't come back within {case.wait:.0f} s",
            "Replies with moves, and bounces, are lost or wait somewhere.",
            f"Look whether the MX records of {now.mail_domain} lead to the server of TIDEPOST_INBOX_URL, "
            "whether that server keeps addresses with a plus, and whether `tidepost inbox` runs",
        )
    elif state == "waiting":
        yield Finding(
            "a mail came back, but nobody reads it",
            "Moves by reply aren't carried out.",
            "Start `tidepost worker`",
        )


def _handed_over(case: Case, to: str, subject: str, text: str) -> Iterator[Finding]:
    now = case.settings
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = f"Tidepost <tidepost@{now.mail_domain}>"
    message["To"], message["Subject"] = to, subject
    message["Date"] = format_datetime(clock.now())
    message["Message-ID"] = f"<{uuid.uuid4().hex}@{now.mail_domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    try:
        smtp.send(
            now.smtp_url,
            f"tidepost@{now.mail_domain}",
            to,
            message,
            sign=lambda whole: signature.signed(now, whole),
        )
    except (smtp.Unsent, smtp.Lost) as error:
        shown = to if to == case.letter_to else _shown(to)
        yield Finding(
            f"the mail server doesn't take an email to {shown}: {masked(str(error))}",
            "What it says to a test it says to players' emails too.",
            "Ask your provider about its words; often the sender's domain or this address isn't allowed",
        )


def _shown(address: str) -> str:
    """The address without its token."""
    return f"{address.partition('+')[0]}+…@{address.rpartition('@')[2]}"


def _state(case: Case, name: str) -> str:
    """The status of the mail when it is read or the time is up; empty if it didn't come."""
    mark = inbound_address.mark_of(signed_addresses.PROBE, name)

    def look(store: Store) -> str:
        with store.reading() as connection:
            return inbox.status_at(connection, mark)

    return awaited(case, look, lambda found: found not in ("", "waiting"), "")


def sends_from(settings: Settings) -> str:
    """The host that hands emails over to the world, as far as we know it."""
    return wire.relay(settings.smtp_url).host

"""Bounces. Only a delivery notice that says for good that there is no such address stops letters.

Notices of a delay, refusals of us or by policy, full mailboxes, and automatic answers stop nothing; a letter
that did not arrive is shown as such.
"""

import logging
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message

import msgspec
from flufl.bounce import all_failures

from app import clock
from app.mail.bounces import address, plain
from app.mail.bounces.refusals import About, Stage, about, masked
from app.mail.core import outbox, relay, signed_addresses
from app.people.suppression import suppression_of
from app.settings import Settings
from app.store.connection import Connection
from app.store.session import Store

log = logging.getLogger(__name__)
logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # a broken mail is no trouble of ours

MOST_PARTS = 50
LONGEST = 20_000
"""Characters of a notice without a report that are read."""
REASONS = {About.FULL: "mailbox_full", About.US: "refused_us"}
"""Words for the player's page; the rest is `undelivered`."""
_WORST = (About.PERSON, About.US, About.POLICY, About.FULL, About.LATER)
_CODE = re.compile(r"(?<![\d.])([45]\d\d)(?=[ -]|$)")
_STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
_DAEMON = re.compile(r"(?i)\b(mailer-?daemon|postmaster|mail delivery (sub)?system)\b")
_QUOTED = re.compile(
    r"^(?:-+ ?(?:original|forwarded|this is a copy|below this line|start of returned|included is a copy)"
    r"|received: |return-path: |dkim-signature: ).*",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


class Answer(msgspec.Struct, frozen=True):
    """A notice about one address."""

    about: About
    said: str


def bounced(store: Store, settings: Settings, local_part: str, raw: bytes) -> str:
    """Process a mail to an address `b+…`. The same notice twice has one effect.

    The player's page tells of every letter that was not delivered. Returns `bounced`, `kept` (a delay, or a
    policy: the address may be good), `no_notice` (an automatic answer), or `unknown` (no address of ours).
    """
    letter_id = signed_addresses.letter_at(settings, signed_addresses.BOUNCE, local_part)
    if letter_id is None:
        return "unknown"
    found = _answers(raw)
    if found is None:
        return "no_notice"
    failed = sorted(found, key=lambda answer: _WORST.index(answer.about))
    if not failed:
        return "kept"  # a delay, or a delivery
    with store.transaction() as connection:
        return _record(connection, letter_id, failed[0])


def _record(connection: Connection, letter_id: str, answer: Answer) -> str:
    letter, now = outbox.letter(connection, letter_id), clock.now()
    if letter is None:
        return "unknown"
    if answer.about is not About.PERSON:
        ours = answer.about is not About.FULL
        reason = REASONS.get(answer.about, "undelivered")
        if outbox.mark_returned(connection, letter_id, reason, now, ours=ours):
            address.refused(
                connection, letter.sent_to, letter_id, answer.about, answer.said, now, by_notice=True
            )
            if answer.about in (About.US, About.POLICY):
                relay.said(connection, now, answer.about, answer.said)
        return "kept"
    known = suppression_of(connection, letter.sent_to)
    # A second notice changes nothing: the player may have said since that the address is good.
    first = None if letter.reason == "bounced" else letter.sent_at
    if first is not None and (known is None or known.at < first):
        address.refused(connection, letter.sent_to, letter_id, answer.about, answer.said, now)
    outbox.mark_returned(connection, letter_id, "bounced", now)
    log.info("letter %s came back", letter_id)
    return "bounced"


def _answers(raw: bytes) -> list[Answer] | None:
    """The parts of a notice about addresses that failed for good. None: it is no delivery notice."""
    try:
        mail = message_from_bytes(raw)
        blocks = list(_blocks(mail))
        if blocks:
            return [answer for block in blocks if (answer := _answer(block)) is not None]
        told = [_judged(code, text, stage) for stage, code, text in plain.refusals(mail)]
        return told or _told_in_another_form(mail)
    except Exception:  # the parser may raise anything for a broken mail, which is no notice
        log.warning("a mail to a bounce address cannot be read", exc_info=True)
        return None


def _blocks(mail: Message) -> Iterator[Message]:
    """The parts of a report about each address."""
    parts = [part for _, part in zip(range(MOST_PARTS), mail.walk(), strict=False)]
    for part in parts:
        if part.get_content_type() in ("message/delivery-status", "message/global-delivery-status"):
            for block in part.get_payload():
                if isinstance(block, Message) and block.get("action"):
                    yield block


def _answer(block: Message) -> Answer | None:
    """The answer of the last server, and the status of the one that writes; None if it has not failed."""
    if not str(block["action"]).strip().lower().startswith(("fail", "error")):
        return None
    status = _STATUS.search(str(block.get("status", "")))
    said = " ".join(str(block.get("diagnostic-code", "")).partition(";")[2].split())
    told = _STATUS.search(said)
    if status is None and told is None and not said:
        return Answer(About.POLICY, "")
    finest = "" if status is None or (told is not None and not _says_little(told[0])) else status[0]
    if finest.startswith("4"):  # its server tried for as long as it does
        return Answer(About.FULL if finest == "4.2.2" else About.LATER, masked(said))
    code = _CODE.search(said)
    # A failure is for good, whatever the last temporary answer was.
    return _judged(max(500, int(code[1])) if code else 500, f"{finest} {said}".strip())


def _says_little(status: str) -> bool:
    return status.endswith(".0.0")


def _judged(code: int, text: str, stage: Stage = Stage.RECIPIENT) -> Answer:
    return Answer(about(stage, code, text), masked(text))


def _told_in_another_form(mail: Message) -> list[Answer] | None:
    """A notice in one of the many forms that `flufl.bounce` knows; why it failed is left to its words.

    It takes what people quote for a notice too: only a mail system's own mail is asked about.
    """
    if not _DAEMON.search(str(mail.get("from", ""))) or plain.is_form(mail):
        return None
    delayed, failed = all_failures(mail)
    if not failed:
        return [] if delayed else None
    part = next((one for one in mail.walk() if one.get_content_type() == "text/plain"), None)
    text = "" if part is None else plain.text_of(part)
    return [_judged(500, _QUOTED.sub("", text[:LONGEST]))]

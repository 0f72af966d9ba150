"""Bounces. Only a delivery notice that says for good that there is no such address stops letters.

Notices of a delay, refusals by policy, and automatic answers stop nothing.
"""

import logging
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message

from app import clock
from app.mail.bounces import plain
from app.mail.core import outbox, signed_addresses
from app.people.suppression import suppress, suppression_of
from app.settings import Settings
from app.store.connection import Connection
from app.store.session import Store

log = logging.getLogger(__name__)

MOST_PARTS = 50
_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_NOBODY = re.compile(r"5\.(0\.0|1\.[0-69]|1\.10|2\.1|4\.[14])")
"""No such address or host, or a closed one. Not our address as the sender (5.1.7, 5.1.8), not the content."""
_PLAIN = frozenset({550, 551, 553})
"""Codes that mean the address if the server gives no finer status."""
_GONE, _OTHER = "5.1.1", "5.3.0"
"""The statuses for a notice without one."""


def nobody_there(code: int, text: str) -> bool:
    """Whether a refusal means that there is no such address, for good and not for the letter's content."""
    finer = _STATUS.search(text)
    if finer is not None:
        return code >= 500 and _NOBODY.fullmatch(finer[0]) is not None
    return code in _PLAIN


def suppress_address(connection: Connection, address_key: str, letter_id: str) -> None:
    """Send no more letters to an address that does not exist."""
    if address_key:
        suppress(connection, address_key, "bounced", clock.now(), letter_id)


def bounced(store: Store, settings: Settings, local_part: str, raw: bytes) -> str:
    """Process a mail to an address `b+…`. The same notice twice has one effect.

    The player's page tells of every letter that was not delivered. Returns `bounced`, `kept` (a delay, or a
    policy: the address may be good), `no_notice` (an automatic answer), or `unknown` (no address of ours).
    """
    letter_id = signed_addresses.letter_at(settings, signed_addresses.BOUNCE, local_part)
    if letter_id is None:
        return "unknown"
    answers = list(_answers(raw))
    if not answers:
        return "no_notice"
    if not any(nobody_there(500, status) for status in answers):
        if any(answers):  # the player sees that it was not delivered, and can have it sent again
            with store.transaction() as connection:
                outbox.mark_returned(connection, letter_id, "undelivered", clock.now())
        return "kept"
    with store.transaction() as connection:
        letter = outbox.letter(connection, letter_id)
        if letter is None:
            return "unknown"
        known = suppression_of(connection, letter.sent_to)
        # A second notice changes nothing: the player may have said since that the address is good.
        first = None if letter.reason == "bounced" else letter.sent_at
        if first is not None and (known is None or known.at < first):
            suppress_address(connection, letter.sent_to, letter_id)
        outbox.mark_returned(connection, letter_id, "bounced", clock.now())
    log.info("letter %s came back", letter_id)
    return "bounced"


def _answers(raw: bytes) -> Iterator[str]:
    """The status of each address in a delivery notice; empty for a delay."""
    try:
        mail = message_from_bytes(raw)
        parts = [part for _, part in zip(range(MOST_PARTS), mail.walk(), strict=False)]
        for part in parts:
            if part.get_content_type() in ("message/delivery-status", "message/global-delivery-status"):
                for block in part.get_payload():
                    if isinstance(block, Message) and block.get("action"):
                        yield _answer(block)
        for code, text in plain.refusals(mail):
            yield _GONE if nobody_there(code, text) else _OTHER
    except Exception:  # the parser may raise anything for a broken mail, which is no notice
        log.warning("a mail to a bounce address cannot be read", exc_info=True)


def _answer(block: Message) -> str:
    """The finest status of a failure, such as 5.1.1; empty if it is no failure, or not yet."""
    if not str(block["action"]).strip().lower().startswith(("fail", "error")):
        return ""
    told = [match[0] for header in ("status", "diagnostic-code") if (match := _found(block, header))]
    return next((status for status in told if not status.endswith(".0.0")), told[0] if told else "")


def _found(block: Message, header: str) -> re.Match[str] | None:
    return _STATUS.search(str(block.get(header, "")))

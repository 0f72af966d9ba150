"""Letters that come back. Only a notice of delivery that says for good that nobody is there stops letters.

A notice that it takes longer, a policy of the other side, and machines that answer stop nothing.
"""

import logging
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message

from app import clock
from app.mail.bounces import plain
from app.mail.core import signed_addresses
from app.people.suppression import suppress, suppression_of
from app.settings import Settings
from app.store.session import Store
from app.store.statement import Statement, Wire, moment

log = logging.getLogger(__name__)

MOST_PARTS = 50
_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_NOBODY = re.compile(r"5\.(0\.0|1\.[0-69]|1\.10|2\.1|4\.[14])")
"""No such address or host, or one that is closed. Not ours as a sender (5.1.7, 5.1.8), not what we say."""
_PLAIN = frozenset({550, 551, 553})
"""Answers that mean the address, where the server gives no finer reason."""
_GONE, _OTHER = "5.1.1", "5.3.0"
"""What a notice without a status says."""

_sent = Statement("SELECT sent_to, sent_at, reason FROM letter WHERE id = ?")
_failed = Statement(
    "UPDATE letter SET status = 'failed', reason = ? WHERE id = ? AND status IN ('sent', 'unknown')"
)


def nobody_there(code: int, text: str) -> bool:
    """Whether a server's no means that nobody has the address: not for now, not for what the letter says."""
    finer = _STATUS.search(text)
    if finer is not None:
        return code >= 500 and _NOBODY.fullmatch(finer[0]) is not None
    return code in _PLAIN


def comes_back(connection: Wire, address_key: str, letter_id: str) -> None:
    """Send no more letters there. Twice is once."""
    if address_key:
        suppress(connection, address_key, "bounced", clock.now(), letter_id)


def bounced(store: Store, settings: Settings, local_part: str, raw: bytes) -> str:
    """Take what came to an address `b+…`. The same notice twice is one effect.

    Of a letter that did not arrive its player's page says so, whatever the cause. Returns what it was:
    `bounced`, `kept` (a delay, a policy: the address may be good), `no_notice` (an answer of some machine),
    or `unknown` where the address is none of ours.
    """
    letter_id = signed_addresses.letter_at(settings, signed_addresses.BOUNCE, local_part)
    if letter_id is None:
        return "unknown"
    answers = list(_answers(raw))
    if not answers:
        return "no_notice"
    if not any(nobody_there(500, status) for status in answers):
        if any(answers):  # its player sees that it did not reach him, and can have it sent again
            with store.transaction() as connection:
                _failed.run(connection, "undelivered", letter_id)
        return "kept"
    with store.transaction() as connection:
        found = _sent.fetch(connection, letter_id)
        if not found:
            return "unknown"
        key, sent_at, reason = found[0]
        known = suppression_of(connection, key)
        # Once told it is known: its player may have said since that the address is good.
        if sent_at is not None and reason != "bounced" and (known is None or known.at < moment(sent_at)):
            comes_back(connection, key, letter_id)
        _failed.run(connection, "bounced", letter_id)
    log.info("letter %s came back", letter_id)
    return "bounced"


def _answers(raw: bytes) -> Iterator[str]:
    """For each address that a notice of delivery tells of, why nothing was delivered; empty for a delay."""
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
    except Exception:  # whatever a broken mail makes of the parser, it is no notice
        log.warning("a mail to a bounce address cannot be read", exc_info=True)


def _answer(block: Message) -> str:
    """The finest status of a failure, such as 5.1.1; empty where it is none, or none yet."""
    if not str(block["action"]).strip().lower().startswith(("fail", "error")):
        return ""
    told = [match[0] for header in ("status", "diagnostic-code") if (match := _found(block, header))]
    return next((status for status in told if not status.endswith(".0.0")), told[0] if told else "")


def _found(block: Message, header: str) -> re.Match[str] | None:
    return _STATUS.search(str(block.get(header, "")))

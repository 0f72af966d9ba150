"""Opening a message: within limits, and without raising for malformed input."""

from email import message_from_bytes, policy
from email.message import Message as Mail

from app.mail.inbound.reading import headers, kinds, sealed, verdicts
from app.mail.inbound.reading.bodies import body_of
from app.mail.inbound.reading.enclosed import enclosed_in
from app.mail.inbound.reading.message import Kind, Message, OwnNames, Unreadable

MOST_BYTES = 256 * 1024
MOST_HEADER_BYTES = 64_000
MOST_HEADER_LINES = 600
MOST_LINES = 12_000
MOST_PARTS = 50
MOST_DEPTH = 10
LONGEST_TYPE = 1_000
"""Characters of a part's type with its parameters."""
MOST_BORDERS = 250
"""Lines that begin with two dashes, like those between parts."""


def open_message(raw: bytes, own: OwnNames, envelope_sender: str | None = None) -> Message | Unreadable:
    """The message in the bytes, or the reason that it cannot be read. Never raises.

    `envelope_sender`: the sender according to the transport; None if that is not known.
    """
    refused = _bomb(raw)
    if refused is not None:
        return refused
    try:
        return _opened(raw, own, envelope_sender)
    except Exception as error:  # noqa: BLE001 - the parser has raised five kinds already, and will find a sixth
        return Unreadable("broken", f"{type(error).__name__}: {error}"[:500])


def kind_by_head(raw: bytes, own: OwnNames, envelope_sender: str | None) -> tuple[Kind, str]:
    """The kind of a message that can't be opened, by its first headers alone, and its mark. Never raises."""
    lines = raw[:MOST_HEADER_BYTES].replace(b"\r\n", b"\n").partition(b"\n\n")[0].split(b"\n")
    try:
        mail = message_from_bytes(b"\n".join(lines[:MOST_HEADER_LINES]) + b"\n\n", policy=policy.compat32)
        _shorten(mail)
        return kinds.kind_of(mail, [mail], own, envelope_sender)
    except Exception:  # noqa: BLE001 - as above
        return "reply", ""


def has_text(raw: bytes) -> bool:
    """Whether the beginning of a message has the text that was typed."""
    opened = open_message(raw, OwnNames(""))
    return isinstance(opened, Message) and opened.body_from != "nothing"


def _bomb(raw: bytes) -> Unreadable | None:
    """The limit that a message exceeds, judged by its bytes alone."""
    if len(raw) > MOST_BYTES:
        return Unreadable("too_big", f"{len(raw)} bytes")
    plain = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    end = plain.find(b"\n\n")
    head = plain if end < 0 else plain[:end]
    lines = head.count(b"\n") + 1
    if len(head) > MOST_HEADER_BYTES or lines > MOST_HEADER_LINES:
        return Unreadable("long_headers", f"{len(head)} bytes in {lines} lines")
    rows = plain.count(b"\n")
    if rows > MOST_LINES:
        return Unreadable("many_lines", f"{rows} lines")
    borders = plain.count(b"\n--")
    if borders > MOST_BORDERS:
        return Unreadable("many_parts", f"{borders} borders")
    folded = plain.lower()
    depth = folded.count(b"boundary") + folded.count(b"message/")
    if depth > 3 * MOST_DEPTH:
        return Unreadable("deep", f"{depth} things with things in them")
    return None


def _opened(raw: bytes, own: OwnNames, envelope_sender: str | None) -> Message | Unreadable:
    mail = message_from_bytes(raw, policy=policy.compat32)
    parts: list[Mail] = []
    hidden: sealed.Sealed = ""
    waiting: list[tuple[Mail, int]] = [(mail, 1)]
    while waiting:
        part, depth = waiting.pop()
        _shorten(part)
        parts.append(part)
        if depth > MOST_DEPTH:
            return Unreadable("deep", f"more than {MOST_DEPTH}")
        if len(parts) > MOST_PARTS:
            return Unreadable("many_parts", f"more than {MOST_PARTS}")
        if sealed.is_smime(part, kinds.part_type(part)):
            inner = sealed.unwrapped(part)
            if inner is not None:
                waiting.append((message_from_bytes(inner, policy=policy.compat32), depth + 1))
            else:
                hidden = sealed.hidden_by(part)
        # Without parts, a payload with bytes beyond ASCII is decoded by Python, which raises for some sets.
        inside = part.get_payload() if part.is_multipart() else None
        # A mail that is forwarded as an attachment was not typed by the sender.
        if isinstance(inside, list) and part.get_content_maintype() != "message":
            waiting += [(one, depth + 1) for one in reversed(inside) if isinstance(one, Mail)]
    kind, why = kinds.kind_of(mail, parts, own, envelope_sender)
    body = body_of(parts)
    hidden = sealed.sealed_by([kinds.part_type(part) for part in parts], body.text) or (
        hidden if body.source == "nothing" else ""
    )
    subject = headers.subject(mail)
    return Message(
        kind=kind,
        why=why,
        sender=headers.sender(mail),
        unproven=verdicts.dmarc_fails(headers.values(mail, "Authentication-Results"), own.verifier),
        recipients=headers.recipients(mail),
        message_id=headers.message_id(mail),
        references=headers.references(mail),
        subject=subject,
        date=headers.date(mail),
        body=body.text,
        body_from=body.source,
        seems_automatic=kinds.seems_automatic(subject),
        sealed=hidden,
        enclosed=enclosed_in(parts),
        cut=body.cut,
        garbled=body.garbled,
    )


def _shorten(part: Mail) -> None:
    """Cut a header of thousands of parameters, because looking up one of them reads them all."""
    for name in ("Content-Type", "Content-Disposition"):
        said = part.get(name)
        if said is not None and len(str(said)) > LONGEST_TYPE:
            del part[name]
            part[name] = str(said)[:LONGEST_TYPE].replace("\r", "").replace("\n", "")

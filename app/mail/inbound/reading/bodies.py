"""The part of a message that was typed, and its text."""

import re
from email.message import Message as Mail

import msgspec

from app.mail.inbound.reading import headers, kinds
from app.mail.inbound.reading.charsets import decoded, is_garbled
from app.mail.inbound.reading.hypertext import text_of
from app.mail.inbound.reading.message import Source
from app.mail.inbound.reading.text import MOST_TEXT, clean, unenriched, unflowed, unsigned
from app.mail.inbound.reading.transfer import content

_ENRICHED = frozenset(("text/enriched", "text/richtext"))
_HTML = frozenset(("text/html", "application/xhtml+xml"))
_RICH = frozenset(("text/rtf", "application/rtf", "application/x-rtf"))
_AS_TYPED = (
    frozenset(("text/plain",)),
    frozenset(("text/markdown", "text/x-markdown", "text/x-web-markdown")),
    _ENRICHED,
    _HTML,
    _RICH,
)
"""The types of typed text, the surest first."""
_NOT_TYPED = frozenset((
    "text/plain", "text/html", "text/calendar", "text/csv", "text/css", "text/vcard", "text/x-vcard",
    "text/directory", "text/rtf", "text/xml", "text/javascript", "text/x-amp-html", "text/rfc822-headers",
    "text/vnd.google.email-reaction+json",
))  # fmt: skip
"""Text that programs make."""
_META = re.compile(rb"<meta[^<>]{0,200}charset\s*=\s*[\"']?([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
MOST_META = 4_000
"""Bytes of a page that are searched for the name of its set."""
_IS_HTML = re.compile(r"\s*<(?:!doctype html|html|head|body|div|p|span)\b[^<>]*>", re.IGNORECASE)
"""HTML that a program calls plain text."""
LONGEST_POINTER = 300
"""Characters of "You need a program that shows HTML"."""


class Body(msgspec.Struct, frozen=True):
    """The text that was typed."""

    text: str = ""
    source: Source = "nothing"
    cut: bool = False
    """It goes on beyond the limits of what is read."""
    garbled: bool = False
    """Its letters are a guess that is probably wrong."""


def body_of(parts: list[Mail]) -> Body:
    """The text and its source.

    The first plain text that is not blank and not attached; else the first Markdown or enriched text; else
    the first HTML; else the first RTF; else an attached plain text if it is the only one: some phones attach
    the typed text; else a text of a type that no program here knows. Text goes on behind a picture.
    """
    texts = [(kinds.part_type(part), part) for part in parts]
    for wanted in _AS_TYPED:
        body = _typed(texts, wanted)
        if body.text and not (_only_points_to_html(body.text) and _typed(texts, _HTML).text):
            return body
    attached = [part for kind, part in texts if kind == "text/plain" and _is_attached(part)]
    if len(attached) == 1 and (body := _plain(attached[0])).text.strip():
        return msgspec.structs.replace(body, source="attachment")
    for kind, part in texts:
        known = kind in _NOT_TYPED or not kind.startswith("text/")
        if not known and not _is_attached(part) and (body := _plain(part)).text.strip():
            return body
    return Body()


def _typed(texts: list[tuple[str, Mail]], wanted: frozenset[str]) -> Body:
    """The first text of these types that is not blank, with those that pictures or files part from it."""
    found: list[Body] = []
    beyond = False
    for kind, part in texts:
        if kind in wanted and not _is_attached(part):
            if found and not (beyond and part.get_filename() is None):
                break
            body = _html(part) if kind in _HTML else _plain(part, kind)
            found += [body] if body.text.strip() else []
            beyond = False
        elif found and kind.startswith(("text/", "multipart/")):
            break
        else:
            beyond = bool(found)
    if not found:
        return Body()
    cut, garbled = any(one.cut for one in found), any(one.garbled for one in found)
    return Body("\n\n".join(one.text for one in found), found[0].source, cut, garbled)


def _only_points_to_html(text: str) -> bool:
    """Whether a text may be a program's, which says that the HTML beside it should be read."""
    return len(text) < LONGEST_POINTER and "html" in text.casefold()


def _is_attached(part: Mail) -> bool:
    return headers.value(part, "Content-Disposition").casefold().startswith("attachment")


def _html(part: Mail) -> Body:
    text, cut = text_of(_decoded(part))
    return Body(clean(text), "html", cut, _is_garbled(part))


def _plain(part: Mail, kind: str = "text/plain") -> Body:
    whole = _decoded(part)
    text = whole[: 2 * MOST_TEXT]
    if _IS_HTML.match(whole):
        return _html(part)
    if kind in _RICH:
        text = _unrich(text)
    elif kind in _ENRICHED:
        text = unenriched(text)
    elif _param(part, "format") == "flowed":
        text = unflowed(text, drop_blank=_param(part, "delsp") == "yes")
    return Body(unsigned(clean(text)), "plain", len(whole) > MOST_TEXT, _is_garbled(part))


def _unrich(text: str) -> str:
    """The text of an RTF; empty if it is none."""
    from striprtf.striprtf import rtf_to_text

    try:
        return str(rtf_to_text(text, errors="ignore"))
    except Exception:  # noqa: BLE001 - malformed RTF raises many kinds
        return ""


def _is_garbled(part: Mail) -> bool:
    data = content(part)
    return is_garbled(data, _charset(part, data))


def _decoded(part: Mail) -> str:
    data = content(part)
    return decoded(data, _charset(part, data))


def _charset(part: Mail, data: bytes) -> str:
    """The set that the header names, or else the page itself."""
    named = _param(part, "charset")
    found = None if named else _META.search(data[:MOST_META])
    return found[1].decode() if found is not None and kinds.part_type(part) in _HTML else named


def _param(part: Mail, name: str) -> str:
    """A parameter of the part's type in lower case, even if the whole header came as an encoded word."""
    said = headers.value(part, "Content-Type")
    if said.startswith("=?"):
        decoded_part = Mail()
        decoded_part["Content-Type"] = headers.readable(said)
        part = decoded_part
    value = part.get_param(name, "")
    if isinstance(value, tuple):
        value = value[2]
    return str(value or "").strip().casefold()

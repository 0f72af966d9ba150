"""The content of a mail without a text of its own, so that its writer can be told what came."""

from email.message import Message as Mail

from app.mail.inbound.reading import headers, kinds
from app.mail.inbound.reading.message import Enclosed

_WINMAIL = ("application/ms-tnef", "application/vnd.ms-tnef")
_ORDER: tuple[Enclosed, ...] = (
    "damaged",
    "winmail",
    "recording",
    "picture",
    "letter",
    "calendar",
    "file",
    "shown",
)
_FILES = ("text/csv", "text/xml", "text/css", "text/javascript", "text/vcard", "text/directory")
_NO_FILES = ("text/", "multipart/", "message/", "application/pgp-signature", "application/pkcs7-signature")


def enclosed_in(parts: list[Mail]) -> Enclosed:
    """The most telling content beside the text of a mail with these parts."""
    found = {_what(part) for part in parts}
    return next((one for one in _ORDER if one in found), "")


def _what(part: Mail) -> Enclosed:
    kind = kinds.part_type(part)
    name = str(part.get_filename() or part.get_param("name") or "").casefold()
    if kind in _WINMAIL or name == "winmail.dat":
        return "winmail"
    if kind.startswith(("audio/", "video/")):
        return "recording"
    if kind.startswith("image/"):
        return "shown" if headers.value(part, "Content-ID") else "picture"
    if kind == "message/rfc822":
        return "letter"
    if kind == "text/calendar":
        return "calendar"
    if kind.startswith("multipart/") and not part.is_multipart() and str(part.get_payload()).strip():
        return "damaged"
    return "file" if name or kind in _FILES or not kind.startswith(_NO_FILES) else ""

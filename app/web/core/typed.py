"""Everything that was typed into a form or chosen in it, to be shown again if nothing came of it."""

import re

from flask import request
from markupsafe import Markup, escape
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.exceptions import HTTPException

HIDDEN = frozenset(
    {"do", "once", "hook", "occasion", "question", "ply", "seen", "seat", "match", "note", "absence"}
)
"""Fields that the page filled itself."""
FREE = frozenset(
    {
        "answer",
        "piece",
        "part",
        "move",
        "text",
        "address",
        "url",
        "others",
        "organiser",
        "name",
        "word",
        "reminders",
        "colour",
    }
)
"""Fields that people type in."""
NUMBERS = frozenset({"bank", "cap", "days", "first", "grace", "increment", "last", "number", "other-days"})
"""Fields for numbers and days, which are shorter than a sentence about them."""
SHORTEST = 3
"""Characters. Less is typed again sooner than found."""
ANY_LENGTH = 2**31
"""Bytes: the server has taken the request in whole by then, within its own limit."""
_MAIN = re.compile(r"<main\b[^>]*>")


def typed() -> str:
    """The typed and chosen values of the form, one on each line, also of one too long to be acted upon."""
    form = whole_form()
    values = [text for name in form if name not in HIDDEN for text in form.getlist(name)]
    return "\n".join(text.strip() for text in values if text.strip()).replace("\0", "")


def whole_form() -> ImmutableMultiDict[str, str]:
    """The fields of the form, however long it is; empty for what is no form."""
    try:
        return request.form
    except HTTPException:
        pass
    request.max_content_length = ANY_LENGTH
    try:
        return request.form
    except HTTPException:
        return ImmutableMultiDict()


def lost_in(page: str) -> str:
    """The typed values of the form that are nowhere on a page, one on each line."""
    shown = page.replace("\r\n", "\n")
    form = whole_form()
    values = [text.replace("\0", "").strip() for name in form if name in FREE for text in form.getlist(name)]
    plain = (text.replace("\r\n", "\n") for text in values if len(text) >= SHORTEST)
    return "\n".join(dict.fromkeys(text for text in plain if str(escape(text)) not in shown))


def with_typed(page: str, lost: str, label: str) -> str:
    """A page with a text field above its contents that shows what was typed."""
    kept = Markup(
        '<div class="note"><label for="typed-before">{}</label>'
        '<textarea id="typed-before" rows="6" dir="auto" translate="no" readonly>{}</textarea></div>'
    ).format(label, lost)
    return _MAIN.sub(lambda main: main.group() + str(kept), page, count=1)

"""Everything that was typed into a form or chosen in it, to be shown again if nothing came of it."""

from flask import request
from werkzeug.exceptions import HTTPException

LONGEST = 20_000
"""Characters that are shown again."""
HIDDEN = frozenset({"do", "once", "occasion", "question", "ply", "seen", "seat", "match", "note", "absence"})
"""Fields that the page filled itself."""


def typed() -> str:
    """The typed and chosen values of the form, one on each line; empty if the form is too long to be read."""
    try:
        form = request.form
    except HTTPException:  # too long, or in no form at all
        return ""
    values = [text for name in form if name not in HIDDEN for text in form.getlist(name)]
    return "\n".join(text.strip() for text in values if text.strip()).replace("\0", "")[:LONGEST]

"""The privacy page: what is stored and for how long, by the one list of the sweep and the settings."""

import msgspec
from flask import Blueprint, Response

from app.retention.kept import FILES, KEPT, Goes
from app.settings import Keep
from app.web.core.context import site
from app.web.core.rendering import render, unchanging

pages = Blueprint("privacy", __name__)

GROUPS = {
    "you": ("player", "formeraddress", "preference", "absence", "block", "report", "bar"),
    "games": (
        *("match", "chair", "played", "notice", "question", "standingorder", "whatif", "note", "invitation"),
        "picture",
    ),
    "emails": ("letter", "token", "incoming", "passedover", "suppressed", "unreached", "unasked"),
    "programs": ("login", "confirmation", "subscription", "push", "apikey", "webhook", "hookpost"),
    "server": ("audit", "deed", "counter", "relay", "house", "heartbeat"),
}
"""The tables in the order of the page; each has a sentence `stored_…` in `templates/privacy/words`."""


class Line(msgspec.Struct, frozen=True):
    """A table on the page."""

    table: str
    spans: dict[str, float]
    """`kept1` and so on: for how many seconds what goes of it is kept, in the order of `KEPT`."""


def lines(keep: Keep) -> dict[str, list[Line]]:
    """The lines of the page by group."""
    return {
        group: [Line(table, spans(KEPT[table], keep)) for table in found if table in KEPT]
        for group, found in GROUPS.items()
    }


def spans(rows: tuple[object, ...], keep: Keep) -> dict[str, float]:
    """The spans of what goes of a table, as its sentence names them."""
    found = [one.span(keep).total_seconds() for one in rows if isinstance(one, Goes)]
    return {f"kept{number}": seconds for number, seconds in enumerate(filter(None, found), 1)}


@pages.get("/privacy")
def show() -> Response:
    """The page, the same for everybody."""
    settings = site().settings
    caught = spans(FILES, settings.keep)["kept1"] if settings.caught else None
    return unchanging(render("privacy/privacy.html", groups=lines(settings.keep), caught=caught), shared=True)

"""Leaving the list of a letter, from its foot or by the button of a mail program."""

from flask import Blueprint, Response, request

from app import games, narrate
from app.mail.policy import unsubscribe as lists
from app.mail.policy.unsubscribe import Leaving
from app.web.core.context import site
from app.web.core.rendering import field, language, render

pages = Blueprint("leaving", __name__)


@pages.get("/u/<signed>")
def show(signed: str) -> Response:
    """What one may leave, and what one has left. Robots read this too: nothing happens."""
    return _page(lists.leaving(site().store, site().settings, signed), "")


@pages.post("/u/<signed>")
def change(signed: str) -> Response:
    """Leave, or come back. A mail program's one click needs no cookie and is not led elsewhere."""
    store, settings = site().store, site().settings
    if request.form.get("List-Unsubscribe") == "One-Click":
        return _page(lists.leave(store, settings, signed), "left")
    act = lists.come_back if field("do", 20) == "back" else lists.leave
    scope = field("scope", 20)
    if scope not in lists.SCOPES:
        return _page(lists.leaving(store, settings, signed), "", 422)
    return _page(act(store, settings, signed, scope), "back" if act is lists.come_back else "left")


def _page(found: Leaving, done: str, status: int = 200) -> Response:
    tongue = found.language or language()
    game = games.all_games().get(found.game or "")
    return render(
        "people/leaving.html",
        status,
        language=tongue,
        found=found,
        done=done,
        title=narrate.match_name(game, tongue, found.match_id) if game is not None and found.match_id else "",
        kind=narrate.say(narrate.SITE, tongue, f"list_{found.event or 'answer'}"),
    )

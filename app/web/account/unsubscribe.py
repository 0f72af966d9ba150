"""Unsubscribing from letters, by the link in their footer or a mail program's button."""

from flask import Blueprint, Response, request

from app import games, narrate
from app.mail.policy import unsubscribe
from app.mail.policy.unsubscribe import Leaving
from app.web.core import once
from app.web.core.context import site
from app.web.core.rendering import field, language, render

pages = Blueprint("leaving", __name__)


@pages.get("/u/<signed>")
def show(signed: str) -> Response:
    """The kinds of letters to unsubscribe from. Changes nothing, because mail scanners open links."""
    return _page(unsubscribe.leaving(site().store, site().settings, signed), "")


@pages.post("/u/<signed>")
@once.by_itself("it sets what the list shall be")
def change(signed: str) -> Response:
    """Unsubscribe or subscribe again. A one-click request (RFC 8058) has no cookie and is not redirected."""
    store, settings = site().store, site().settings
    if request.form.get("List-Unsubscribe") == "One-Click":
        found = unsubscribe.leave(store, settings, signed)
        return _page(found, "left" if any(found.scopes.values()) else "")
    back = field("do", 20) == "back"
    scope = field("scope", 20)
    if scope not in unsubscribe.SCOPES:
        return _page(unsubscribe.leaving(store, settings, signed), "", 422)
    change_scope = unsubscribe.come_back if back else unsubscribe.leave
    return _page(change_scope(store, settings, signed, scope), "back" if back else "left")


def _page(found: Leaving, done: str, status: int = 200) -> Response:
    spoken = language(found.language or None)
    game = games.all_games().get(found.game or "")
    return render(
        "people/leaving.html",
        status,
        language=spoken,
        found=found,
        done=done,
        title=narrate.match_name(game, spoken, found.match_id) if game is not None and found.match_id else "",
        kind=narrate.say(narrate.SITE, spoken, f"list_{found.event or 'answer'}"),
    )

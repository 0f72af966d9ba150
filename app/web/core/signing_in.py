"""The form to sign in, in answer to a page or a link that opens nothing without a session."""

from flask import Response, request

from app.play.lobby.snapshot import moved_player
from app.web.core import sessions
from app.web.core.context import store
from app.web.core.rendering import language, page_words, render
from app.web.core.security import same_site
from app.web.core.typed import typed


def sign_in_page(status: int = 200, **shown: object) -> Response:
    """The form to sign in. `elsewhere`: it stands at another address than its own."""
    facts: dict[str, object] = {"sent": False, "ended": False, "elsewhere": False}
    facts |= dict.fromkeys(("refusal", "address", "to", "typed"), "")
    return render("people/sign_in.html", status, **facts | shown)


def link_needs_session(token: str) -> Response | None:
    """The form to sign in, with what was typed, where an invitation's link alone opens nothing; else None.

    It went to an address before its player changed it. Raises NotFound.
    """
    player = moved_player(store(), token)
    if player is None or (sessions.is_player(player.id) and same_site()):
        return None
    sentence = page_words(language(), "people.link_of_old_address")
    kept = typed() if request.method == "POST" and same_site() else ""
    return sign_in_page(403, refusal=sentence, typed=kept, elsewhere=True)

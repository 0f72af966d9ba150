"""Sign-in sessions. A session names a player and ends when the player's session epoch changes."""

from flask import Flask, Request, Response, g, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin

from app.people import service as people
from app.people.service import Person
from app.play.match.records import ANYBODY, Viewer
from app.web.core.context import store


class CookieSessions(SecureCookieSessionInterface):
    """Flask's cookie sessions, without their work for the many requests that carry no cookie."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session from the cookie, or an empty one."""
        if "HTTP_COOKIE" not in request.environ or self.get_cookie_name(app) not in request.cookies:
            return self.session_class()
        return super().open_session(app, request)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Write the cookie, unless the session is empty and was never read."""
        if session or session.accessed:
            super().save_session(app, session, response)


def person() -> Person | None:
    """The signed-in player, read once per request."""
    if "person" not in g:
        g.person = _read()
    found: Person | None = g.person
    return found


def _read() -> Person | None:
    if "player" not in session:
        return None
    known = people.player(store(), session["player"])
    return known if known is not None and known.session_epoch == session.get("epoch") else None


def viewer() -> Viewer:
    """The signed-in player as a viewer of matches, else an anonymous one."""
    known = person()
    return Viewer(player_id=known.id) if known else ANYBODY


def begin(known: Person) -> None:
    """Sign the player in with a fresh session; nothing of an earlier session is kept."""
    session.clear()
    session.permanent = True
    session["player"], session["epoch"] = known.id, known.session_epoch
    g.person = known


def end() -> None:
    """Sign out on this browser."""
    session.clear()
    g.person = None

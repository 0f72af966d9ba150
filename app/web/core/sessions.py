"""Sign-in sessions and seat cookies. Both are keys of rows, so that they can be ended on the server.

A session names a browser that signed in. A seat cookie lets a browser that played a turn by its link look at
that seat and play on, until it was not used for SEAT_LASTS.
"""

from datetime import UTC, datetime, timedelta

from flask import Flask, Request, Response, g, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.http import http_date

from app import clock
from app.people import keys
from app.people import service as people
from app.people.service import Person
from app.play.match.records import Viewer
from app.web.core.context import store
from app.web.core.cookies import KeptSerializer

KEY, SEATS, NOTED, BACK = "key", "seats", "to", "back"
LONGEST_ADDRESS = 320
SEAT_LASTS = timedelta(days=7)
MOST_SEATS = 20
"""Matches whose seats one browser remembers, because a cookie is small."""
RENEWED_AFTER = timedelta(hours=12)
"""The cookie, and the use of a seat in it, is written again after this, so that pages seldom set a cookie."""


class BrowserSession(SecureCookieSession):
    """A session, and when its cookie was written."""

    written_at: datetime | None = None


class CookieSessions(SecureCookieSessionInterface):
    """Flask's cookie sessions, without their work for the many requests that carry no cookie.

    A cookie is written again when it changes or after RENEWED_AFTER, not with every answer: an answer that
    sets a cookie is signed, larger, and nothing that a browser should keep.
    """

    session_class = BrowserSession

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """As Flask's, made once for the keys of the app."""
        keys = (app.secret_key, *(app.config["SECRET_KEY_FALLBACKS"] or ()))
        known = app.extensions.setdefault("session_signers", {})
        if keys not in known:
            oldest_first: list[str | bytes] = [one for one in reversed(keys) if one]
            how = {"key_derivation": self.key_derivation, "digest_method": self.digest_method}
            known[keys] = (
                KeptSerializer(oldest_first, self.salt, signer_kwargs=how, serializer=self.serializer)
                if app.secret_key
                else None
            )
        found: URLSafeTimedSerializer | None = known[keys]
        return found

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session from the cookie, or an empty one."""
        if "HTTP_COOKIE" not in request.environ:
            return self.session_class()
        name = self.get_cookie_name(app)
        signer = self.get_signing_serializer(app)
        if name not in request.cookies or signer is None:
            return self.session_class()
        longest = int(app.permanent_session_lifetime.total_seconds())
        try:
            found, written_at = signer.loads(request.cookies[name], max_age=longest, return_timestamp=True)
        except BadSignature:
            return self.session_class()
        opened = self.session_class(found)
        opened.written_at = written_at
        return opened

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:  # noqa: ARG002 - as Flask has it
        """Whether the session changed, or its cookie is old."""
        if session.modified or not isinstance(session, BrowserSession) or session.written_at is None:
            return session.modified
        return session.permanent and clock.now() - session.written_at > RENEWED_AFTER

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Write the cookie, unless the session is empty and was never read, or any cache may keep this."""
        if "public" in response.headers.get("Cache-Control", ""):
            return
        if session and self.should_set_cookie(app, session):
            self._write(app, session, response)
        elif session or session.modified:
            super().save_session(app, session, response)
        elif session.accessed and "Cookie" not in response.headers.get("Vary", ""):
            response.vary.add("Cookie")

    def _write(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the cookie. Flask takes as long for its header as for its contents."""
        signer, expires = self.get_signing_serializer(app), self.get_expiration_time(app, session)
        assert signer is not None
        until = "" if expires is None else f"; Expires={http_date(expires)}"
        if "cookie_attributes" not in app.extensions:
            app.extensions["cookie_attributes"] = self._attributes(app)
        cookie = f"{self.get_cookie_name(app)}={signer.dumps(dict(session))!s}{until}"
        response.headers.add("Set-Cookie", cookie + app.extensions["cookie_attributes"])
        if "Vary" not in response.headers:
            response.headers["Vary"] = "Cookie"
        elif "cookie" not in response.headers["Vary"].casefold():
            response.vary.add("Cookie")

    def _attributes(self, app: Flask) -> str:
        domain, same_site = self.get_cookie_domain(app), self.get_cookie_samesite(app)
        parts = [f"Domain={domain}"] if domain else []
        parts += ["Secure"] * self.get_cookie_secure(app) + ["HttpOnly"] * self.get_cookie_httponly(app)
        parts += [f"Path={self.get_cookie_path(app)}"] + ([f"SameSite={same_site}"] if same_site else [])
        return "".join(f"; {one}" for one in parts)


def person() -> Person | None:
    """The signed-in player, read once per request."""
    if "person" not in g:
        key = session.get(KEY)
        g.person = people.signed_in(store(), key) if isinstance(key, str) else None
    found: Person | None = g.person
    return found


def key() -> str | None:
    """The key of this browser's session, or None."""
    found = session.get(KEY)
    return found if isinstance(found, str) else None


def is_player(player_id: int | None) -> bool:
    """Whether this browser is signed in as that player."""
    known = person()
    return known is not None and known.id == player_id


def viewer(match_id: int = 0) -> Viewer:
    """The signed-in player as a viewer of matches, or the browser that may play a seat of this match."""
    known = person()
    return Viewer(player_id=known.id if known else None, chair_id=_chair(match_id) if match_id else None)


def known() -> bool:
    """Whether this browser is signed in, or has played a seat."""
    return KEY in session or SEATS in session


def begin(known: Person) -> None:
    """Sign the player in with a fresh session; nothing of an earlier session is kept."""
    new = keys.begin(store(), known.id, before=key() if is_player(known.id) else None)
    end()
    session.permanent = True
    session[KEY] = new
    g.person = known


class NewSeat:
    """A seat of a match that this browser may look at and play, until it is not used for SEAT_LASTS."""

    def __init__(self, match_id: int, player_id: int, chair_id: int) -> None:
        """Nothing is written yet."""
        self._match, self._known = str(match_id), _seats()
        ended = [self._known.pop(self._match)[0]] if self._match in self._known else []
        while len(self._known) >= MOST_SEATS:
            oldest = min(self._known, key=lambda one: self._known[one][1])
            ended.append(self._known.pop(oldest)[0])
        self.key = keys.SeatKey(player_id, chair_id, ended)

    def remember(self) -> None:
        """Put its key into the browser's cookie."""
        session.permanent = True
        session[SEATS] = self._known | {self._match: [self.key.written(store()), _stamp(clock.now())]}
        g.pop("chairs", None)


def note_address(address: str) -> None:
    """Let the next page say where an email went; an address must not stand in the page's own."""
    session[NOTED] = address.strip()[:LONGEST_ADDRESS]


def noted_address() -> str:
    """The address noted for this page, which is forgotten; empty: none."""
    found = session.pop(NOTED, "") if NOTED in session else ""
    return found if isinstance(found, str) else ""


def note_way(path: str) -> None:
    """Let the next signing in on this browser lead to a page of this site."""
    session[BACK] = path


def noted_way() -> str:
    """The page to which signing in leads."""
    found = session.get(BACK, "/")
    return found if isinstance(found, str) else "/"


def end() -> None:
    """Sign out on this browser: its keys open nothing any more, nor do copies of them."""
    mine = [session[KEY]] if isinstance(session.get(KEY), str) else []
    mine += [key for key, _ in _seats().values()]
    if mine:
        keys.end(store(), *mine)
    session.clear()
    g.person = None


def _chair(match_id: int) -> int | None:
    """The seat of the match that this browser may play, read once per request."""
    if SEATS not in session:
        return None
    chairs: dict[int, int | None] = g.setdefault("chairs", {})
    if match_id not in chairs:
        chairs[match_id] = _read_chair(str(match_id))
    return chairs[match_id]


def _read_chair(match_id: str) -> int | None:
    known, now = _seats(), clock.now()
    if match_id not in known:
        return None
    key, used = known[match_id]
    idle = now - datetime.fromtimestamp(used, UTC)
    if idle > SEAT_LASTS:
        return None
    found = keys.chair_of(store(), key)
    if found is not None and idle > RENEWED_AFTER:
        session[SEATS] = known | {match_id: [key, _stamp(now)]}
    return found


def _seats() -> dict[str, tuple[str, int]]:
    """The seats in the cookie, which is signed: each with its key, and when it was last used."""
    found: dict[str, tuple[str, int]] = dict(session.get(SEATS, {}))
    return found


def _stamp(moment: datetime) -> int:
    return int(moment.timestamp())

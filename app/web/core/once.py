"""Forms that act once: pressed twice, sent again, from two tabs, or to two processes at the same moment.

A form carries a key of its own in the hidden field `once`, unless it names what it speaks of: a question, a
ply, a deadline. Each route that acts declares which of the two holds for its forms.
"""

import secrets
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import TypeVar

from flask import current_app, g, redirect, request
from markupsafe import Markup, escape
from werkzeug.wrappers import Response

from app.store.deeds import AlreadyDone, Deed
from app.web.core.context import site
from app.web.core.sessions import person, viewer

FIELD = "once"
SHORTEST, LONGEST = 8, 80
"""Characters of a key. Shorter ones would be those of other forms too."""
PLACE = "…"
"""Stands for the token of the request in the address that is kept."""
AGAIN = "may_come_again"
DECLARED = "acts_once"
"""The attribute in which a route says why it acts once."""

View = TypeVar("View", bound=Callable[..., Response])


def once_field(key: str = "") -> Markup:
    """The hidden field with a form's key: a new one, or that of a cached page's state."""
    value = escape(key) if key else secrets.token_urlsafe(16)
    return Markup(f'<input type="hidden" name="{FIELD}" value="{value}">')  # noqa: S704 - just escaped


def keyed(view: Callable[..., Response]) -> Callable[..., Response]:
    """A route that does what a form asks once for each key; the second answer is that of the first.

    The key counts together with the page, the signed-in player, the seat that this browser may play and all
    other fields, so that nobody can use up another's key, and a corrected form is another form. A form
    without a key acts as often as it is sent, within the laws of what it does. A refused form is none that
    acted, nor is one that `may_come_again`.
    """

    @wraps(view)
    def outer(**values: object) -> Response:
        sent = request.form.get(FIELD, "")
        if not SHORTEST <= len(sent) <= LONGEST:
            return view(**values)
        deed = Deed(site().store, _key(values.get("match_id")))
        g.store = deed.store
        try:
            response = view(**values)
        except AlreadyDone as before:
            return redirect(_opened(before.result, values) or _form_page(), 303)
        except Exception:
            deed.release()
            raise
        finally:
            g.pop("store", None)
        if response.status_code < 400 and not g.pop(AGAIN, False):
            deed.settle(_masked(response.headers.get("Location", ""), values))
        else:
            deed.release()
        return response

    setattr(outer, DECLARED, "each form has a key")
    return outer


def may_come_again() -> None:
    """Keep no key of this form: its effect has a law of its own, by which it happens again after a while."""
    setattr(g, AGAIN, True)


def _masked(address: str, values: dict[str, object]) -> str:
    """The address without the token of the request, which is kept nowhere."""
    token = values.get("token")
    return address.replace(token, PLACE) if isinstance(token, str) and token else address


def _opened(address: str, values: dict[str, object]) -> str:
    """The address that `_masked` was given, by a request with the same token."""
    return address.replace(PLACE, str(values.get("token", "")))


def by_itself(reason: str) -> Callable[[View], View]:
    """A route that acts once without a key, for this reason."""

    def declare(view: View) -> View:
        setattr(view, DECLARED, reason)
        return view

    return declare


def _form_page() -> str:
    """The nearest page at or above the address of the form, where the form acts and hasn't answered yet."""
    adapter = current_app.create_url_adapter(request)
    path = request.path
    while path and adapter and not adapter.test(path, "GET"):
        path = path.rpartition("/")[0]
    return path or "/"


def _key(match_id: object) -> str:
    reader = person()
    chair = viewer(match_id).chair_id if isinstance(match_id, int) else None
    parts = [request.path, str(reader.id if reader else ""), *(f"{k}={v}" for k, v in sorted(_fields()))]
    if chair is not None:
        parts.append(f"chair {chair}")
    return sha256("\0".join(parts).encode()).hexdigest()


def _fields() -> list[tuple[str, str]]:
    return [(name, value) for name in request.form for value in request.form.getlist(name)]

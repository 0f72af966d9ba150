"""The operations of the API: each declared once, for the routes and for the OpenAPI document alike."""

import hashlib
import hmac
import re
from collections.abc import Callable
from typing import Any, Generic

import msgspec
from flask import Response, current_app, g, request
from typing_extensions import TypeVar

from app import words
from app.people.errors import Closed, Refused
from app.people.sealed import Unopened, opened, sealed
from app.store.deeds import AlreadyDone, Deed
from app.store.session import Store
from app.web.api.callers import Caller, caller
from app.web.core.context import site

Query = TypeVar("Query", default=None)
Body = TypeVar("Body", default=None)

JSON = "application/json"
ONCE = "Idempotency-Key"
SHORTEST, LONGEST = 8, 80
"""Characters of such a key."""
_KEY = re.compile(f"[!-~][ -~]{{{SHORTEST - 2},{LONGEST - 2}}}[!-~]")
READS = ("GET",)
NUL = "No text holds the character U+0000."


class Asked(msgspec.Struct, Generic[Query, Body], frozen=True):
    """A request, with its values checked."""

    caller: Caller
    store: Store
    query: Query
    body: Body


class Operation(msgspec.Struct, frozen=True):
    """A path and a method, with all that belongs to them."""

    method: str
    path: str
    """As Flask writes it, below the API's own."""
    act: Callable[..., Any]
    scope: str | None
    """The right that the key needs; None: anybody may, also without a key."""
    query: Any
    """The record of the values in the query, or None."""
    takes: Any
    """The record of the body, or None."""
    gives: Any
    """The record of the answer; None for one that is no JSON."""
    mime: str
    kept: Callable[[Any], Any] | None
    """The part of the answer that is kept for a request that is repeated; None: all of it."""

    @property
    def name(self) -> str:
        """The operation's id."""
        return self.act.__name__

    @property
    def writes(self) -> bool:
        """It changes something."""
        return self.method not in READS


OPERATIONS: list[Operation] = []
"""All of them, in the order of the document."""

Act = TypeVar("Act", bound=Callable[..., Any])


def operation(
    method: str,
    path: str,
    gives: Any,
    *,
    scope: str | None = None,
    query: Any = None,
    takes: Any = None,
    mime: str = JSON,
    kept: Callable[[Any], Any] | None = None,
) -> Callable[[Act], Act]:
    """Declare a function as an operation. It gets an `Asked` and the values in the path by name.

    It returns a record of `gives`, or a response of another kind than JSON. `kept`: the record without what
    the database must not hold, which is answered where the request is repeated.
    """

    def declare(act: Act) -> Act:
        OPERATIONS.append(Operation(method, path, act, scope, query, takes, gives, mime, kept))
        return act

    return declare


def answered(one: Operation, values: dict[str, Any]) -> Response:
    """The response of an operation to the current request. Raises what it raises."""
    who = caller(site().store)
    g.caller = who
    who.check(one.scope)
    query, body = _query(one), _body(one)
    name = _named(one, who)
    deed = Deed(site().store, hashlib.sha256(name).hexdigest()) if name else None
    try:
        store = deed.store if deed is not None else site().store
        found = one.act(Asked(who, store, query, body), **values)
        response = found if isinstance(found, Response) else _json(found, who)
    except AlreadyDone as before:
        response = current_app.response_class(_kept(name, before.result), mimetype=JSON)
        response.headers["Idempotent-Replayed"] = "true"
        return response
    except Exception:
        if deed is not None:
            deed.release()
        raise
    if deed is not None:
        again = _json(one.kept(found), who) if one.kept is not None else response
        deed.settle(sealed(_seals(name), again.get_data(as_text=True)))
    return response if one.writes else _unchanging(response)


def _json(found: Any, who: Caller) -> Response:
    text = words.with_names(msgspec.json.encode(found).decode(), who.language)
    return current_app.response_class(text, mimetype=JSON)


def _unchanging(response: Response) -> Response:
    """The response with an ETag; 304 if the program has it already."""
    response.headers.setdefault("Cache-Control", "private, no-cache")
    response.headers["Vary"] = "Authorization, Accept-Language"
    response.set_etag(hashlib.blake2b(response.get_data(), digest_size=12).hexdigest())
    response.make_conditional(request)
    return response


def _query(one: Operation) -> Any:
    """The values in the query. Raises Refused("request_unreadable"), also for one that means nothing here."""
    record = one.query or Nothing
    sent: dict[str, Any] = dict(request.args)
    try:
        if any(len(values) > 1 for values in request.args.listvalues()):
            raise Refused("request_unreadable", error="A value in the query is given twice.")
        if "\0" in "".join((request.path, *sent.values())):
            raise Refused("request_unreadable", error=NUL)
        return msgspec.convert(sent, record, strict=False)
    except msgspec.ValidationError as error:
        raise Refused("request_unreadable", error=str(error)) from None


def _body(one: Operation) -> Any:
    """The body. Raises Refused("request_unreadable")."""
    data = request.get_data()
    if one.takes is None:
        if data.strip() not in (b"", b"{}"):
            raise Refused("request_unreadable", error="This operation takes no body.")
        return None
    if request.mimetype != JSON:
        raise Refused("request_unreadable", error=f"The Content-Type must be {JSON}.")
    try:
        if rb"\u0000" in data and _has_nul(msgspec.json.decode(data)):
            raise Refused("request_unreadable", error=NUL)
        return msgspec.json.decode(data, type=one.takes)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("request_unreadable", error=str(error)) from None


def _has_nul(found: Any) -> bool:
    """Whether a text in a body has the character that no database takes."""
    if isinstance(found, dict):
        return any(_has_nul(part) for pair in found.items() for part in pair)
    if isinstance(found, list):
        return any(_has_nul(part) for part in found)
    return isinstance(found, str) and "\0" in found


def _named(one: Operation, who: Caller) -> bytes:
    """All that a request which names itself is known by, so that it acts once; empty: it doesn't.

    Raises Refused("request_unreadable").
    """
    key = request.headers.get(ONCE)
    if not one.writes or key is None:
        return b""
    if not _KEY.fullmatch(key):
        about = f"The {ONCE} has {SHORTEST} to {LONGEST} printable characters of ASCII."
        raise Refused("request_unreadable", error=about)
    parts = [
        "api",
        one.method,
        request.path,
        str(who.own.id),
        key,
        hashlib.sha256(request.get_data()).hexdigest(),
    ]
    return "\0".join(parts).encode(errors="replace")


def _seals(name: bytes) -> list[str]:
    """The keys of the answer that is kept for a request.

    Answers name guests and links to share. The database has neither the request's own key nor these: only
    who sends the request again has the answer opened, and nobody once its account is gone.
    """
    return [hmac.new(one.encode(), name, hashlib.sha256).hexdigest() for one in site().settings.secret_keys]


def _kept(name: bytes, result: str) -> str:
    """The answer that was kept for a request. Raises Closed("busy"): there is none, or no key opens it."""
    try:
        found = opened(_seals(name), result)
    except Unopened:
        found = ""
    if not found:
        raise Closed("busy")
    return found


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No values."""

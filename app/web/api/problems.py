"""Refusals as problem details (RFC 9457): the sentence that a page would show, and its facts."""

from html import unescape
from typing import Any

import msgspec
from flask import Response, current_app, g, request

from app import narrate, words
from app.engine.errors import RulesError
from app.engine.game import Game
from app.people.errors import LATER, Refused, SiteError
from app.web.api.callers import Caller, NoKey, OtherScope
from app.web.core.errors import status_of
from app.web.core.rendering import page_words
from app.web.core.security import mask
from app.web.match.pictures import SOON

MIME = "application/problem+json"
BAD = frozenset({"key_in_address", "request_unreadable"})
"""Reasons of 400."""
MINUTE, HOUR, DAY = 60, 3600, 86400
"""Seconds after which to try again."""
WAITS = {"too_often": HOUR, "picture_later": SOON}
"""Those of reasons that say to wait, where it isn't a day."""
TITLES = {
    404: "errors.not_found",
    405: "errors.cannot_be_asked",
    413: "errors.too_long",
    429: "errors.too_many_requests",
    503: "errors.away",
}
"""The sentence of each status that comes from no rule of the site."""


class Problem(msgspec.Struct, frozen=True):
    """Why a request was refused. Nothing was changed by it."""

    type: str
    """urn:tidepost: and the reason."""
    title: str
    """The reason in one word, for programs."""
    status: int
    """Of HTTP."""
    detail: str
    """A sentence for people, in the language of Accept-Language, else the player's."""
    instance: str
    """The path that was asked for."""
    facts: dict[str, Any] = {}
    """The facts of the sentence, for programs."""


def language() -> str:
    """The language of the caller, as far as they are known."""
    known: Caller | None = g.get("caller")
    return known.language if known is not None else words.resolve(list(request.accept_languages.values()))


def plain_problem(status: int, sentence: str = "") -> Response:
    """The problem of a status, for errors that carry no reason of their own."""
    default = "errors.server_error" if status >= 500 else "errors.not_understood"
    sentence = sentence or unescape(str(page_words(language(), TITLES.get(status, default))))
    waits = {429: MINUTE, 503: MINUTE // 2}.get(status)
    return _response(status, f"status_{status}", sentence, {}, waits)


def site_problem(error: SiteError) -> Response:
    """The problem of a refusal of the site."""
    status = status_of(error)
    if isinstance(error, NoKey):
        status = 401
    elif isinstance(error, OtherScope):
        status = 403
    elif isinstance(error, Refused) and error.reason in BAD:
        status = 400
    waits = None
    if error.reason in LATER:
        waits = WAITS.get(error.reason, DAY)
    sentence = narrate.refusal(None, language(), error)
    response = _response(status, error.reason, sentence, error.facts, waits)
    if status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="tidepost"'
    return response


def rules_problem(error: RulesError) -> Response:
    """The problem of a move that the rules refuse, or that cannot be read."""
    game: Game | None = g.get("game")
    return _response(422, error.reason, narrate.refusal(game, language(), error), dict(error.facts), None)


def _response(status: int, reason: str, sentence: str, facts: dict[str, Any], waits: int | None) -> Response:
    problem = Problem(f"urn:tidepost:{reason}", reason, status, sentence, mask(request.path), plain(facts))
    response = current_app.response_class(msgspec.json.encode(problem), status, mimetype=MIME)
    response.headers["Content-Language"] = language()
    if waits is not None:
        response.headers["Retry-After"] = str(waits)
    return response


def plain(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts as JSON can hold them."""
    found: dict[str, Any] = msgspec.to_builtins(facts, str_keys=True, enc_hook=str)
    return found

"""What is said when something cannot be had or done, always with a way on."""

import logging

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from app import narrate
from app.engine.errors import RulesError
from app.play.match.records import Closed, NotFound, SiteError
from app.web.core.rendering import language, render
from app.web.core.security import mask, missed

log = logging.getLogger(__name__)

TOLD = frozenset({403, 404, 405, 409, 410, 413, 422, 429})
"""Those with words of their own; the rest share those of 400 or 500."""


def answer(app: Flask) -> None:
    """Register what is said."""
    app.register_error_handler(SiteError, _house)
    app.register_error_handler(RulesError, _rules)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _broken)


def status_of(error: SiteError | RulesError) -> int:
    """404 not found, 409 closed, 422 whatever cannot be used."""
    if isinstance(error, NotFound):
        return 404
    return 409 if isinstance(error, Closed) else 422


def said(status: int, sentence: str = "") -> Response:
    """The page for a status."""
    if status == 404:
        missed()
    shown = status if status in TOLD else 500 if status >= 500 else 400
    response = render("errors/page.html", status, told=shown, sentence=sentence)
    if status == 429:
        response.headers["Retry-After"] = "60"
    return response


def _house(error: SiteError) -> Response:
    if isinstance(error, NotFound):
        return said(404)
    return said(status_of(error), narrate.refusal(None, language(), error))


def _rules(error: RulesError) -> Response:
    log.warning("a page let %s through", error.reason)
    return said(422)


def _http(error: HTTPException) -> Response:
    response = said(error.code or 500)
    if error.code == 405:
        response.headers["Allow"] = ", ".join(getattr(error, "valid_methods", None) or ())
    return response


def _broken(error: Exception) -> Response:
    log.error("%s %s failed", request.method, mask(request.path), exc_info=error)
    return said(500)

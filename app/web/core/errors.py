"""Error pages. Each offers a way to continue."""

import logging
from urllib.parse import quote

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import HTTPException

from app import narrate
from app.engine.errors import RulesError
from app.people.errors import LATER
from app.play.match.records import Closed, NotFound, SiteError
from app.store.patience import is_away
from app.web.core.allowances import missed
from app.web.core.rendering import language, page_words, render
from app.web.core.security import mask, same_site
from app.web.core.typed import FREE, lost_in, typed, whole_form, with_typed

log = logging.getLogger(__name__)

WORDED = frozenset({403, 404, 405, 409, 410, 413, 422, 429})
"""Statuses with words of their own; the others use those of 400 or 500."""

RETRY_AFTER = 30
"""Seconds."""
PROGRAMS = "/api/"
"""Paths whose answers are for programs, errors too."""
PROBLEM = "problem"
"""The function among the app's extensions that makes these of a status and a sentence."""
ALWAYS = ("/livez", "/readyz", "/healthz", "/static/", "/robots.txt")


def install(app: Flask) -> None:
    """Register the error handlers."""
    app.before_request(_closed)
    app.after_request(_give_back)
    app.register_error_handler(SiteError, _site_error)
    app.register_error_handler(RulesError, _rules_error)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _unexpected)


def status_of(error: SiteError | RulesError) -> int:
    """404 for not found, 410 for an ended link, 409 for closed, 429 for too often, 422 for other refusals."""
    if isinstance(error, NotFound):
        return 404
    if isinstance(error, Closed):
        return 410 if error.reason == "link_ended" else 409
    return 429 if error.reason in LATER else 422


def error_page(status: int, sentence: str = "") -> Response:
    """The error page of a status, with what was typed into a form of this site.

    A token that doesn't exist is counted, and too many of them are 429.
    """
    if status == 404 and missed():
        status = 429
    if request.path.startswith(PROGRAMS):
        return _problem(status, sentence)
    worded = status if status in WORDED else 500 if status >= 500 else 400
    kept = typed() if request.method == "POST" and same_site() else ""
    response = render("errors/page.html", status, worded=worded, sentence=sentence, typed=kept)
    if status == 429:
        response.headers["Retry-After"] = "60"
    return response


def _problem(status: int, sentence: str = "") -> Response:
    response: Response = current_app.extensions[PROBLEM](status, sentence)
    return response


def _site_error(error: SiteError) -> Response:
    if isinstance(error, NotFound):
        return error_page(404)
    return error_page(status_of(error), narrate.refusal(None, language(), error))


def _rules_error(error: RulesError) -> Response:
    log.warning("a page did not catch the refusal %s", error.reason)
    return error_page(422)


def _http_error(error: HTTPException) -> Response:
    response = error_page(error.code or 500)
    if error.code == 405:
        response.headers["Allow"] = ", ".join(getattr(error, "valid_methods", None) or ())
    return response


def _unexpected(error: Exception) -> Response:
    if is_away(error):
        log.warning(
            "%s %s: the database is away (%s)", request.method, mask(request.path), type(error).__name__
        )
        return away_page()
    log.error("%s %s failed", request.method, mask(request.path), exc_info=error)
    return error_page(500)


def away_page() -> Response:
    """The page while the database is away: 503, with what was typed, ready to be sent again."""
    if request.path.startswith(PROGRAMS):
        return _problem(503)
    g.person = None  # who reads it is in the database
    sent = [] if request.method == "GET" else list(whole_form().items(multi=True))
    shown = [value for name, value in sent if name in FREE and value.strip()]
    query = request.query_string.decode("ascii", "replace")
    path = quote(request.path) + (f"?{query}" if query else "")
    response = render("errors/away.html", 503, sent=sent, shown=shown, path=path)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def _give_back(response: Response) -> Response:
    """The response, with what was typed into its form wherever that was refused."""
    refused = request.method == "POST" and response.status_code >= 400
    if refused and response.mimetype == "text/html" and same_site():
        page = response.get_data(as_text=True)
        if lost := lost_in(page):
            response.set_data(with_typed(page, lost, page_words(language(), "errors.what_you_typed")))
    return response


def _closed() -> Response | None:
    """The page of 503 until the tables are those of this version. Probes and static files are served."""
    if request.path.startswith(ALWAYS) or current_app.extensions["is_open"]():
        return None
    return away_page()

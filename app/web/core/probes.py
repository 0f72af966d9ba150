"""The addresses that only programs ask for."""

import logging
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, redirect
from werkzeug.wrappers import Response as Answer

from app.play.deadlines.health import health
from app.web.core.context import store
from app.web.core.rendering import asset

log = logging.getLogger(__name__)
pages = Blueprint("plain", __name__)


@pages.get("/healthz")
def healthz() -> Response:
    """The figures of the house as JSON: 200, or 503 where something must be seen to."""
    try:
        found = health(store())
    except Exception:  # whatever the driver raises; the log has it
        log.exception("the database does not answer")
        return Response('{"wrong":["the database does not answer"]}\n', 503, mimetype="application/json")
    status = HTTPStatus.SERVICE_UNAVAILABLE if found.wrong else HTTPStatus.OK
    return Response(msgspec.json.encode(found) + b"\n", status, mimetype="application/json")


@pages.get("/robots.txt")
def robots() -> Response:
    """Nothing here is for search engines."""
    return Response("User-agent: *\nDisallow: /\n", mimetype="text/plain")


@pages.get("/favicon.ico")
def favicon() -> Answer:
    """The sign of the house, for browsers that ask without being told."""
    return redirect(asset("tidepost.svg"), 302)

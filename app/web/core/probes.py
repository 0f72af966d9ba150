"""Addresses for programs: the health check, robots.txt and the favicon."""

import logging
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, redirect
from werkzeug.wrappers import Response as BaseResponse

from app.mail.core import inbox
from app.play.deadlines.health import MOST, health
from app.store import migrate
from app.store.patience import is_away
from app.web.core.context import store
from app.web.core.rendering import asset

log = logging.getLogger(__name__)
pages = Blueprint("plain", __name__)


@pages.get("/livez")
def livez() -> Response:
    """That this process answers; nothing else is asked."""
    return Response("ok\n", mimetype="text/plain")


@pages.get("/readyz")
def readyz() -> Response:
    """Whether the pages can be served: the database answers, and its tables are those of this version."""
    try:
        ready = migrate.is_current(store())
    except Exception as error:  # noqa: BLE001 - any driver may raise anything
        log.warning("not ready: %s", type(error).__name__)
        return Response("the database does not answer\n", 503, mimetype="text/plain")
    if not ready:
        return Response("the tables are not those of this version\n", 503, mimetype="text/plain")
    return Response("ok\n", mimetype="text/plain")


@pages.get("/healthz")
def healthz() -> Response:
    """The server's health figures as JSON: 200, or 503 when something needs attention."""
    try:
        with store().reading() as connection:
            unread = inbox.count_waiting(connection, MOST)
        found = health(store(), unread)
    except Exception as error:  # any driver may raise anything; the log has it
        log.warning("the database does not answer", exc_info=None if is_away(error) else error)
        return Response('{"wrong":["the database does not answer"]}\n', 503, mimetype="application/json")
    status = HTTPStatus.SERVICE_UNAVAILABLE if found.wrong else HTTPStatus.OK
    return Response(msgspec.json.encode(found) + b"\n", status, mimetype="application/json")


@pages.get("/robots.txt")
def robots() -> Response:
    """Ask search engines to index nothing."""
    return Response("User-agent: *\nDisallow: /\n", mimetype="text/plain")


@pages.get("/favicon.ico")
def favicon() -> BaseResponse:
    """The site's icon, for browsers that request it unprompted."""
    return redirect(asset("tidepost.svg"), 302)

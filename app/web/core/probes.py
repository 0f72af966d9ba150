"""Addresses for programs: the health check, robots.txt and the favicon."""

import logging
from hmac import compare_digest
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import metrics
from app.mail.inbound.health import whole_health
from app.people import webhooks
from app.store import migrate
from app.store.patience import is_away
from app.web.core import allowances
from app.web.core.context import site, store
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
    """Whether all is well: 200, or 503 when something needs attention. What and how much is for the operator.

    The operator sends `Authorization: Bearer` with the key of the settings; everybody else gets one word.
    """
    try:
        found = whole_health(store(), site().settings)
    except Exception as error:  # any driver may raise anything; the log has it
        log.warning("the database does not answer", exc_info=None if is_away(error) else error)
        found = {"wrong": ["the database does not answer"]}
    status = HTTPStatus.SERVICE_UNAVAILABLE if found["wrong"] else HTTPStatus.OK
    shown = {**found, "you": _asker()} if _by_operator() else {"status": "wrong" if found["wrong"] else "ok"}
    return Response(msgspec.json.encode(shown) + b"\n", status, mimetype="application/json")


@pages.get("/metrics")
def figures() -> Response:
    """Counters and gauges for Prometheus, for those who send the operator's key."""
    if not _by_operator():
        return Response("the operator's key is needed\n", 401, {"WWW-Authenticate": "Bearer"}, "text/plain")
    try:
        found = whole_health(store(), site().settings)
        found = {**found, "webhooks_failing": webhooks.count_failing(store())}
    except Exception as error:  # noqa: BLE001 - any driver may raise anything; the counters are shown all the same
        log.warning("no figures of the database: %s", type(error).__name__)
        found = {"wrong": ["the database does not answer"]}
    gauges = {name: float(value) for name, value in found.items() if isinstance(value, int | float)}
    shown = metrics.text(site().settings, {**gauges, "wrong": float(len(found["wrong"]))})
    return Response(shown, mimetype="text/plain; version=0.0.4")


def _asker() -> dict[str, str | bool]:
    """Where the request comes from, as limits see it: `tidepost doctor` compares it with what it sent."""
    seen = allowances.asking()
    return {"address": seen.key, "known": seen.known, "unheard": seen.unheard}


def _by_operator() -> bool:
    """Whether the request carries the operator's key."""
    key = site().settings.operator_key
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    return bool(key) and scheme.lower() == "bearer" and compare_digest(given.strip().encode(), key.encode())


@pages.get("/robots.txt")
def robots() -> Response:
    """Ask search engines to index nothing."""
    return Response("User-agent: *\nDisallow: /\n", mimetype="text/plain")


@pages.get("/favicon.ico")
def favicon() -> BaseResponse:
    """The site's icon, for browsers that request it unprompted."""
    return redirect(asset("tidepost.svg"), 302)

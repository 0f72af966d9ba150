"""The pages. A route reads, calls and renders; GET shows, POST acts."""

from datetime import timedelta

from flask import Flask

from app.settings import Settings
from app.store.session import Store
from app.web.account import absence, letters, profile, unsubscribe
from app.web.core import errors, probes, security
from app.web.core.context import House
from app.web.core.flask_app import Site
from app.web.core.sessions import Sessions
from app.web.feeds import routes
from app.web.lobby import routes as lobby
from app.web.lobby import rules, table
from app.web.match import admin
from app.web.match import routes as play

LARGEST_FORM = 64 * 1024
"""Bytes. The longest form, a placing list of twenty explorers, has some 2,000."""


def create_app(settings: Settings, store: Store) -> Flask:
    """The pages over a store. Links in letters come from `settings.url`, never from a request."""
    app = Site("app.web", static_url_path="/static")
    secure = settings.url.startswith("https://")
    app.config.update(
        SECRET_KEY=settings.secret_keys[0],
        SECRET_KEY_FALLBACKS=list(settings.secret_keys[1:]),
        SESSION_COOKIE_NAME="__Host-tidepost" if secure else "tidepost",
        SESSION_COOKIE_SECURE=secure,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(days=90),
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        MAX_FORM_MEMORY_SIZE=LARGEST_FORM,
        SEND_FILE_MAX_AGE_DEFAULT=365 * 24 * 3600,
    )
    app.session_interface = Sessions()
    app.extensions["house"] = House(settings, store)
    security.guard(app, secure=secure)
    errors.answer(app)
    concerns = (lobby, table, admin, play, profile, absence, unsubscribe, letters, rules, routes, probes)
    for concern in concerns:
        app.register_blueprint(concern.pages)
    return app

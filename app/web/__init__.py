"""The pages. A route reads, calls and renders; GET shows, POST acts."""

from datetime import timedelta

from flask import Flask

from app.settings import Settings
from app.store.session import Store
from app.web import (
    away,
    errors,
    feeds,
    leaving,
    letters,
    lobby,
    people,
    plain,
    play,
    rules,
    running,
    security,
    table,
)
from app.web.house import House
from app.web.signed import Sessions
from app.web.site import Site

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
    concerns = (lobby, table, running, play, people, away, leaving, letters, rules, feeds, plain)
    for concern in concerns:
        app.register_blueprint(concern.pages)
    return app

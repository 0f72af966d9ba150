"""The web pages. A route reads the request, calls a service and renders; GET shows, POST acts."""

from collections.abc import Callable
from datetime import timedelta

from flask import Flask

from app.settings import Settings
from app.store.session import Store
from app.web.account import (
    absence,
    company,
    confirm,
    deleting,
    letters,
    notifying,
    operator,
    privacy,
    profile,
    programs,
    sign_in,
    unsubscribe,
    webhooks,
)
from app.web.api import routes as api_routes
from app.web.core import bundles, errors, measures, probes, security, switching
from app.web.core.context import SiteContext
from app.web.core.flask_app import SyncFlask
from app.web.core.sessions import CookieSessions
from app.web.feeds import routes as feed_routes
from app.web.lobby import again, games, invitation, join, new_game, player_pages, rules, table, try_board
from app.web.lobby import routes as lobby_routes
from app.web.match import admin, pictures, statistics, unchanged, what_if
from app.web.match import routes as match_routes

LARGEST_FORM = 128 * 1024
"""Bytes. The fields take up to 10,000 characters, each of which takes nine bytes in Chinese."""


def create_app(
    settings: Settings,
    store: Store,
    counting: Store | None = None,
    is_open: Callable[[], bool] = lambda: True,
    draw: Callable[[int, int], None] = lambda _match, _ply: None,
) -> Flask:
    """The Flask app over a store. Links in letters are built from `settings.url`, never from a request.

    `counting` is the store of the counters, where it is another: one that waits for nothing. Until `is_open`
    the pages say that the database is away. `draw` asks a worker for the picture of a match after a ply.
    """
    app = SyncFlask("app.web", static_url_path="/static")
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
    app.session_interface = CookieSessions()
    app.extensions["site"] = SiteContext(settings, store, draw)
    app.extensions["counters"] = counting or store
    app.extensions["is_open"] = is_open
    security.install(app, secure=secure)
    unchanged.install(app, store)
    errors.install(app)
    measures.install(app)
    switching.install(app)
    api_routes.install(app)
    for module in (
        lobby_routes,
        new_game,
        invitation,
        table,
        again,
        games,
        join,
        player_pages,
        try_board,
        rules,
        match_routes,
        admin,
        what_if,
        pictures,
        statistics,
        feed_routes,
        sign_in,
        profile,
        absence,
        company,
        deleting,
        letters,
        notifying,
        programs,
        webhooks,
        confirm,
        unsubscribe,
        privacy,
        operator,
        probes,
        bundles,
        api_routes,
    ):
        app.register_blueprint(module.pages)
    return app

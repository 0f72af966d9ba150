"""The addresses that only programs ask for."""

from flask import Blueprint, Response, redirect
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Response as Answer

from app.web.house import store
from app.web.rendering import asset

pages = Blueprint("plain", __name__)


@pages.get("/healthz")
def healthz() -> Response:
    """200 "ok" where the database answers, else 503."""
    try:
        with store().reading() as connection:
            connection.execute(text("SELECT 1"))
    except SQLAlchemyError:
        return Response("the database does not answer\n", 503, mimetype="text/plain")
    return Response("ok\n", mimetype="text/plain")


@pages.get("/robots.txt")
def robots() -> Response:
    """Nothing here is for search engines."""
    return Response("User-agent: *\nDisallow: /\n", mimetype="text/plain")


@pages.get("/favicon.ico")
def favicon() -> Answer:
    """The sign of the house, for browsers that ask without being told."""
    return redirect(asset("tidepost.svg"), 302)

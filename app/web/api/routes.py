"""The routes of the API: its operations, and the document that describes them."""

from importlib.metadata import version
from typing import Any

from flask import Blueprint, Flask, Response, current_app

from app import games
from app.engine.errors import RulesError
from app.people.errors import SiteError
from app.web.api import company, emails, entering, hooks, hosting, lists, playing, reading, settings
from app.web.api.document import BASE, document
from app.web.api.operations import JSON, OPERATIONS, Operation, answered
from app.web.api.problems import plain_problem, rules_problem, site_problem
from app.web.core.errors import PROBLEM
from app.web.core.rendering import unchanging

MODULES = (lists, reading, playing, entering, hosting, settings, emails, company, hooks)
"""Those that declare the operations."""

pages = Blueprint("api", __name__)


@pages.get("/api/openapi.json")
def openapi() -> Response:
    """The OpenAPI document."""
    found = document(version("tidepost"), tuple(games.all_games()))
    return unchanging(current_app.response_class(found, mimetype=JSON), shared=True)


def install(app: Flask) -> None:
    """Let the API answer in JSON also where no operation is asked for."""
    app.extensions[PROBLEM] = plain_problem


def _add(one: Operation) -> None:
    def view(**values: Any) -> Response:
        return answered(one, values)

    pages.add_url_rule(BASE + one.path, one.name, view, methods=[one.method])


pages.register_error_handler(SiteError, site_problem)
pages.register_error_handler(RulesError, rules_problem)
for _one in OPERATIONS:
    _add(_one)

"""Flask without the work these pages never need: async views, file uploads and addresses of other sites."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from flask import Flask, Request, Response
from werkzeug.datastructures import Headers, ImmutableMultiDict, MultiDict
from werkzeug.routing import MapAdapter
from werkzeug.utils import cached_property

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

FORM = "application/x-www-form-urlencoded"
_NOTHING: ImmutableMultiDict[str, str] = ImmutableMultiDict()


class Fields(ImmutableMultiDict[str, str]):
    """Form fields, of which many are asked for that a form does not have."""

    def get(self, key: str, default: Any = None, type: Any = None) -> Any:  # type: ignore[override]  # noqa: A002
        """The first value of a field, or the default; Werkzeug makes an error page first for each missing."""
        return super().get(key, default, type) if key in self else default


class FormRequest(Request):
    """A request that parses URL-encoded forms in one step, and an address without a query not at all."""

    @cached_property
    def args(self) -> MultiDict[str, str]:
        """The values in the address."""
        return super().args if self.query_string else _NOTHING

    @cached_property
    def form(self) -> ImmutableMultiDict[str, str]:
        """The form fields; invalid UTF-8 becomes U+FFFD. Raises 413."""
        if self.environ.get("CONTENT_TYPE") != FORM and self.mimetype != FORM:
            return super().form
        return Fields(parse_qsl(self.get_data().decode(errors="replace"), keep_blank_values=True))


_AS_IS = re.compile(r"/(?!/)[\w/.?=&#%+~:-]*", re.ASCII)
"""Addresses of this site in which nothing is to be encoded."""


class OwnResponse(Response):
    """A response that doesn't take the address apart to which it leads, if it is one of ours."""

    def get_wsgi_headers(self, environ: "WSGIEnvironment") -> Headers:
        """The headers to send."""
        location = self.headers.get("Location")
        if location is None or not _AS_IS.fullmatch(location) or "Content-Location" in self.headers:
            return super().get_wsgi_headers(environ)
        if "Content-Length" not in self.headers and self.is_sequence:
            self.headers["Content-Length"] = str(sum(map(len, self.iter_encoded())))
        return self.headers


def see_other(address: str) -> Response:
    """A redirect to an address of this site, to be read by GET: what a form that acted is answered with."""
    response = OwnResponse([], 303)
    response.headers["Location"] = address
    return response


class SyncFlask(Flask):
    """A Flask app whose views are plain functions, whatever the name by which the site was called."""

    request_class = FormRequest
    response_class = OwnResponse

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """The routes for a request; outside of one there are none. What it takes from Flask is done once."""
        if request is None:
            return None
        environ = request.environ
        path = environ.get("PATH_INFO", "")
        named = self.config["TRUSTED_HOSTS"] or self.config["SERVER_NAME"] or environ.get("SCRIPT_NAME")
        if named or "HTTP_UPGRADE" in environ or not path.isascii():
            return super().create_url_adapter(request)
        query = environ.get("QUERY_STRING", "")
        scheme, method = environ["wsgi.url_scheme"], environ["REQUEST_METHOD"]
        return MapAdapter(self.url_map, request.host.lower(), "/", "", scheme, path or "/", method, query)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself; checking whether it is a coroutine costs more than routing to it."""
        return func

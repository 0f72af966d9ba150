"""Flask without the work these pages never need: async views, file uploads and addresses of other sites."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from flask import Flask, Request, Response
from werkzeug.datastructures import Headers, ImmutableMultiDict, MultiDict
from werkzeug.utils import cached_property

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_NOTHING: ImmutableMultiDict[str, str] = ImmutableMultiDict()


class FormRequest(Request):
    """A request that parses URL-encoded forms in one step, and an address without a query not at all."""

    @cached_property
    def args(self) -> MultiDict[str, str]:
        """The values in the address."""
        return super().args if self.query_string else _NOTHING

    @cached_property
    def form(self) -> ImmutableMultiDict[str, str]:
        """The form fields; invalid UTF-8 becomes U+FFFD. Raises 413."""
        if self.mimetype != "application/x-www-form-urlencoded":
            return super().form
        return ImmutableMultiDict(parse_qsl(self.get_data().decode(errors="replace"), keep_blank_values=True))


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


class SyncFlask(Flask):
    """A Flask app whose views are plain functions."""

    request_class = FormRequest
    response_class = OwnResponse

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself; checking whether it is a coroutine costs more than routing to it."""
        return func

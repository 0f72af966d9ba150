"""Flask without the work these pages never need: async views and file uploads."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

from flask import Flask, Request
from werkzeug.datastructures import ImmutableMultiDict, MultiDict
from werkzeug.utils import cached_property

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


class SyncFlask(Flask):
    """A Flask app whose views are plain functions."""

    request_class = FormRequest

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself; checking whether it is a coroutine costs more than routing to it."""
        return func

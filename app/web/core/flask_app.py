"""Flask without its work for what these pages never do: views that await, forms with files."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

from flask import Flask, Request
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.utils import cached_property


class Asking(Request):
    """A request whose form, where it is of the usual kind, is read in one go."""

    @cached_property
    def form(self) -> ImmutableMultiDict[str, str]:
        """The fields, as browsers send them; bytes that are no text become a mark. Raises 413."""
        if self.mimetype != "application/x-www-form-urlencoded":
            return super().form
        return ImmutableMultiDict(parse_qsl(self.get_data().decode(errors="replace"), keep_blank_values=True))


class Site(Flask):
    """The application, whose views are plain functions."""

    request_class = Asking

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself; to look what it is costs more than to route to it."""
        return func

"""Types of what is typed with commands: bad input is refused in one line before anything is done."""

import math
from typing import Any

import click

PORT = click.IntRange(1, 65535)
MANY = click.IntRange(1, 100_000)
"""How many of something."""
NUMBER = click.IntRange(1, 2**31 - 1)
"""The number of a row in the database, such as that of a match."""


class _Seconds(click.FloatRange):
    """Seconds, up to a day."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The seconds. Raises BadParameter."""
        found = float(super().convert(value, param, ctx))
        if math.isnan(found):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return found


SECONDS = _Seconds(0, 86_400)


class Place(click.Path):
    """A file or folder that may be new. An empty text, as from a variable that isn't set, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The place. Raises BadParameter."""
        if not str(value).strip():
            self.fail("it is empty.", param, ctx)
        return super().convert(value, param, ctx)

"""The log of every part: each line with its time, an outage in one line, and neither addresses nor tokens."""

import logging
import re
import sys
from collections.abc import Iterator
from typing import TextIO

AGAIN = 60.0
"""Seconds in which the same outage is not told again by the same logger."""
LONGEST = 200
"""Characters of an outage's own words."""
LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"
OUTAGES = frozenset({"OperationalError", "InterfaceError", "TimeoutError", "ConnectionError", "AMQPError"})
"""Classes, and ancestors, of errors by which a database or a broker says that it is away."""
DRIVERS = frozenset({"sqlalchemy", "psycopg", "kombu", "redis", "amqp", "sqlite3", "builtins"})
_OURS = re.compile(r"no such (table|column)|syntax error|does not exist", re.IGNORECASE)
"""Words of an OperationalError that no outage explains."""
_ADDRESS = re.compile(r"[\w.+%-]+(@[\w-]+(?:\.[\w-]+)+)")
_TOKEN = re.compile(r"(/(?:[tisufackrp]|join)/)[^\s?&\"'#]+")
_DETAIL = re.compile(r"^(\W*(?:DETAIL|CONTEXT):).*$", re.MULTILINE)
"""Where a driver quotes the values of a row."""


def install(stream: TextIO | None = None) -> logging.Handler:
    """Write the warnings of all loggers of this process to `stream`, else to stderr, and return the handler.

    Handlers that a server made for its own loggers stay, and tell an outage as briefly.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Discreet(LINE))
    handler.addFilter(Outages())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)
    for name in ("gunicorn.error", "celery", "celery.worker", "celery.beat"):
        for one in logging.getLogger(name).handlers:
            one.addFilter(Outages())
    return handler


class Discreet(logging.Formatter):
    """Lines without addresses, tokens and the values of rows, in messages and tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as text."""
        return discreet(super().format(record))


def discreet(text: str) -> str:
    """The text without the names in addresses, the tokens in links, and the values that drivers quote."""
    text = _TOKEN.sub(r"\1…", _ADDRESS.sub(r"…\1", text))
    return _DETAIL.sub(r"\1 …", text)


class Outages(logging.Filter):
    """Tells an outage of the database or the broker in one line, and again only after a while.

    Of a hundred requests that meet the same outage one is logged, and the next line says how many more.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[tuple[str, str], float] = {}
        self._more: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the record, or drop it if the same was told just now."""
        error = record.exc_info[1] if record.exc_info else None
        told = outage(error) if error is not None else ""
        if not told:
            return True
        key = (record.name, told)
        if record.created - self._last.get(key, float("-inf")) < AGAIN:
            self._more[key] = self._more.get(key, 0) + 1
            return False
        self._last[key] = record.created
        more = self._more.pop(key, 0)
        message = record.getMessage().partition("\n")[0]
        record.msg = f"{message}: {told}" + (f" ({more} more like this)" if more else "")
        record.args, record.exc_info, record.exc_text = (), None, None
        return True


def outage(error: BaseException) -> str:
    """The words of a database or broker that is away, in one line; empty for any other error."""
    for one in _causes(error):
        kinds = {kind.__name__ for kind in type(one).__mro__}
        if type(one).__module__.partition(".")[0] in DRIVERS and kinds & OUTAGES:
            said = " ".join(str(one).partition("\n")[0].split())[:LONGEST]
            if not _OURS.search(said):
                return f"{type(one).__name__}: {said}" if said else type(one).__name__
    return ""


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, and those that it follows from: the first is the deepest."""
    found: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and one not in found:
        found.append(one)
        one = one.__cause__ or one.__context__
    yield from reversed(found)

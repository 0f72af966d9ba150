"""The log of every part: lines with their time, a fault told once, and neither addresses nor tokens."""

import json
import logging
import os
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TextIO

AGAIN = 60.0
"""Seconds in which the same fault is not told again by the same logger."""
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


AS_JSON = "TIDEPOST_LOG_JSON"
"""The setting by which a line is a JSON object; `--log-json` sets it for a part and its processes."""
NAMED = {
    "match": re.compile(r"\bmatch #?(\d+)"),
    "letter": re.compile(r"\bletter ([a-z2-7]{13}|[0-9a-f]{32})\b"),
    "webhook": re.compile(r"\bwebhook (\d+)"),
    "mail": re.compile(r"\bmail ([0-9a-f]{32})"),
}
"""The ids that a line is about, as messages write them."""


def install(stream: TextIO | None = None) -> logging.Handler:
    """Write the warnings of all loggers of this process to `stream`, else to stderr, and return the handler.

    Handlers that a server made for its own loggers stay, and tell an outage as briefly.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(formatter())
    handler.addFilter(Repeats())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)
    for name in ("gunicorn.error", "celery", "celery.worker", "celery.beat"):
        for one in logging.getLogger(name).handlers:
            one.addFilter(Repeats())
            if os.environ.get(AS_JSON):
                one.setFormatter(formatter())
    return handler


def formatter() -> "Discreet":
    """How this process writes its lines."""
    return AsJson() if os.environ.get(AS_JSON) else Discreet(LINE)


class Discreet(logging.Formatter):
    """Lines without addresses, tokens and the values of rows, in messages and tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as text."""
        return discreet(super().format(record))


class AsJson(Discreet):
    """Lines that are JSON objects: time, level, logger, what, and the ids of what it names."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as an object on one line."""
        said = discreet(record.getMessage())
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "what": said,
        }
        line |= {name: found[1] for name, pattern in NAMED.items() if (found := pattern.search(said))}
        if record.exc_info:
            line["traceback"] = discreet(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def discreet(text: str) -> str:
    """The text without the names in addresses, the tokens in links, and the values that drivers quote."""
    text = _TOKEN.sub(r"\1…", _ADDRESS.sub(r"…\1", text))
    return _DETAIL.sub(r"\1 …", text)


class Repeats(logging.Filter):
    """Tells a fault once, and again only after a while; an outage of database or broker in one line.

    Of a hundred requests that meet the same fault one is logged, and the next line says how many more.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[tuple[str, str], float] = {}
        self._more: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the record, or drop it if the same was told just now."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return True
        told = outage(error)
        key = (record.name, told or _place(error))
        if record.created - self._last.get(key, float("-inf")) < AGAIN:
            self._more[key] = self._more.get(key, 0) + 1
            return False
        self._last[key] = record.created
        more = self._more.pop(key, 0)
        message = record.getMessage().partition("\n")[0] if told else record.getMessage()
        record.msg = message + (f": {told}" if told else "") + (f" ({more} more like this)" if more else "")
        record.args = ()
        if told:
            record.exc_info, record.exc_text = None, None
        return True


def _place(error: BaseException) -> str:
    """The kind of an error and the line that raised it: the same fault, whatever its words."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    where = "" if last is None else f"{last.tb_frame.f_code.co_filename}:{last.tb_lineno}"
    return f"{type(error).__name__} at {where}"


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

"""Figures for an operator's monitoring (Prometheus): each process counts, and `/metrics` shows it.

Processes of one machine count in files of the data folder. Nothing is counted without an operator's key:
nobody could read it, and the library takes some memory. No label names a person, a match or an address.
"""

import logging
import os
import socket
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from app import clock, data_folder
from app.settings import Settings

HOST = socket.gethostname()
FOLDER = "metrics"
"""In the data folder: files of each process, whose names begin with its kind and end with host and number."""
FORGOTTEN = timedelta(days=30)
COUNTED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "moves": ("Moves recorded, by game and source.", ("game", "source")),
    "letters": ("Letters, by kind and fate.", ("kind", "fate")),
    "replies": ("Mails that came in, by verdict.", ("verdict",)),
    "webhooks": ("Requests to webhooks, by format and fate.", ("format", "fate")),
    "pages": ("Requests, by status.", ("status",)),
    "errors": ("Errors written to the log, by logger.", ("logger",)),
}
"""Each counter with what it counts, and its labels."""
LASTED: Mapping[str, tuple[str, tuple[float, ...]]] = {
    "letter_seconds": (
        "From the moment a letter was due until the mail server had it.",
        (1, 5, 15, 60, 300, 900, 3600, 14400, 86400),
    ),
    "page_seconds": ("From a request to its answer.", (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)),
}
"""Each histogram with what it measures, in seconds, and its bounds."""
_kept: dict[str, Any] = {}


def begin(settings: Settings) -> None:
    """Let this process count from now on; without an operator's key it counts nothing. Twice does no harm."""
    if _kept or not settings.operator_key:
        return
    folder = settings.data_dir / FOLDER
    try:
        folder.mkdir(mode=data_folder.PRIVATE, exist_ok=True)
        _clear(folder)
    except OSError as error:
        logging.getLogger(__name__).warning("nothing is counted for /metrics: %s", error)
        return
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
    from prometheus_client import CollectorRegistry, Counter, Histogram, values

    values.ValueClass = values.MultiProcessValue(_process)  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    for name, (what, labels) in COUNTED.items():
        _kept[name] = Counter(f"tidepost_{name}", what, labels, registry=registry)
    for name, (what, bounds) in LASTED.items():
        _kept[name] = Histogram(f"tidepost_{name}", what, buckets=bounds, registry=registry)
    logging.getLogger().addHandler(_Errors(logging.ERROR))


def is_on() -> bool:
    """Whether this process counts."""
    return bool(_kept)


def count(name: str, *labels: str, many: int = 1) -> None:
    """Count something of COUNTED, with its labels in their order."""
    if _kept:
        _kept[name].labels(*labels).inc(many)


def lasted(name: str, seconds: float) -> None:
    """Measure something of LASTED."""
    if _kept:
        _kept[name].observe(max(seconds, 0.0))


def text(settings: Settings, gauges: Mapping[str, float]) -> bytes:
    """All figures of this machine's processes in Prometheus' format, and gauges of the moment.

    Raises OSError.
    """
    begin(settings)
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(settings.data_dir / FOLDER))  # type: ignore[no-untyped-call]
    counted: bytes = generate_latest(registry)
    return counted + _of_now(gauges)


def _of_now(gauges: Mapping[str, float]) -> bytes:
    lines = [
        f"# HELP tidepost_{name} {name.replace('_', ' ').capitalize()}.\n# TYPE tidepost_{name} gauge\n"
        f"tidepost_{name} {float(value)}\n"
        for name, value in sorted(gauges.items())
    ]
    return "".join(lines).encode()


class _Errors(logging.Handler):
    """Counts the errors that are logged."""

    def emit(self, record: logging.LogRecord) -> None:
        """Count one."""
        count("errors", record.name)


def _process() -> str:
    """Host and number: containers that share a folder have the same numbers."""
    return f"{HOST}-{os.getpid()}"


def _clear(folder: Path) -> None:
    """Delete the files of processes that are no more: counters may fall, as after a restart.

    On this host it is known which these are. Those of other hosts, such as containers that were replaced, go
    once nothing was counted in them for FORGOTTEN.
    """
    before = (clock.now() - FORGOTTEN).timestamp()
    for file in folder.glob("*.db"):
        number = file.stem.rpartition("-")[2]
        try:
            if f"_{HOST}-" in file.name:
                gone = number.isdecimal() and not Path(f"/proc/{number}").exists()
            else:
                gone = file.stat().st_mtime < before
            if gone:
                file.unlink()
        except FileNotFoundError:  # another process was faster
            continue

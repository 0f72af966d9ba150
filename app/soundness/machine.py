"""The machine: its disk, and the data of time zones."""

import importlib.metadata
import os
import shutil
import tempfile
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app import clock
from app.settings import Settings
from app.soundness.finding import Finding

LEAST_FREE, LEAST_SHARE = 500_000_000, 0.05
"""Bytes, and the share of a disk or of its files' places, below which it is nearly full."""
OLD = timedelta(days=730)
"""Of the data of time zones: rules change several times a year."""


def disk(now: Settings) -> Iterator[Finding]:
    """Whether there is room where data and temporary files lie."""
    for folder in dict.fromkeys((now.data_dir, Path(tempfile.gettempdir()))):
        if not folder.is_dir():
            continue
        room, places = shutil.disk_usage(folder), os.statvfs(folder)
        if room.free < LEAST_FREE or room.free < room.total * LEAST_SHARE:
            yield _full(folder, f"{room.free / 1e6:.0f} MB of {room.total / 1e9:.0f} GB are free")
        elif places.f_files and places.f_favail < places.f_files * LEAST_SHARE:
            yield _full(folder, f"places for {places.f_favail} files are free")
        if not os.access(folder, os.W_OK):
            yield Finding(
                f"{folder} can't be written",
                "Keys, pictures and the embedded database have no place.",
                f"chown it to the user that runs Tidepost: chown -R USER {folder}",
            )


def zones() -> Iterator[Finding]:
    """Whether time zones are known, by data that is not old."""
    do = "pip install --upgrade tzdata, and restart all parts"
    try:
        zoneinfo.ZoneInfo("Asia/Tehran")
    except zoneinfo.ZoneInfoNotFoundError:
        yield Finding(
            "the data of time zones is missing", "No deadline can be shown in a player's own time.", do
        )
        return
    try:
        version = importlib.metadata.version("tzdata")
        made = datetime(int(version.partition(".")[0]), 1, 1, tzinfo=UTC)
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return
    if clock.now() - made > OLD:
        yield Finding(
            f"the data of time zones is of {made.year}",
            "Where a country has changed its summer time since, deadlines are shown an hour off.",
            do,
            grave=False,
        )


def _full(folder: Path, what: str) -> Finding:
    return Finding(
        f"the disk of {folder} is nearly full: {what}",
        "When it is full no move can be recorded.",
        "Make room, or move TIDEPOST_DATA_DIR to a larger disk",
    )

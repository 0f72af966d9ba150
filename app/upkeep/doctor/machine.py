"""The machine: its clock, its disk, the data of time zones, and what should have gone by now."""

import importlib.metadata
import os
import shutil
import tempfile
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select

from app import clock
from app.retention.kept import goes
from app.store.patience import driver_errors
from app.store.session import connect
from app.upkeep.doctor.finding import Case, Finding
from app.upkeep.doctor.waiting import LONG_PATIENCE, opened

LEAST_FREE, LEAST_SHARE = 500_000_000, 0.05
"""Bytes, and the share of a disk or of its files' places, below which it is nearly full."""
APART = timedelta(seconds=5)
OLD = timedelta(days=730)
"""Of the data of time zones: rules change several times a year."""
LATE = timedelta(days=3)
"""How long after its time something may still be there."""


def times(case: Case) -> Iterator[Finding]:
    """Whether the clock agrees with the database's."""
    if case.settings.database_url.startswith("sqlite"):
        return
    engine = connect(case.settings.database_url, patience=10)
    try:
        with engine.connect() as connection:
            theirs = connection.execute(select(func.clock_timestamp())).scalar_one()
    except driver_errors():
        return
    finally:
        engine.dispose()
    apart = abs(theirs - clock.now())
    if apart > APART:
        yield Finding(
            f"the clocks of this machine and of the database's are {apart.total_seconds():.0f} s apart",
            "Deadlines come early for one part and late for another.",
            "Set both by NTP: timedatectl set-ntp true",
        )


def disk(case: Case) -> Iterator[Finding]:
    """Whether there is room where data and temporary files lie."""
    for folder in dict.fromkeys((case.settings.data_dir, Path(tempfile.gettempdir()))):
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


def zones(_case: Case) -> Iterator[Finding]:
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


def retention(case: Case) -> Iterator[Finding]:
    """Whether something is still kept that should have gone."""
    try:
        with opened(case, LONG_PATIENCE) as store:
            for one in goes():
                if one.act is None:
                    continue
                with store.transaction() as connection:
                    there = one.act(connection, clock.now() - one.span(case.settings.keep) - LATE, 1)
                    connection.rollback()
                if there:
                    yield Finding(
                        f"{one.what} are still kept, though they should have gone days ago",
                        "More is stored about players than the pages promise.",
                        "The log of `tidepost worker` says which sweep fails",
                    )
    except driver_errors():
        return


def _full(folder: Path, what: str) -> Finding:
    return Finding(
        f"the disk of {folder} is nearly full: {what}",
        "When it is full no move can be recorded.",
        "Make room, or move TIDEPOST_DATA_DIR to a larger disk",
    )

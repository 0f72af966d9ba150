"""Which programs may use which tables: every migration says whether the version before may run beside it.

Of a migration that a program doesn't know it finds in the database itself what it needs: the oldest tables
whose program may go on, which the program that migrated has written there.
"""

import re
import threading
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from app.store.patience import Outgrown, is_away

MIGRATIONS = Path(__file__).with_name("migrations")
MOVED = "moved"
"""Stands for the revision in a database that was left for another."""
KNOWING = "0028"
"""The first tables that hold the oldest ones whose program may use them."""
EVERY, AGAIN = 3.0, 1.0
"""Seconds between two looks at the tables, and where they are of a newer version already."""
LEFT = "its games were moved to another database by `tidepost transfer`; set that one"
_SAID = re.compile(r"^beside = (True|False)$", re.MULTILINE)

BESIDE = {
    "0001": True,  # there was none before
    "0002": False,  # drops a column of questions
    "0003": False,  # drops a column of letters
    "0004": True,
    "0005": True,
    "0006": True,
    "0007": False,  # invitations without a mailbox would escape the limits
    "0008": False,  # turns would begin without their time zone
    "0009": False,  # addresses have other keys
    "0010": True,
    "0011": True,
    "0012": True,
    "0013": True,
    "0014": True,
    "0015": True,
    "0016": False,  # private games would be shown
    "0017": False,  # another table of questions
    "0018": False,  # packed events would be missing
    "0019": True,
    "0020": True,
    "0021": True,
    "0022": True,
    "0023": True,
    "0024": False,  # moments are numbers
    "0025": False,  # hashes are bytes
    "0026": True,
    "0027": False,  # games that the operator hid would be shown
}
"""Of each migration that can't be edited any more: whether the version before may run beside it."""


def revisions() -> list[str]:
    """All revisions that this program knows, the oldest first."""
    return sorted(_files())


def newest() -> str:
    """The revision of the tables that this program is made for."""
    return max(_files())


def beside(revision: str) -> bool:
    """Whether the version before may run beside a migration. Raises ValueError where it doesn't say so."""
    if revision in BESIDE:
        return BESIDE[revision]
    said = _SAID.findall(_files()[revision].read_text())
    if len(said) != 1:
        raise ValueError(f"migration {revision} must say `beside = True` or `beside = False`, once")
    return bool(said[0] == "True")


def oldest(revision: str) -> str:
    """The oldest tables whose program may use those of a revision."""
    return max((one for one in _files() if one <= revision and not beside(one)), default="0001")


def version(connection: Connection) -> str:
    """The revision of the tables. Raises errors of the driver where there are none."""
    return str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() or "")


def refusal(connection: Connection) -> str:
    """Why this program must not use the tables that are there, in one sentence; empty: it may.

    Older tables are no reason: they can be migrated. Raises errors of the driver where there are no tables.
    """
    found = version(connection)
    if found == MOVED:
        return LEFT
    if found <= newest():
        return ""
    needed = connection.exec_driver_sql("SELECT oldest FROM house WHERE id = 1").scalar()
    if needed and str(needed) <= newest():
        return ""
    return (
        f"a newer version of Tidepost has changed its tables (to {found}), and this one, for {newest()}, "
        "can't run beside that; install the newer version here too"
    )


def write_oldest(connection: Connection, revision: str) -> None:
    """Keep in the database which programs may use its tables, for those that don't know the newest."""
    if revision >= KNOWING:
        connection.exec_driver_sql(f"UPDATE house SET oldest = '{oldest(revision)}'")  # noqa: S608 - our own


class Fit:
    """Whether this program may still use the tables of its database: looked up every few seconds of use."""

    def __init__(
        self, engine: Engine, now: Callable[[], float] = time.monotonic, *, at_once: bool = False
    ) -> None:
        """`at_once`: it is looked up at the first use too."""
        self._engine, self._now = engine.execution_options(reading=True), now
        self._due = now() + (0.0 if at_once else EVERY)
        self._why = ""
        self._lock = threading.Lock()

    def check(self) -> None:
        """Raises Outgrown if it may not, and errors of the driver where the database is away."""
        if self._now() >= self._due and self._lock.acquire(blocking=False):
            try:
                self._why = self._found()
                self._due = self._now() + (AGAIN if self._why else EVERY)
            finally:
                self._lock.release()
        if self._why:
            raise Outgrown(self._why)

    def _found(self) -> str:
        try:
            with self._engine.connect() as connection:
                return refusal(connection)
        except SQLAlchemyError as error:
            if is_away(error):
                raise
            return ""  # no tables at all, which any statement will tell


def _files() -> dict[str, Path]:
    return {file.name[:4]: file for file in (MIGRATIONS / "versions").glob("[0-9]*.py")}

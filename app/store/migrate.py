"""Upgrading a database to the tables that this version needs."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import SQLAlchemyError

from app.store.patience import Outgrown, driver_errors, is_away
from app.store.session import Store, connect
from app.store.versions import MIGRATIONS, MOVED, newest, refusal, version, write_oldest

if TYPE_CHECKING:  # Alembic is large, and seldom needed
    from alembic.config import Config

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 10.0
"""Seconds between tries to reach a database that is away."""


class CannotUpgrade(Exception):  # noqa: N818 - told to the operator
    """The database cannot be reached, written, or understood; the text says which and why, in one line."""


class Away(CannotUpgrade):
    """The database cannot be reached, or is locked: the same may succeed later."""


def patiently(begin: Callable[[], None], say: Callable[[str], None]) -> None:
    """Do what needs the database, as soon as it is there: try for as long as it is away, and say so.

    Raises what `begin` raises for another reason.
    """
    said, pause = "", FIRST_PAUSE
    while True:
        try:
            return begin()
        except Away as error:
            if str(error) != said:
                said = str(error)
                say(f"{said}; trying again until it can")
            time.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)


def configuration(connection: Connection) -> "Config":
    """The configuration for Alembic to work by a connection, wherever the package is installed."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(url: str, *, to: str = "", exactly: bool = False) -> None:
    """Bring the tables to the newest form, in one transaction; create the folder of an SQLite file too.

    `to`: to an earlier form. Tables that are newer stay as they are, if this program may run beside them;
    with `exactly` they are refused.

    Several at once do no harm: the others wait for the first, and find nothing left to do. An SQLite file is
    made for its owner's eyes alone: it holds the players' addresses and what no player may know. Raises
    CannotUpgrade, or Away if waiting may help.
    """
    try:
        if url.startswith("sqlite:///") and not url.endswith(":memory:"):
            _make(Path(url.removeprefix("sqlite:///").partition("?")[0]))
        engine = connect(url)
        try:
            with engine.begin() as connection:
                if connection.dialect.name == "postgresql":
                    connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7447)")
                if _revision(connection) != (to or newest()):
                    _upgrade(connection, to or newest(), exactly=exactly)
        finally:
            engine.dispose()
    except Exception as error:
        if not isinstance(error, (OSError, CannotUpgrade, *driver_errors())):
            raise
        why = " ".join(str(getattr(error, "orig", None) or error).split())
        told = f"the database of TIDEPOST_DATABASE_URL cannot be used: {why}"
        raise (Away if is_away(error) and _can_open(url) else CannotUpgrade)(told) from error


def _revision(connection: Connection) -> str:
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return version(connection)


def revision(engine: Engine) -> str:
    """The revision of the tables of a database; empty where there are none."""
    with engine.connect() as connection:
        return _revision(connection)


def differences(connection: Connection) -> tuple[list[str], list[str]]:
    """The tables, columns and indexes that a database of the newest form lacks, and those it has too many."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from sqlmodel import SQLModel

    from app.store import tables

    assert tables.__all__, "imported, so that the metadata knows them"
    missing: list[str] = []
    more: list[str] = []
    for one in compare_metadata(MigrationContext.configure(connection), SQLModel.metadata):
        if isinstance(one, tuple) and one[0].startswith(("add_", "remove_")):
            found = one[-1]
            named = f"{found.table.name}." if one[0].endswith("_column") else ""
            (missing if one[0].startswith("add_") else more).append(f"{named}{found.name}")
    return missing, more


def give_up(connection: Connection) -> None:
    """Let no part of Tidepost use this database any more: its rows are in another."""
    connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{MOVED}'")  # noqa: S608 - our constant


def _upgrade(connection: Connection, to: str, *, exactly: bool) -> None:
    """Bring older tables to the newest form. Raises CannotUpgrade."""
    found = _revision(connection)
    if found > newest():
        if why := refusal(connection):
            raise CannotUpgrade(why)
        if exactly:
            raise CannotUpgrade(
                f"its tables are newer ({found}) than this program ({newest()}), which can't copy them"
            )
        return
    from alembic import command
    from alembic.util import CommandError

    try:
        command.upgrade(configuration(connection), to)
    except CommandError as error:
        raise CannotUpgrade(str(error)) from error
    write_oldest(connection, to)


def is_current(store: Store) -> bool:
    """Whether this program may use the tables: they have its form, or a newer one beside which it may run.

    Raises errors of the driver where the database is away.
    """
    try:
        with store.reading() as connection:
            found = version(connection)
            return found == newest() or (found > newest() and not refusal(connection))
    except Outgrown:
        return False
    except SQLAlchemyError as error:
        if is_away(error):
            raise
        return False  # there are no tables at all


def _can_open(url: str) -> bool:
    """Whether the folder of an SQLite file is there; for another database nobody knows."""
    if not url.startswith("sqlite:///"):
        return True
    return Path(url.removeprefix("sqlite:///").partition("?")[0]).parent.is_dir()


def _make(file: Path) -> None:
    """Create an empty file if there is none; SQLite gives the files beside it the same mode."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not file.exists():
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600))


def downgrade(url: str, revision: str = "base") -> None:
    """Bring the tables back to an earlier form."""
    from alembic import command

    engine = connect(url)
    try:
        with engine.begin() as connection:
            command.downgrade(configuration(connection), revision)
            write_oldest(connection, _revision(connection))
    finally:
        engine.dispose()

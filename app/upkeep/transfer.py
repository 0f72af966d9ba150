"""A move to another database, from SQLite to PostgreSQL or back, with everything that is under way."""

from datetime import timedelta

from sqlalchemy import Connection, Engine

from app import clock
from app.store import heartbeat, migrate
from app.upkeep import copying

STILL = timedelta(minutes=2)
"""Without a sign of life for so long, no worker, beat or inbox runs."""


class CannotTransfer(Exception):  # noqa: N818 - told to who typed the command
    """Nothing was moved; the text says why."""


def transfer(url: str, target_url: str) -> dict[str, int]:
    """Move all rows into another, empty database; how many each table has.

    Emails that wait or are being sent are moved as they are. The database that is left refuses every part
    of Tidepost from then on, so that nobody plays in the wrong one. Raises CannotTransfer,
    migrate.CannotUpgrade.
    """
    migrate.upgrade(url, exactly=True)
    source, target = copying.connect(url), copying.connect(target_url)
    try:
        with source.begin() as reading:
            _refuse_if_running(reading)
        try:
            migrate.upgrade(target_url, exactly=True)
        except migrate.CannotUpgrade as error:
            raise CannotTransfer(str(error).replace("TIDEPOST_DATABASE_URL", "--to")) from None
        if _place(source) == _place(target):
            raise CannotTransfer("both addresses lead to the same database")
        return _moved(source, target)
    finally:
        source.dispose()
        target.dispose()


def _moved(source: Engine, target: Engine) -> dict[str, int]:
    with source.begin() as reading:
        _refuse_if_running(reading)
        _let_nobody_write(reading)
        with target.begin() as writing:
            if not copying.is_unused(writing):
                raise CannotTransfer("the database to move to has games or players in it; it must be empty")
            found = copying.copy(reading, writing)
        # After the other's commit: if this fails, both are whole, and the old one goes on.
        migrate.give_up(reading)
    return found


def _refuse_if_running(connection: Connection) -> None:
    last = heartbeat.newest_in(connection)
    if last is not None and clock.now() - last < STILL:
        raise CannotTransfer(
            "a worker, beat or inbox still runs with this database (its last sign of life is "
            f"{(clock.now() - last).total_seconds():.0f} s old); stop all parts and try again in two minutes"
        )


def _let_nobody_write(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # SQLite's transaction has begun as the only one that writes
        names = ", ".join(
            connection.dialect.identifier_preparer.format_table(one) for one in copying.tables()
        )
        connection.exec_driver_sql(f"LOCK TABLE {names} IN EXCLUSIVE MODE")


def _place(engine: Engine) -> str:
    """SQLite's file, or PostgreSQL's start and name: equal for two addresses of one database."""
    with engine.execution_options(reading=True).connect() as connection:
        asked = (
            "SELECT file FROM pragma_database_list WHERE name = 'main'"
            if engine.dialect.name == "sqlite"
            else "SELECT CAST(pg_postmaster_start_time() AS text) || current_database()"
        )
        return str(connection.exec_driver_sql(asked).scalar())

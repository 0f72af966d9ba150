"""The database: whether it answers, its tables, durability, size, slow statements and soundness."""

import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Engine

from app.mail.inbound.health import whole_health
from app.soundness.finding import Finding
from app.store import migrate, versions
from app.store.patience import driver_errors
from app.store.session import connect
from app.upkeep.doctor.finding import Case
from app.upkeep.doctor.waiting import LONG_PATIENCE, opened

FULL = 2
"""SQLite's `synchronous` by which a commit is on the disk."""
SLOW = 1.0
"""Seconds for all the queries of the server's health, which use every large index."""
_STUCK = """SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
              AND now() - coalesce(xact_start, query_start) > interval '1 minute'"""
_BLOATED = """SELECT relname, n_dead_tup FROM pg_stat_user_tables
              WHERE schemaname = current_schema() AND n_dead_tup > greatest(n_live_tup, 10000)
              ORDER BY n_dead_tup DESC LIMIT 3"""
LARGE = 2_000_000_000
"""Bytes of an SQLite database from which PostgreSQL serves better."""


def database(case: Case) -> Iterator[Finding]:
    """All findings; those of a database that doesn't answer end with that."""
    url = case.settings.database_url
    engine = connect(url, patience=10)
    try:
        found = migrate.revision(engine)
        with engine.connect() as connection:
            refusal = versions.refusal(connection) if found > versions.newest() else ""
        yield from _tables(found, refusal)
        if found == versions.newest() or (found > versions.newest() and not refusal):
            if found == versions.newest():
                yield from _other_tables(engine)
            yield from (_sqlite(engine) if engine.dialect.name == "sqlite" else _postgresql(engine))
            yield from _slow(case)
    except driver_errors() as error:
        said = " ".join(str(getattr(error, "orig", None) or error).split())
        yield Finding(
            f"the database doesn't answer: {said}",
            "Nothing can be played; pages answer 503 and keep what was typed.",
            "Start it, or mend TIDEPOST_DATABASE_URL; all parts go on by themselves",
        )
    finally:
        engine.dispose()


def _tables(found: str, refusal: str) -> Iterator[Finding]:
    newest = versions.newest()
    if found == versions.MOVED:
        yield Finding(
            "the games of this database were moved to another one",
            "No part of Tidepost takes it any more.",
            "Set TIDEPOST_DATABASE_URL to the address that you gave to `tidepost transfer`",
        )
    elif refusal:
        yield Finding(
            refusal.partition(";")[0],
            "The pages of this version answer 503, and its other parts refuse to start.",
            "Install the version that has migrated this database here too",
        )
    elif found > newest:
        yield Finding(
            f"the tables are of a newer version ({found}) beside which this one ({newest}) may run",
            "That is meant for the minutes of an upgrade; copies can only be made by the newer program.",
            "Install the version that has migrated this database here too",
            grave=False,
        )
    elif found != newest:
        yield Finding(
            f"the tables are of version {found or 'none'}; this program is for {newest}",
            "The pages answer 503 until both fit.",
            "Start `tidepost web` or `tidepost worker`, which migrate the database",
        )


def _other_tables(engine: Engine) -> Iterator[Finding]:
    """Tables, columns and indexes that are other than the migrations make them."""
    with engine.connect() as connection:
        missing, more = migrate.differences(connection)
    if missing:
        yield Finding(
            f"the database lacks what its migrations made: {', '.join(missing)}",
            "Without a table or a column pages fail; without an index they read every row.",
            "Bring back a copy into an empty database: tidepost backup FOLDER; tidepost restore FOLDER",
        )
    if more:
        yield Finding(
            f"the database has what no migration made: {', '.join(more)}",
            "The next migration may fail on it.",
            "Take it out, or keep it in a schema of its own",
            grave=False,
        )


def _sqlite(engine: Engine) -> Iterator[Finding]:
    with engine.execution_options(reading=True).begin() as connection:
        if int(synchronous := _one(connection, "PRAGMA synchronous")) < FULL:
            yield _not_durable(
                f"synchronous is {synchronous}, and should be {FULL}",
                "Install this version of Tidepost afresh: it asks for synchronous=FULL with each connection",
            )
        if _one(connection, "PRAGMA journal_mode") != "wal":
            yield Finding(
                "the database is not in WAL mode",
                "Pages wait for every write, and writes for every page.",
                "Put it on a local disk (not a network folder), where SQLite can switch to WAL by itself",
            )
        if (sound := _one(connection, "PRAGMA quick_check(1)")) != "ok":
            yield Finding(
                f"the database file is damaged: {sound}",
                "Games may be lost with the next write.",
                "Stop all parts, and bring back the newest copy: tidepost restore FOLDER",
            )
        file = Path(str(_one(connection, "SELECT file FROM pragma_database_list WHERE name = 'main'")))
    if file.exists() and file.stat().st_size > LARGE:
        yield Finding(
            f"the SQLite file has {file.stat().st_size / 1e9:.1f} GB",
            "One writer at a time has to serve everybody.",
            "tidepost transfer --to postgresql://…",
            grave=False,
        )


def _postgresql(engine: Engine) -> Iterator[Finding]:
    with engine.begin() as connection:
        for setting in ("fsync", "full_page_writes"):
            if _one(connection, f"SHOW {setting}") != "on":
                yield _not_durable(f"{setting} is off", _switched_on(setting))
        if _one(connection, "SHOW synchronous_commit") == "off":
            yield _not_durable("synchronous_commit is off", _switched_on("synchronous_commit"))
        if _one(connection, "SHOW autovacuum") != "on":
            yield Finding(
                "autovacuum is off",
                "The database grows with every move, and its queries become slow.",
                _switched_on("autovacuum"),
            )
        for table, dead in connection.exec_driver_sql(_BLOATED).all():
            yield Finding(
                f"the table {table} holds {dead} dead rows, more than living ones",
                "The database grows, and queries read past rows that are gone.",
                f"VACUUM ANALYZE {table}; and see in pg_stat_activity which old transaction holds them",
                grave=False,
            )
        stuck = _one(connection, _STUCK)
        if stuck:
            yield Finding(
                f"{stuck} transactions have lasted for more than a minute",
                "Moves of the same game wait for them, and old rows can't be cleared away.",
                "SELECT pid, state, query FROM pg_stat_activity; then SELECT pg_terminate_backend(pid)",
            )
        used = int(_one(connection, "SELECT count(*) FROM pg_stat_activity"))
        most = int(_one(connection, "SHOW max_connections"))
        if used > most * 0.9:
            yield Finding(
                f"{used} of {most} connections of PostgreSQL are taken",
                "The next part of Tidepost that connects is refused.",
                "Raise max_connections, or run fewer processes of `tidepost web`",
            )


def _slow(case: Case) -> Iterator[Finding]:
    with opened(case, LONG_PATIENCE) as store:
        begun = time.perf_counter()
        whole_health(store, case.settings)
        lasted = time.perf_counter() - begun
    if lasted > SLOW:
        yield Finding(
            f"the queries of the server's health take {lasted:.1f} s together",
            "Sweeps that take long make reminders and deadlines late.",
            "PostgreSQL: VACUUM ANALYZE; SQLite: a local disk, or `tidepost transfer --to postgresql://…`",
        )


def _not_durable(what: str, do: str) -> Finding:
    return Finding(
        f"commits are not on the disk when they are acknowledged: {what}",
        "A move that a player saw accepted can be lost when the power fails.",
        do,
    )


def _switched_on(setting: str) -> str:
    """Statements that mend a setting of the server, and one of the database that outweighs it."""
    return (
        f"ALTER SYSTEM SET {setting} = on; SELECT pg_reload_conf(); and if that isn't enough: "
        f"ALTER DATABASE … RESET {setting}"
    )


def _one(connection: Connection, sql: str) -> "int | str":
    found: int | str = connection.exec_driver_sql(sql).scalar_one()
    return found

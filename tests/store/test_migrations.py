"""The migrations make the tables that the code works with, on both databases."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel

from app.store import migrate, tables
from app.store.session import connect


def differences(url):
    engine = connect(url)
    with engine.connect() as connection:
        assert tables.__all__, "imported, so that the metadata knows them"
        found = compare_metadata(MigrationContext.configure(connection), SQLModel.metadata)
    engine.dispose()
    return found


def test_migrations_and_models_agree(empty_url):
    assert differences(empty_url) != []
    migrate.upgrade(empty_url)
    assert differences(empty_url) == []


def test_partial_indexes_are_partial(empty_url):
    """The comparison above does not look at their conditions."""
    migrate.upgrade(empty_url)
    engine = connect(empty_url)
    found = {
        index["name"]: index.get("dialect_options", {}).get(f"{engine.dialect.name}_where")
        for table in ("question", "letter", "chair", "incoming", "match")
        for index in inspect(engine).get_indexes(table)
    }
    engine.dispose()
    wanted = (
        "question_look",
        "question_unmanned",
        "match_timed",
        "letter_waiting",
        "chair_taken",
        "incoming_waiting",
        "match_pause_look",
    )
    assert all(found[name] is not None for name in wanted), found


def test_letters_outlast_the_copy_of_their_table(tmp_path):
    url = f"sqlite:///{tmp_path}/letters.db"
    migrate.upgrade(url)
    migrate.downgrade(url, "0018")
    engine = connect(url)
    with engine.begin() as connection:
        indexes = {index["name"] for index in inspect(connection).get_indexes("letter")}
        for n in range(3):
            connection.exec_driver_sql(
                """INSERT INTO letter (id, kind, once, status, reason, created_at, due_at, tries)
                   VALUES (?, 'asked', ?, 'sent', '', ?, ?, 1)""",
                (f"id{n}", f"once{n}", f"2026-01-0{9 - n} 00:00:00", "2026-02-01 00:00:00"),
            )
        before = connection.exec_driver_sql("SELECT * FROM letter ORDER BY id").all()
    engine.dispose()
    with connect(url).begin() as connection:
        command.upgrade(migrate.configuration(connection), "0019")
    with connect(url).connect() as connection:
        assert connection.exec_driver_sql("SELECT * FROM letter ORDER BY id").all() == before
        assert connection.exec_driver_sql("SELECT id FROM letter ORDER BY rowid").scalars().all() == [
            "id2",
            "id1",
            "id0",
        ]
        assert {index["name"] for index in inspect(connection).get_indexes("letter")} == indexes
        with pytest.raises(IntegrityError):
            connection.exec_driver_sql(
                """INSERT INTO letter (id, kind, once, status, reason, created_at, due_at, tries)
                   VALUES ('other', 'asked', 'once1', 'sent', '', '', '', 1)"""
            )


def test_upgrading_again_changes_nothing_and_downgrading_leaves_nothing(empty_url):
    migrate.upgrade(empty_url)
    migrate.upgrade(empty_url)
    migrate.downgrade(empty_url)
    engine = connect(empty_url)
    assert set(inspect(engine).get_table_names()) <= {"alembic_version"}
    engine.dispose()


def test_several_processes_may_upgrade_at_once(empty_url):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(migrate.upgrade, [empty_url] * 4))
    assert differences(empty_url) == []


def test_the_folder_of_a_new_database_is_made(tmp_path):
    migrate.upgrade(f"sqlite:///{tmp_path}/not/there/yet.db")
    assert (tmp_path / "not" / "there" / "yet.db").exists()

"""Which programs may use which tables: each migration says it, and older programs find it in the database."""

import shutil

import pytest
from sqlalchemy import text

from app.store import migrate, versions
from app.store.patience import Outgrown, is_away
from app.store.session import Store, connect
from tests.servers import database_in

REVISIONS = versions.revisions()
NEXT = '''"""The next migration."""

from alembic import op

revision = "{revision}"
down_revision = "{before}"
beside = {beside}


def upgrade() -> None:
    op.execute("CREATE TABLE next{revision} (id INTEGER)")


def downgrade() -> None:
    op.execute("DROP TABLE next{revision}")
'''


@pytest.fixture
def by_newer(monkeypatch, tmp_path):
    """Migrates a database with a newer program: one more migration for each answer to `beside`."""

    def run(url, *answers):
        folder = tmp_path / "newer"
        shutil.copytree(versions.MIGRATIONS, folder)
        before = REVISIONS[-1]
        for beside in answers:
            revision = f"{int(before) + 1:04}"
            file = folder / "versions" / f"{revision}_next.py"
            file.write_text(NEXT.format(revision=revision, before=before, beside=beside))
            before = revision
        with monkeypatch.context() as patched:
            for module in (versions, migrate):
                patched.setattr(module, "MIGRATIONS", folder)
            migrate.upgrade(url)
        return before

    return run


@pytest.fixture
def at_once(monkeypatch):
    """A store looks at its tables at each use."""
    monkeypatch.setattr(versions, "EVERY", 0.0)
    monkeypatch.setattr(versions, "AGAIN", 0.0)


def test_every_migration_says_whether_the_version_before_may_run_beside_it():
    assert list(versions.BESIDE) == [one for one in REVISIONS if one < versions.KNOWING]
    assert [one for one in REVISIONS if versions.beside(one) not in (True, False)] == []


@pytest.mark.parametrize("said", ["", "beside = ...\n", "beside = True\nbeside = False\n"])
def test_a_migration_that_does_not_say_it_is_found(tmp_path, monkeypatch, said):
    (tmp_path / "versions").mkdir()
    (tmp_path / "versions" / "0099_next.py").write_text(said)
    monkeypatch.setattr(versions, "MIGRATIONS", tmp_path)
    with pytest.raises(ValueError, match="0099"):
        versions.beside("0099")


def test_a_database_says_which_programs_may_use_it(empty_url):
    migrate.upgrade(empty_url)
    engine = connect(empty_url)
    with engine.connect() as connection:
        said = connection.exec_driver_sql("SELECT oldest FROM house").scalar()
    engine.dispose()
    assert said == versions.oldest(versions.newest())
    assert versions.oldest("0016") == "0016"
    assert versions.oldest("0015") == "0009"


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("answers", [(True,), (True, True)])
def test_a_program_runs_beside_a_newer_one_that_allows_it(empty_url, by_newer, answers):
    migrate.upgrade(empty_url)
    store = Store(empty_url)
    newer = by_newer(empty_url, *answers)
    migrate.upgrade(empty_url)
    assert migrate.revision(store.engine) == newer
    assert migrate.is_current(store)
    with store.transaction() as connection:
        assert connection.execute(text("SELECT count(*) FROM match")).scalar() == 0
    with pytest.raises(migrate.CannotUpgrade, match="newer"):
        migrate.upgrade(empty_url, exactly=True)
    store.engine.dispose()


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("answers", [(False,), (True, False), (False, True)])
def test_a_program_refuses_what_a_newer_one_has_made_unfit_for_it(empty_url, by_newer, answers):
    migrate.upgrade(empty_url)
    store = Store(empty_url)
    ways = (store.transaction, store.statements, store.reading, store.looking)
    for way in ways:
        with way():
            pass
    by_newer(empty_url, *answers)
    with pytest.raises(migrate.CannotUpgrade, match="a newer version of Tidepost has changed its tables"):
        migrate.upgrade(empty_url)
    assert not migrate.is_current(store)
    for way in ways:
        with pytest.raises(Outgrown, match="install the newer version here too") as caught, way():
            pass
        assert is_away(caught.value)
    store.engine.dispose()


def test_tables_are_looked_at_every_few_seconds_and_again_after_a_refusal(tmp_path):
    now = [0.0]
    engine = connect(database_in(tmp_path))
    fit = versions.Fit(engine, lambda: now[0])
    left = f"UPDATE alembic_version SET version_num = '{versions.MOVED}'"
    back = f"UPDATE alembic_version SET version_num = '{versions.newest()}'"
    with engine.begin() as connection:
        connection.exec_driver_sql(left)
    fit.check()
    now[0] += versions.EVERY
    with pytest.raises(Outgrown, match="moved to another database"):
        fit.check()
    with engine.begin() as connection:
        connection.exec_driver_sql(back)
    with pytest.raises(Outgrown):
        fit.check()
    now[0] += versions.AGAIN
    fit.check()
    engine.dispose()


@pytest.mark.usefixtures("at_once")
def test_a_database_without_tables_is_not_refused(tmp_path):
    store = Store(f"sqlite:///{tmp_path}/none.db")
    with store.reading() as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1
    store.engine.dispose()

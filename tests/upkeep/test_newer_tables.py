"""Tables of a newer version: each part refuses them in one sentence, or goes on where it may."""

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from app import parts
from app.cli import main
from app.store import versions
from app.store.session import Store, connect
from app.web import create_app

SENTENCE = "a newer version of Tidepost has changed its tables (to 9999)"
PARTS = (["web"], ["worker"], ["inbox"], ["serve"], ["freeze"])


@pytest.fixture
def newer(databases):
    """Makes a database that a newer version has migrated; the oldest program that may use it is named."""

    def make(oldest):
        url = databases("sqlite")
        engine = connect(url)
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
            connection.execute(text("UPDATE house SET oldest = :oldest"), {"oldest": oldest})
        engine.dispose()
        return url

    return make


@pytest.fixture
def run(monkeypatch, tmp_path, newer):
    """Types a command on such a database; nothing becomes a server."""

    def type_(command, oldest):
        became = []
        monkeypatch.setattr(parts, "_become", lambda *_: became.append(True))
        settings = {
            "TIDEPOST_DATABASE_URL": newer(oldest),
            "TIDEPOST_DATA_DIR": str(tmp_path / "data"),
            "TIDEPOST_SECRET_KEYS": "k" * 40,
            "TIDEPOST_SMTP_URL": "smtp://127.0.0.1:1",
            "TIDEPOST_INBOX_URL": "smtp://127.0.0.1:2525",
        }
        return CliRunner().invoke(main, command, env=settings), became

    return type_


@pytest.mark.parametrize("command", PARTS, ids=" ".join)
def test_a_part_refuses_tables_that_it_cannot_live_with(run, command):
    result, became = run(command, "9999")
    assert result.exit_code == 1
    assert became == []
    assert result.output.count("\n") == 1
    assert SENTENCE in result.output


@pytest.mark.parametrize("command", [["web"], ["worker"]], ids=" ".join)
def test_a_part_begins_beside_a_newer_version_that_allows_it(run, command):
    result, became = run(command, versions.newest())
    assert (result.exit_code, result.output, became) == (0, "", [True])


@pytest.mark.parametrize("command", [["backup", "copies"], ["transfer", "--to", "sqlite:///other.db"]])
def test_a_copy_is_never_made_of_tables_that_are_not_known(run, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result, _ = run(command, versions.newest())
    assert result.exit_code == 1
    assert "9999" in result.output


def test_pages_that_are_open_close_when_a_newer_version_changes_the_tables(house, databases, monkeypatch):
    monkeypatch.setattr(versions, "EVERY", 0.0)
    monkeypatch.setattr(versions, "AGAIN", 0.0)
    settings = house(databases("sqlite"))
    store = Store(settings.database_url)
    pages = create_app(settings, store).test_client()
    assert pages.get("/rules").status_code == 200
    for oldest, status in ((versions.newest(), 200), ("9999", 503)):
        with connect(settings.database_url).begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
            connection.execute(text("UPDATE house SET oldest = :oldest"), {"oldest": oldest})
        assert pages.get("/").status_code == status
        assert pages.get("/readyz").status_code == status
        assert pages.get("/livez").status_code == 200
    store.engine.dispose()

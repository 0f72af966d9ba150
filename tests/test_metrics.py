"""What monitoring reads: counters of all processes of the machine, for the operator's key only."""

import logging
import os
import subprocess
import sys
from datetime import timedelta

import msgspec
import pytest

from app import metrics, settings
from app.web import create_app

KEY = "o" * 4 + "0123456789abcdef" * 2
OPERATOR = {"Authorization": f"Bearer {KEY}"}


@pytest.fixture
def site(store, store_url, tmp_path, monkeypatch):
    """Settings with a key, and counting that ends with the test."""
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")
    handlers = list(logging.getLogger().handlers)
    found = settings.read(
        {
            "TIDEPOST_DATABASE_URL": store_url,
            "TIDEPOST_SECRET_KEYS": "k" * 8 + "0123456789abcdef" * 2,
            "TIDEPOST_DATA_DIR": str(tmp_path),
            "TIDEPOST_OPERATOR_KEY": KEY,
        }
    )
    monkeypatch.setattr(metrics, "_kept", {})
    yield found
    logging.getLogger().handlers[:] = handlers
    del store


def read(answer):
    """The figures of an answer, by name and labels."""
    lines = [line for line in answer.text.splitlines() if line and not line.startswith("#")]
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


def test_counters_and_gauges_for_the_operator(site, store):
    metrics.begin(site)
    browser = create_app(site, store).test_client()
    metrics.count("moves", "survive", "page", many=3)
    metrics.lasted("letter_seconds", 42.0)
    logging.getLogger("app.mail").error("a fault")
    browser.get("/livez")
    found = read(browser.get("/metrics", headers=OPERATOR))
    assert found['tidepost_moves_total{game="survive",source="page"}'] == 3
    assert found['tidepost_letter_seconds_bucket{le="60.0"}'] == 1
    assert found['tidepost_letter_seconds_bucket{le="15.0"}'] == 0
    assert found['tidepost_errors_total{logger="app.mail"}'] == 1
    assert found['tidepost_pages_total{status="200"}'] == 1
    assert found["tidepost_letters_waiting"] == 0
    assert found["tidepost_wrong"] == 1  # no sweep has run


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer other"}, {"Authorization": KEY}])
def test_nobody_else_reads_them(site, store, headers):
    metrics.begin(site)
    answer = create_app(site, store).test_client().get("/metrics", headers=headers)
    assert answer.status_code == 401
    assert "tidepost_" not in answer.text


def test_without_a_key_nothing_is_counted(site, store, tmp_path):
    metrics.begin(msgspec.structs.replace(site, operator_key=""))
    metrics.count("moves", "survive", "page")
    metrics.lasted("page_seconds", 1.0)
    assert not metrics.is_on()
    assert not (tmp_path / metrics.FOLDER).exists()
    assert create_app(site, store).test_client().get("/livez").status_code == 200


def test_processes_count_together_and_the_dead_are_cleared(site, store, tmp_path):
    program = (
        "import os; from app import metrics, settings\n"
        "metrics.begin(settings.read()); metrics.count('moves', 'ferry', 'email', many=2); print(os.getpid())"
    )
    environment = os.environ | {
        "TIDEPOST_DATA_DIR": str(tmp_path),
        "TIDEPOST_OPERATOR_KEY": KEY,
        "TIDEPOST_SECRET_KEYS": site.secret_keys[0],
    }
    metrics.begin(site)
    metrics.count("moves", "ferry", "email")
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    browser = create_app(site, store).test_client()
    total = 'tidepost_moves_total{game="ferry",source="email"}'
    assert read(browser.get("/metrics", headers=OPERATOR))[total] == 3
    files = list((tmp_path / metrics.FOLDER).iterdir())
    assert any(file.stem.endswith(f"-{done.stdout.strip()}") for file in files)
    metrics._clear(tmp_path / metrics.FOLDER)
    assert read(browser.get("/metrics", headers=OPERATOR))[total] == 1


def test_the_files_of_hosts_that_are_gone_are_cleared(tmp_path, clock):
    kept = tmp_path / "counter_another-1.db"
    gone = tmp_path / "counter_replaced-1.db"
    for file, age in ((kept, 29), (gone, 31)):
        file.touch()
        moment = (clock.moment - timedelta(days=age)).timestamp()
        os.utime(file, (moment, moment))
    metrics._clear(tmp_path)
    assert list(tmp_path.iterdir()) == [kept]


def test_a_machine_with_workers_alone_shows_its_counters_by_pages_of_its_own(site, store, tmp_path):
    """As the README says: the data folder is that machine's, the database is everybody's."""
    other = msgspec.structs.replace(site, data_dir=tmp_path / "other machine")
    other.data_dir.mkdir()
    program = (
        "from app import metrics, settings\n"
        "metrics.begin(settings.read()); metrics.count('letters', 'asked', 'sent', many=4)"
    )
    environment = os.environ | {
        "TIDEPOST_DATA_DIR": str(other.data_dir),
        "TIDEPOST_OPERATOR_KEY": KEY,
        "TIDEPOST_SECRET_KEYS": site.secret_keys[0],
    }
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    total = 'tidepost_letters_total{fate="sent",kind="asked"}'
    found = {
        one: read(create_app(one, store).test_client().get("/metrics", headers=OPERATOR))
        for one in (site, other)
    }
    assert total not in found[site]
    assert found[other][total] == 4
    ages = {figures["tidepost_wrong"] for figures in found.values()}
    assert ages == {1}, "what is read from the database is the same everywhere"


def test_a_folder_that_cannot_be_made_stops_nothing(site, tmp_path):
    (tmp_path / metrics.FOLDER).write_text("a file")
    metrics.begin(site)
    metrics.count("moves", "ferry", "email")
    assert not metrics.is_on()


def test_figures_without_a_database(site, store, monkeypatch):
    def away(*_):
        raise OSError

    metrics.begin(site)
    monkeypatch.setattr("app.web.core.probes.whole_health", away)
    found = read(create_app(site, store).test_client().get("/metrics", headers=OPERATOR))
    assert found["tidepost_wrong"] == 1

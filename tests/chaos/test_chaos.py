"""A share of the chaos; `python -m tests.chaos` runs it for as long as is asked."""

import pytest

from tests.chaos.run import Report, run

pytestmark = pytest.mark.slow


def held(report: Report) -> None:
    assert report.wrong == []
    assert report.counts["moves"] > 0
    assert report.counts["texts handed over"] > 0


def test_nothing_is_lost_doubled_or_misnamed_on_sqlite(tmp_path):
    held(run(tmp_path, "a share", 5, servers=False, pairs=1, pauses=(3.0, 5.0)))


@pytest.mark.long
def test_nothing_is_lost_doubled_or_misnamed_on_postgresql_and_redis(tmp_path):
    held(run(tmp_path, "a longer share", 20, servers=True, pairs=2, pauses=(5.0, 10.0)))

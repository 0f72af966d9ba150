"""The worked cases of the rules: every row of every table, every tile back, every option and ruling."""

from pathlib import Path
from typing import Any

import pytest

from app import scenarios

DOCUMENTS = list(scenarios.documents([Path(__file__).parent / "scenarios"]))


@pytest.mark.parametrize(("name", "document"), DOCUMENTS, ids=[name for name, _ in DOCUMENTS])
def test_scenario_holds(name: str, document: Any) -> None:
    assert scenarios.run(name, document).difference == ""

"""Long checks: every run makes a fixed share of each, `pytest -m long` makes the whole.

A long check is cut into cases; all of them carry the marker `long`, those of the share `share` too. What is
chosen depends on the cases alone, so that every machine makes the same.
"""

import random
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from hypothesis import settings

TIMES = 10
"""How many times as many examples of a law the whole has."""


class _Run:
    whole = False
    """Whether this run makes the whole of the long checks; set before any test is imported."""


def configure(*, whole: bool) -> None:
    """Say which examples the laws try that are imported from now on: always the same, or many new ones."""
    _Run.whole = whole
    settings.register_profile("share", deadline=None, derandomize=True, database=None)
    settings.register_profile("whole", deadline=None, max_examples=examples(100), print_blob=True)
    settings.load_profile("whole" if whole else "share")


def shared(cases: Sequence[Any], kept: int) -> list[Any]:
    """All the cases as parameters: a choice of `kept` of them runs always, the others with `-m long`.

    A case is one value, or a tuple of several.
    """
    chosen = random.Random(f"{kept} of {len(cases)}: {cases}").sample(range(len(cases)), kept)
    return [_parameter(case, number in chosen) for number, case in enumerate(cases)]


def sharing(cases: Sequence[Any], *always: Any) -> list[Any]:
    """As `shared`; the cases that run always are named, because they differ in how long they take."""
    return [_parameter(case, case in always) for case in cases]


def _parameter(case: Any, always: bool) -> Any:
    marks = [pytest.mark.slow, pytest.mark.long, *([pytest.mark.share] if always else [])]
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=marks)


def in_blocks(tables: Iterable[Any], numbers: range, blocks: int, kept: int = 1) -> list[Any]:
    """Games of these numbers at each table, cut into blocks of which `kept` a table run always.

    Each parameter is a pair: the table, and the numbers of a block. The blocks spread over pytest's workers.
    """
    size = -(-len(numbers) // blocks)
    cut = [numbers[start : start + size] for start in range(0, len(numbers), size)]
    return [one for table in tables for one in shared([(table, block) for block in cut], kept)]


def examples(count: int) -> int:
    """How many examples a law of Hypothesis's tries: `count`, and ten times as many with `-m long`."""
    return count * (TIMES if _Run.whole else 1)

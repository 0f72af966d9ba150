"""How a run of the tests goes: what is chosen, in which order, spread how. The root conftest uses it."""

import os
from typing import Any

import pytest
from xdist.scheduler import WorkStealingScheduling
from xdist.workermanage import Producer

from tests import share


def pytest_configure(config: pytest.Config) -> None:
    """Before any test is imported: how many examples the laws try."""
    share.configure(whole=_is_whole(config))


def _is_whole(config: pytest.Config) -> bool:
    return "long" in config.option.markexpr.split()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the share of the long checks, unless all are asked for or one is named; put the slow first."""
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.long)
            item.add_marker(pytest.mark.share)
    if not _is_whole(config) and not any("::" in argument for argument in config.args):
        spared = {one for one in items if one.get_closest_marker("long")}
        spared -= {one for one in spared if one.get_closest_marker("share")}
        config.hook.pytest_deselected(items=list(spared))
        items[:] = [one for one in items if one not in spared]
    items[:] = in_order(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def in_order(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """The items so that half of the workers, each of which gets an equal piece, begin with the slow.

    These mostly wait for processes; the other half has work for the cores meanwhile.
    """
    slow = [one for one in items if one.get_closest_marker("slow")]
    fast = [one for one in items if not one.get_closest_marker("slow")]
    bearers = max(workers // 2, 1)
    ordered: list[pytest.Item] = []
    for worker in range(workers):
        mine = slow[worker::bearers] if worker < bearers else []
        size = (len(items) - len(ordered)) // (workers - worker)
        ordered += mine + fast[: max(size - len(mine), 0)]
        del fast[: max(size - len(mine), 0)]
    return ordered + fast


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> WorkStealingScheduling:
    """Let workers that have nothing left take tests from the others, whatever `--dist` says."""
    return WorkStealingScheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Any:  # noqa: ARG001
    """In CI fail where a test would be skipped: nothing may be missing there."""
    report = yield
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
    return report

"""The costs of Tidepost: each figure is the median of its runs, with its spread and a ratio to a limit."""

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

RUNS = 5


class Figure(msgspec.Struct, frozen=True):
    """A measurement: its runs, five where they differ, and as many of its limit in the same minutes."""

    name: str
    unit: str
    runs: tuple[float, ...]
    limit: tuple[float, ...] = ()
    aim: float | None = None
    """For the ratio if there is a limit, else for the median."""
    most: bool = False
    """The aim is a maximum, not a minimum."""
    note: str = ""
    """The reason if there are no runs."""

    @property
    def ratios(self) -> tuple[float, ...]:
        """Of each run to the limit beside it."""
        return tuple(mine / limit for mine, limit in zip(self.runs, self.limit, strict=bool(self.limit)))

    @property
    def reached(self) -> float:
        """The value compared with the aim; 0 if it was not measured."""
        if not self.runs:
            return 0
        return statistics.median(self.ratios or self.runs)

    @property
    def met(self) -> bool | None:
        """Whether the aim is met; None: there is none, or it was not measured."""
        if self.aim is None or not self.runs:
            return None
        return self.reached <= self.aim if self.most else self.reached >= self.aim

    @property
    def verdict(self) -> str:
        """Whether the aim is met, and else by how much it is missed; empty without an aim."""
        if self.aim is None:
            return ""
        if self.met:
            return "met"
        gap = abs(self.reached - self.aim)
        return f"MISSED by {gap / self.aim:.0%}" if self.aim else f"MISSED by {gap:g}"

    def row(self) -> str:
        """The figure as a row of a table."""
        if self.note:
            return f"{self.name:<58} {self.note}"
        aim = "" if self.aim is None else f"{'≤' if self.most else '≥'} {self.aim:g}"
        cells = (_spread(self.runs), self.unit, _spread(self.limit), _spread(self.ratios), aim, self.verdict)
        widths = (26, 8, 26, 22, 8, 6)
        return " ".join(
            (f"{self.name:<58}", *(f"{one:<{width}}" for one, width in zip(cells, widths, strict=True)))
        ).rstrip()

    def facts(self) -> dict[str, Any]:
        """The figure for programs."""
        return msgspec.structs.asdict(self) | {
            "ratios": self.ratios,
            "reached": self.reached,
            "met": self.met,
        }


def summary(figures: Sequence[Figure]) -> str:
    """How many of the aims are met, and which are not."""
    aimed = [one for one in figures if one.met is not None]
    missed = [one.name for one in aimed if not one.met]
    told = f"{len(aimed) - len(missed)} of {len(aimed)} aims met"
    return f"{told}; missed: {'; '.join(missed)}" if missed else told


HEAD = f"{'figure':<58} {'median [least..most]':<26} {'unit':<8} {'its limit':<26} {'ratio':<22} {'aim':<8}"


def cpu_milliseconds(act: Callable[[], object]) -> float:
    """The CPU time of this process for an act."""
    begun = time.process_time()
    act()
    return (time.process_time() - begun) * 1000


def _spread(numbers: Sequence[float]) -> str:
    if not numbers:
        return ""
    digits = 3 if max(numbers) < 1 else 2 if max(numbers) < 20 else 0
    low, middle, high = min(numbers), statistics.median(numbers), max(numbers)
    return f"{middle:,.{digits}f} [{low:,.{digits}f}..{high:,.{digits}f}]"

"""The costs of Tidepost: each figure is the median of five runs, with its spread and a ratio to a limit."""

import statistics
from collections.abc import Iterator, Sequence

import msgspec

RUNS = 5


class Figure(msgspec.Struct, frozen=True):
    """A measurement: five runs, and five of its limit in the same minutes."""

    name: str
    unit: str
    runs: tuple[float, ...]
    limit: tuple[float, ...] = ()
    aim: float | None = None
    """For the ratio if there is a limit, else for the median."""
    most: bool = False
    """The aim is a maximum, not a minimum."""

    @property
    def reached(self) -> float:
        """The value compared with the aim."""
        if self.limit:
            return statistics.median(mine / limit for mine, limit in zip(self.runs, self.limit, strict=True))
        return statistics.median(self.runs)

    def lines(self) -> Iterator[str]:
        """The figure in words."""
        yield f"{self.name}: {_spread(self.runs)} {self.unit}"
        if self.limit:
            ratios = [mine / limit for mine, limit in zip(self.runs, self.limit, strict=True)]
            yield f"    the limit: {_spread(self.limit)} {self.unit}; ratio {_spread(ratios)}"
        if self.aim is not None:
            met = self.reached <= self.aim if self.most else self.reached >= self.aim
            word = "at most" if self.most else "at least"
            yield f"    aim {word} {self.aim:g}: {'met' if met else 'MISSED'}"


def _spread(numbers: Sequence[float]) -> str:
    digits = 2 if max(numbers) < 20 else 0
    low, middle, high = min(numbers), statistics.median(numbers), max(numbers)
    return f"{middle:,.{digits}f} [{low:,.{digits}f}..{high:,.{digits}f}]"

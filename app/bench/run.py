"""All parts of the bench by name, in the order in which they are run."""

from collections.abc import Callable, Iterator, Sequence

from app.bench import Figure, crowd, disk, growth, letters, pages, process, replies, rules, turns


class NoSuchPart(Exception):  # noqa: N818 - told to whoever typed the command
    """There is no such part; the text says which there are."""


Part = Callable[[bool], Iterator[Figure]]
PARTS: dict[str, Part] = {
    "rules": lambda _quick: rules.figures(),
    "replies": lambda _quick: replies.figures(),
    "turns": lambda quick: turns.figures(quick=quick),
    "pages": lambda quick: pages.figures(quick=quick),
    "growth": lambda quick: growth.figures(quick=quick),
    "crowd": lambda quick: crowd.figures(quick=quick),
    "disk": lambda quick: disk.figures(quick=quick),
    "letters": lambda quick: letters.figures(quick=quick),
    "process": lambda quick: process.figures(quick=quick),
}


def figures(parts: Sequence[str] = (), *, quick: bool = False, postgres: str = "") -> Iterator[Figure]:
    """The figures of these parts, or of all. Raises NoSuchPart.

    `postgres` is the address of an empty database, on which turns are measured too.
    """
    for name in parts:
        if name not in PARTS:
            raise NoSuchPart(f"no part {name!r}; there are {', '.join(PARTS)}")
    for name, part in PARTS.items():
        if not parts or name in parts:
            yield from part(quick)
            if name == "turns" and postgres:
                yield from turns.figures(postgres, quick=quick)

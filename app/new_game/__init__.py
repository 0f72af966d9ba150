"""A skeleton of a new game: small, playable, and passing every test that games must pass."""

import keyword
import re
from collections.abc import Iterator
from pathlib import Path

import app

SKELETON = Path(__file__).parent / "skeleton"
ROOMS = {"game": "app/games", "templates": "templates/games", "tests": "tests/games"}
"""Where in a checkout each part of the skeleton belongs."""
_NO_NAMES = frozenset(
    {"true", "false", "yes", "no", "on", "off", "null", "none", "app", "tests", "con", "nul"}
)
"""Words that YAML, or a file system, reads as something else."""
_SLUG = re.compile(r"[a-z][a-z0-9_]{1,29}")


class CannotCreate(Exception):  # noqa: N818 - told to whoever typed the command
    """The game can't be created; the text says why and what works."""


def checkout() -> Path:
    """The folder that the source lies in."""
    return Path(app.__file__).parent.parent


def check(slug: str, root: Path) -> None:
    """Raise CannotCreate if the name doesn't do, or if the root isn't a checkout."""
    if not _SLUG.fullmatch(slug) or keyword.iskeyword(slug) or slug in _NO_NAMES:
        raise CannotCreate(
            f"{slug!r} can't be the name of a game. Use 2 to 30 lower-case letters, digits or underscores, "
            "beginning with a letter, and no word of Python: for example nine_holes."
        )
    if not all((root / room).is_dir() for room in ROOMS.values()):
        raise CannotCreate(f"{root} is no checkout of Tidepost. Clone the source and run the command in it.")
    for room in ROOMS.values():
        if (root / room / slug).exists():
            raise CannotCreate(f"{room}/{slug} is there already. Choose another name, or remove it first.")
    if (root / "tests" / slug).exists():
        raise CannotCreate(f"the tests use the name {slug} for a game of their own. Choose another name.")


def create(slug: str, root: Path) -> Iterator[Path]:
    """Write the files of a new game, yielding each path from the root. Raises CannotCreate."""
    check(slug, root)
    title = slug.replace("_", " ").capitalize()
    names = {
        "__slug__": slug,
        "__Title__": title,
        "__Class__": "".join(part.capitalize() for part in slug.split("_")),
    }
    for part, room in ROOMS.items():
        for source in sorted((SKELETON / part).rglob("*.txt")):
            target = root / room / slug / source.relative_to(SKELETON / part).with_suffix("")
            target.parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text(encoding="utf-8")
            for placeholder, name in names.items():
                text = text.replace(placeholder, name)
            target.write_text(text, encoding="utf-8")
            yield target.relative_to(root)

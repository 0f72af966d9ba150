"""A game is its own folders and nothing else: no other module or template names one."""

import re
from pathlib import Path

from app.games import all_games

ROOT = Path(__file__).parent.parent.parent
SLUG = re.compile(rf"\b({'|'.join(all_games())})\b", re.IGNORECASE)
NAMES = {
    "app/cli.py": "the game that `tidepost demo` offers",
    "app/web/account/webhooks.py": "the example of a post to a program",
    "app/bench/rules.py": "the aims of the games that are measured",
    "templates/rules/words/en.html": "the caption of a picture",
}
"""Each with what it names a game for."""
WORDS = re.compile(r"words that survive a new board")
"""The verb."""


def own(path: Path) -> bool:
    """Whether the file belongs to a game."""
    parts = path.relative_to(ROOT).parts
    return parts[:2] in (("app", "games"), ("templates", "games")) and parts[2] in all_games()


def naming() -> set[str]:
    """The files that name a game, other than its own."""
    files = [path for top in ("app", "templates", "workers") for path in (ROOT / top).rglob("*")]
    return {
        str(path.relative_to(ROOT))
        for path in files
        if path.suffix in (".py", ".html", ".txt", ".jinja", ".svg", ".css", ".js")
        and not own(path)
        and SLUG.search(WORDS.sub("", path.read_text()))
    }


def test_nothing_outside_names_a_game():
    assert naming() == set(NAMES)


def test_each_games_folders_are_there():
    for slug in all_games():
        assert (ROOT / "app" / "games" / slug / "__init__.py").is_file()
        assert (ROOT / "templates" / "games" / slug / "board.svg").is_file()
        assert (ROOT / "tests" / "games" / slug).is_dir()

"""The documents tell the truth: files, commands, settings and versions that they name are there."""

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from app.cli import main
from app.settings import Keep, Settings

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "app/**/*.md", "tests/*.md", ".github/**/*.md")
    for path in ROOT.glob(pattern)
)
ROOMS = [ROOT / "app" / room for room in ("play", "mail", "web")]
NO_PATHS = re.compile(r"[<>*…{} :]|^/|^\d|SLUG")
"""Patterns, commands and addresses stand between back quotes too."""


EXAMPLES = {
    ".venv/bin/tidepost",
    "sqlite:///",
    "./data",
    "words/de.jinja",
    "expected.yaml",
    "notation.py",
    "rules.py",
}
"""Named as what could be there."""


def paths_in(document: Path) -> set[str]:
    """Everything between back quotes that looks like a file or a folder."""
    found = re.findall(r"`([^`\n]+)`", document.read_text())
    return {
        one
        for one in found
        if not NO_PATHS.search(one) and re.search(r"/|\.(py|md|toml|txt|yaml|jinja)$", one)
    }


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_a_document_names_exist(document):
    folders = [ROOT / folder / "games" for folder in ("app", "templates", "tests")]
    one_game = [folder / game for folder in folders for game in ("atlantis", "survive")]
    bases = (
        document.parent,
        *one_game,
        ROOT,
        ROOT / "app",
        *(ROOMS if document == ROOT / "app" / "README.md" else ()),
    )
    missing = {one for one in paths_in(document) if not any((base / one).exists() for base in bases)}
    assert missing - EXAMPLES == set()


def test_the_architecture_names_every_room():
    text = (ROOT / "app" / "README.md").read_text()
    rooms = [path for path in (ROOT / "app").iterdir() if (path / "__init__.py").exists()]
    inner = [path for room in ROOMS for path in room.iterdir() if (path / "__init__.py").exists()]
    assert len(inner) > 15
    assert [path.name for path in rooms + inner if f"`{path.name}/`" not in text] == []


def test_the_readme_has_every_command_and_setting():
    text = (ROOT / "README.md").read_text()
    hidden = {"catcher"}  # a part of `serve`
    assert [
        name
        for name in sorted(main.commands.keys() - hidden)
        if f"`{name}" not in text and f" {name}" not in text
    ] == []
    names = [
        f"TIDEPOST_{field.name.upper()}" for field in msgspec.structs.fields(Settings) if field.name != "keep"
    ]
    names += [f"TIDEPOST_KEEP_{field.name.upper()}_DAYS" for field in msgspec.structs.fields(Keep)]
    assert [name for name in names if f"`{name}`" not in text] == []


def test_the_changelog_begins_with_this_version():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    newest = re.search(r"^## (\d+\.\d+\.\d+)", (ROOT / ".github" / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest is not None
    assert newest[1] == version


def test_the_workflow_runs_what_everybody_can_run():
    assert "- run: .ci/run" in (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    assert (ROOT / "app" / "py.typed").exists()
    assert (ROOT / "workers" / "py.typed").exists()

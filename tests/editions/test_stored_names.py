"""Stored names outlive every renaming: tags are written out, and what an edition stored it can still read."""

import ast
import json
from pathlib import Path

import msgspec
import pytest

from app.engine.game import Event, Move, Record, View
from tests.editions.names import stored_names
from tests.nim import EARLIER, GAMES, NIM, editions_of

ROOT = Path(__file__).parent.parent.parent
SOURCES = [
    *sorted((ROOT / "app" / "games").rglob("*.py")),
    *sorted((ROOT / "tests").glob("toy*.py")),
    *sorted((ROOT / "tests" / "nim").rglob("*.py")),
]

each_game = pytest.mark.parametrize("slug", sorted(set(GAMES) - set(EARLIER)))


def frozen(slug: str) -> dict[str, dict[str, list[str]]]:
    """The stored names of each edition of a game."""
    nim = ROOT / "tests" / "nim" / "stored_names.json"
    file = nim if slug == NIM.slug else ROOT / "tests" / "games" / slug / "stored_names.json"
    names: dict[str, dict[str, list[str]]] = json.loads(file.read_text())
    return names


def records(tree: ast.Module, known: set[str]) -> list[ast.ClassDef]:
    """The classes of a module whose base is a record, found by name."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and {getattr(base, "id", getattr(base, "attr", "")) for base in node.bases} & known
    ]


def all_records() -> list[tuple[Path, ast.ClassDef]]:
    known = {kind.__name__ for kind in (Record, Move, Event, View)}
    trees = {path: ast.parse(path.read_text()) for path in SOURCES}
    while True:
        found = [(path, node) for path, tree in trees.items() for node in records(tree, known)]
        names = {node.name for _, node in found}
        if names <= known:
            return found
        known |= names


def test_every_record_writes_out_its_tag():
    found = all_records()
    assert len(found) > 100
    for path, node in found:
        tags = [word.value for word in node.keywords if word.arg == "tag"]
        assert len(tags) == 1, (path, node.name)
        assert isinstance(tags[0], ast.Constant), (path, node.name)
        assert isinstance(tags[0].value, str), (path, node.name)


@each_game
def test_every_edition_has_its_stored_names_on_record(slug):
    """A new edition: print its names with `python -m tests.editions SLUG` and add them."""
    assert {str(game.edition) for game in editions_of(slug)} <= set(frozen(slug))


@each_game
def test_an_edition_reads_what_it_once_stored(slug):
    for game in editions_of(slug):
        now = stored_names(game)
        for tag, fields in frozen(slug)[str(game.edition)].items():
            assert tag in now, f"edition {game.edition} of {slug} no longer reads {tag}"
            assert set(fields) <= set(now[tag]), f"{tag} lost a stored field"
            new = {name for name, required in now[tag].items() if required} - set(fields)
            assert not new, f"{tag} wants fields that are not stored: {new}"


@each_game
def test_the_editions_of_a_game_share_the_tags_of_their_events(slug):
    """The log is read by the events of all editions together, so a tag means one record."""
    kinds = {kind for game in editions_of(slug) for kind in game.event_types}
    tags = [msgspec.inspect.type_info(kind).tag for kind in kinds]
    assert len(tags) == len(set(tags))


@each_game
def test_editions_are_numbered_once_and_the_newest_is_offered(slug):
    numbers = [game.edition for game in editions_of(slug)]
    assert numbers == sorted(set(numbers), reverse=True)
    assert {game.slug for game in editions_of(slug)} == {slug}
    assert GAMES[slug] is editions_of(slug)[0]

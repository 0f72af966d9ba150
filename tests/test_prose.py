"""How the code speaks to engineers: plain docstrings and comments, names of the field."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(
    path
    for folder in ("app", "workers")
    for path in (ROOT / folder).rglob("*.py")
    if "migrations" not in path.parts
)
ONE_PERSON = re.compile(r"\b(he|his|him|himself|whom|whoever|somebody who|who is to)\b", re.IGNORECASE)
TESTS = sorted(
    path
    for path in (ROOT / "tests").rglob("*.py")
    if path.name not in ("test_prose.py", "test_voice.py", "test_letter_columns.py")
)
"""All but those that name the words, or a stored word of earlier times."""
HE = re.compile(r"(?<![a-z])(he|his|him|himself|whom)(?![a-z])", re.IGNORECASE)
"""Also within the name of a test."""
RIDDLE = re.compile(r"(who|whom|whose|whoever|what|whatever|that which|so that)\b", re.IGNORECASE)
"""A first line that begins so names no thing and no act."""
WIT = re.compile(r"\b(the house|of the house|house's|letter-box|go round|barred|riddle)\b", re.IGNORECASE)
FORMER = frozenset(
    {
        "Standing",
        "Sitting",
        "Sight",
        "Glance",
        "Bearer",
        "Heard",
        "Wanted",
        "Timed",
        "Errand",
        "Desk",
        "Door",
        "Gathered",
        "Wire",
        "Lent",
        "Bell",
        "HouseError",
        "ask_for",
        "ask_for_bell",
        "glimpse",
        "seal",
        "judge",
        "go_round",
        "HOUSE_WORDS",
        "redeal",
        "touches",
        "tidings",
        "purse",
        "shelf",
        "obey",
    }
)
"""Names that said little, with better ones in their place."""


def docstrings(tree: ast.Module) -> list[tuple[int, str]]:
    """Every docstring, those of attributes too, with its line."""
    return [
        (one.lineno, one.value.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        for one in node.body
        if isinstance(one, ast.Expr)
        and isinstance(one.value, ast.Constant)
        and isinstance(one.value.value, str)
    ]


def comments(text: str) -> list[tuple[int, str]]:
    """Every comment that is prose, with its line."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [
        (token.start[0], token.string)
        for token in tokens
        if token.type == tokenize.COMMENT and not token.string.startswith(("# noqa", "# type:", "# fmt"))
    ]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_speaks_plainly(path):
    text = path.read_text()
    prose = docstrings(ast.parse(text))
    faults = [
        f"{line}: one person: {said}" for line, said in prose + comments(text) if ONE_PERSON.search(said)
    ]
    faults += [f"{line}: wit: {said}" for line, said in prose + comments(text) if WIT.search(said)]
    faults += [f"{line}: begins as a riddle: {said}" for line, said in prose if RIDDLE.match(said)]
    assert faults == []


@pytest.mark.parametrize("path", TESTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_test_calls_nobody_he(path):
    lines = enumerate(path.read_text().splitlines(), 1)
    assert [f"{number}: {line.strip()}" for number, line in lines if HE.search(line)] == []


def test_he_is_found_in_the_name_of_a_test():
    assert HE.search("def test_a_player_keeps_his_seat")
    assert not HE.search("def test_the_ship_of_others")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_uses_the_names_of_the_field(path):
    used = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            used.add(node.name)
        elif isinstance(node, ast.alias):
            used.add(node.asname or node.name)
    if "games" not in path.parts:  # seals and judges may be pieces of a game
        assert used & FORMER == set()

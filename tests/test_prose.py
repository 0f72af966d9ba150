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

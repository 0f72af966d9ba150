"""Each table has one owner: every statement of app and workers is read against `app.store.owners`."""

import ast
import re
from pathlib import Path

import pytest
from sqlmodel import SQLModel

import app.store.tables
from app.store.owners import ACCOUNTS, OWNERS, TOOL_WRITES, TOOLS
from tests.store.statements import held, modules

ROOT = Path(app.__file__).parent.parent
TABLES = set(SQLModel.metadata.tables)
SQL = re.compile(r"\bSELECT\b.*\bFROM\b|\bINSERT INTO\b|\bUPDATE\b.*\bSET\b|\bDELETE FROM\b", re.DOTALL)
WORD = re.compile(r"""(?<![.:\w])"?([a-z_]+)"?(?!\w)""")
WRITES = re.compile(r'\b(?:UPDATE|INSERT INTO|DELETE FROM)\s+"?([a-z_]+)"?')
CLASSES = {table.title().replace("Standingorder", "StandingOrder"): table for table in TABLES}


def test_what_starts_a_process_holds_no_statement():
    for path in (*ROOT.glob("app/**/wsgi.py"), *ROOT.glob("*/**/__main__.py")):
        tree = ast.parse(path.read_text())
        assert not [*literals(tree), *core(tree)], path


def accesses(sql):
    """What a statement does to which table. No column is named as a table is."""
    plain = re.sub(r"'[^']*'", "''", sql)
    written = set(WRITES.findall(plain)) & TABLES
    read = set(WORD.findall(WRITES.sub("", plain))) & TABLES
    return {f"write {table}" for table in written} | {f"read {table}" for table in read - written}


def literals(tree):
    """The texts of SQL in a module, where part of them is put together with what stands in their holes."""
    for node in ast.walk(tree):
        text = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(str(one.value) if isinstance(one, ast.Constant) else " " for one in node.values)
        if SQL.search(text):
            yield text


def core(tree):
    """The tables whose classes a module imports, to build statements or rows from them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("app.store.tables"):
            for name in node.names:
                yield f"class {CLASSES.get(name.name, name.name)}"


def parsed(module):
    return ast.parse(Path(module.__file__).read_text())


def found_in(module):
    tree = parsed(module)
    texts = [*literals(tree), *(one.sql for value in vars(module).values() for one in held(value))]
    return {one for text in texts for one in accesses(text)} | set(core(tree))


def within(module, names):
    return any(module == name or module.startswith(f"{name}.") for name in names)


def allowed(module, access):
    how, table = access.split()
    if within(module, (ACCOUNTS,)):
        return how != "class"
    owned = OWNERS[table]
    if within(module, owned.writers):
        return how != "class"
    if how == "write" and module in TOOL_WRITES:
        return TOOL_WRITES[module][0] == table
    return how == "read" and within(module, (*owned.readers, *TOOLS))


def violations():
    return {
        f"{module.__name__}: {access}"
        for module in modules()
        for access in found_in(module)
        if not allowed(module.__name__, access)
    }


@pytest.fixture(scope="module")
def broken():
    return violations()


def test_every_table_has_an_owner():
    assert set(OWNERS) == TABLES


def test_every_statement_belongs_to_the_owner_of_its_tables(broken):
    assert not broken, "ask the owner, see app/store/owners.py:\n" + "\n".join(sorted(broken))


def made_at_run_time(tree):
    """The functions that make a statement and are not called for a constant of the module alone."""
    functions = [one for one in ast.walk(tree) if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    makers = {one.name for one in functions if called(one) & {"Query", "Command", "Lock"}}
    return makers & {name for one in functions for name in called(one)} | {
        one.name for one in functions if one.name in makers and not one.name.startswith("_")
    }


def called(node):
    calls = [one.func for one in ast.walk(node) if isinstance(one, ast.Call)]
    return {one.id for one in calls if isinstance(one, ast.Name)}


def test_every_statement_is_a_constant_of_a_module():
    """One that is made in a function would not be seen by the tests of statements."""
    found = {module.__name__: made_at_run_time(parsed(module)) for module in modules()}
    assert not {name: made for name, made in found.items() if made}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("_x = Query(int, 'SELECT 1')", set()),
        ("def _q(w):\n    return Query(int, w)\n_x = _q('1')", set()),
        ("def find(w):\n    return Query(int, w)", {"find"}),
        ("def _q(w):\n    return Query(int, w)\ndef find(w):\n    return _q(w).all()", {"_q"}),
    ],
)
def test_the_search_for_statements_made_at_run_time(source, found):
    assert made_at_run_time(ast.parse(source)) == found


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT id FROM letter", {"read letter"}),
        ('SELECT 1 FROM chair c, "match" m', {"read chair", "read match"}),
        ("UPDATE chair SET bank = (SELECT 1 FROM player)", {"write chair", "read player"}),
        ("INSERT INTO note (text) SELECT text FROM notice", {"write note", "read notice"}),
        ("DELETE FROM token WHERE purpose = 'letter'", {"write token"}),
        ("SELECT c.match_id, :match FROM chair c LEFT JOIN absence ON true", {"read chair", "read absence"}),
        ("INSERT INTO house (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET stops = ''", {"write house"}),
    ],
)
def test_the_reading_of_statements(sql, found):
    assert accesses(sql) == found


@pytest.mark.parametrize(
    ("module", "access"),
    [
        ("app.people.service", "read match"),
        ("app.web.match.routes", "read letter"),
        ("app.play.moves.service", "write question"),
        ("app.play.match.snapshot", "write match"),
        ("app.rehearsal.audit", "write match"),
        ("app.people.service", "class player"),
        ("app.peoples", "write player"),
    ],
)
def test_what_is_not_allowed(module, access):
    assert not allowed(module, access)


def test_every_reader_reads_and_every_writer_writes():
    """The map lists nobody who no longer needs it."""
    found = {module.__name__: found_in(module) for module in modules()}
    idle = []
    for table, owned in OWNERS.items():
        for name, how in [
            *((one, "write") for one in owned.writers),
            *((one, "read") for one in owned.readers),
        ]:
            if not any(within(one, (name,)) and f"{how} {table}" in all_ for one, all_ in found.items()):
                idle.append(f"{name}: {how} {table}")
    assert not idle


if __name__ == "__main__":
    print("\n".join(sorted(violations())))  # noqa: T201 - the list of what is not so

"""What runs needs only what an installation brings: the tests have more packages, which would hide a gap."""

import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
IMPORTS = """
import importlib, pkgutil, sys

class Absent:
    names = frozenset(sys.argv[1:])
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in [one for one in sys.modules if one.partition(".")[0] in Absent.names]:
    del sys.modules[name]
sys.meta_path.insert(0, Absent())
import app, workers
for package in (app, workers):
    for one in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not one.name.endswith("__main__") and ".migrations." not in one.name:
            importlib.import_module(one.name)
for name in ("kombu.transport.redis", "kombu.transport.pyamqp", "psycopg", "gunicorn.app.wsgiapp"):
    importlib.import_module(name)
"""
"""Imports the whole server and what it loads by name, without the packages that are named."""


def brought_by(requirements: list[str]) -> set[str]:
    """The distributions that are installed with these: they, and all that they need."""
    found: set[tuple[str, str]] = set()
    waiting = [(Requirement(one), "") for one in requirements]
    while waiting:
        wanted, extra = waiting.pop()
        if wanted.marker is not None and not wanted.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(wanted.name)
        for each in ("", *wanted.extras):
            if (name, each) not in found:
                found.add((name, each))
                waiting += [(Requirement(one), each) for one in metadata.requires(name) or ()]
    return {name for name, _ in found}


def test_the_server_imports_only_what_its_installation_brings():
    """Redis as a broker needed a package that only the tests brought."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    brought = brought_by(project["dependencies"])
    assert {"flask", "redis", "kombu"} <= brought
    owners = metadata.packages_distributions()
    absent = [
        name
        for name, those in owners.items()
        if brought.isdisjoint(map(canonicalize_name, those)) and name not in ("app", "workers")
    ]
    assert "pytest" in absent
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS, *absent], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr

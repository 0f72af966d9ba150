"""The statements of app and workers, for the tests that read or prepare each of them."""

import importlib
import pkgutil
import re

import app
import workers
from app.store import sql

APART = re.compile(r"^app\.store\.(tables|migrations)|\.(__main__|wsgi)$")
"""Modules that hold no statement: the tables, the migrations, and what starts a process."""


def modules():
    """Every other module of app and workers, imported."""
    for package in (app, workers):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not APART.search(found.name):
                yield importlib.import_module(found.name)


def held(value, depth=3):
    """The statements in a module's constant, also within a mapping or a sequence."""
    if isinstance(value, sql.Statement):
        yield value
    elif depth and isinstance(value, dict):
        for one in value.values():
            yield from held(one, depth - 1)
    elif depth and isinstance(value, (tuple, list, set, frozenset)):
        for one in value:
            yield from held(one, depth - 1)


def statements():
    """Each statement once, with a name for it."""
    found = {}
    for module in modules():
        for name, value in vars(module).items():
            for n, one in enumerate(held(value)):
                found.setdefault(id(one), (f"{module.__name__}.{name}{n or ''}", one))
    return dict(found.values())

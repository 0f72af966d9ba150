"""The docstrings of records and of their fields, which the OpenAPI document repeats."""

import ast
import inspect
import sys
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec


def described(record: type[Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a record, with the docstrings of its fields as descriptions."""
    said = _said(record)
    properties = schema.get("properties", {})
    for field in msgspec.structs.fields(record):
        if field.name in said and field.encode_name in properties:
            value = properties[field.encode_name]
            if "$ref" in value:  # beside which OpenAPI keeps nothing in some tools
                value = {"allOf": [value]}
            properties[field.encode_name] = {**value, "description": said[field.name]}
    return schema


def _said(record: type[Any]) -> dict[str, str]:
    """The docstring below each field, also of those that it inherits."""
    found: dict[str, str] = {}
    for one in reversed(record.__mro__):
        body = _classes(one.__module__).get(one.__name__, [])
        for field, below in pairwise(body):
            text = _text(below)
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and text:
                found[field.target.id] = text
    return found


@cache
def _classes(module: str) -> dict[str, list[ast.stmt]]:
    """The bodies of the classes of a module by name; none of one without a source of ours."""
    if not module.startswith("app."):
        return {}
    found = ast.parse(inspect.getsource(sys.modules[module]))
    return {one.name: one.body for one in found.body if isinstance(one, ast.ClassDef)}


def _text(node: ast.stmt) -> str:
    """The text that a statement is; empty: it is another statement."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return " ".join(str(node.value.value).split())
    return ""

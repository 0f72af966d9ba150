"""The docstrings of records and of their fields, which the OpenAPI document repeats."""

import ast
import inspect
import sys
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

EVERYWHERE = {
    "absences": "Days away.",
    "asked_at": "The moment at which it was asked.",
    "at": "The moment.",
    "bot": "The computer plays it.",
    "bots": "Seats that the computer plays.",
    "by_seat": "The seat of the player who did it.",
    "by_vote": "The other players decide by majority, as the host is gone.",
    "clock": "The time limit. Spans are in seconds, weekdays from 0, Monday.",
    "created_at": "The moment at which it was made.",
    "do": "The act.",
    "edition": "Of the rules.",
    "ended_at": "The moment of its end; null: it goes on.",
    "free": "Seats that nobody has and nobody was invited to.",
    "game": "The short name of the game, as in `get_games`.",
    "host": "They are the host.",
    "id": "Its number.",
    "invitation": "The number of the invitation.",
    "language": "A code, such as `en`.",
    "match": "The number of the match.",
    "matches": "Those of this page.",
    "name": "As people read it.",
    "options": "The settings, by name.",
    "ply": "The number of an entry in the match's log.",
    "resigned": "Its player gave it up.",
    "seat": "The name of a seat: its colour.",
    "seats": "How many there are.",
    "started_at": "The moment of its start.",
    "text": "In words.",
    "title": "Of the game, in words.",
    "to_move": "The seats that the match waits for.",
    "type": "The name of the schema.",
    "zone": "A time zone, such as `Europe/Lisbon`.",
}
"""Descriptions of fields that mean the same in every record, where the record has no other."""


def described(record: type[Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a record, with the docstrings of its fields as descriptions."""
    said = _said(record)
    properties = schema.get("properties", {})
    ours = EVERYWHERE if record.__module__.startswith("app.web.api.") else {}
    for field in msgspec.structs.fields(record):
        text = said.get(field.name) or ours.get(field.name, "")
        if text and field.encode_name in properties:
            value = properties[field.encode_name]
            if "description" in value:
                continue
            if "$ref" in value:  # beside which OpenAPI keeps nothing in some tools
                value = {"allOf": [value]}
            properties[field.encode_name] = {**value, "description": text}
    for tag in ("type", "do"):
        if "const" in str(properties.get(tag, {})) or "enum" in properties.get(tag, {}):
            properties[tag] = {**properties[tag], "description": EVERYWHERE[tag]}
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

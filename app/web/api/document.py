"""The OpenAPI document, made of the operations and the records that they name."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from app import games
from app.web.api.docstrings import described
from app.web.api.match_records import Match
from app.web.api.operations import JSON, LONGEST, ONCE, OPERATIONS, SHORTEST, Operation
from app.web.api.problems import MIME, Problem

BASE = "/api/v1"
_VALUE = re.compile(r"<(?:(\w+)(?:\([^)]*\))?:)?(\w+)>")
_REF = "#/components/schemas/{name}"
REFUSED = {
    "400": "The request can't be read: `facts.error` says why.",
    "401": "There is no key, or none that opens anything.",
    "403": "The key may not do this: `facts.scope` is the right that it needs.",
    "404": "There is no such thing, or not for the caller: the same answer for both.",
    "405": "The path takes no such method.",
    "409": "Something has changed since: the question is answered, the match is over.",
    "413": "The body is too long.",
    "422": "It can't be done like this: `title` is the reason, `facts` what it tells of.",
    "429": "Too often: try again after `Retry-After` seconds.",
    "503": "The server is busy or away for a moment: try again after `Retry-After` seconds.",
}
"""The problems that an operation can answer with."""
ABOUT = """\
Play and look after games from a program. A match is one game being played, a ply an entry of its log.

Send a key as `Authorization: Bearer tidepost_…`; make one on your profile, under “For programs”. What anybody
may see needs none. A key never goes into an address. Cookies are not read.

Answers have an `ETag`: send it as `If-None-Match`, and what has not changed is answered with 304. Lists have
cursors. Moments are in UTC. Whatever writes can carry an `Idempotency-Key`: sent again with the same body, it
acts once, and the second answer is the first one.

A refusal is a problem (RFC 9457), and changes nothing: `title` is its reason, `facts` what it tells of, and
`detail` the sentence in the language of `Accept-Language`, else in the player's. New fields may come: pass
over what they don't know.
"""


@cache
def document(version: str, slugs: tuple[str, ...]) -> bytes:
    """The document as JSON, for a version of the program and the games that it has."""
    used = {record for one in OPERATIONS for record in (one.takes, one.gives) if record is not None}
    views = tuple(games.all_games()[slug].view_type for slug in slugs)
    named = [*sorted({Problem, *used}, key=str), *views]
    schemas, components = msgspec.json.schema_components(named, ref_template=_REF)
    schema = dict(zip(named, schemas, strict=True))
    for record in records_of(named):
        name = record.__name__ if record.__name__ in components else f"{record.__module__}.{record.__name__}"
        described(record, components[name])
    _describe_views(components, [schema[one] for one in views])
    paths: dict[str, dict[str, Any]] = {}
    for one in OPERATIONS:
        paths.setdefault(path_of(one), {})[one.method.lower()] = _operation(one, schema)
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {"title": "Tidepost", "version": version, "description": ABOUT},
            "servers": [{"url": "/"}],
            "paths": paths,
            "components": {
                "schemas": components,
                "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
                "responses": {
                    status: {
                        "description": said,
                        "content": {MIME: {"schema": schema[Problem]}},
                    }
                    for status, said in REFUSED.items()
                },
            },
        }
    )


def records_of(kinds: Iterable[Any]) -> list[type[msgspec.Struct]]:
    """The records that these types are made of, each once."""
    found: dict[type[msgspec.Struct], None] = {}
    left: list[Any] = list(inspect.multi_type_info(kinds))
    while left:
        one = left.pop()
        if isinstance(one, list | tuple):
            left += one
        elif isinstance(one, inspect.StructType):
            if one.cls not in found:
                found[one.cls] = None
                left += [field.type for field in one.fields]
        elif isinstance(one, inspect.Type):
            left += [getattr(one, name) for name in one.__struct_fields__]
    return list(found)


def path_of(one: Operation) -> str:
    """The path of an operation as OpenAPI writes it."""
    return BASE + _VALUE.sub(r"{\2}", one.path)


def _describe_views(components: dict[str, Any], views: list[dict[str, Any]]) -> None:
    """Say of a match's view which schemas it can have."""
    view = components[Match.__name__]["properties"]["view"]
    said = view.get("description", "")
    view.clear()
    view.update({"oneOf": views, "description": said} if views else {"type": "object", "description": said})


def _operation(one: Operation, schema: dict[Any, Any]) -> dict[str, Any]:
    doc = (one.act.__doc__ or "").strip()
    summary, _, more = doc.partition("\n")
    content: dict[str, Any] = {"schema": schema[one.gives] if one.gives is not None else {"type": "string"}}
    found: dict[str, Any] = {
        "operationId": one.name,
        "summary": summary,
        "tags": [one.act.__module__.rpartition(".")[2]],
        "parameters": [*_path(one), *_query(one), *_headers(one)],
        "responses": {
            "200": {"description": "Done." if one.writes else "Found.", "content": {one.mime: content}},
            **({} if one.writes else {"304": {"description": "It has not changed."}}),
            **{status: {"$ref": f"#/components/responses/{status}"} for status in REFUSED},
        },
        "security": [{"key": [one.scope]}] if one.scope is not None else [{}, {"key": []}],
    }
    if more.strip():
        found["description"] = " ".join(more.split())
    if one.scope is not None:
        found["x-scope"] = one.scope
    if one.takes is not None:
        found["requestBody"] = {"required": True, "content": {JSON: {"schema": schema[one.takes]}}}
    return found


def _path(one: Operation) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
            if kind == "int"
            else {"type": "string", "minLength": 1, "maxLength": 40, "pattern": "^[^/]+$"},
        }
        for kind, name in _VALUE.findall(one.path)
    ]


def _query(one: Operation) -> list[dict[str, Any]]:
    if one.query is None:
        return []
    (_,), found = msgspec.json.schema_components([one.query], ref_template=_REF)
    record = described(one.query, found[one.query.__name__])
    return [
        {
            "name": name,
            "in": "query",
            "required": name in record.get("required", ()),
            **({"description": value["description"]} if "description" in value else {}),
            "schema": _plain(value),
        }
        for name, value in record["properties"].items()
    ]


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    """The schema of a value that is left out rather than null."""
    kinds = [one for one in value.get("anyOf", ()) if one.get("type") != "null"]
    return kinds[0] if len(kinds) == 1 else {name: said for name, said in value.items() if name != "default"}


def _headers(one: Operation) -> list[dict[str, Any]]:
    if not one.writes:
        return []
    return [
        {
            "name": ONCE,
            "in": "header",
            "required": False,
            "description": "A text that the program chose for this act. Sent again, it acts once.",
            "schema": {
                "type": "string",
                "minLength": SHORTEST,
                "maxLength": LONGEST,
                "pattern": "^[!-~][ -~]*[!-~]$",
            },
        }
    ]

"""The OpenAPI document says what is true: Schemathesis asks for everything in it, rightly and wrongly."""

import re

import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given
from hypothesis import settings as trying
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app.web.api.document import path_of
from app.web.api.operations import OPERATIONS
from tests.share import examples
from tests.web.programs import program
from tests.web.test_once import THREE_DAYS

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
RIGHT, WRONG = "right", "wrong"
MODES = {RIGHT: GenerationMode.POSITIVE, WRONG: GenerationMode.NEGATIVE}


@pytest.fixture
def document(browser):
    return browser.get("/api/openapi.json").json


def test_every_route_of_the_api_stands_in_the_document_and_nothing_else(app, document):
    routes = {
        (re.sub(r"<(?:[^<>]*:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/v1/")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    told = {(path, method) for path, methods in document["paths"].items() for method in methods}
    assert told == routes
    assert len(told) == len(OPERATIONS)
    names = [one["operationId"] for methods in document["paths"].values() for one in methods.values()]
    assert len(set(names)) == len(names)


def test_every_field_and_operation_of_it_is_told_in_words(document):
    for path, methods in document["paths"].items():
        for one in methods.values():
            assert one["summary"].endswith("."), path
    for name, schema in document["components"]["schemas"].items():
        assert schema["description"], name
        for field, value in schema.get("properties", {}).items():
            assert value.get("description"), f"{name}.{field}"
    match = document["components"]["schemas"]["Match"]["properties"]
    assert match["questions"]["description"] == "To the caller's seat."
    assert {one["$ref"].rpartition("/")[2] for one in match["view"]["oneOf"]} == {
        "AtlandiceView",
        "AtlantisView",
        "SurviveView",
    }


def test_it_names_every_reference_and_is_kept_by_everybody(browser, document):
    answer = browser.get("/api/openapi.json")
    refs = set(re.findall(r'"\$ref":"#/components/(\w+)/([^"]+)"', answer.text))
    assert all(name in document["components"][kind] for kind, name in refs)
    again = browser.get("/api/openapi.json", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert answer.headers["Cache-Control"].startswith("public")


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("mode", list(MODES))
def test_whatever_is_asked_is_answered_as_the_document_says(app, house, mode):
    """Every operation, by a key that may do all: in a game that runs, one that is over, and before one."""
    match = house.start("Ada", "Bo", rule=THREE_DAYS, setup="random")
    over = house.start("Ada", "Bo", setup="random")
    key = program(app, house, "Ada")
    key.post(f"/matches/{over}/resign")
    key.post("/matches", {"game": "atlantis", "seats": 2, "invite": ["cleo@example.org"]})
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", app)
    found = [one.ok() for one in schema.get_all_operations()]
    assert {(one.path, one.method.upper()) for one in found} == {
        (path_of(one), one.method) for one in OPERATIONS
    }
    headers = {"Authorization": f"Bearer {key.key}", "Accept-Encoding": "identity"}
    for one in found:
        if mode == WRONG and not any((*one.iter_parameters(), *one.body)):
            continue  # nothing can be wrong with it

        @trying(max_examples=examples(3), suppress_health_check=list(HealthCheck))
        @given(case=one.as_strategy(generation_mode=MODES[mode]))
        def holds(case: Case) -> None:
            if "match_id" in (case.path_parameters or {}) and mode == RIGHT:
                number = case.path_parameters["match_id"]
                case.path_parameters["match_id"] = (match, over, over + 1)[int(number) % 3]
            values = case.query.values() if isinstance(case.query, dict) else ()
            assume(all(value not in ([], {}) for value in values))  # of which nothing would be sent
            response = case.call(headers=headers)
            case.validate_response(response, checks=CHECKS)

        holds()

"""A program that knows nothing of the API but its OpenAPI document, and holds every answer against it."""

from typing import Any

import jsonschema_rs
from flask.testing import FlaskClient


class FromDocument:
    """A client whose calls are named, built and checked by the document."""

    def __init__(self, http: FlaskClient, key: str = "") -> None:
        self.http, self.key = http, key
        self.read: list[str] = []
        """Everything that was answered."""
        self.document = http.get("/api/openapi.json").json
        self.operations = {
            one["operationId"]: (path, method, one)
            for path, methods in self.document["paths"].items()
            for method, one in methods.items()
        }

    def call(self, name: str, body: Any = None, **values: Any) -> Any:
        """What an operation answers; `values` are those of its path and query."""
        path, method, one = self.operations[name]
        assert ("requestBody" in one) == (body is not None), f"whether {name} takes a body"
        query = {}
        for parameter in one["parameters"]:
            found = values.pop(parameter["name"], None)
            if parameter["in"] == "path":
                path = path.replace(f"{{{parameter['name']}}}", str(found))
            elif parameter["in"] == "query" and found is not None:
                query[parameter["name"]] = found
        assert values == {}, f"{name} has no such values"
        scheme = self.document["components"]["securitySchemes"]["key"]
        assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
        sent = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        answer = self.http.open(path, method=method.upper(), json=body, query_string=query, headers=sent)
        assert answer.status_code == 200, answer.text
        self.read.append(answer.text)
        said = one["responses"]["200"]["content"]
        assert answer.mimetype in said
        if answer.mimetype != "application/json":
            return answer.data
        self.check(said[answer.mimetype]["schema"], answer.json)
        return answer.json

    def check(self, schema: Any, value: Any) -> None:
        """Hold a value against a schema of the document."""
        jsonschema_rs.validate({**schema, "components": self.document["components"]}, value)

"""A program that uses the API, in a test: a key and Flask's client."""

from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.people import api_keys
from app.people.api_keys import SCOPES

BASE = "/api/v1"


class Program:
    """A client with a key of a player, or without one."""

    def __init__(self, client: FlaskClient, key: str = "") -> None:
        self.client, self.key = client, key

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.key:
            named.setdefault("Authorization", f"Bearer {self.key}")
        path = path if path.startswith("/api/") else BASE + path
        return self.client.open(path, method=method, json=body, headers=named)

    def get(self, path: str, **headers: str) -> Any:
        """What is answered; a refusal fails the test."""
        return self._good(self.ask("GET", path, **headers))

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self._good(self.ask("POST", path, body, **headers))

    def put(self, path: str, body: Any) -> Any:
        return self._good(self.ask("PUT", path, body))

    def delete(self, path: str) -> Any:
        return self._good(self.ask("DELETE", path))

    def refused(self, method: str, path: str, body: Any = None, **headers: str) -> dict[str, Any]:
        """The problem that is answered."""
        response = self.ask(method, path, body, **headers)
        assert response.mimetype == "application/problem+json", response.text
        problem = response.json
        assert problem["status"] == response.status_code
        assert problem["detail"]
        return problem

    @staticmethod
    def _good(response: TestResponse) -> Any:
        assert response.status_code == 200, response.text
        return response.json


def program(app, house, name: str, *scopes: str) -> Program:
    """A program of a player; without scopes it may do everything."""
    player_id = house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id
    client = app.test_client()
    client.environ_base.pop("HTTP_ACCEPT_LANGUAGE", None)  # programs seldom say one
    return Program(client, api_keys.make(house.store, player_id, "bot", scopes or SCOPES))

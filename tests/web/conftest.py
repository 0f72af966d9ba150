"""Ada, Bo and Cleo with browsers, and a real game of Survive."""

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.settings import Settings
from app.store.session import Store
from app.web import create_app
from tests.web.visits import House, Turn

KEY = "a long key for tests that nobody else has"
URL = "http://localhost"


@pytest.fixture
def settings(store_url: str, tmp_path: Path) -> Settings:
    return Settings(
        database_url=store_url,
        broker_url="",
        smtp_url="",
        inbox_url="",
        url=URL,
        mail_domain="example.org",
        secret_keys=(KEY,),
        data_dir=tmp_path,
    )


@pytest.fixture
def app(settings: Settings, store: Store) -> Flask:
    return create_app(settings, store)


@pytest.fixture
def browser(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def house(store: Store, clock: object) -> House:  # noqa: ARG001 - held, so that letters of one hour stay in it
    return House(store)


@pytest.fixture
def turn(house: House, browser: FlaskClient) -> Turn:
    """The first move of a game for two that has just been placed at random."""
    match_id = house.start("Ada", "Bo", setup="random")
    seat, token = next(iter(house.turns(match_id).items()))
    return Turn(match_id, seat, token, browser.get(f"/t/{token}").text)

"""Ada, Bo and Cleo with browsers, and a real game of Survive."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, sync_playwright
from werkzeug.serving import make_server

from app.settings import Settings
from app.store.session import Store
from app.web import create_app
from tests.servers import CHROMIUM_FLAGS, PATIENCE
from tests.tongues import in_rotation
from tests.web.visits import House, Turn

KEY = "a long key for tests that nobody else has"
URL = "http://localhost"


class Reader(FlaskClient):
    """A browser whose reader wants a language."""

    language = "en"

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.environ_base["HTTP_ACCEPT_LANGUAGE"] = self.language


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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `tongue` is one of what pages tell, not of how: it is made in several languages."""
    if "tongue" in metafunc.fixturenames:
        metafunc.parametrize("tongue", in_rotation(metafunc.function.__name__), scope="function")


@pytest.fixture
def spoken(request: pytest.FixtureRequest) -> str:
    """Of all readers in a test."""
    return request.getfixturevalue("tongue") if "tongue" in request.fixturenames else "en"


@pytest.fixture
def app(settings: Settings, store: Store, spoken: str) -> Flask:
    made = create_app(settings, store)
    made.test_client_class = type("Reader", (Reader,), {"language": spoken})
    return made


@pytest.fixture
def browser(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def house(store: Store, clock: object, spoken: str) -> House:  # noqa: ARG001 - held, so that letters of one hour stay in it
    return House(store, spoken)


@pytest.fixture
def turn(house: House, browser: FlaskClient) -> Turn:
    """The first move of a game for two that has just been placed at random."""
    match_id = house.start("Ada", "Bo", setup="random")
    seat, token = next(iter(house.turns(match_id).items()))
    return Turn(match_id, seat, token, browser.get(f"/t/{token}").text)


@pytest.fixture(scope="module")
def chrome(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as play:
        launched = play.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def site(app) -> Iterator[str]:
    """The pages, served; the address without a slash."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def visit(chrome) -> Iterator:
    """Opens pages; fails where one breaks a policy or a script fails."""
    contexts, complaints = [], []

    def open_page(url: str, **kind):
        context = chrome.new_context(**kind)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda line: complaints.append(line.text) if "Content Security Policy" in line.text else None,
        )
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []

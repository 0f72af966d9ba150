"""The weight of pages as visitors download them, and the time to the first paint on a slow line."""

import shutil
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

import msgspec

from app import settings
from app.bench import RUNS, Figure, load
from app.bench.population import Population
from app.bench.server import database, environment, server
from app.people import keys
from app.web import create_app
from app.web.core.sessions import KEY

GAMES, QUICK_GAMES = 300, 30
"""Games of the player whose pages are fetched."""
MOST_BYTES = 60
"""kB of a match's page with its style sheet and script, compressed."""
MOST_BYTES_OF_GAMES = 100
MOST_REQUESTS = 5
"""A document, a style sheet, a script, the sign of the site and the icon of the tab."""
LATENCY, DOWN, UP = 150, 1_600_000 / 8, 750_000 / 8
"""Of the throttled line, in milliseconds and bytes a second: a telephone with a fair signal."""
SCREEN = {"width": 360, "height": 740}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
PAINT = "first-contentful-paint"


class Page(msgspec.Struct, frozen=True):
    """A page to fetch."""

    name: str
    path: str
    cookie: str
    """Of a signed-in player; empty: a stranger, or a link that needs none."""
    most_bytes: float
    """kB of all that it loads, compressed."""
    most_requests: int | None = MOST_REQUESTS


class _Parts(HTMLParser):
    """The addresses that a browser fetches for a page, besides the page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the element loads."""
        values = dict(attrs)
        loads = tag in ("script", "img") or (tag == "link" and values.get("rel") in ("stylesheet", "icon"))
        address = values.get("href" if tag == "link" else "src")
        if loads and address and values.get("loading") != "lazy":
            self.found[address] = None


def figures(*, quick: bool = False) -> Iterator[Figure]:
    """For the page of a match, the lobby and a player's games: bytes, requests, time to the first paint."""
    with database("") as (store, address, folder):
        people = Population(store)
        people.grow(1)
        turn = next(people.turns())
        player = people.begin_for_one(QUICK_GAMES if quick else GAMES)
        with server(address, folder) as port:
            app = create_app(settings.read(environment(address, folder, port)), store)
            signer: Any = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
            name = app.config["SESSION_COOKIE_NAME"]
            signed_in = f"{name}={signer.dumps({'_permanent': True, KEY: keys.begin(store, player)})}"
            pages = (
                Page("a match", turn.path, "", MOST_BYTES),
                Page("the lobby", "/", "", MOST_BYTES, None),
                Page("my games", "/games/mine", signed_in, MOST_BYTES_OF_GAMES),
            )
            for page in pages:
                yield from _weight(page, port)
            yield from _paints(pages, port)


def _weight(page: Page, port: int) -> Iterator[Figure]:
    """The bytes of a page with all that it loads, plain and compressed, and how many requests these are."""
    plain, packed = _fetched(page.path, page, port, packed=False), _fetched(page.path, page, port)
    parts = _Parts()
    parts.feed(plain.decode())
    loaded = [address for address in parts.found if address.startswith("/")]
    plain_all = len(plain) + sum(len(_fetched(one, page, port, packed=False)) for one in loaded)
    packed_all = len(packed) + sum(len(_fetched(one, page, port)) for one in loaded)
    yield Figure(f"{page.name}: document, plain", "kB", (len(plain) / 1000,))
    yield Figure(f"{page.name}: document, compressed", "kB", (len(packed) / 1000,))
    yield Figure(f"{page.name}: all, plain", "kB", (plain_all / 1000,))
    yield Figure(f"{page.name}: all, compressed", "kB", (packed_all / 1000,), aim=page.most_bytes, most=True)
    yield Figure(f"{page.name}: requests", "", (1 + len(loaded),), aim=page.most_requests, most=True)


def _fetched(path: str, page: Page, port: int, *, packed: bool = True) -> bytes:
    more = {"Accept-Encoding": "gzip"} if packed else {}
    if page.cookie:
        more["Cookie"] = page.cookie
    status, _, body = load.ask(port, load.request("GET", path, port, more=more))
    if status != load.FINE:
        raise RuntimeError(f"{page.name}: {status}")
    return body


def _paints(pages: tuple[Page, ...], port: int) -> Iterator[Figure]:
    """The time from the address to the first paint of contents, on the slow line and with an empty cache."""
    missing = ""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        missing = "playwright is not installed; it is among the packages of the tests"
    if program is None:
        missing = f"no browser: none of {', '.join(BROWSERS)}"
    if missing:
        for page in pages:
            yield Figure(f"{page.name}: first paint, slow line", "ms", (), note=f"not measured: {missing}")
        return
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=list(FLAGS))
        for page in pages:
            runs = tuple(_first_paint(browser.new_context, page, port) for _ in range(RUNS))
            yield Figure(f"{page.name}: first paint, slow line", "ms", runs)
        browser.close()


def _first_paint(opened: Callable[..., Any], page: Page, port: int) -> float:
    with opened(viewport=SCREEN) as context:
        if page.cookie:
            name, _, value = page.cookie.partition("=")
            context.add_cookies([{"name": name, "value": value, "url": f"http://127.0.0.1:{port}"}])
        tab = context.new_page()
        line = context.new_cdp_session(tab)
        line.send("Network.enable")
        speed = {"latency": LATENCY, "downloadThroughput": DOWN, "uploadThroughput": UP, "offline": False}
        line.send("Network.emulateNetworkConditions", speed)
        tab.goto(f"http://127.0.0.1:{port}{page.path}")
        tab.wait_for_function(f"performance.getEntriesByName('{PAINT}').length")
        return float(tab.evaluate(f"performance.getEntriesByName('{PAINT}')[0].startTime"))

"""The same form reaches several processes at the same moment: it acts once, and each answers alike."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.store.session import Store
from app.web import create_app
from tests.web.test_once import Scene, dump, new_game, offered, pause, replaced, take_back


@pytest.fixture
def store_url(each_store_url):
    return each_store_url


@pytest.mark.slow
@pytest.mark.parametrize("press", [take_back, new_game, offered, replaced, pause])
def test_two_processes_at_the_same_moment_act_once(app, browser, house, store_url, settings, press):
    """Each process has its own store; whoever comes second answers as the first did."""
    sent = press(Scene(app, browser, house))
    cookies = {"Cookie": f"tidepost={cookie.value}"} if (cookie := browser.get_cookie("tidepost")) else {}
    before = dump(house)
    stores = [Store(store_url) for _ in range(3)]
    clients = [create_app(settings, one).test_client(use_cookies=False) for one in stores]

    def send(n: int) -> int:
        return clients[n % 3].post(sent.path, data=sent.sent, headers=cookies).status_code

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(send, range(6))) == {303}
    after = dump(house)
    new = {table: len(after[table]) - len(before[table]) for table in after}
    assert {table: n for table, n in new.items() if n > (2 if table in ("invitation", "letter") else 1)} == {}
    assert after != before
    for one in stores:
        one.engine.dispose()

"""The switch and the worker of notifications, in a browser whose push service is played by the test."""

import json

import pytest

from tests.push_service import browser_keys
from tests.servers import until

pytestmark = pytest.mark.slow

FAKE = """
const keys = %s;
const made = () => sessionStorage.getItem("made") === "1" ? {
  endpoint: keys.endpoint,
  toJSON: () => ({ endpoint: keys.endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }),
  unsubscribe: async () => { sessionStorage.removeItem("made"); return true; },
} : null;
PushManager.prototype.getSubscription = async () => made();
PushManager.prototype.subscribe = async (options) => {
  if (!options.userVisibleOnly || options.applicationServerKey.length !== 65) throw new Error("no key");
  sessionStorage.setItem("made", "1");
  return made();
};
Notification.requestPermission = async () => Notification.permission;
"""
"""What a push service and its browser do when a page subscribes."""


@pytest.fixture
def settings_of(house, site, visit):
    """Ada's email settings, in a browser that allows notifications, or doesn't."""

    def open_page(*permissions: str):
        match_id = house.start("Ada", "Bo", setup="random")
        page = visit(f"{site}{house.sign_in_link('Ada')}")
        page.locator("main form button").first.click()
        page.wait_for_url(lambda url: "/s/" not in url)
        page.context.grant_permissions(list(permissions), origin=site)
        page.add_init_script(FAKE % json.dumps(browser_keys()))
        page.goto(f"{site}/profile/letters")
        return page, match_id

    return open_page


def count(house) -> int:
    return house.rows("SELECT count(*) FROM subscription")[0][0]


def test_the_switch_turns_it_on_and_off_and_shows_which(settings_of, house):
    page, _ = settings_of("notifications")
    page.get_by_role("button", name="Notify this browser").click()
    page.get_by_text("This browser will tell you when it’s your turn.").wait_for()
    assert count(house) == 1
    page.get_by_role("button", name="Stop notifying this browser").wait_for()
    assert page.get_by_role("button", name="Notify this browser").count() == 0
    page.get_by_role("button", name="Stop notifying this browser").click()
    page.get_by_text("This browser won’t notify you any more.").wait_for()
    assert count(house) == 0
    page.get_by_role("button", name="Notify this browser").wait_for()


def test_a_browser_that_refuses_says_so_and_the_button_can_be_pressed_again(settings_of, house):
    page, _ = settings_of()
    for _ in range(2):
        page.get_by_role("button", name="Notify this browser").click()
        page.get_by_text("This browser doesn’t allow notifications here.").wait_for()
    assert count(house) == 0


def test_what_is_ended_on_the_server_shows_as_off(settings_of, house):
    page, _ = settings_of("notifications")
    page.get_by_role("button", name="Notify this browser").click()
    page.get_by_role("button", name="Stop notifying this browser").wait_for()
    with house.store.transaction() as connection:
        connection.exec_driver_sql("DELETE FROM subscription")
    page.reload()
    page.get_by_role("button", name="Notify this browser").wait_for()
    assert page.get_by_role("button", name="Stop notifying this browser").count() == 0


def test_only_who_turns_it_on_gets_the_worker(settings_of):
    page, _ = settings_of("notifications")
    page.get_by_role("button", name="Notify this browser").wait_for()
    workers = "navigator.serviceWorker.getRegistrations().then(all => all.length)"
    assert page.evaluate(workers) == 0
    page.get_by_role("button", name="Notify this browser").click()
    page.get_by_role("button", name="Stop notifying this browser").wait_for()
    assert page.evaluate(workers) == 1


def test_the_worker_shows_what_came(settings_of, site):
    page, match_id = settings_of("notifications")
    page.get_by_role("button", name="Notify this browser").click()
    page.get_by_role("button", name="Stop notifying this browser").wait_for()
    told = {
        "title": f"Survive #{match_id}",
        "text": "It’s your turn.",
        "language": "en",
        "path": f"/m/{match_id}",
    }
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    talk = page.context.new_cdp_session(page)
    found: list[str] = []
    talk.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    talk.send("ServiceWorker.enable")
    until(lambda: page.evaluate("1") and found, "the worker of the browser")
    talk.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": site, "registrationId": found[-1], "data": json.dumps(told)},
    )
    look = """navigator.serviceWorker.ready.then(one => one.getNotifications()).then(
                  all => all.map(one => [one.title, one.body, one.tag, one.data]))"""
    until(lambda: page.evaluate(look), "the notification")
    shown = page.evaluate(look)
    assert shown == [[told["title"], told["text"], told["path"], told["path"]]]


def test_without_a_script_there_is_no_switch(house, site, visit):
    house.start("Ada", "Bo", setup="random")
    page = visit(f"{site}{house.sign_in_link('Ada')}", java_script_enabled=False)
    page.locator("main form button").first.click()
    page.goto(f"{site}/profile/letters")
    assert not page.get_by_text("Notify this browser").is_visible()

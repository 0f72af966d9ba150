"""Browsers that are notified of turns: once, of nothing that is hidden, at public addresses only."""

import stat
from datetime import timedelta

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from app.mail.core import guarded, push_key
from app.mail.outbound import deliver, notify, push_service
from app.mail.policy.rules import QUIET
from app.people import preferences, subscriptions
from app.play.clock.rules import Rule
from app.settings import BadSettings
from app.settings import read as read_settings
from tests.push_service import HOST, PUBLIC, PushService, browser_keys, led_to

DAYS = Rule("per_move", per_move=9 * 86400, grace=86400, then="replace")


@pytest.fixture
def service(tmp_path):
    made = PushService(tmp_path)
    yield made
    made.close()


class Scene:
    """Ada, whose turn it is, signed in; a postman whose letters go nowhere."""

    def __init__(self, app, browser, house, settings, clock) -> None:
        self.app, self.browser, self.house, self.clock = app, browser, house, clock
        self.settings = replace(settings, smtp_url="smtp://unused")
        self.sent: list[str] = []
        self.match_id = house.start("Ada", "Bo", rule=DAYS, setup="random")
        self.seat = next(iter(house.turns(self.match_id)))
        self.name = house.rows(
            "SELECT p.name FROM chair c JOIN player p ON p.id = c.player_id WHERE c.seat = :s", s=self.seat
        )[0].name
        browser.post(house.sign_in_link(self.name))

    def turn_on(self, fields, browser=None):
        return (browser or self.browser).post("/profile/push", data={"do": "on"} | fields)

    def choose(self, choice: str) -> None:
        player = self.house.rows("SELECT id FROM player WHERE name = :n", n=self.name)[0].id
        preferences.choose(self.house.store, player, 0, self.choices() | {"turn": choice})

    @staticmethod
    def choices():
        return {event: offered[0] for event, offered in preferences.CHOICES.items()}

    def post(self) -> None:
        deliver.run_batch(self.house.store, self.settings, lambda _u, _s, to, _m: self.sent.append(to))

    def notify(self) -> None:
        while notify.run_batch(self.house.store, self.settings):
            pass

    def go(self) -> None:
        self.post()
        self.notify()

    @property
    def subscribed(self) -> int:
        return self.house.rows("SELECT count(*) FROM subscription")[0][0]

    @property
    def pushes(self) -> list[tuple[str, int]]:
        return [tuple(row) for row in self.house.rows("SELECT status, tries FROM push ORDER BY subscription")]

    @property
    def emails(self) -> int:
        return self.sent.count(f"{self.name.casefold()}@example.org")

    def asked(self):
        return self.house.rows(
            "SELECT status, reason FROM letter WHERE kind = 'asked' AND seat = :s", s=self.seat
        )


@pytest.fixture
def scene(app, browser, house, settings, clock):
    return Scene(app, browser, house, settings, clock)


def test_a_browser_learns_the_game_and_that_it_is_ones_turn_and_nothing_else(scene, service, monkeypatch):
    connected = led_to(service, monkeypatch)
    assert scene.turn_on(service.browser().form()).location == "/profile/letters?did=on#notify"
    scene.go()
    (got,) = service.received
    assert got.told == {
        "title": f"Survive #{scene.match_id}",
        "text": "It’s your turn.",
        "language": "en",
        "path": f"/m/{scene.match_id}",
    }
    assert connected == [PUBLIC]
    assert got.key == push_key.public_key(scene.settings)
    assert got.claims["aud"] == f"https://{HOST}"
    assert got.claims["sub"] == "mailto:postmaster@example.org"
    assert 0 < got.claims["exp"] - scene.clock.now().timestamp() <= 86400
    assert int(got.headers["ttl"]) > 0
    assert scene.pushes == [("sent", 1)]


def test_each_browser_is_notified_once_of_a_turn(scene, service, monkeypatch):
    led_to(service, monkeypatch)
    for name in ("one", "two"):
        scene.turn_on(service.browser(name).form())
    scene.go()
    for _ in range(4):
        scene.clock.advance(minutes=3)
        scene.go()
    assert sorted(one.path for one in service.received) == ["/send/one?for=ever", "/send/two?for=ever"]


def test_a_turn_that_is_over_is_told_to_nobody(scene, service, monkeypatch):
    led_to(service, monkeypatch)
    scene.turn_on(service.browser().form())
    scene.post()
    with scene.house.store.transaction() as connection:
        connection.execute(text("UPDATE question SET closed_at = (SELECT min(created_at) FROM player)"))
    scene.notify()
    assert (service.received, scene.pushes) == ([], [("over", 1)])


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_its_service_knows_no_more_is_forgotten(scene, service, monkeypatch, status):
    led_to(service, monkeypatch)
    scene.turn_on(service.browser().form())
    service.statuses = [status]
    scene.go()
    assert (scene.subscribed, len(service.received)) == (0, 1)


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_service_that_fails_is_tried_again_soon_and_then_left_alone(scene, service, monkeypatch, status):
    led_to(service, monkeypatch)
    scene.turn_on(service.browser().form())
    service.statuses = [status]
    scene.go()
    assert scene.pushes == [("waiting", 1)]
    scene.notify()
    assert len(service.received) == 1, "not at once"
    scene.clock.advance(seconds=30)
    scene.notify()
    assert scene.pushes == [("sent", 2)]


def test_after_three_tries_the_browser_is_left_alone_for_a_while(scene, service, monkeypatch):
    led_to(service, monkeypatch)
    scene.turn_on(service.browser().form())
    service.statuses = [500] * 9
    scene.go()
    for _ in range(5):
        scene.clock.advance(seconds=30)
        scene.notify()
    assert (len(service.received), scene.pushes) == (3, [("failed", 3)])
    row = scene.house.rows("SELECT failures, rests_until FROM subscription")[0]
    assert row.failures == 1
    assert row.rests_until is not None


def test_a_browser_that_fails_for_weeks_is_forgotten(scene, clock):
    scene.turn_on(browser_keys())
    key = scene.house.rows("SELECT hash FROM subscription")[0].hash
    for failures in range(subscriptions.MOST_FAILURES):
        with scene.house.store.transaction() as connection:
            subscriptions.failed(connection, clock.now(), key, failures)
    assert scene.subscribed == 0


def test_a_service_that_hangs_is_cut_off_and_not_told_twice(scene, service, monkeypatch):
    led_to(service, monkeypatch)
    monkeypatch.setattr(push_service, "PATIENCE", 0.5)
    scene.turn_on(service.browser().form())
    service.hangs = True
    scene.go()
    scene.clock.advance(seconds=60)
    scene.notify()
    assert scene.pushes == [("failed", 1)]
    assert scene.subscribed == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"x" * 100_000,
        b"HTTP/1.1 \r\n",
        b"SSH-2.0\r\n",
        b"HTTP/1.1 302 F\r\nLocation: https://127.0.0.1/\r\n\r\n",
    ],
)
def test_what_is_no_plain_answer_is_a_failure_and_leads_nowhere(scene, service, monkeypatch, answer):
    connected = led_to(service, monkeypatch)
    scene.turn_on(service.browser().form())
    service.answer = answer
    scene.go()
    assert (scene.pushes, connected) == ([("failed", 1)], [PUBLIC])


INNER = (
    "127.0.0.1", "10.0.0.7", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1", "2002:7f00:1::", "::", "not an address",
)  # fmt: skip


@pytest.mark.parametrize("address", INNER)
def test_an_inner_address_is_never_connected_to(scene, service, monkeypatch, address):
    connected = led_to(service, monkeypatch, PUBLIC, address)
    scene.turn_on(service.browser().form())
    scene.go()
    assert (connected, service.received, scene.pushes) == ([], [], [("failed", 1)])


@pytest.mark.parametrize("address", [PUBLIC, "2606:2800:220:1:248:1893:25c8:1946", "::ffff:93.184.216.34"])
def test_a_public_address_is_public(address):
    assert guarded.is_public(address)


def test_a_name_that_changes_its_address_is_looked_up_once_for_each_call(scene, service, monkeypatch):
    """Between the look and the call there is no second look-up; the next one is judged anew."""
    looked: list[str] = []
    connected = led_to(service, monkeypatch)
    from app.mail.core import deadline

    sockets, answers = deadline.socket, [PUBLIC, "127.0.0.1", "127.0.0.1"]
    real = type(sockets).getaddrinfo

    def changing(self, host, port, *more):
        looked.append(answers.pop(0))
        return [(*one[:4], (looked[-1], port)) for one in real(self, host, port, *more)]

    monkeypatch.setattr(type(sockets), "getaddrinfo", changing)
    scene.turn_on(service.browser().form())
    service.statuses = [500]
    scene.go()
    assert (looked, connected) == ([PUBLIC], [PUBLIC])
    scene.clock.advance(seconds=30)
    scene.notify()
    assert (looked, connected) == ([PUBLIC, "127.0.0.1"], [PUBLIC])


BAD = {
    "http": {"endpoint": f"http://{HOST}/x"},
    "another port": {"endpoint": f"https://{HOST}:8443/x"},
    "a port that is none": {"endpoint": f"https://{HOST}:x/x"},
    "a bare name": {"endpoint": "https://localhost/x"},
    "a person in it": {"endpoint": f"https://ada@{HOST}/x"},
    "a second line": {"endpoint": f"https://{HOST}/x\r\nHost: inner"},
    "a space": {"endpoint": f"https://{HOST}/x y"},
    "other letters": {"endpoint": f"https://{HOST}/ü"},
    "too long": {"endpoint": f"https://{HOST}/{'x' * 1000}"},
    "none": {"endpoint": ""},
    "a short secret": {"auth": "AAAA"},
    "no key": {"p256dh": "AAAA"},
    "a key off the curve": {"p256dh": "B" + "A" * 86},
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_what_is_no_address_of_a_push_service_is_refused(scene, bad):
    answer = scene.turn_on(browser_keys() | bad)
    assert answer.status_code == 422
    assert "notification address can’t be used" in answer.text
    assert scene.subscribed == 0


def test_turning_it_on_twice_keeps_one_row_and_turning_it_off_none(scene):
    fields = browser_keys()
    for _ in range(2):
        scene.turn_on(fields)
    assert scene.subscribed == 1
    scene.browser.post("/profile/push", data={"do": "off"} | fields)
    assert scene.subscribed == 0


def test_nobody_turns_off_anothers(scene, app, house):
    fields = browser_keys()
    scene.turn_on(fields)
    other = app.test_client()
    other.post(house.sign_in_link("Bo" if scene.name == "Ada" else "Ada"))
    other.post("/profile/push", data={"do": "off"} | fields)
    assert scene.subscribed == 1


def test_a_browser_tells_one_player_only(scene, app, house):
    fields = browser_keys()
    scene.turn_on(fields)
    other = app.test_client()
    other.post(house.sign_in_link("Bo" if scene.name == "Ada" else "Ada"))
    scene.turn_on(fields, other)
    owners = house.rows("SELECT p.name FROM subscription s JOIN player p ON p.id = s.player_id")
    assert [row.name for row in owners] == ["Bo" if scene.name == "Ada" else "Ada"]


def test_a_player_has_so_many_browsers_at_most_and_the_latest(scene, service):
    for n in range(subscriptions.MOST + 3):
        scene.clock.advance(seconds=1)
        scene.turn_on(service.browser(f"b{n}").form())
    kept = [row.endpoint for row in scene.house.rows("SELECT endpoint FROM subscription ORDER BY created_at")]
    assert len(kept) == subscriptions.MOST
    assert kept[-1] == f"https://{HOST}/send/b{subscriptions.MOST + 2}?for=ever"


@pytest.mark.parametrize("path", ["/profile/end", "/sign-out"])
def test_it_ends_with_the_session_or_with_everything(scene, service, monkeypatch, path):
    led_to(service, monkeypatch)
    scene.turn_on(service.browser().form())
    scene.post()
    scene.browser.post(path)
    scene.notify()
    assert (scene.subscribed, service.received) == (0, [])


def test_signing_out_elsewhere_ends_it_only_there(scene, app, house):
    scene.turn_on(browser_keys())
    other = app.test_client()
    other.post(house.sign_in_link(scene.name))
    other.post("/sign-out")
    assert scene.subscribed == 1


def test_signing_in_again_here_leaves_it_on_and_as_another_ends_it(scene, house):
    scene.turn_on(browser_keys())
    scene.browser.post(house.sign_in_link(scene.name))
    assert scene.subscribed == 1
    scene.browser.post(house.sign_in_link("Bo" if scene.name == "Ada" else "Ada"))
    assert scene.subscribed == 0


def test_a_former_holder_of_the_seat_is_told_nothing(scene, service, monkeypatch):
    led_to(service, monkeypatch)
    scene.turn_on(service.browser().form())
    scene.post()
    with scene.house.store.transaction() as connection:
        connection.execute(
            text(
                "UPDATE chair SET player_id = (SELECT max(id) FROM player WHERE name <> :n) WHERE seat = :s"
            ),
            {"n": scene.name, "s": scene.seat},
        )
    scene.notify()
    assert (service.received, scene.pushes) == ([], [("over", 1)])


def test_without_a_browser_an_email_goes_as_before(scene, service, monkeypatch):
    connected = led_to(service, monkeypatch)
    scene.choose("at_once")
    scene.go()
    assert (scene.emails > 0, connected, scene.pushes) == (True, [], [])
    assert scene.asked()[0].status == "sent"


@pytest.mark.parametrize("fails", [False, True])
def test_a_notification_delays_the_email_by_the_quiet_minutes_and_never_drops_it(
    scene, service, monkeypatch, fails
):
    led_to(service, monkeypatch)
    scene.choose("at_once")
    scene.turn_on(service.browser().form())
    service.statuses = [400] if fails else []
    scene.go()
    assert tuple(scene.asked()[0]) == ("waiting", "quiet_minutes")
    scene.clock.advance(seconds=QUIET.total_seconds() + 1)
    scene.go()
    assert scene.asked()[0].status == "sent"


def test_who_wants_no_emails_is_notified_nevertheless(scene, service, monkeypatch):
    led_to(service, monkeypatch)
    scene.choose("none")
    scene.turn_on(service.browser().form())
    scene.go()
    assert len(service.received) == 1
    assert tuple(scene.asked()[0]) == ("dropped", "by_choice")


VISIBLE = {"Tidepost-Visible": "1"}


@pytest.mark.parametrize(("headers", "waits"), [(VISIBLE, True), ({}, False)])
def test_a_visible_page_delays_the_email_by_the_quiet_minutes(scene, headers, waits):
    scene.choose("at_once")
    assert scene.browser.get(f"/m/{scene.match_id}", headers=headers).status_code == 200
    scene.post()
    assert (scene.asked()[0].status == "waiting") == waits
    scene.clock.advance(seconds=QUIET.total_seconds() + 1)
    scene.post()
    assert scene.asked()[0].status == "sent"


def test_a_page_that_an_onlooker_or_another_player_sees_delays_nothing(scene, app, house):
    scene.choose("at_once")
    onlooker, other = app.test_client(), app.test_client()
    other.post(house.sign_in_link("Bo" if scene.name == "Ada" else "Ada"))
    for one in (onlooker, other):
        assert one.get(f"/m/{scene.match_id}", headers=VISIBLE).status_code == 200
    scene.post()
    assert scene.asked()[0].status == "sent"


def test_a_page_that_was_left_delays_nothing(scene):
    scene.choose("at_once")
    scene.browser.get(f"/m/{scene.match_id}", headers=VISIBLE)
    with scene.house.store.transaction() as connection:
        connection.execute(
            text("UPDATE chair SET watched_at = :then WHERE watched_at IS NOT NULL"),
            {"then": scene.clock.now() - timedelta(minutes=4)},
        )
    scene.post()
    assert scene.asked()[0].status == "sent"


def test_a_service_that_is_away_keeps_no_letter_back(scene, service, monkeypatch):
    """Letters and notifications go by rounds of their own."""
    led_to(service, monkeypatch)
    scene.turn_on(service.browser().form())
    called = []
    monkeypatch.setattr(push_service, "send", lambda *_: called.append(1))
    scene.post()
    assert called == []
    assert scene.sent


def test_the_key_is_made_once_for_its_owner_only_and_its_secret_is_nowhere_else(scene, caplog, capsys):
    caplog.set_level("DEBUG")
    first = push_key.public_key(scene.settings)
    file = scene.settings.data_dir / "push_key"
    secret = file.read_text().strip()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert push_key.public_key(scene.settings) == first
    page = scene.browser.get("/profile/letters").text
    assert f'data-key="{first}"' in page
    assert secret not in page + caplog.text + "".join(capsys.readouterr()) + repr(scene.settings)
    assert list(file.parent.glob(".push_key*")) == []


def test_a_key_of_the_settings_is_used_and_nothing_made(scene):
    push_key.public_key(scene.settings)
    file = scene.settings.data_dir / "push_key"
    given = replace(scene.settings, push_key=file.read_text().strip(), data_dir=scene.settings.data_dir / "x")
    assert push_key.public_key(given) == push_key.public_key(scene.settings)
    assert not (scene.settings.data_dir / "x").exists()


def test_a_key_that_is_none_is_refused_and_not_repeated():
    with pytest.raises(BadSettings) as refused:
        read_settings({"TIDEPOST_PUSH_KEY": "half of a key", "TIDEPOST_SECRET_KEYS": "k" * 40})
    assert "TIDEPOST_PUSH_KEY is set" in str(refused.value)
    assert "half" not in str(refused.value)


def test_without_a_key_there_is_no_switch_and_the_page_works(scene, monkeypatch):
    def broken(_):
        raise PermissionError

    monkeypatch.setattr(push_key, "public_key", broken)
    page = scene.browser.get("/profile/letters")
    assert page.status_code == 200
    assert 'id="push"' not in page.text
    assert scene.turn_on(browser_keys()).status_code == 404


def test_the_switch_is_hidden_until_the_script_shows_it_and_absent_by_a_link(scene):
    page = scene.browser.get("/profile/letters").text
    section = page[page.index('aria-labelledby="notify"') :]
    assert section[: section.index(">")].endswith(" hidden")
    token = next(iter(scene.house.turns(scene.match_id).values()))
    assert 'id="push"' not in scene.app.test_client().get(f"/t/{token}/letters").text


def test_the_worker_of_browsers_is_served_for_the_whole_site(browser):
    answer = browser.get("/push-worker.js")
    assert (answer.status_code, answer.mimetype) == (200, "text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert (
        browser.get("/push-worker.js", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    )
    assert "worker-src 'self'" in answer.headers["Content-Security-Policy"]


def test_no_endpoint_stands_in_a_log(scene, service, monkeypatch, caplog):
    caplog.set_level("DEBUG")
    led_to(service, monkeypatch, "127.0.0.1")
    scene.turn_on(service.browser().form())
    scene.go()
    assert "was not notified" in caplog.text
    assert HOST not in caplog.text

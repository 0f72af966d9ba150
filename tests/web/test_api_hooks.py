"""Webhooks, people and settings by a program's key."""

import pytest

from app.people.sealed import opened
from app.web.core.new_hooks import TESTS
from tests.hook_server import ADDRESS
from tests.web.programs import program
from tests.web.test_api import exist
from tests.web.test_once import THREE_DAYS, dump

NEW = {"form": "json", "url": ADDRESS, "events": ["turn", "over"]}
MINE = "/my/webhooks"


@pytest.fixture
def match(house):
    return house.start("Ada", "Bo", rule=THREE_DAYS, setup="random")


@pytest.fixture
def ada(app, house, match):
    assert match
    return program(app, house, "Ada")


def test_a_hook_is_added_listed_tested_and_removed(house, clock, ada, settings):
    made = ada.post(MINE, NEW)
    hook = made["webhook"]
    assert made["secret"].startswith("whsec_")
    assert opened(settings.secret_keys, house.rows("SELECT secret FROM webhook")[0].secret) == made["secret"]
    assert (hook["form"], hook["status"], hook["testing"]) == ("json", "new", True)
    assert (hook["events"], hook["language"]) == (["turn", "over"], "en")
    listed = ada.ask("GET", MINE)
    assert listed.json == {"webhooks": [hook]}
    assert "the-token" not in listed.text
    test = f"{MINE}/{hook['id']}/test"
    assert ada.refused("POST", test)["title"] == "hook_soon"
    clock.advance(minutes=2)
    assert ada.post(test) == {"done": True}
    assert ada.delete(f"{MINE}/{hook['id']}") == {"done": True}
    assert ada.get(MINE) == {"webhooks": []}
    assert ada.refused("DELETE", f"{MINE}/{hook['id']}")["status"] == 404


def test_a_repeated_request_adds_one_hook_and_its_secret_is_kept_nowhere(house, ada):
    sent = [ada.ask("POST", MINE, NEW, Idempotency_Key="one webhook") for _ in range(2)]
    assert [one.status_code for one in sent] == [200, 200]
    first, again = (one.json for one in sent)
    assert (again["webhook"], again["secret"]) == (first["webhook"], "")
    assert len(house.rows("SELECT 1 FROM webhook")) == 1
    assert first["secret"] not in repr(dump(house))
    assert ADDRESS not in repr(dump(house))


REFUSED = (
    ({"form": "pigeon"}, 400, "request_unreadable"),
    ({"events": ["never"]}, 422, "hook_events"),
    ({"events": []}, 422, "hook_events"),
    ({"language": "xx"}, 422, "language"),
    ({"url": "x" * 1001}, 400, "request_unreadable"),
    *(
        ({"url": one}, 422, "hook_address")
        for one in (
            "",
            "http://example.org/x",
            "https://example.org:8443/x",
            "https://localhost/x",
            "https://u:p@example.org/x",
            "https://2130706433/x",
            "https://0x7f000001/x",
            "https://0177.0.0.1\n.example.org/",
            "file:///etc/passwd",
            "https://[::1]/x",
        )
    ),
)


def test_what_cannot_be_a_hook_is_refused_with_its_reason_and_nothing_is_kept(house, ada):
    for change, status, reason in REFUSED:
        problem = ada.refused("POST", MINE, NEW | change)
        assert (problem["status"], problem["title"]) == (status, reason), change
    assert house.rows("SELECT 1 FROM webhook") == house.rows("SELECT 1 FROM hookpost") == []


def test_hooks_of_a_game_are_its_hosts_and_its_history_says_so(app, house, match, ada):
    path = f"/matches/{match}/webhooks"
    bo = program(app, house, "Bo")
    exist(house, "Cleo")
    for other in (bo, program(app, house, "Cleo")):
        for method, where in (
            ("GET", path),
            ("POST", path),
            ("POST", f"{path}/1/test"),
            ("DELETE", f"{path}/1"),
        ):
            body = NEW if (method, where) == ("POST", path) else None
            assert other.refused(method, where, body)["status"] == 404
    hook = ada.post(path, NEW | {"form": "discord", "language": "ja"})["webhook"]
    assert (hook["events"], hook["language"]) == (["turn", "over"], "ja")
    assert ada.get(path)["webhooks"] == [hook]
    assert ada.get(MINE)["webhooks"] == []
    assert ada.refused("DELETE", f"{MINE}/{hook['id']}")["status"] == 404, "it is no hook of the player's"
    said = bo.get(f"/matches/{match}/history")["entries"][-1]
    assert (said["what"], said["text"]) == (
        "hook_added",
        "Ada added a webhook: a channel on Discord gets news of this game.",
    )
    assert ada.delete(f"{path}/{hook['id']}") == {"done": True}
    assert bo.get(f"/matches/{match}/history")["entries"][-1]["what"] == "hook_removed"


def test_a_game_that_is_over_takes_no_hook(app, house, match, ada):
    program(app, house, "Bo").post(f"/matches/{match}/resign")
    problem = ada.refused("POST", f"/matches/{match}/webhooks", NEW)
    assert (problem["status"], problem["title"]) == (409, "over")


def test_a_key_without_the_right_changes_no_hook(app, house, match, ada):
    hook = ada.post(MINE, NEW)["webhook"]["id"]
    weak = program(app, house, "Ada", "play")
    assert [one["id"] for one in weak.get(MINE)["webhooks"]] == [hook]
    for method, path in (
        ("POST", MINE),
        ("POST", f"{MINE}/{hook}/test"),
        ("DELETE", f"{MINE}/{hook}"),
        ("POST", f"/matches/{match}/webhooks"),
    ):
        assert weak.refused(method, path, NEW)["title"] == "key_scope"


def test_programs_and_pages_share_the_limit_of_tests(ada, clock):
    made = 0
    for n in range(TESTS.most + 3):
        answer = ada.ask("POST", MINE, NEW | {"url": f"{ADDRESS}{n}"})
        if answer.status_code == 429:
            assert int(answer.headers["Retry-After"]) > 0
            break
        if answer.status_code == 200:
            made += 1
            ada.delete(f"{MINE}/{answer.json['webhook']['id']}")
    assert made == TESTS.most
    clock.advance(hours=2)
    assert ada.post(MINE, NEW)["webhook"]["testing"]


# ---- people and settings


def test_people_are_muted_blocked_and_heard_again(house, match, ada):
    (bo,) = ada.get(f"/matches/{match}/people")["people"]
    assert (bo["name"], bo["silenced"]) == ("Bo", "")
    for block, said in ((False, "muted"), (True, "blocked")):
        sent = {"do": "silence", "match": match, "person": bo["id"], "block": block}
        assert ada.post("/my/people", sent) == {"done": True}
        assert ada.get("/my/people")["people"] == [bo | {"silenced": said}]
    ada.post("/my/people", {"do": "lift", "person": bo["id"]})
    assert ada.get("/my/people")["people"] == []
    report = {"do": "report", "match": match, "person": bo["id"], "text": "Terrible things"}
    assert ada.post("/my/people", report) == {"done": True}
    assert house.rows("SELECT text FROM report")[0].text == "Terrible things"
    exist(house, "Cleo")
    cleo = house.rows("SELECT id FROM player WHERE name = 'Cleo'")[0].id
    assert ada.refused("POST", "/my/people", report | {"person": cleo})["status"] == 404


def test_name_language_zone_and_page_are_changed(ada, browser):
    ada.put("/me", {"name": "Ada L.", "language": "ja", "zone": "Asia/Tokyo"})
    me = ada.get("/me")
    assert (me["name"], me["language"], me["zone"]) == ("Ada L.", "ja", "Asia/Tokyo")
    for change, reason in (
        ({"language": "xx"}, "language"),
        ({"zone": "Moon"}, "zone"),
        ({"name": " "}, "name"),
    ):
        sent = {"name": "Ada", "language": "en", "zone": "UTC"} | change
        assert ada.refused("PUT", "/me", sent)["title"].startswith(reason)
    assert ada.get("/me") == me
    assert ada.get("/my/page")["shows"] == []
    ada.put("/my/page", {"shows": ["games"]})
    page = ada.get("/my/page")
    assert page["shows"] == ["games"]
    assert "Ada L." in browser.get(page["path"]).text
    assert ada.post("/my/seen") == ada.post("/my/emails/again") == {"done": True}


def test_the_text_and_the_figures_of_a_match_are_those_of_its_pages(app, house, match, ada, browser):
    bo = program(app, house, "Bo")
    browser.post(house.sign_in_link("Ada"))
    seat = ada.get(f"/matches/{match}")["seat"]
    own = ada.ask("GET", f"/matches/{match}/match.txt")
    assert own.text == browser.get(f"/m/{match}/text").text
    assert f"tidepost-{match}-{seat}.match" in own.headers["Content-Disposition"]
    assert ada.refused("GET", f"/matches/{match}/statistics")["status"] == 404
    bo.post(f"/matches/{match}/resign")
    assert ada.ask("GET", f"/matches/{match}/match.txt").text == browser.get(f"/m/{match}/text").text
    figures = ada.get(f"/matches/{match}/statistics")
    assert figures["points"]
    assert figures["figures"] == {}, "nobody moved"

"""What every answer carries, and what no request gets."""

import logging
import re

import pytest
from flask import Flask

from app.settings import Settings
from app.store.session import Store
from app.web import create_app
from app.web.core.security import MaskSecrets, mask

PLAIN = ["/", "/open/survive", "/opened", "/links", "/sign-in", "/help", "/rules", "/rules/survive"]


@pytest.mark.parametrize("path", [*PLAIN, "/nothing", "/healthz", "/robots.txt", "/static/tidepost.css"])
def test_every_answer_carries_the_headers(browser, path):
    answer = browser.get(path)
    headers = answer.headers
    answer.close()
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Robots-Tag"].startswith("noindex")
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", PLAIN)
def test_get_and_head_show_the_same(browser, path):
    got, head = browser.get(path), browser.head(path)
    assert got.status_code == head.status_code == 200
    assert head.data == b""
    assert head.headers["Content-Length"] == got.headers["Content-Length"]


def test_no_page_needs_what_the_policy_forbids(browser, house, turn):
    for path in (
        *PLAIN,
        turn.path,
        f"/m/{turn.match_id}",
        *(f"/i/{t}" for t in house.invited(turn.match_id)),
    ):
        page = browser.get(path).text
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page), path
        assert not re.search(r"<script(?![^>]*\ssrc=)", page), path
        outside = re.findall(r'(?:src|href)="(https?:[^"]*)"', page)
        assert outside == [], path


def test_what_a_token_opens_is_stored_nowhere(browser, house, turn):
    invitation = house.invited(turn.match_id)[0]
    for path in (turn.path, f"/i/{invitation}", house.sign_in_link("Ada"), "/sign-in", "/profile", "/t/none"):
        assert browser.get(path).headers["Cache-Control"] == "no-store", path


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
    ],
)
def test_forms_of_other_sites_do_nothing(browser, house, headers):
    house.start("Ada", "Bo")
    browser.post(house.sign_in_link("Ada"))
    for path in ("/profile", "/sign-out", "/m/1", house.sign_in_link("Bo"), "/links", "/open/survive"):
        before = house.count()
        answer = browser.post(path, data={"name": "Eve", "language": "en", "zone": "UTC"}, headers=headers)
        assert answer.status_code == 403, path
        assert house.count() == before
    assert 'value="Ada"' in browser.get("/profile").text


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://localhost"}, {"Origin": "https://localhost"}, {"Sec-Fetch-Site": "same-origin"}],
)
def test_our_own_forms_work(browser, house, headers):
    house.start("Ada", "Bo")
    assert browser.post(house.sign_in_link("Ada"), headers=headers).status_code == 303


def test_logs_hold_no_token():
    token = "abcDEF_-" * 2 + "123456"
    assert token not in mask(f'"GET /t/{token}?pick=red1 HTTP/1.1" 200')
    assert mask('"GET /f/WzEsMF0.x-y/games.atom HTTP/1.1"') == '"GET /f/… HTTP/1.1"'
    assert mask("/m/42") == "/m/42"
    assert mask('"GET /m/42?step=place+6+F5&pick=F6 HTTP/1.1"') == '"GET /m/42?step=…&pick=… HTTP/1.1"'
    assert mask('"GET /m/42?pick=value:6&pick=F5 HTTP/1.1"') == '"GET /m/42?pick=…&pick=… HTTP/1.1"'
    record = logging.LogRecord("x", 20, "", 0, "GET %s", (f"/s/{token}",), None)
    MaskSecrets().filter(record)
    assert token not in record.getMessage()


def test_a_page_that_breaks_says_so_without_a_token(app: Flask, monkeypatch, caplog):
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("app.web.match.match_request.page_version", broken)
    token = "t" * 22
    answer = app.test_client().get(f"/t/{token}")
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.text
    assert token not in caplog.text


def test_sessions_survive_a_new_key(settings: Settings, store: Store, browser, house):
    import msgspec

    house.start("Ada", "Bo")
    browser.post(house.sign_in_link("Ada"))
    cookie = browser.get_cookie("tidepost").value
    rotated = create_app(
        msgspec.structs.replace(settings, secret_keys=("n" * 40, *settings.secret_keys)), store
    )
    later = rotated.test_client()
    later.set_cookie("tidepost", cookie)
    assert "My games" in later.get("/").text
    strange = create_app(msgspec.structs.replace(settings, secret_keys=("o" * 40,)), store).test_client()
    strange.set_cookie("tidepost", cookie)
    assert "My games" not in strange.get("/").text


def test_behind_https_cookies_and_headers_say_so(settings: Settings, store: Store):
    import msgspec

    secure = create_app(msgspec.structs.replace(settings, url="https://play.example"), store)
    assert secure.config["SESSION_COOKIE_NAME"].startswith("__Host-")
    assert secure.config["SESSION_COOKIE_SECURE"]
    assert "Strict-Transport-Security" in secure.test_client().get("/healthz").headers

"""Signing in by letter, and the profile."""

from datetime import timedelta

from app import clock as house_clock
from app.store import tokens
from tests.web.forms import form


def test_a_link_signs_nobody_in_before_a_button_is_pressed(browser, house):
    """A scanner that opens the link first does not use it up: its owner still gets in."""
    house.start("Ada", "Bo")
    link = house.sign_in_link("Ada")
    for _ in range(3):
        page = browser.get(link)
        assert page.status_code == 200
        assert "Set-Cookie" not in page.headers
        browser.head(link)
    assert "My games" not in browser.get("/").text
    done = browser.post(link)
    assert (done.status_code, done.location) == (303, "/")
    assert "My games" in browser.get("/").text


def test_a_link_signs_in_once(browser, app, house):
    house.start("Ada", "Bo")
    link = house.sign_in_link("Ada")
    browser.post(link)
    second = app.test_client()
    answer = second.post(link)
    assert answer.status_code in (404, 410)
    assert "Email me a new link" in answer.text
    assert "My games" not in second.get("/").text


def test_the_button_pressed_twice_signs_in(browser, app, house, clock):
    """The answer to the first press is lost with the page; the second is the one that is shown."""
    house.start("Ada", "Bo")
    link = house.sign_in_link("Ada")
    sent = form(browser.get(link).text)
    browser.post(link, data=sent)
    second = app.test_client()
    again = second.post(link, data=sent)
    assert (again.status_code, again.location) == (303, "/")
    assert "My games" in second.get("/").text
    for other in ({}, sent | {"once": "another key of a form"}):
        assert app.test_client().post(link, data=other).status_code in (404, 410), (
            "another page, another form"
        )
    clock.advance(seconds=31)
    assert app.test_client().post(link, data=sent).status_code in (404, 410), "not for long"


def test_a_form_sent_again_opens_nothing_once_all_keys_are_ended(browser, app, house, store):
    house.start("Ada", "Bo")
    link = house.sign_in_link("Ada")
    sent = form(browser.get(link).text)
    browser.post(link, data=sent)
    ada = house.rows("SELECT id FROM player WHERE name = 'Ada'")[0].id
    with store.transaction() as connection:
        tokens.end_all(connection, house_clock.now(), ada)
    assert app.test_client().post(link, data=sent).status_code in (404, 410)


def test_the_cookie_is_kept_from_scripts_and_strangers(browser, house):
    house.start("Ada", "Bo")
    cookie = browser.post(house.sign_in_link("Ada")).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_signing_in_again_starts_afresh(browser, house):
    house.start("Ada", "Bo")
    browser.post(house.sign_in_link("Ada"))
    browser.post(house.sign_in_link("Bo"))
    assert "<bdi>Bo</bdi></a>" in browser.get("/").text


def test_signing_out(browser, house):
    house.start("Ada", "Bo")
    browser.post(house.sign_in_link("Ada"))
    assert browser.get("/sign-out").status_code == 405
    assert browser.post("/sign-out").status_code == 303
    assert browser.get("/profile").location == "/sign-in"


def test_the_profile(browser, house):
    house.start("Ada", "Bo")
    browser.post(house.sign_in_link("Ada"))
    form = {"name": "Ada L.", "language": "en", "zone": "Asia/Tehran"}
    assert browser.post("/profile", data=form).location == "/profile?saved=1"
    page = browser.get("/profile").text
    assert 'value="Ada L."' in page
    assert '<option value="Asia/Tehran" data-also="Iran" selected>Iran: Tehran</option>' in page
    bad = browser.post("/profile", data=form | {"name": "line\nbreak " * 40})
    assert bad.status_code == 422
    assert "Nothing was changed" in bad.text
    assert 'value="Ada L."' in browser.get("/profile").text


def test_a_sign_in_letter_tells_nothing(browser, house):
    house.start("Ada", "Bo")
    known = browser.post("/sign-in", data={"address": "ada@example.org"})
    unknown = browser.post("/sign-in", data={"address": "eve@example.org"})
    assert (
        (known.status_code, known.location)
        == (unknown.status_code, unknown.location)
        == (303, "/sign-in?sent=1")
    )
    assert house.rows("SELECT count(*) FROM letter WHERE kind = 'sign_in'")[0][0] == 1
    assert browser.post("/sign-in", data={"address": "?"}).status_code == 422


def test_a_session_is_written_again_after_half_a_day_and_not_with_each_page(
    browser, house, clock, monkeypatch
):
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: clock.now().timestamp())
    house.start("Ada", "Bo")
    assert "Set-Cookie" in browser.post(house.sign_in_link("Ada")).headers
    for hours, written in ((0, False), (11, False), (2, True), (0, False), (13, True)):
        clock.moment += timedelta(hours=hours)
        page = browser.get("/profile")
        assert page.status_code == 200
        assert ("Set-Cookie" in page.headers) is written, hours
        assert "Cookie" in page.headers["Vary"]
    clock.moment += timedelta(days=91)
    assert browser.get("/profile").status_code != 200, "a browser that was away for long signs in again"


def test_a_used_link_says_so_before_its_button_is_pressed(app, house):
    house.start("Ada", "Bo")
    link = house.sign_in_link("Ada")
    browser = app.test_client()
    assert '<form method="post"><input' in browser.get(link).text.split("<main", 1)[1]
    browser.post(link)
    late = app.test_client().get(link)
    assert late.status_code == 410
    assert "it was already used, or it has expired" in late.text
    main = late.text.split("<main", 1)[1]
    assert 'href="/sign-in"' in main
    assert "<form" not in main.split("</main>")[0]
    assert app.test_client().get("/s/unknown").status_code == 404

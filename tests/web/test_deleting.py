"""A player downloads everything, and deletes the account by the button of an email; without JavaScript."""

import json
import re

import pytest

from app.mail.core.context import MailContext
from app.mail.core.outbox import letter as letter_of
from app.mail.core.recipients import context_of
from app.mail.letters.kinds import KINDS
from app.people import keys
from app.store import tokens
from tests.web.visits import House

PATH = "/profile/delete"


@pytest.fixture
def ada(browser, house: House):
    """Ada's browser, signed in; she plays Bo, and waits for Cleo to join another game."""
    house.start("Ada", "Bo", setup="random")
    browser.post(house.sign_in_link("Ada"))
    return browser


def ask(ada):
    page = ada.get(PATH).text
    return ada.post(PATH, data={"once": re.search(r'name="once" value="([^"]+)"', page)[1]})


def emailed(house: House, settings) -> list[str]:
    """The paths of the links by which the account is deleted, as they are emailed."""
    found = []
    for row in house.rows("SELECT id FROM letter WHERE kind = 'delete_account' ORDER BY created_at"):
        with house.store.reading() as connection:
            context = context_of(connection, letter_of(connection, row.id))
        mailer = MailContext(house.store, settings)
        page = KINDS["delete_account"].writer(mailer, context)
        with house.store.transaction() as connection:
            tokens.keep(connection, [made for _, made in mailer.made])
        found.append(page.facts["confirm_url"].removeprefix(settings.url))
    return found


def test_everything_is_downloaded_by_one_button(ada):
    page = ada.get("/profile").text
    assert 'action="/profile/export"' in page
    got = ada.post("/profile/export")
    assert got.headers["Content-Disposition"] == 'attachment; filename="tidepost.json"'
    assert got.headers["Cache-Control"] == "no-store"
    assert json.loads(got.data)["player"][0]["address"] == "ada@example.org"
    assert ada.post("/profile/export").status_code == 200  # pressed twice


def test_nothing_is_downloaded_without_a_session(ada, app, house):
    assert app.test_client().post("/profile/export").status_code == 303
    turn = next(iter(house.turns(1).values()))
    by_link = app.test_client()
    by_link.get(f"/t/{turn}")
    assert by_link.post("/profile/export").location == "/sign-in"
    assert ada.get("/profile/export").status_code == 405


def test_the_page_says_what_happens_before_the_button(ada):
    assert f'href="{PATH}"' in ada.get("/profile").text
    page = " ".join(re.sub("<[^>]+>", "", ada.get(PATH).text).split())
    for sentence in (
        "You’re playing 1 game now. In each, you resign",
        "the other players are told",
        "Your name there becomes “Someone”",
        "This can’t be undone",
        "only when you press the button on the page it opens",
    ):
        assert sentence in page


def test_pressing_asks_by_email_and_changes_nothing(ada, house, settings):
    done = ask(ada)
    assert (done.status_code, done.location) == (303, f"{PATH}?sent=1#now")
    assert "on its way to your address" in ada.get(done.location).text
    ask(ada)  # pressed twice within ten minutes: one email
    (link,) = emailed(house, settings)
    for _ in range(3):  # a mail scanner looks
        assert ada.get(link).status_code == 200
    assert house.rows("SELECT name FROM player WHERE name = 'Ada'")


def test_the_emails_button_deletes_the_account(ada, app, house, settings):
    ask(ada)
    (link,) = emailed(house, settings)
    reader = app.test_client()
    assert "Delete my account" in reader.get(link).text
    done = reader.post(link)
    assert done.status_code == 200
    assert "Your account is deleted" in done.text
    assert house.rows("SELECT count(*) FROM player WHERE name = 'Ada'")[0][0] == 0
    assert "Your account is deleted" in reader.post(link).text  # pressed twice
    assert "Your account is deleted" in reader.get(link).text
    assert ada.get("/profile").location == "/sign-in"
    assert "Someone" in app.test_client().get("/m/1").text
    assert house.rows('SELECT status FROM "match"')[0][0] == "over"


def test_a_browser_that_is_signed_in_is_signed_out_there(ada, house, settings):
    ask(ada)
    (link,) = emailed(house, settings)
    assert "Sign out" not in ada.post(link).text


def test_old_links_say_a_clear_sentence(ada, app, house, settings):
    match_id = house.start("Cleo", "Ada", setup="random")
    row = house.rows("SELECT * FROM chair WHERE match_id = :m AND player_id = 1", m=match_id)[0]
    turn = house.mint("turn", match_id=match_id, seat=row.seat, run=1, player_id=row.player_id)
    public = re.search(r'href="(/p/[^"]+)"', app.test_client().get(f"/m/{match_id}").text)
    sign_in = house.sign_in_link("Ada")
    guest = app.test_client()
    profile = re.search(r'href="(/p/[^"]+)"', ada.get("/profile").text)[1]
    ask(ada)
    (link,) = emailed(house, settings)
    ada.post(link)
    page = guest.get(f"/t/{turn}")
    assert page.status_code < 500
    assert "Ada" not in page.text.replace("word of Ada", "")
    asked = guest.post(f"/t/{turn}", data={"do": "links"})
    assert (asked.status_code, "an account that was deleted" in asked.text) == (409, True)
    assert "doesn’t work any more" in guest.get(sign_in).text or guest.get(sign_in).status_code in (404, 410)
    gone = guest.get(profile)
    assert (gone.status_code, "This account was deleted" in gone.text) == (410, True)
    assert public is None or guest.get(public[1]).status_code in (200, 410)


def test_a_seat_cookie_plays_no_more(house, app, settings, browser):
    match_id = house.start("Ada", "Bo", "Cleo", setup="random")
    browser.post(house.sign_in_link("Ada"))
    ada = house.rows("SELECT id FROM player WHERE name = 'Ada'")[0].id
    chair = house.rows("SELECT id FROM chair WHERE player_id = :p AND match_id = :m", p=ada, m=match_id)[0].id
    key = keys.begin(house.store, ada, chair)
    ask(browser)
    (link,) = emailed(house, settings)
    app.test_client().post(link)
    assert keys.chair_of(house.store, key) is None


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}])
def test_other_sites_press_nothing(ada, house, headers):
    assert ada.post("/profile/export", headers=headers).status_code == 403
    assert ada.post(PATH, headers=headers).status_code == 403
    assert house.rows("SELECT count(*) FROM letter WHERE kind = 'delete_account'")[0][0] == 0

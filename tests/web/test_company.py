"""The page on which a player mutes, blocks and reports, and what the other sees of it: nothing."""

import pytest
from sqlalchemy import text

from app import clock as house_clock
from app.play.match.records import Viewer
from app.play.seats import chat, silencing

PATH = "/profile/people"
LEFT = "UPDATE chair SET until = :now WHERE player_id = :ada"
HEIR = """INSERT INTO chair (match_id, seat, player_id, bot, name, since, heard_ply, lost, heard_notice,
                             noted, orders)
          SELECT match_id, seat, NULL, bot, 'Cleo', :now, -1, lost, 0, 0, orders FROM chair
          WHERE player_id = :ada"""
ACCEPT = {"do": "accept", "name": "Ada", "language": "en", "zone": "UTC", "word": ""}


@pytest.fixture
def match(house):
    return house.start("Ada", "Bo", setup="random")


def id_of(house, name):
    return house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id


def test_it_needs_a_session(browser, match):
    for answer in (browser.get(f"{PATH}?game={match}"), browser.post(f"{PATH}?game={match}")):
        assert answer.headers["Location"] == "/sign-in"


def test_a_player_mutes_and_hears_again(house, browser, app, match):
    browser.post(house.sign_in_link("Bo"))
    other = app.test_client()
    other.post(house.sign_in_link("Ada"))
    chat.say(house.store, Viewer(player_id=id_of(house, "Ada")), match, "Rubbish!")
    page = f"/m/{match}"
    assert "Rubbish!" in browser.get(page).text
    before = other.get(page).text
    assert f'href="{PATH}?game={match}"' in before
    ada = str(id_of(house, "Ada"))
    done = browser.post(f"{PATH}?game={match}", data={"do": "mute", "person": ada}, follow_redirects=True)
    assert "You’ve muted Ada." in done.text
    muted = browser.get(page).text
    assert "Rubbish!" not in muted
    assert "1 message from someone you’ve muted isn’t shown." in muted
    assert "Rubbish!" in other.get(page).text
    assert "muted" not in other.get(page).text
    assert "muted" not in other.get(PATH).text.split("Muted or blocked")[1].split("<h2>")[0].replace(
        "You haven’t muted or blocked anyone.", ""
    )
    done = browser.post(PATH, data={"do": "lift", "person": ada}, follow_redirects=True)
    assert "You’ll hear from them again." in done.text
    assert "Rubbish!" in browser.get(page).text


def test_a_muted_person_stays_so_on_a_seat_they_left_and_its_heir_is_heard(house, browser, match, clock):
    browser.post(house.sign_in_link("Bo"))
    ada = id_of(house, "Ada")
    chat.say(house.store, Viewer(player_id=ada), match, "Rubbish!")
    silencing.silence(house.store, id_of(house, "Bo"), match, ada, invitations=False)
    clock.advance(hours=1)
    with house.store.transaction() as connection:
        connection.execute(text(LEFT), {"ada": ada, "now": house_clock.now()})
        connection.execute(text(HEIR), {"ada": ada, "now": house_clock.now()})
    page = browser.get(f"/m/{match}").text
    assert "Rubbish!" not in page
    heir = house.rows("SELECT id FROM chair WHERE since = (SELECT max(since) FROM chair)")[0].id
    chat.say(house.store, Viewer(chair_id=heir), match, "Good morning")
    page = browser.get(f"/m/{match}").text
    assert "Good morning" in page
    assert "Rubbish!" not in page


def test_a_player_blocks_and_reports(house, browser, match):
    browser.post(house.sign_in_link("Bo"))
    ada, page = str(id_of(house, "Ada")), f"{PATH}?game={match}"
    assert (
        "You’ve blocked Ada."
        in browser.post(page, data={"do": "block", "person": ada}, follow_redirects=True).text
    )
    refused = browser.post(page, data={"do": "report", "person": ada, "text": " "})
    assert refused.status_code == 422
    assert "the text is empty" in refused.text
    done = browser.post(
        page, data={"do": "report", "person": ada, "text": "<b>rude</b>"}, follow_redirects=True
    )
    assert "your report about Ada goes to the people who run this site" in done.text
    assert [row.text for row in house.rows("SELECT text FROM report")] == ["<b>rude</b>"]


def test_people_of_other_games_are_not_there(house, browser, match):
    house.start("Cleo", "Dan", setup="random")
    browser.post(house.sign_in_link("Cleo"))
    assert browser.get(f"{PATH}?game={match}").status_code == 404
    assert browser.get(f"{PATH}?game=99999999999999").status_code == 200
    for form in ({"do": "mute", "person": str(id_of(house, "Ada"))}, {"do": "sell"}, {}):
        assert browser.post(f"{PATH}?game={match}", data=form).status_code == 404
    assert house.rows("SELECT * FROM block") == []


def test_an_invited_player_declines_and_blocks_the_host(house, browser):
    house.start("Ada", "Bo", setup="random")
    match_id = house.open("Ada", "Bo")
    ada, bo = house.invited(match_id)
    browser.post(
        f"/i/{ada}", data={"do": "accept", "name": "Ada", "language": "en", "zone": "UTC", "word": ""}
    )
    assert "Decline and block the host" not in browser.get(f"/i/{ada}").text
    assert "Decline and block the host" in browser.get(f"/i/{bo}").text
    browser.post(house.sign_in_link("Bo"))
    done = browser.post(f"/i/{bo}", data={"do": "block"}, follow_redirects=True)
    assert "This host’s invitations no longer reach you." in done.text
    assert len(house.rows("SELECT * FROM block WHERE invitations")) == 1
    later = house.open("Ada", "Bo")
    browser.post(f"/i/{house.invited(later)[0]}", data=ACCEPT)
    assert f"Held back: invitations to Survive #{later}." in browser.get(PATH).text


def test_a_stranger_is_offered_no_block(house, browser):
    match_id = house.open("Ada", "Bo")
    ada, bo = house.invited(match_id)
    browser.post(
        f"/i/{ada}", data={"do": "accept", "name": "Ada", "language": "en", "zone": "UTC", "word": ""}
    )
    assert "block the host" not in browser.get(f"/i/{bo}").text
    assert browser.post(f"/i/{bo}", data={"do": "block"}).status_code == 404

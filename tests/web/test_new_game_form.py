"""The form for a new game: seats that are left over, the same people again, and errors beside their field."""

import re

import pytest

from app.play.match.records import Viewer
from app.play.moves import service
from tests.web.forms import form

FORM = {"organiser": "ada@example.org", "others": "", "seats": "3"}


def the_match(house):
    return house.rows(
        'SELECT id, seats, bots, joinable, share, private, clock FROM "match" ORDER BY id DESC'
    )[0]


@pytest.mark.parametrize(
    ("chosen", "bots", "joinable", "share", "private"),
    [
        ({"rest": "computer"}, 2, False, 0, False),
        ({"rest": "computer", "others": "bo@example.org"}, 1, False, 0, False),
        ({"rest": "computer", "private": "on"}, 2, False, 0, True),
        ({"rest": "anybody"}, 0, True, 0, False),
        ({"rest": "anybody", "bots": "1"}, 1, True, 0, False),
        ({"rest": "link", "others": "bo@example.org", "private": "on"}, 0, False, 1, True),
    ],
)
def test_who_takes_the_seats_that_are_left(browser, house, chosen, bots, joinable, share, private):
    sent = form(browser.get("/open/survive").text, has="organiser") | FORM | chosen
    assert browser.post("/open/survive", data=sent).location == "/opened"
    found = the_match(house)
    assert (found.bots, bool(found.joinable), found.share, bool(found.private)) == (
        bots,
        joinable,
        share,
        private,
    )


def test_a_fresh_form_is_a_game_against_the_computer(browser, house):
    sent = form(browser.get("/open/survive").text, has="organiser")
    assert browser.post("/open/survive", data=sent | {"organiser": "ada@example.org"}).status_code == 303
    assert the_match(house).bots == the_match(house).seats - 1


@pytest.mark.parametrize(
    ("chosen", "beside"),
    [
        ({"organiser": "nobody"}, "organiser"),
        ({"others": "nobody"}, "others"),
        ({"others": "ada@example.org"}, "others"),
        ({"others": "b@x.example c@x.example d@x.example"}, "others"),
        ({"seats": "x"}, "seats"),
        ({"rest": "anybody", "bots": "x"}, "bots"),
        ({"rest": "anybody", "private": "on"}, "private"),
        ({"preset": "own", "option-setup": "odd"}, "options"),
        ({"clock": "per_move", "other-days": "x"}, "clock"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(browser, chosen, beside):
    sent = form(browser.get("/open/survive").text, has="organiser") | FORM | chosen
    refused = browser.post("/open/survive", data=sent)
    assert refused.status_code == 422
    assert re.findall(r'class="wrong" id="(\w+)-wrong"', refused.text) == [beside]


def test_the_same_people_again_without_their_addresses(browser, house):
    before = house.start("Ada", "Bo", "Cleo", setup="random", colours="one")
    for name in ("Bo", "Cleo"):
        player = house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id
        service.resign(house.store, Viewer(player_id=player), before)
    browser.post(house.sign_in_link("Ada"))
    page = browser.get(f"/open/survive?again={before}").text
    assert "bo@" not in page
    sent = form(page, has="organiser")
    assert (sent["organiser"], sent["seats"], sent["option-setup"]) == ("ada@example.org", "3", "random")
    seats = re.findall(r'name="with" value="(\w+)" checked', page)
    assert len(seats) == 2
    browser.post("/open/survive", data=sent | {"with": seats})
    match_id = the_match(house).id
    guests = house.rows(
        "SELECT address, known FROM invitation WHERE match_id = :m AND NOT organiser", m=match_id
    )
    assert {tuple(row) for row in guests} == {("bo@example.org", "Bo"), ("cleo@example.org", "Cleo")}
    browser.post(
        f"/i/{house.invited(match_id)[0]}",
        data={"do": "accept", "name": "Ada", "language": "en", "zone": "UTC"},
    )
    assert "bo@" not in browser.get(f"/m/{match_id}/table").text


def test_a_guessed_address_of_a_companion_is_not_confirmed(browser, house):
    before = house.start("Ada", "Bo", setup="random")
    browser.post(house.sign_in_link("Ada"))
    page = browser.get(f"/open/survive?again={before}").text
    seats = re.findall(r'name="with" value="(\w+)" checked', page)
    answers = {}
    for typed in ("bo@example.org", "other@example.org"):
        sent = form(page, has="organiser") | {"with": seats, "others": typed, "seats": "3"}
        answers[typed] = browser.post("/open/survive", data=sent)
    places = {(one.status_code, re.sub(r"\d+", "N", one.location)) for one in answers.values()}
    assert places == {(303, "/m/N/table?done=accept")}


def test_others_invite_nobody_by_the_number_of_a_game(browser, house):
    before = house.start("Ada", "Bo", setup="random")
    sent = {**FORM, "seats": "2", "again": str(before), "with": ["red", "yellow", "green", "blue"]}
    assert browser.post("/open/survive", data=sent).status_code == 422
    house.start("Dan", "Eve", setup="random")
    browser.post(house.sign_in_link("Dan"))
    assert browser.post("/open/survive", data=sent).status_code == 404
    assert browser.get(f"/open/survive?again={before}").status_code == 404


def test_the_page_says_where_the_email_went_once(browser):
    sent = form(browser.get("/open/survive").text, has="organiser") | FORM | {"rest": "computer"}
    done = browser.post("/open/survive", data=sent | {"organiser": "Ada@exampel.org"})
    assert done.location == "/opened", "no address in an address"
    assert "Ada@exampel.org" in browser.get("/opened").text
    assert "exampel" not in browser.get("/opened").text
    done = browser.post("/sign-in", data={"address": "ada@exampel.org"}, follow_redirects=True)
    assert "ada@exampel.org" in done.text
    assert "exampel" not in browser.get("/sign-in?sent=1").text


def test_who_is_signed_in_confirms_by_the_form(app, house):
    house.start("Ada", "Bo")
    browser = app.test_client()
    browser.post(house.sign_in_link("Ada"))
    page = browser.get("/open/survive").text
    assert "needs no confirmation by email" in page
    own = {"organiser": "ada@example.org"}
    sent = form(page, has="organiser") | FORM | own | {"rest": "link", "others": "bo@example.org"}
    done = browser.post("/open/survive", data=sent)
    number = the_match(house).id
    assert done.location == f"/m/{number}/table?done=accept"
    assert "Confirmed. The invitations are on their way." in browser.get(done.location).text
    mine = house.rows("SELECT kind FROM letter WHERE match_id = :m", m=number)
    assert [row.kind for row in mine] == ["invited"], "no email asks"
    alone = form(browser.get("/open/survive").text, has="organiser") | FORM | own | {"rest": "computer"}
    begun = browser.post("/open/survive", data=alone)
    number = the_match(house).id
    assert begun.location == f"/m/{number}", "against the computer it begins at once"
    other = form(browser.get("/open/survive").text, has="organiser") | FORM | {"rest": "computer"}
    other |= {"organiser": "bo@example.org"}
    assert browser.post("/open/survive", data=other).location == "/opened", "another's address is asked"
    elsewhere = browser.post(
        "/open/survive",
        data=form(browser.get("/open/survive").text, has="organiser") | FORM | own | {"rest": "link"},
        headers={"Sec-Fetch-Site": "cross-site"},
    )
    assert elsewhere.location != f"/m/{the_match(house).id}/table?done=accept", "a form from elsewhere asks"

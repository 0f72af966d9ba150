"""From the lobby to the first move."""

import re
from html import unescape

import pytest

from app import games, narrate

FORM = {"organiser": "ada@example.org", "others": "bo@example.org\ncleo@example.org", "seats": "3"}


def test_the_lobby_says_what_this_is_and_shows_a_board(browser):
    page = browser.get("/").text
    assert "Start a game" in page
    picture = browser.get("/pictures/survive.svg")
    assert picture.mimetype == "image/svg+xml"
    assert picture.text.startswith("<svg")


def test_every_option_is_explained(browser):
    page = browser.get("/open/survive").text
    for name in ("setup", "colours", "memory", "overpopulated", "to_the_last", "all_equal", "hunters"):
        assert f'name="option-{name}"' in page


def test_opening_sends_one_letter_to_the_organiser_alone(browser, house):
    done = browser.post("/open/survive", data=FORM | {"option-setup": "random", "option-colours": "one"})
    assert (done.status_code, done.location) == (303, "/opened")
    letters = house.rows("SELECT kind, i.address FROM letter l JOIN invitation i ON i.id = l.invitation_id")
    assert [tuple(row) for row in letters] == [("confirm", "ada@example.org")]
    assert "Check your email" in browser.get("/opened").text


@pytest.mark.parametrize(
    "others",
    [
        "bo@example.org, cleo@example.org",
        "bo@example.org;cleo@example.org;",
        'Bo Ek <bo@example.org>\n"Cleo" <cleo@example.org>',
        "bo@example.org, Cleo <cleo@example.org>",
        "Ek, Bo <bo@example.org>; Ek, Cleo <cleo@example.org>",
    ],
)
def test_addresses_are_read_as_people_paste_them(browser, house, others):
    assert browser.post("/open/survive", data=FORM | {"others": others}).status_code == 303
    invited = house.rows("SELECT address FROM invitation WHERE NOT organiser ORDER BY address")
    assert [row.address for row in invited] == ["bo@example.org", "cleo@example.org"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"others": "bo@example.org"}, "You entered 1 address for 2 free seats."),
        ({"others": ""}, "You have 2 free seats and no addresses."),
        ({"others": "", "bots": "3"}, "You can’t give every seat to the computer: you need one yourself"),
        ({"seats": "2"}, "You entered 2 addresses for 1 free seat."),
        ({"organiser": ""}, "Please enter an email address."),
        ({"seats": "x"}, "“x” isn’t a number of seats. Choose one of those offered."),
        ({"seats": "-1"}, "“-1” isn’t a number of seats."),
        ({"seats": "²"}, "“²” isn’t a number of seats."),
        ({"seats": ""}, "Please choose the number of seats."),
        ({"bots": "many"}, "“many” isn’t a number of bots."),
        (
            {"others": "Cleo; Ek, Bo <bo@example.org>"},
            "We can’t read “Cleo” in the list of addresses. We read bo@example.org. Write only the addresses",
        ),
        ({"others": "a@b.example " * 1000}, "That’s too long"),
        ({"option-colours": "two"}, "two players"),
        (
            {"option-fleet": "two"},
            "only goes with “colours: two”. Choose that too, or leave fleet as it is.",
        ),
        (
            {"option-to_the_last": "on", "option-submerged": "on"},
            "You can’t combine To the last and Submerged",
        ),
    ],
)
def test_why_a_table_cannot_be_opened_and_what_would_do(browser, change, said):
    assert said in unescape(browser.post("/open/survive", data=FORM | change).text)


@pytest.mark.parametrize(
    "change",
    [
        {"organiser": "nobody"},
        {"organiser": ""},
        {"others": "bo@example.org cleo"},
        {"others": "bo@example.org BO@example.org"},
        {"others": "bo@example.org ada@example.org"},
        {"others": "bo@example.org"},
        {"seats": "9"},
        {"seats": "x"},
        {"bots": "-1"},
        {"option-colours": "two"},
        {"option-setup": "<b>"},
        {"option-to_the_last": "on", "option-submerged": "on"},
    ],
)
def test_a_table_that_cannot_be_opened_keeps_what_was_typed(browser, house, change):
    before = house.count()
    answer = browser.post("/open/survive", data=FORM | change)
    assert answer.status_code == 422
    assert "The game wasn’t started" in answer.text
    assert (FORM | change)["others"].split()[0] in answer.text
    assert house.count() == before


def test_an_unknown_game(browser):
    assert browser.get("/open/chess").status_code == 404
    assert browser.post("/open/chess", data=FORM).status_code == 404


ANSWER = {"name": "Bo", "language": "en", "zone": "Europe/Lisbon", "word": "tea"}


def test_from_confirming_to_the_start(browser, house):
    match_id = house.open("Ada", "Bo", setup="random")
    ada, bo = house.invited(match_id)
    assert "Confirm your game" in browser.get(f"/i/{ada}").text
    assert browser.post(f"/i/{ada}", data=ANSWER | {"do": "accept", "name": "Ada"}).status_code == 303
    page = browser.get(f"/i/{ada}").text
    assert "Waiting for the others" in page
    assert re.search(r"<time datetime=\"20[-\d]{8}T[:\d]{5}Z\">\d+ \w+ 20\d\d, \d\d:\d\d UTC</time>", page)
    page = browser.get(f"/i/{bo}").text
    assert "Ada invites you to a game of Survive" in page
    assert "each player gets" in page, "how long it takes, before anybody accepts"
    assert "ada@example.org" not in page
    assert browser.post(f"/i/{bo}", data=ANSWER | {"do": "accept"}).status_code == 303
    assert "The game has begun" in browser.get(f"/i/{bo}").text
    assert 'value="enter"' in browser.get(f"/i/{ada}").text


def test_a_table_with_the_computer_counts_the_seats_of_people(browser, house):
    """Nobody waits for seats that nobody is asked for."""
    match_id = house.open("Ada", "Bo", bots=1)
    page = browser.get(f"/i/{house.invited(match_id)[0]}").text
    assert "0 of 2 players have joined so far. The computer plays one more seat." in page


def test_only_options_that_differ_from_the_usual_game_are_listed(browser, house):
    """Hunters, and a way to set up; all other options and their usual choices are left out."""
    game = games.all_games()["survive"]
    for chosen in ({}, {"hunters": "on"}, {"setup": "random", "hunters": "on"}):
        token = house.invited(house.open("Ada", "Bo", "Cleo", **chosen))[0]
        page = unescape(browser.get(f"/i/{token}").text)
        told = re.findall("<li>(Variant: .*?)</li>", page)
        assert told == narrate.variants(game, "en", chosen)
        assert len(told) == len(chosen)


def test_looking_at_an_invitation_changes_nothing(browser, house):
    match_id = house.open("Ada", "Bo")
    before = house.count()
    for token in house.invited(match_id):
        for _ in range(3):
            assert browser.get(f"/i/{token}").status_code == 200
            assert browser.head(f"/i/{token}").status_code == 200
    assert house.count() == before


@pytest.mark.parametrize(
    "change",
    [{"name": ""}, {"name": "x" * 300}, {"zone": "Moon/Sea"}, {"language": "tlh"}, {"word": "w" * 200}],
)
def test_an_answer_that_cannot_be_used_keeps_the_form(browser, house, change):
    ada = house.invited(house.open("Ada", "Bo"))[0]
    before = house.count()
    answer = browser.post(f"/i/{ada}", data=ANSWER | {"do": "accept"} | change)
    assert answer.status_code == 422
    assert "Nothing was changed" in answer.text
    if "word" not in change:
        assert 'value="tea"' in answer.text
    assert house.count() == before


def test_declining_is_told_to_the_organiser_who_asks_another(browser, house):
    match_id = house.open("Ada", "Bo")
    ada, bo = house.invited(match_id)
    browser.post(f"/i/{ada}", data=ANSWER | {"do": "accept", "name": "Ada"})
    browser.post(f"/i/{bo}", data={"do": "decline"})
    assert "You declined" in browser.get(f"/i/{bo}").text
    assert "joined so far" not in browser.get(f"/i/{bo}").text
    page = browser.get(f"/i/{ada}").text
    assert "has declined" in page
    assert "Nobody has been invited to one of the seats." in page
    guest = house.rows("SELECT id FROM invitation WHERE address = 'bo@example.org'")[0].id
    form = {"do": "replace", "invitation": str(guest), "address": "dan@example.org"}
    assert browser.post(f"/i/{ada}", data=form).status_code == 303
    page = browser.get(f"/i/{ada}").text
    assert "dan@example.org" in page
    assert "Nobody has been invited to" not in page
    bad = browser.post(f"/i/{ada}", data=form | {"address": "ada@example.org"})
    assert bad.status_code == 422


def test_the_organisers_buttons(browser, house):
    match_id = house.open("Ada", "Bo", "Cleo")
    ada, bo, _ = house.invited(match_id)
    browser.post(f"/i/{ada}", data=ANSWER | {"do": "accept", "name": "Ada"})
    guests = [row.id for row in house.rows("SELECT id FROM invitation ORDER BY id")]
    cleo = str(guests[2])
    assert browser.post(f"/i/{ada}", data={"do": "send_again", "invitation": cleo}).status_code == 303
    assert browser.post(f"/i/{ada}", data={"do": "send_again", "invitation": cleo}).status_code == 429
    assert browser.post(f"/i/{ada}", data={"do": "withdraw", "invitation": cleo}).status_code == 303
    assert "invitation withdrawn" in browser.get(f"/i/{ada}").text
    assert browser.post(f"/i/{ada}", data={"do": "start_with_fewer"}).status_code == 422
    assert browser.post(f"/i/{bo}", data={"do": "call_off"}).status_code == 404
    browser.post(f"/i/{bo}", data=ANSWER | {"do": "accept"})
    assert browser.post(f"/i/{ada}", data={"do": "start_with_fewer"}).status_code == 303
    assert "The game has begun" in browser.get(f"/i/{ada}").text


def test_each_action_is_confirmed_by_its_name(browser, house):
    ada, bo, _ = house.invited(house.open("Ada", "Bo", "Cleo"))
    cleo = str(house.rows("SELECT id FROM invitation ORDER BY id")[2].id)
    accept, invitation = ANSWER | {"do": "accept"}, {"invitation": cleo}
    for token, form, said in (
        (ada, accept | {"name": "Ada"}, "Confirmed. The invitations are on their way."),
        (bo, accept, "joined the game."),
        (ada, invitation | {"do": "send_again"}, "Sent. The invitation is on its way again."),
        (ada, invitation | {"do": "withdraw"}, "Withdrawn. The link in that invitation no longer works."),
        (
            ada,
            invitation | {"do": "replace", "address": "dan@example.org"},
            "Invited. An invitation is on its way",
        ),
    ):
        page = browser.post(f"/i/{token}", data=form, follow_redirects=True).text
        assert said in page
        assert said not in browser.get(f"/i/{token}").text
    assert "joined the game." not in browser.get(f"/i/{house.invited(1)[2]}?done=accept").text


def test_calling_off(browser, house):
    match_id = house.open("Ada", "Bo")
    ada, bo = house.invited(match_id)
    browser.post(f"/i/{ada}", data=ANSWER | {"do": "accept", "name": "Ada"})
    assert browser.post(f"/i/{ada}", data={"do": "call_off"}).status_code == 303
    assert "called off" in browser.get(f"/i/{bo}").text
    assert browser.post(f"/i/{bo}", data=ANSWER | {"do": "accept"}).status_code == 409


def test_a_signed_in_organiser_has_the_same_page(browser, house):
    match_id = house.open("Ada", "Bo")
    ada, _ = house.invited(match_id)
    assert browser.get(f"/m/{match_id}/table").status_code == 404
    browser.post(f"/i/{ada}", data=ANSWER | {"do": "accept", "name": "Ada"})
    browser.post(house.sign_in_link("Ada"))
    assert "bo@example.org" in browser.get(f"/m/{match_id}/table").text
    assert f"/m/{match_id}/table" in browser.get("/").text
    assert browser.post(f"/m/{match_id}/table", data={"do": "call_off"}).status_code == 303


def test_the_lobby_shows_my_games_waiting_first(browser, house):
    match_id = house.start("Ada", "Bo")
    assert "My games" not in browser.get("/").text
    assert f"/m/{match_id}" in browser.get("/").text
    browser.post(house.sign_in_link("Ada"))
    page = browser.get("/").text
    assert "My games" in page
    assert "your turn" in page


def test_the_links_come_again_and_tell_nothing(browser, house):
    house.start("Ada", "Bo")
    known = browser.post("/links", data={"address": "ada@example.org"})
    unknown = browser.post("/links", data={"address": "nobody@example.org"})
    assert (known.status_code, known.location, known.text) == (
        unknown.status_code,
        unknown.location,
        unknown.text,
    )
    assert house.rows("SELECT count(*) FROM letter WHERE kind = 'links'")[0][0] == 1
    assert browser.post("/links", data={"address": "no address"}).status_code == 422
    assert "on its way" in browser.get(known.location).text


@pytest.mark.parametrize("path", ["/links", "/sign-in"])
def test_a_refused_address_is_bound_to_its_field(browser, path):
    asked, refused = browser.get(path).text, browser.post(path, data={"address": "no address"}).text
    assert "autofocus" in asked
    assert "aria-invalid" not in asked
    assert 'aria-invalid="true" aria-describedby="refused" autofocus' in refused
    assert 'id="refused"' in refused


def test_the_host_is_told_once_that_emails_may_take_days_and_can_take_a_guest_out(house, browser):
    """For every address, so that it doesn't tell which are known here."""
    for n in range(4):
        match_id = house.open("Ada", "Bo", "Cleo", "Dan")
        ada, *_ = house.invited(match_id)
        page = browser.post(f"/i/{ada}", data=ANSWER | {"do": "accept", "name": "Ada"}, follow_redirects=True)
        assert page.text.count("Our email can take some days") == 1, n
        assert "not invited yet" not in page.text
    ada, bo, *_ = house.invited(1)
    browser.post(f"/i/{bo}", data=ANSWER | {"do": "accept", "name": "Bo"})
    page = browser.get(f"/i/{ada}").text
    assert "Our email can take" not in browser.get(f"/i/{bo}").text
    assert "Remove Bo from this game" in page
    number = str(house.rows("SELECT id FROM invitation WHERE address_key LIKE 'bo@%'")[0].id)
    done = browser.post(f"/i/{ada}", data={"do": "take_out", "invitation": number}, follow_redirects=True)
    assert "They’re no longer in this game" in done.text
    out = browser.get(f"/i/{bo}").text
    assert "You’re no longer in this game" in out
    assert "The host removed you before the game began" in out
    assert "removed by the host" in out
    assert "withdrawn" not in out

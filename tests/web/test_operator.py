"""The operator's page: no page for anybody else, and its buttons do what the commands do, under a name."""

import re

import pytest

from app import clock as clock_module
from app.mail.core import inbox
from app.people import operators, reports, suppression
from app.play.match.records import Viewer
from app.play.seats import notes, operating
from app.store import audit, heartbeat
from tests.web.forms import form
from tests.web.test_private import bare
from tests.web.visits import House

PAGE = "/operator"


@pytest.fixture
def operator(browser, house: House):
    """The browser of Ada, an operator who has just signed in, beside a running game of Ada and Bo."""
    house.start("Ada", "Bo", setup="random")
    operators.add(house.store, "ada@example.org")
    browser.post(house.sign_in_link("Ada"))
    return browser


def acts(house):
    with house.store.reading() as connection:
        return [(one.act, one.about, one.by_id) for one in audit.latest(connection, 99)]


def one(house, query):
    return house.rows(query)[0]


def press(browser, do, **sent):
    page = browser.get(PAGE).text
    found = form(page, do=do)
    return browser.post(PAGE, data=found | {"do": do} | sent)


@pytest.mark.parametrize("who", ["nobody", "a player", "an operator of yesterday"])
def test_to_others_it_is_an_unknown_page(browser, house, who):
    house.start("Ada", "Bo", setup="random")
    if who != "nobody":
        browser.post(house.sign_in_link("Ada"))
    if "operator" in who:
        operators.add(house.store, "ada@example.org")
        operators.drop(house.store, "ada@example.org")
    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
        found = browser.open(PAGE, method=method, data={"do": "retry", "letter": "x"})
        missing = browser.open("/operatoz", method=method, data={"do": "retry", "letter": "x"})
        assert found.status_code == 404, method
        assert bare(found)[0] == bare(missing)[0]
        assert bare(found)[2] == bare(missing)[2]
        assert found.text.replace("operator", "operatoz") == missing.text


def test_it_shows_what_waits_and_no_secret(operator, house):
    house.play(1, 4)
    notes.note(house.store, Viewer(player_id=1), 1, "my secret plan")
    page = operator.get(PAGE)
    assert page.status_code == 200
    assert page.headers["Cache-Control"] == "no-store"
    for heading in ("Health", "What waits", "Emails", "Reports of players", "Games", "What operators did"):
        assert heading in page.text
    assert "bo@example.org" in page.text, "where an email goes"
    assert not re.search(r"/[tisacku]/[A-Za-z0-9_-]{16,}", page.text), "no link that acts"
    assert "secret plan" not in page.text


def test_an_older_session_needs_a_fresh_link(operator, house, clock):
    clock.advance(hours=13)
    page = operator.get(PAGE)
    assert "Email me a link" in page.text
    assert "bo@example.org" not in page.text
    letter = one(house, "SELECT id FROM letter WHERE status = 'waiting'").id
    refused = operator.post(PAGE, data={"do": "drop", "letter": letter})
    assert refused.status_code == 403
    assert one(house, f"SELECT status FROM letter WHERE id = '{letter}'").status == "waiting"
    sent = operator.post(PAGE, data=form(page.text, do="link") | {"do": "link"})
    assert sent.status_code == 303
    assert one(house, "SELECT count(*) AS n FROM letter WHERE kind = 'sign_in'").n == 1
    arrived = operator.post(house.sign_in_link("Ada"))
    assert arrived.headers["Location"] == PAGE
    assert "What waits" in operator.get(PAGE).text


@pytest.mark.parametrize("do", ["retry", "drop"])
def test_an_email_is_tried_or_dropped_under_the_operators_name(operator, house, do):
    letter = one(house, "SELECT id, player_id FROM letter WHERE status = 'waiting' ORDER BY due_at, id").id
    assert "asked for at" in operator.get(f"{PAGE}?letter={letter}").text
    assert press(operator, do, letter=letter).headers["Location"] == f"{PAGE}?done={do}#now"
    ada = one(house, "SELECT id FROM player WHERE name = 'Ada'").id
    assert acts(house)[0] == (f"letters {do}", f"letter {letter}", ada)
    assert "Ada" in operator.get(PAGE).text


def test_an_email_to_an_address_that_gets_none_is_not_tried(operator, house, clock):
    letter = one(house, "SELECT id FROM letter WHERE status = 'waiting' AND match_id IS NOT NULL").id
    with house.store.transaction() as connection:
        for name in ("ada", "bo"):
            suppression.suppress(connection, f"{name}@example.org", "bounced", clock.moment)
    page = press(operator, "retry", letter=letter)
    assert (page.status_code, "are stopped, and this one would be dropped" in page.text) == (409, True)


def test_each_thing_that_waits_has_its_button(operator, house, clock):
    with house.store.transaction() as connection:
        suppression.suppress(connection, "bo@example.org", "bounced", clock.moment)
        reports.file(connection, clock.moment, 1, 2, 1, "they insult me")
        empty = dict.fromkeys(("key", "source", "recipient", "token_hash", "sender"), "")
        mail = inbox.NewMail(**empty, letter_id=None, player_id=None, raw=b"mail", kind="reply")
        inbox.keep(connection, clock.moment, mail)
        connection.exec_driver_sql("UPDATE incoming SET status = 'failed'")
    page = operator.get(PAGE).text
    assert "they insult me" in page
    mail_id = one(house, "SELECT id FROM incoming").id
    for do, sent in (
        ("lift", {"address": "bo@example.org"}),
        ("close", {"report": "1"}),
        ("dealt", {"mail": mail_id}),
        ("hide", {"match": "1"}),
        ("unhide", {"match": "1"}),
    ):
        assert press(operator, do, **sent).status_code == 303, do
    assert [act for act, _, _ in acts(house)][:5] == [
        *("matches unhide", "matches hide", "inbox done", "people close", "letters lift")
    ]
    assert {by for _, _, by in acts(house)[:5]} == {1}


def test_a_game_is_called_off_only_with_the_word(operator, house):
    assert press(operator, "call_off", match="1", word="").status_code == 409
    assert one(house, 'SELECT status FROM "match"').status == "running"
    assert press(operator, "call_off", match="1", word="call off", text="they asked").status_code == 303
    assert one(house, 'SELECT status FROM "match"').status == "over"
    assert acts(house)[0][:2] == ("matches call-off", "match 1")


@pytest.mark.parametrize(
    "sent",
    [
        {"do": "retry", "letter": "x"},
        {"do": "hide", "match": "99"},
        {"do": "hide", "match": "one"},
        {"do": "close", "report": "9"},
        {"do": "lift", "address": "eve@example.org"},
        {"do": "nothing"},
    ],
)
def test_what_is_not_there_is_said(operator, house, sent):
    answer = operator.post(PAGE, data=sent)
    assert answer.status_code == 409
    assert "Nothing was done." in answer.text
    assert len(acts(house)) == 1, "the role itself"


def test_pressed_twice_is_once(operator, house):
    page = operator.get(PAGE).text
    sent = form(page, do="hide") | {"do": "hide", "match": "1"}
    assert operator.post(PAGE, data=sent).status_code == 303
    assert operator.post(PAGE, data=sent).status_code == 303
    assert [act for act, _, _ in acts(house)] == ["matches hide", "operator add"]


def give(operator, **sent):
    """Ask for a seat to be given away, and press the button of the question."""
    asked = press(operator, "reassign", **sent)
    assert asked.status_code == 200, asked.text
    assert "loses the seat" in asked.text
    return form(asked.text, has="sure") | {"do": "reassign"}


def test_a_seat_is_given_away_once_it_is_confirmed(operator, house):
    house.start("Cleo", "Dan", setup="random")
    held = "SELECT seat, player_id FROM chair WHERE match_id = 1 AND until IS NULL ORDER BY seat"
    seat = next(one.seat for one in house.rows(held) if one.player_id == 2)
    sent = give(operator, match="1", seat=f" {seat.upper()}", address="dan@example.org", text="Bo asked")
    assert acts(house)[0][0] == "operator add", "only asked so far"
    assert {one.player_id for one in house.rows(held)} == {1, 2}
    assert operator.post(PAGE, data=sent).headers["Location"] == f"{PAGE}?done=reassign#now"
    assert {one.player_id for one in house.rows(held)} == {1, 4}
    assert acts(house)[0] == ("matches reassign", f"match 1 {seat}", 1)
    assert operator.post(PAGE, data=sent).status_code == 303, "pressed twice"
    assert [act for act, _, _ in acts(house)] == ["matches reassign", "operator add"]


def test_a_seat_that_passed_on_meanwhile_is_not_given_away(operator, house):
    house.start("Cleo", "Dan", setup="random")
    held = "SELECT seat, player_id FROM chair WHERE match_id = 1 AND until IS NULL"
    seat = next(one.seat for one in house.rows(held) if one.player_id == 2)
    sent = give(operator, match="1", seat=seat, address="eve@example.org")
    operating.reassign(house.store, 1, seat, "dan@example.org")
    answer = operator.post(PAGE, data=sent)
    assert answer.status_code == 409
    assert "someone else has it by now" in answer.text
    assert {one.player_id for one in house.rows(held)} == {1, 4}


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({"match": "9", "seat": "red", "address": "dan@example.org"}, "It isn’t there"),
        ({"match": "1", "seat": "purple", "address": "dan@example.org"}, "no such seat"),
        ({"match": "1", "seat": "red", "address": "nobody"}, "Nothing was done"),
        ({"match": "x", "seat": "red", "address": "dan@example.org"}, "It isn’t there"),
    ],
)
@pytest.mark.parametrize("sure", ["", "yes"])
def test_a_seat_that_cannot_be_given_away(operator, house, sent, why, sure):
    answer = press(operator, "reassign", sure=sure, **sent)
    assert answer.status_code in (400, 409, 422)
    assert why in answer.text
    assert len(acts(house)) == 1


def test_it_says_what_doctor_finds_here_and_how_much_room_is_left(operator, house):
    page = operator.get(PAGE).text
    assert re.search(r"The database takes [0-9.]+ MB; [0-9.,]+ [MG]B of [0-9.,]+ [MG]B are free", page)
    assert "beat has asked for no sweep ever" in page
    with house.store.transaction() as connection:
        heartbeat.mark(connection, heartbeat.BEAT, clock_module.now())
    assert "beat has asked" not in operator.get(PAGE).text


def test_what_is_typed_names_the_game_and_the_seat_as_a_button_does(operator, house):
    seat = house.rows("SELECT seat FROM chair WHERE match_id = 1 ORDER BY seat")[0].seat
    asked = press(operator, "reassign", number="1", colour=seat.upper(), address="eve@example.org")
    assert asked.status_code == 200
    assert f"loses the seat {seat} in game #1" in asked.text
    press(operator, "hide", number="1")
    assert house.rows('SELECT hidden FROM "match"')[0].hidden

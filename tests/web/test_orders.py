"""Standing orders on the page of a match: plain forms, for their owner alone."""

import re
from html import unescape

import pytest
from sqlalchemy import text as sql

from app.play.moves import bots
from tests.web.visits import Turn


@pytest.fixture
def path(turn, browser, house):
    """A turn's link, in a browser in which its player is signed in: by the link alone an email would ask."""
    browser.post(house.sign_in_link(player_of(house, turn.match_id, turn.seat)))
    return f"/t/{turn.token}"


def player_of(house, match_id, seat):
    """The name of the seat's player."""
    (row,) = house.rows(
        """SELECT p.name FROM chair c JOIN player p ON p.id = c.player_id
           WHERE c.match_id = :m AND c.seat = :s AND c.until IS NULL""",
        m=match_id,
        s=seat,
    )
    return row.name


def visitor(app, house, match_id, seat):
    """A browser in which the seat's player is signed in."""
    browser = app.test_client()
    browser.post(house.sign_in_link(player_of(house, match_id, seat)))
    return browser


def listed(page):
    """The wishes that the page shows."""
    card = re.search(r'id="orders".*?</section>', page, re.DOTALL)[0]
    found = re.search(r"<ol>(.*?)</ol>", card, re.DOTALL)
    return [unescape(text) for text in re.findall(r"<code[^>]*>(.*?)</code>", found[1])] if found else []


def kept(page):
    """What stands in the field."""
    return unescape(re.search(r'id="orders-text"[^>]*>\n?(.*?)</textarea>', page, re.DOTALL)[1]).strip()


def test_a_list_is_kept_shown_again_and_taken_back(browser, path):
    """A plan is a thing of its own: kept by a button, there after a reload, gone when it is taken back."""
    answer = browser.post(path, data={"do": "orders", "text": "sink F5\r\n\r\n move red1>E5 "})
    assert (answer.status_code, answer.location) == (303, f"{path}?done=orders#orders")
    assert "Your conditional moves are saved." in browser.get(answer.location).text
    page = browser.get(path).text
    assert "are saved" not in page
    assert listed(page) == ["sink F5", "move red1>E5"]
    assert kept(page).splitlines() == ["sink F5", "move red1>E5"]
    browser.post(path, data={"do": "orders", "text": "sink F5"})
    assert listed(browser.get(path).text) == ["sink F5"]
    assert browser.post(path, data={"do": "withdraw"}).status_code == 303
    assert listed(browser.get(path).text) == []


def test_what_cannot_be_read_is_said_and_stays_in_the_field(browser, path):
    browser.post(path, data={"do": "orders", "text": "sink F5"})
    tried = browser.post(path, data={"do": "orders", "text": "sink F5\nfly to the <moon>"})
    assert tried.status_code == 422
    assert "can’t read" in tried.text
    assert "&lt;moon&gt;" in tried.text
    assert kept(tried.text) == "sink F5\nfly to the <moon>"
    assert "aria-invalid" in tried.text
    assert listed(tried.text) == ["sink F5"], "the old list stands"
    many = browser.post(path, data={"do": "orders", "text": "sink F5\n" * 21})
    assert many.status_code == 422
    assert "You can’t save 21 conditional moves: the limit is 20." in many.text


def test_a_policy_is_chosen_with_its_number(browser, path):
    form = {"do": "policy", "name": "defend", "choice": "at least N", "number": "2"}
    assert browser.post(path, data=form).status_code == 303
    page = browser.get(path).text
    assert "Stop an attack on 2 or more of my explorers" in page
    assert re.search(r'value="at least N" checked', page)
    assert re.search(r'name="number"[^>]*value="2"', page)
    for wrong in ({"number": ""}, {"number": "0"}, {"choice": "maybe"}, {"name": "attack"}):
        assert browser.post(path, data=form | wrong).status_code == 422
    browser.post(path, data=form | {"choice": "ask"})
    assert "Stop an attack on 2 or more of my explorers" not in browser.get(path).text


def test_a_policy_whose_time_is_over_is_named_among_the_last_ones(browser, path, store):
    """“never” alone says nothing of what."""
    browser.post(path, data={"do": "policy", "name": "defend", "choice": "never"})
    with store.transaction() as connection:
        connection.execute(
            sql("UPDATE standingorder SET closed_at = created_at, closed_ply = 1, result = 'ended'")
        )
        connection.execute(sql("UPDATE chair SET noted = noted + 1"))
    assert ">defend never</code>" in browser.get(path).text


@pytest.mark.usefixtures("tongue")
def test_nobody_else_sees_that_anything_was_left(browser, app, house, turn, path):
    """The pages of all others are the same to the byte, and need not even be sent again."""
    other = next(seat for seat in ("red", "yellow") if seat != turn.seat)
    rival, onlooker = visitor(app, house, turn.match_id, other), app.test_client()
    address = f"/m/{turn.match_id}"
    before = [one.get(address) for one in (rival, onlooker)]
    form = {"do": "policy", "name": "defend", "choice": "always"}
    browser.post(path, data=form)
    browser.post(path, data={"do": "orders", "text": "sink F5"})
    for one, page in zip((rival, onlooker), before, strict=True):
        after = one.get(address)
        assert (after.data, after.headers["ETag"]) == (page.data, page.headers["ETag"])
    assert house.rows('SELECT news FROM "match"')[0].news == 0
    own = visitor(app, house, turn.match_id, turn.seat).get(address).text
    assert listed(own) == ["sink F5"]
    assert 'id="orders"' not in before[1].text, "an onlooker has nothing to leave"


def test_onlookers_and_strangers_cannot_leave_orders(browser, house, turn):
    for form in ({"text": "sink F5", "do": "orders"}, {"do": "withdraw"}, {"do": "policy", "name": "defend"}):
        assert browser.post(f"/m/{turn.match_id}", data=form).status_code == 404
        assert browser.post("/t/" + "x" * 26, data=form).status_code == 404
    assert house.rows("SELECT id FROM standingorder") == []


def test_the_owner_reads_what_was_played_in_their_name_and_nobody_else_does(browser, app, house, turn, store):
    """Away for a while, a player finds each step that was played for them, and by what."""
    other = next(seat for seat in ("red", "yellow") if seat != turn.seat)
    owner = visitor(app, house, turn.match_id, other)
    address = f"/m/{turn.match_id}"
    owner.post(address, data={"do": "orders", "text": "creature pass\nsink F4\nsink G4\nsink E4\nsink H4"})
    mover = Turn(turn.match_id, turn.seat, turn.token, "")
    moved = browser.post(mover.path, data={"question": turn.question, "answer": _sinkable(turn.html)})
    assert moved.status_code == 303
    while house.rows("SELECT seat FROM question WHERE closed_at IS NULL")[0].seat != other:
        house.play(turn.match_id, 1)
    bots.play_unmanned(store)
    played = house.rows("SELECT move FROM played WHERE source = 'orders' ORDER BY ply")
    assert played[0].move.startswith("sink")
    page = owner.get(address).text
    assert page.count("(your conditional move)") == len(played)
    assert "Earlier conditional moves" in page
    assert f'<code dir="ltr" translate="no">{played[0].move}</code> – played' in page
    for text in (
        app.test_client().get(address).text,
        visitor(app, house, turn.match_id, turn.seat).get(address).text,
    ):
        assert "conditional move" not in text.replace("Conditional moves", "")


def _sinkable(html):
    return "sink " + re.findall(r'data-at="([A-M]\d+)"', html)[0]


def test_the_card_is_gone_with_the_game_and_in_the_past(app, house):
    match_id = house.start("Ada", "Bo", setup="random")
    seat = next(iter(house.turns(match_id)))
    own = visitor(app, house, match_id, seat)
    own.post(f"/m/{match_id}", data={"do": "orders", "text": "sink F5"})
    house.play(match_id, 4)
    assert 'id="orders"' in own.get(f"/m/{match_id}").text
    assert 'id="orders"' not in own.get(f"/m/{match_id}/1").text
    own.post(f"/m/{match_id}", data={"do": "resign", "word": "resign"})
    assert 'id="orders"' not in own.get(f"/m/{match_id}").text
    tried = own.post(f"/m/{match_id}", data={"do": "orders", "text": "sink F5"})
    assert tried.status_code == 409


def test_games_without_windows_offer_wishes_alone(browser, house):
    for game in ("atlantis", "atlandice"):
        match_id = house.start("Ada", "Bo", game=game)
        token = next(iter(house.turns(match_id).values()))
        page = browser.get(f"/t/{token}").text
        assert 'id="orders"' in page
        assert 'value="policy"' not in page

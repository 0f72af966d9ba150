"""What if: only its player sees it, it changes nothing, and it is there at the next visit."""

import re
from html import unescape

import pytest
from sqlalchemy import text

from app import games
from app.engine.chance import Chance
from app.play.match.records import Viewer
from app.play.match.snapshot import MatchSnapshot
from app.play.moves import orders, service
from app.play.seats import what_if
from tests.games.random_games import seed_of

ANEW = """INSERT INTO chair (match_id, seat, player_id, bot, name, since, heard_ply)
          SELECT match_id, seat, player_id, bot, name, since, heard_ply FROM chair WHERE player_id = :own"""


HIDING = [slug for slug, game in games.all_games().items() if not game.open_information]


def page_of(match_id: int) -> str:
    return f"/m/{match_id}/what-if"


@pytest.fixture
def ada(browser, house):
    """A game whose host is signed in here, and the page."""
    match_id = house.start("Ada", "Bo", setup="random")
    browser.post(house.sign_in_link("Ada"))
    return match_id, page_of(match_id)


def viewer(house, name: str = "Ada") -> Viewer:
    return Viewer(player_id=house.rows("SELECT id FROM player WHERE name = :n", n=name)[0][0])


def press(browser, path: str, do: str, **fields: str):
    return browser.post(path, data={"do": do, **fields}, follow_redirects=True)


def test_moves_are_played_for_everybody_and_nothing_of_the_game_changes(browser, house, ada):
    _, path = ada
    before = (house.rows("SELECT * FROM played"), house.rows('SELECT * FROM "match"'), house.count())
    for after in range(5):
        assert press(browser, path, "bot", after=str(after)).status_code == 200
    page = browser.get(path).text
    assert page.count('value="back"') == 5
    assert {"red", "yellow"} & set(re.findall(r'class="seat seat-(\w+)', page))
    assert (house.rows("SELECT * FROM played"), house.rows('SELECT * FROM "match"'), house.count()) == before


def test_the_same_press_twice_adds_one_move(browser, ada):
    _, path = ada
    first = re.search(r'name="seat" value="(\w+)"', browser.get(path).text)[1]
    tile = re.search(r">(sink \w+)<", browser.get(path + "?list=1").text)[1]
    for _ in range(2):
        page = press(browser, path, "add", seat=first, move=tile, after="0").text
    assert page.count('value="back"') == 1
    for _ in range(2):
        page = press(browser, path, "back", at="0").text
    assert 'value="back"' not in page


def test_it_is_kept_between_visits_and_gone_with_a_fresh_start(browser, ada):
    _, path = ada
    press(browser, path, "bot", after="0")
    kept = browser.get(path).text
    assert browser.get(path).text == kept
    assert 'value="back"' not in press(browser, path, "afresh").text


def test_what_is_picked_is_named_as_on_the_page_of_the_turn(browser, house):
    match_id = house.start("Ada", "Bo", game="atlantis")
    browser.post(house.sign_in_link("Ada"))
    page = browser.get(page_of(match_id) + "?pick=A").text
    assert "<b>figure A</b>" in page


def test_what_chance_shows_is_chosen(browser, house, ada):
    _, path = ada
    seat = re.search(r'name="seat" value="(\w+)"', browser.get(path).text)[1]
    tile = re.search(r">(sink \w+)<", browser.get(path + "?list=1").text)[1]
    page = press(browser, path, "add", seat=seat, move=tile, after="0").text
    assert "Chance shows" in page
    for face in ("shark", "serpent"):
        page = press(browser, path, "choose", at="0", draw="0", shown=face).text
        assert f'<option value="{face}" selected>{face}</option>' in page
    with house.store.transaction() as connection:
        connection.exec_driver_sql("UPDATE player SET language = 'ja'")
    page = browser.get(path).text
    assert '<option value="serpent" selected>海ヘビ</option>' in page


def test_a_move_that_cannot_be_is_refused_with_the_line_kept(browser, ada):
    _, path = ada
    press(browser, path, "bot", after="0")
    seat = re.search(r'name="seat" value="(\w+)"', browser.get(path).text)[1]
    answer = browser.post(path, data={"do": "add", "seat": seat, "move": "fly", "after": "1"})
    assert answer.status_code == 422
    assert "“fly”" in answer.text
    assert answer.text.count('value="back"') == 1
    assert 'name="move" maxlength="400"' in answer.text
    assert 'value="fly" aria-invalid="true"' in answer.text


def test_nobody_else_sees_it_and_a_successor_begins_anew(app, browser, house, ada):
    _, path = ada
    press(browser, path, "bot", after="0")
    stranger = app.test_client().get(path)
    assert stranger.status_code in (403, 409, 422)
    assert "your own games" in stranger.text
    bo = app.test_client()
    bo.post(house.sign_in_link("Bo"))
    assert 'value="back"' not in bo.get(path).text
    assert "red1" not in stranger.text
    with house.store.transaction() as connection:  # whoever has the seat now, it is another time on it
        own = viewer(house).player_id
        connection.execute(text("UPDATE chair SET until = since WHERE player_id = :own"), {"own": own})
        connection.execute(text(ANEW), {"own": own})
    assert 'value="back"' not in browser.get(path).text


def test_own_moves_become_conditional_moves_behind_those_there_are(browser, house, ada):
    match_id, path = ada
    me = viewer(house)
    for after in range(12):
        press(browser, path, "bot", after=str(after))
    page = press(browser, path, "orders").text
    seen = orders.orders(house.store, me, match_id).wishes
    own = what_if.thought(house.store, me, match_id).world.lines
    assert "conditional moves" in page
    assert {one.line for one in seen} <= {one.text for one in own}
    assert seen


@pytest.mark.parametrize(
    ("before", "own", "left"),
    [
        ("", "a b a", "a b a"),
        ("a b", "a b", "a b"),
        ("a a", "a a", "a a"),
        ("a b", "a b a", "a b a"),
        ("c a b a", "a b", "c a b a"),
        ("c", "c c d", "c c d"),
        ("a b", "c a", "a b c a"),
        ("a b", "", "a b"),
    ],
)
def test_a_move_that_comes_twice_is_left_twice_and_a_second_press_leaves_none(before, own, left):
    found = what_if.joined(before.split(), own.split())
    assert found == left.split()
    assert what_if.joined(found, own.split()) == found


def test_when_the_game_is_over_it_says_so(browser, house, ada):
    match_id, path = ada
    service.resign(house.store, viewer(house, "Bo"), match_id)
    assert browser.get(path).status_code == 409


@pytest.mark.parametrize("slug", HIDING)
@pytest.mark.usefixtures("tongue")
def test_two_worlds_give_the_same_page(browser, house, monkeypatch, slug):
    match_id = house.start("Ada", "Bo", game=slug)
    browser.post(house.sign_in_link("Ada"))
    path = page_of(match_id)
    seat = house.rows("SELECT seat FROM chair WHERE player_id = :p", p=viewer(house).player_id)[0][0]
    for after in range(4):
        press(browser, path, "bot", after=str(after))
    true = browser.get(path).text
    load, changed = MatchSnapshot.load, []

    def twin(snapshot):
        state = load(snapshot)
        other = snapshot.game.resample(state, seat, Chance(seed_of("twin"), 1))
        changed.append(other != state)
        return other

    monkeypatch.setattr(MatchSnapshot, "load", twin)
    assert browser.get(path).text == true
    assert any(changed), "the worlds are the same"


def test_moves_tried_on_the_own_turn_are_taken_to_the_game(browser, house):
    match_id = house.start("Ada", "Bo", game="atlantis")
    me, path = viewer(house, name_to_move(house, match_id)), page_of(match_id)
    browser.post(house.sign_in_link(name_to_move(house, match_id)))
    assert "Take these moves to the game" not in browser.get(path).text
    what_if.play_on(house.store, me, match_id, None, after=0)
    what_if.play_on(house.store, me, match_id, None, after=1)
    page = browser.get(path).text
    address = unescape(re.search(rf'href="(/m/{match_id}\?step=[^"]*)"', page)[1])
    own = what_if.thought(house.store, me, match_id).begun
    assert len(own) == 1, "what follows is another's"
    assert "own%3A" in address, "a card in hand stands in no address"
    shown = browser.get(address.partition("#")[0]).text
    assert f'name="answer" value="{own[0]}"' in unescape(shown)
    assert house.rows("SELECT count(*) FROM played WHERE ply > 0")[0][0] == 0


def test_conditional_moves_are_made_on_the_board_while_others_play(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    waiting = next(name for name in ("Ada", "Bo") if name != name_to_move(house, match_id))
    me, path = viewer(house, waiting), page_of(match_id)
    browser.post(house.sign_in_link(waiting))
    page = browser.get(f"/m/{match_id}").text
    assert f'action="{path}"' in page
    for _ in range(2):
        played = press(browser, path, "own").text
        assert "Your move." in unescape(played)
    assert "Take these moves to the game" not in played
    found = what_if.thought(house.store, me, match_id)
    assert found.world.asked[0].seat == found.seat
    before = len(found.world.lines)
    what_if.play_on(house.store, me, match_id, None, after=before)
    press(browser, path, "orders")
    assert orders.orders(house.store, me, match_id).wishes
    asked = browser.get(f"/m/{match_id}").text
    assert f'action="{path}"' in asked
    browser.post(house.sign_in_link(name_to_move(house, match_id)))
    assert f'action="{path}"' not in browser.get(f"/m/{match_id}").text, "who is asked plays at once"


def name_to_move(house, match_id: int) -> str:
    seat = next(iter(house.turns(match_id)))
    query = """SELECT p.name FROM chair c JOIN player p ON p.id = c.player_id
               WHERE c.match_id = :m AND c.seat = :s"""
    return house.rows(query, m=match_id, s=seat)[0].name

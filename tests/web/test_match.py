"""The bookmark of a match: onlookers, seat holders, the end."""

import re
from copy import copy

import pytest
from sqlalchemy import text

from app import games
from app.people import suppression
from app.web.core.allowances import AGAIN
from tests.web.visits import fields


def test_onlookers_see_the_public_board_and_can_do_nothing(browser, house, turn):
    """Whoever only watches sees no hand, has no button, and is refused when they send a form all the same."""
    page = browser.get(f"/m/{turn.match_id}").text
    assert "You’re watching" in page
    assert re.search(r'id="now"[^>]*>(Ada|Bo)’s turn</h1>', page)
    assert "data-at" not in page
    assert fields(page, "answer") == fields(page, "question") == []
    before = house.count()
    tried = browser.post(f"/m/{turn.match_id}", data={"question": turn.question, "answer": "sink F5"})
    assert tried.status_code == 404
    for form in ({"do": "take_back"}, {"do": "resign", "word": "resign"}):
        assert browser.post(f"/m/{turn.match_id}", data=form).status_code == 404
    assert house.count() == before


@pytest.mark.parametrize("word", ["ｒｅｓｉｇｎ", "认输", "認輸。", "投了します", "انصراف"])
def test_the_word_that_confirms_a_resignation_is_the_players_own(browser, turn, word):
    sent = {"do": "resign", "word": "投降しません"}
    assert browser.post(turn.path, data=sent).status_code == 422
    assert browser.post(turn.path, data=sent | {"word": word}).status_code in (200, 303)


def test_no_page_but_its_owners_holds_a_value(browser, house):
    """One picture of the table for all who may not know, whatever page it stands on."""
    match_id = house.start("Ada", "Bo", setup="random")
    seat, token = next(iter(house.turns(match_id).items()))
    own = browser.get(f"/t/{token}").text
    public = browser.get(f"/m/{match_id}").text
    values = re.compile(r"(?:red|yellow)\d+ = ")
    assert values.search(own)
    assert all(match.startswith(seat) for match in values.findall(own))
    assert not values.search(public)


def test_a_signed_in_seat_holder_plays_at_the_bookmark(browser, house, turn):
    name = house.rows(
        "SELECT p.name FROM chair c JOIN player p ON p.id = c.player_id WHERE match_id = :m AND seat = :s",
        m=turn.match_id,
        s=turn.seat,
    )[0].name
    browser.post(house.sign_in_link(name))
    page = browser.get(f"/m/{turn.match_id}").text
    assert "It’s your turn" in page
    tile = re.findall(r'data-at="([A-M]\d+)"', page)[0]
    form = {"question": turn.question, "answer": f"sink {tile}"}
    assert browser.post(f"/m/{turn.match_id}", data=form).status_code == 303


def test_a_board_that_did_not_change_is_not_sent_again(browser, house, turn):
    first = browser.get(f"/m/{turn.match_id}")
    assert first.headers["Cache-Control"] == "private, no-cache"
    tag = first.headers["ETag"]
    again = browser.get(f"/m/{turn.match_id}", headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    house.play(turn.match_id, 1)
    moved = browser.get(f"/m/{turn.match_id}", headers={"If-None-Match": tag})
    assert moved.status_code == 200
    assert moved.headers["ETag"] != tag


def test_a_board_is_never_another_readers(browser, app, house, turn):
    """The pages that are kept are kept for their reader alone."""
    other = next(seat for seat in ("red", "yellow") if seat != turn.seat)
    names = dict(
        house.rows(
            "SELECT c.seat, p.name FROM chair c JOIN player p ON p.id = c.player_id WHERE match_id = :m",
            m=turn.match_id,
        )
    )
    pages = {}
    for seat in (turn.seat, other):
        visitor = app.test_client()
        visitor.post(house.sign_in_link(names[seat]))
        pages[seat] = visitor.get(f"/m/{turn.match_id}").text
    for seat, page in pages.items():
        found = re.findall(r"((?:red|yellow)\d+) = ", page)
        assert found
        assert all(name.startswith(seat) for name in found)
    assert browser.get(f"/m/{turn.match_id}").text not in pages.values()


def test_the_end_shows_everything(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    house.play(match_id, 600)
    page = browser.get(f"/m/{match_id}").text
    assert re.search(r"<h1[^>]*>\s*(Ada won|Bo won|Ada and Bo share the win)", page)
    assert "Result</h2>" in page
    secret = house.rows('SELECT secret FROM "match" WHERE id = :m', m=match_id)[0].secret
    assert bytes(secret).hex() in page
    assert "word of Ada" in page
    whole = browser.get(f"/m/{match_id}?log=all", follow_redirects=True)
    assert whole.request.path == f"/m/{match_id}/log"
    assert whole.text.count("data-ply=") > page.count('<li class="step"')
    assert browser.get(f"/m/{match_id}").headers["Cache-Control"] == "public, no-cache"
    browser.post(house.sign_in_link("Ada"))
    assert browser.get(f"/m/{match_id}").headers["Cache-Control"] == "private, no-cache"


def test_earlier_boards_have_an_address(browser, house, turn):
    house.play(turn.match_id, 3)
    base = f"/m/{turn.match_id}"
    page = browser.get(f"{base}/1").text
    assert "Position after move 1" in page
    assert f'href="{base}/2"' in page
    assert f'href="{base}/0"' in page
    assert f"{base}/-1" not in browser.get(f"{base}/0").text
    assert browser.get(f"{base}/3").location == base, "the last position is the match's own page"
    assert browser.get(f"{base}?ply=1").location == f"{base}/1", "as addresses were written once"
    assert browser.get(f"{turn.path}?ply=1").location == f"{base}/1"
    for ply in ("99", "-1", "1e9", "999999999999"):
        assert browser.get(f"{base}/{ply}").status_code == 404
        assert browser.get(f"{base}?ply={ply}", follow_redirects=True).status_code in (200, 404)


def test_matches_that_are_not_there(browser, house):
    open_table = house.open("Ada", "Bo")
    for path in ("/m/999", f"/m/{open_table}", "/m/99999999999999999999", "/m/0", "/m/x"):
        assert browser.get(path).status_code == 404


def test_names_are_text(browser, house):
    match_id = house.start("<b>Ada</b>", "Bo", setup="random")
    page = browser.get(f"/m/{match_id}").text
    assert "&lt;b&gt;Ada&lt;/b&gt;" in page
    assert "<b>Ada</b>" not in page


def test_a_page_is_made_once_until_something_on_it_changes(browser, house, store, turn, monkeypatch):
    from app.people import service as people
    from app.web.match import match_request as page

    made = []

    def counted(look):
        return lambda *given, **more: made.append(1) or look(*given, **more)

    monkeypatch.setattr(page, "player_view", counted(page.player_view))
    monkeypatch.setattr(page, "player_view_by_token", counted(page.player_view_by_token))
    for _ in range(3):
        browser.get(turn.path)
        browser.get(f"/m/{turn.match_id}")
    assert len(made) == 1, "the link's page had been made by the fixture, so only the public one was left"
    ada = house.rows("SELECT id FROM player WHERE name = 'Ada'")[0].id
    people.update(store, ada, "Countess", "en", "UTC")
    assert "Countess" in browser.get(turn.path).text
    assert "Countess" in browser.get(f"/m/{turn.match_id}").text
    house.play(turn.match_id, 1)
    browser.get(turn.path)
    assert len(made) == 4


def test_a_glance_tells_seats_and_stale_links_as_a_sight_does(house, store, turn):
    from app.play.match.records import ANYBODY, Viewer
    from app.play.match.version import page_version
    from app.play.views.player_view import player_view, player_view_by_token

    players = [row.player_id for row in house.rows("SELECT player_id FROM chair ORDER BY id")]
    for _ in range(12):
        token = Viewer(token=turn.token)
        seen, short = player_view_by_token(store, turn.token), page_version(store, token)
        assert (short.seat, short.stale, short.ply) == (seen.seat, seen.stale, seen.ply)
        for bearer in (ANYBODY, Viewer(player_id=999), *(Viewer(player_id=one) for one in players)):
            seen, short = (
                player_view(store, turn.match_id, bearer),
                page_version(store, bearer, turn.match_id),
            )
            assert (short.seat, short.stale, short.status) == (seen.seat, False, seen.status)
        house.play(turn.match_id, 1)
    assert page_version(store, Viewer(token="none")) is None
    assert page_version(store, ANYBODY, 999) is None


@pytest.mark.parametrize(("source", "news"), [("web", [7]), ("clock", [5, 6, 7]), ("orders", [5, 6, 7])])
def test_what_happened_since_your_last_turn_holds_what_was_played_for_you(browser, house, source, news):
    """A move by the clock or by standing orders is news for its player: it was not made in person."""
    match_id = house.start("Ada", "Bo", game="atlantis")
    house.play(match_id, 7)
    ((seat, token),) = house.turns(match_id).items()
    assert house.rows("SELECT ply FROM played WHERE seat = :s ORDER BY ply", s=seat) == [(2,), (4,), (6,)]
    with house.store.transaction() as connection:
        connection.execute(text("UPDATE played SET source = :source WHERE ply = 6"), {"source": source})
    page = browser.get(f"/t/{token}").text
    recent = page[page.index("Since your last turn") : page.index("Earlier")]
    assert [*dict.fromkeys(map(int, re.findall(r'<li class="step" data-ply="(\d+)"', recent)))] == news


def test_a_game_by_earlier_rules_says_so(browser, house, turn, monkeypatch):
    said = "The rules were changed after this game began."
    assert said not in browser.get(f"/m/{turn.match_id}").text
    newer = games.all_games()["survive"]
    later = copy(newer)
    later.edition = newer.edition + 1
    monkeypatch.setattr(games, "all_games", lambda: {"survive": later})
    house.play(turn.match_id, 1)  # another page than the one that is kept
    assert said in browser.get(f"/m/{turn.match_id}").text


def test_a_link_says_only_so_often_that_emails_arrive_again(app, browser, house, clock):
    """Each time one goes out, and may bounce; who is signed in may say so as often as they like."""
    match_id = house.start("Ada", "Bo", setup="random")
    seat, token = next(iter(house.turns(match_id).items()))
    (holder,) = house.rows(
        """SELECT p.id, p.name, p.address_key FROM chair c JOIN player p ON p.id = c.player_id
           WHERE c.match_id = :m AND c.seat = :s""",
        m=match_id,
        s=seat,
    )

    def tries(client) -> int:
        with house.store.transaction() as connection:
            suppression.suppress(connection, holder.address_key, "bounced", clock.now())
        clock.advance(minutes=1)
        return client.post(f"/t/{token}", data={"do": "try_again"}).status_code

    assert [tries(browser) for _ in range(AGAIN.most + 1)] == [303] * AGAIN.most + [429]
    signed_in = app.test_client()
    signed_in.post(house.sign_in_link(holder.name))
    assert [tries(signed_in) for _ in range(AGAIN.most + 1)] == [303] * (AGAIN.most + 1)


def test_a_piece_is_said_with_its_place_and_what_its_player_knows_of_it(browser, turn):
    said = re.findall(r'data-at="(\w+\d)" data-pick="piece" data-does="([^"]*)"', turn.html)
    mine = [said_of for name, said_of in said if name.startswith(turn.seat)]
    assert mine
    for said_of in mine:
        assert re.fullmatch(r"\w+\d+, worth \d, (on|aboard|swimming at) .+", said_of), said_of
    assert any(re.search(r"on [A-M]\d+ \((beach|forest|mountain)\)", said_of) for said_of in mine)
    assert browser

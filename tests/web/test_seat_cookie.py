"""A browser that plays a turn by its link can look at that seat and play on, and nothing else."""

import re
from html import unescape

import pytest

from app.web.core import sessions
from tests.web.test_keys import copied
from tests.web.test_once import SELF
from tests.web.visits import Turn, fields, picks


@pytest.fixture
def others(house, turn) -> dict[str, str]:
    """The names of the players by their seats."""
    rows = house.rows(
        """SELECT c.seat, p.name FROM chair c JOIN player p ON p.id = c.player_id
           WHERE c.match_id = :m AND c.until IS NULL""",
        m=turn.match_id,
    )
    return {row.seat: row.name for row in rows}


def answer_of(html: str) -> dict[str, str]:
    """Some answer that a page offers: the first step of a turn is to move or to sink."""
    names = [name for name in picks(html) if re.fullmatch(r"[A-M]\d+", name)]
    form = {"question": fields(html, "question")[0]}
    return form | {"answer": f"sink {names[0]}" if names else fields(html, "answer")[0]}


def play_out(browser, turn: Turn):
    """Answer until the turn is over; the last response."""
    path = turn.path
    for _ in range(12):
        done = browser.post(path, data=answer_of(browser.get(path).text))
        assert done.status_code == 303
        if done.location.startswith("/m/"):
            return done
        assert done.location.startswith(turn.path)
    raise AssertionError(done.location)


def forms_key(html: str) -> str:
    """The key of the forms that the page's state tells apart."""
    return next(one for one in fields(html, "once") if one.startswith("state "))


def mine(html: str) -> bool:
    return "You’re playing" in html


def test_the_last_step_leads_to_the_players_own_board(browser, turn):
    done = play_out(browser, turn)
    assert done.location.startswith(f"/m/{turn.match_id}?played=")
    page = browser.get(done.location).text
    assert mine(page)
    assert re.search(r"Played: .* sinks? [A-M]\d+", page)
    assert ">None<" not in page
    assert "Your explorers" in page
    assert "You’re watching" not in page


def test_looking_at_the_link_gives_no_cookie(browser, turn):
    for method in (browser.get, browser.head):
        assert "Set-Cookie" not in method(turn.path).headers
    assert not mine(browser.get(f"/m/{turn.match_id}").text)


def test_nor_does_a_move_that_was_refused(browser, turn):
    refused = browser.post(turn.path, data={"question": turn.question, "answer": "sink Z99"})
    assert refused.status_code == 422
    assert not mine(browser.get(f"/m/{turn.match_id}").text)


def test_nor_the_same_move_sent_again_by_whoever_has_the_old_link(browser, app, turn):
    form = answer_of(browser.get(turn.path).text)
    if browser.post(turn.path, data=form).location.startswith(turn.path):
        play_out(browser, turn)
    thief = app.test_client()
    assert thief.post(turn.path, data=form).status_code in (303, 409)
    assert not mine(thief.get(f"/m/{turn.match_id}").text)


def test_nor_a_form_of_another_site(browser, turn):
    form = answer_of(browser.get(turn.path).text)
    assert browser.post(turn.path, data=form, headers={"Origin": "https://evil.example"}).status_code == 303
    assert not mine(browser.get(f"/m/{turn.match_id}").text)


def test_the_browser_plays_the_next_turn_without_a_new_link(browser, house, turn, others):
    play_out(browser, turn)
    for _ in range(40):
        if turn.seat in house.turns(turn.match_id):
            break
        house.play(turn.match_id, 1)
    path = f"/m/{turn.match_id}"
    done = browser.post(path, data=answer_of(browser.get(path).text))
    assert (done.status_code, done.location.partition("?")[0]) == (303, path)
    assert others


def test_two_players_send_equal_forms_from_equal_pages_and_each_acts(browser, app, house, turn):
    play_out(browser, turn)
    seat, token = next(iter(house.turns(turn.match_id).items()))
    other = app.test_client()
    play_out(other, Turn(turn.match_id, seat, token, ""))
    path = f"/m/{turn.match_id}"
    first, second = (forms_key(one.get(path).text) for one in (browser, other))
    assert first == second
    for one in (browser, other, browser, other):
        done = one.post(path, data={"do": "note", "text": "a plan", "once": first})
        assert done.location == f"{path}?done=note#notes"
    notes = house.rows("SELECT chair_id FROM note WHERE text = 'a plan'")
    assert len({row.chair_id for row in notes}) == len(notes) == 2


def test_the_old_link_leads_there_too(browser, turn):
    play_out(browser, turn)
    led = browser.get(turn.path)
    assert (led.status_code, led.location.partition("?")[0]) == (302, f"/m/{turn.match_id}")


def test_what_another_tab_has_open_still_acts(browser, house, turn):
    """The tab was left open at the link; the turn ended in this browser, which may play the seat."""
    play_out(browser, turn)
    sent = browser.post(turn.path, data={"do": "say", "text": "well played", "occasion": "x"})
    assert sent.location == f"/m/{turn.match_id}?done=say#say"
    assert house.rows("SELECT count(*) FROM notice WHERE what = 'said'")[0][0] == 1


class TestLimits:
    """That seat, playing and its own view; nothing of the player's."""

    @pytest.fixture
    def seated(self, browser, turn):
        play_out(browser, turn)
        return browser

    def test_not_the_profile_nor_other_games(self, seated, house, turn, others):
        other = house.start("Ada", "Bo", setup="random")
        for path in ("/profile", "/profile/letters", "/profile/away"):
            assert seated.get(path).location == "/sign-in"
        assert not mine(seated.get(f"/m/{other}").text)
        assert "My games" not in seated.get("/").text
        assert others[turn.seat]

    def test_not_the_game_settings(self, seated, turn):
        page = seated.get(f"/m/{turn.match_id}/table").text
        assert "This browser shows your board because you played on it. To change these settings" in page
        assert "Are you playing in this game?" not in page
        asked = seated.post(f"/m/{turn.match_id}/table", data={"do": fields(page, "do")[0]})
        assert asked.location == f"/m/{turn.match_id}/table?done=sign_in#now"
        for act in ("pause", "call_off", "hand_over"):
            form = {"do": act, "word": "call off", "seat": turn.seat}
            assert seated.post(f"/m/{turn.match_id}/table", data=form).status_code in (404, 422)

    def test_resigning_is_asked_about_by_email(self, seated, house, turn):
        form = {"do": "resign", "word": "resign"}
        done = seated.post(f"/m/{turn.match_id}", data=form)
        assert done.location == f"/m/{turn.match_id}?asked=resign#now"
        assert "You haven’t resigned yet" in seated.get(done.location).text
        assert house.rows("SELECT count(*) FROM chair WHERE resigned_at IS NOT NULL")[0][0] == 0
        assert house.rows("SELECT count(*) FROM letter WHERE kind = 'confirmation'")[0][0] == 1

    def test_a_request_whose_email_has_lapsed_is_emailed_again(self, seated, house, clock, turn):
        path = f"/m/{turn.match_id}"
        form = {"do": "resign", "word": "resign", "once": forms_key(seated.get(path).text)}
        for hours, emails in ((0, 1), (0.1, 1), (24, 2)):
            clock.advance(hours=hours)
            assert seated.post(path, data=form).location == f"{path}?asked=resign#now"
            assert house.rows("SELECT count(*) FROM letter WHERE kind = 'confirmation'")[0][0] == emails

    def test_it_ends_with_everything_else(self, seated, app, house, turn, others):
        thief, owner = copied(seated, app), app.test_client()
        assert mine(thief.get(f"/m/{turn.match_id}").text)
        owner.post(house.sign_in_link(others[turn.seat]))
        owner.post("/profile/end")
        for one in (seated, thief):
            assert not mine(one.get(f"/m/{turn.match_id}").text)
            assert one.post(f"/m/{turn.match_id}", data={"do": "say", "text": "x"}).status_code == 404

    def test_it_ends_after_seven_idle_days(self, seated, app, clock, turn):
        thief = copied(seated, app)
        for _ in range(5):
            clock.advance(days=6)
            assert mine(seated.get(f"/m/{turn.match_id}").text)
        assert not mine(thief.get(f"/m/{turn.match_id}").text)
        clock.advance(days=7, hours=1)
        assert not mine(seated.get(f"/m/{turn.match_id}").text)

    def test_it_ends_when_another_has_the_seat(self, seated, house, turn):
        chair = house.rows("SELECT id FROM chair WHERE seat = :s AND until IS NULL", s=turn.seat)[0].id
        with house.store.transaction() as connection:
            from sqlalchemy import text

            connection.execute(text("UPDATE chair SET until = since WHERE id = :c"), {"c": chair})
            connection.execute(
                text(
                    """INSERT INTO chair (match_id, seat, player_id, bot, name, since, heard_ply, lost,
                                          heard_notice, noted, orders)
                       SELECT match_id, seat, (SELECT max(id) FROM player), bot, name, since, -1, lost, 0, 0,
                              orders FROM chair WHERE id = :c"""
                ),
                {"c": chair},
            )
        assert not mine(seated.get(f"/m/{turn.match_id}").text)

    def test_signing_out_ends_it_in_a_copy_too(self, seated, app, turn):
        thief = copied(seated, app)
        seated.post("/sign-out")
        for one in (seated, thief):
            assert not mine(one.get(f"/m/{turn.match_id}").text)

    def test_signing_in_as_somebody_else_ends_it(self, seated, app, house, turn, others):
        thief = copied(seated, app)
        other = next(name for seat, name in others.items() if seat != turn.seat)
        seated.post(house.sign_in_link(other))
        assert not mine(thief.get(f"/m/{turn.match_id}").text)


def test_a_signed_in_player_gets_no_second_cookie(browser, house, turn, others):
    browser.post(house.sign_in_link(others[turn.seat]))
    done = play_out(browser, turn)
    assert mine(browser.get(done.location).text)
    assert house.rows("SELECT count(*) FROM login WHERE chair_id IS NOT NULL")[0][0] == 0


def test_a_browser_signed_in_as_the_opponent_keeps_to_its_own_seat(browser, house, turn, others):
    """Two people with one computer: each sees their own board."""
    other = next(name for seat, name in others.items() if seat != turn.seat)
    browser.post(house.sign_in_link(other))
    done = browser.post(turn.path, data=answer_of(browser.get(turn.path).text))
    assert done.location.startswith(turn.path)
    assert house.rows("SELECT count(*) FROM login WHERE chair_id IS NOT NULL")[0][0] == 0


def test_one_row_for_a_turn_of_many_steps(browser, house, turn):
    play_out(browser, turn)
    assert house.rows("SELECT count(*) FROM login")[0][0] == 1


def test_a_browser_remembers_a_few_seats(browser, house, turn, monkeypatch):
    monkeypatch.setattr(sessions, "MOST_SEATS", 1)
    play_out(browser, turn)
    other = house.start("Ada", "Bo", setup="random")
    seat, token = next(iter(house.turns(other).items()))
    play_out(browser, Turn(other, seat, token, ""))
    assert mine(browser.get(f"/m/{other}").text)
    assert not mine(browser.get(f"/m/{turn.match_id}").text)
    assert house.rows("SELECT count(*) FROM login")[0][0] == 1


class TestPagesLeftOpen:
    """The turn has ended, in another browser: nothing that is typed is lost, and the page says what to do."""

    @pytest.fixture
    def over(self, app, turn):
        play_out(app.test_client(), turn)
        return turn

    @pytest.mark.parametrize(
        ("form", "kept"),
        [
            (
                {"do": "say", "text": "a long message\nof two lines", "occasion": "1"},
                "a long message\nof two",
            ),
            ({"do": "note", "text": "F5 is a trap", "occasion": "1"}, "F5 is a trap"),
            ({"do": "change_note", "text": "F5 is no trap", "note": "1"}, "F5 is no trap"),
            ({"do": "orders", "text": "sink F5\nsink F6"}, "sink F5\nsink F6"),
            ({"do": "policy", "name": "defence", "choice": "always"}, "always"),
            ({"do": "resign", "word": "resign"}, "resign"),
            ({"do": "take_back", "ply": "3"}, ""),
            ({"do": "withdraw"}, ""),
            ({"do": "seen"}, ""),
            ({"do": "nudge", "seat": "red"}, ""),
            ({"do": "try_again"}, ""),
        ],
        ids=lambda value: value["do"] if isinstance(value, dict) else "",
    )
    def test_on_the_board(self, browser, house, over, form, kept):
        before = house.count()
        page = browser.post(over.path, data=form)
        assert page.status_code == 409
        assert "What you typed is kept below" in page.text
        assert kept in page.text
        assert ("<textarea" in page.text) == bool(kept)
        assert "Email me new links" in page.text
        assert not mine(page.text)
        assert house.count() == before

    @pytest.mark.parametrize(
        ("below", "form", "kept"),
        [
            ("/away", {"do": "away", "first": "2026-03-05", "last": "2026-03-07"}, "2026-03-07"),
            ("/letters", {"do": "choose", "event-turn": "digest"}, "digest"),
            ("/table", {"do": "extend", "days": "3"}, "3"),
        ],
    )
    def test_on_the_pages_below_it(self, browser, house, over, below, form, kept):
        before = house.count()
        page = browser.post(over.path + below, data=form)
        assert page.status_code == 409
        assert kept in page.text
        assert house.count() == before

    @pytest.mark.parametrize("below", ["/away", "/letters"])
    def test_looking_leads_to_the_link(self, browser, over, below):
        """What is the player's own is not shown by a link that is over."""
        assert browser.get(over.path + below).location == over.path

    def test_a_link_that_never_was_is_not_found(self, browser):
        for below in ("", "/away", "/letters", "/table"):
            assert browser.post(f"/t/{'x' * 22}{below}", data={"do": "say", "text": "x"}).status_code == 404


def test_after_a_turn_the_page_says_what_was_played_and_offers_a_link_to_sign_in(browser, house, turn):
    while (page := browser.get(turn.path)).status_code == 200:
        done = browser.post(turn.path, data=answer_of(page.text))
    after = browser.get(done.location.split("#")[0])
    assert done.location.startswith(f"/m/{turn.match_id}?played=")
    assert "Played:" in after.text
    assert mine(after.text)
    assert 'value="sign_in"' in after.text
    before = house.rows("SELECT count(*) AS n FROM letter WHERE kind = 'sign_in'")[0].n
    for _ in range(2):
        sent = browser.post(f"/m/{turn.match_id}", data={"do": "sign_in"})
        assert sent.status_code == 303
    assert "A link to sign in is on its way" in browser.get(sent.location.split("#")[0]).text
    assert house.rows("SELECT count(*) AS n FROM letter WHERE kind = 'sign_in'")[0].n == before + 1


def test_nobody_asks_for_a_link_of_another_seat(app, turn):
    assert app.test_client().post(f"/m/{turn.match_id}", data={"do": "sign_in"}).status_code == 404


def test_after_a_turn_the_next_game_is_offered(browser, house, turn, others):
    """The others have a turn each; it is offered where it is the reader's."""
    games = [house.start("Ada", "Bo", setup="random") for _ in range(3)]
    player = others[turn.seat]
    waiting = [
        match_id
        for match_id in games
        for row in house.rows(
            "SELECT c.seat, p.name FROM chair c JOIN player p ON p.id = c.player_id WHERE match_id = :m",
            m=match_id,
        )
        if row.name == player and row.seat in house.turns(match_id)
    ]
    browser.post(house.sign_in_link(player))
    path = f"/m/{turn.match_id}"
    while turn.seat in house.turns(turn.match_id):
        done = browser.post(path, data=answer_of(browser.get(path).text))
    found = re.findall(r'id="next-game" href="/m/(\d+)"', browser.get(done.location.split("#")[0]).text)
    assert [int(one) for one in found] == waiting[:1]
    assert "next-game" not in browser.get(path).text


def test_the_button_after_accepting_leads_to_the_own_board(app, house):
    match_id = house.open("Ada", "Bo", setup="random")
    _, guest = house.invited(match_id)
    host = app.test_client()
    host.post(f"/i/{house.invited(match_id)[0]}", data={"do": "accept", **SELF, "name": "Ada"})
    browser = app.test_client()
    page = browser.post(f"/i/{guest}", data={"do": "accept", **SELF, "name": "Bo"}, follow_redirects=True)
    assert "The game has begun" in page.text
    assert 'value="enter"' in page.text
    entered = browser.post(f"/i/{guest}", data={"do": "enter"})
    assert (entered.status_code, entered.location) == (303, f"/m/{match_id}")
    board = browser.get(f"/m/{match_id}").text
    assert "You’re watching" not in unescape(board)
    assert "You’re playing" in unescape(board)
    stranger = app.test_client().get(f"/m/{match_id}").text
    assert "You’re watching" in unescape(stranger)


def test_the_button_gives_nothing_before_the_start_nor_where_the_form_is_from_elsewhere(app, house):
    match_id = house.open("Ada", "Bo", setup="random")
    own, guest = house.invited(match_id)
    browser = app.test_client()
    browser.post(f"/i/{own}", data={"do": "accept", **SELF, "name": "Ada"})
    assert browser.post(f"/i/{own}", data={"do": "enter"}).location == f"/i/{own}"
    app.test_client().post(f"/i/{guest}", data={"do": "accept", **SELF, "name": "Bo"})
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    browser.post(f"/i/{own}", data={"do": "enter"}, headers=elsewhere)
    assert "You’re watching" in unescape(browser.get(f"/m/{match_id}").text)


def test_settings_by_the_seat_alone_send_a_link_that_leads_back_to_them(app, house):
    match_id = house.open("Ada", "Bo", setup="random")
    own, guest = house.invited(match_id)
    browser = app.test_client()
    browser.post(f"/i/{own}", data={"do": "accept", **SELF, "name": "Ada"})
    app.test_client().post(f"/i/{guest}", data={"do": "accept", **SELF, "name": "Bo"})
    browser.post(f"/i/{own}", data={"do": "enter"})
    settings = f"/m/{match_id}/table"
    assert 'value="host_link"' in browser.get(settings).text
    done = browser.post(settings, data={"do": "host_link"}, follow_redirects=True)
    assert "It leads back to this page." in done.text
    letter = house.rows("SELECT match_id FROM letter WHERE kind = 'sign_in'")
    assert [row.match_id for row in letter] == [match_id]
    browser.post(house.sign_in_link("Ada"))
    assert 'name="do" value="hand_over"' in browser.get(settings).text, "a session needs no email"

"""What outlasts a turn needs more than the turn's link: a session, or a second email that asks."""

import re

import pytest

from app.mail.core.context import MailContext, Page
from app.mail.core.outbox import letter as letter_of
from app.mail.core.recipients import context_of
from app.mail.letters.kinds import KINDS
from app.people import confirming, keys, preferences
from app.play.clock.rules import Rule
from app.play.match.records import Viewer
from app.play.moves import service
from app.store import tokens
from tests.web.visits import House

AWAY = {"do": "away", "first": "2026-03-09", "last": "2026-03-11"}
LETTERS = {"do": "choose", "event-turn": "digest"}
CALL_OFF = {"do": "call_off", "word": "call off"}
RESIGN = {"do": "resign", "word": "resign"}
ACCEPTED = {"do": "accept", "name": "Ada", "language": "en", "zone": "UTC", "word": "rain"}
ORDERS = {"do": "orders", "text": "sink F5\npass"}
REQUESTS = [("", RESIGN), ("/away", AWAY), ("/letters", LETTERS), ("", ORDERS)]


@pytest.fixture
def owner(house: House, turn):
    """The player whose turn it is."""
    return house.rows(
        """SELECT p.id, p.name, p.address FROM chair c JOIN player p ON p.id = c.player_id
           WHERE c.match_id = :m AND c.seat = :s AND c.until IS NULL""",
        m=turn.match_id,
        s=turn.seat,
    )[0]


@pytest.fixture
def done(house: House, owner):
    """What has been carried out so far."""

    def look():
        return (
            house.rows("SELECT count(*) FROM chair WHERE resigned_at IS NOT NULL")[0][0],
            house.rows("SELECT count(*) FROM absence WHERE cancelled_at IS NULL")[0][0],
            preferences.settings_of(house.store, owner.id).chosen,
            [row.text for row in house.rows("SELECT text FROM standingorder WHERE closed_at IS NULL")],
        )

    return look


def written(house: House, settings, context) -> Page:
    """The letter's page; its links work, as they do when it goes out."""
    mailer = MailContext(house.store, settings)
    page = KINDS[context.letter.kind].writer(mailer, context)
    with house.store.transaction() as connection:
        tokens.keep(connection, [row for _, row in mailer.made])
    return page


def emailed(house: House, settings) -> tuple[str, str]:
    """The address of the last email that asks, and the path of its link."""
    with house.store.reading() as connection:
        number = house.rows("SELECT id FROM letter WHERE kind = 'confirmation' ORDER BY confirmation_id")[
            -1
        ].id
        row = letter_of(connection, number)
        context = context_of(connection, row)
    page = written(house, settings, context)
    return context.address, page.facts["confirm_url"].removeprefix(settings.url)


@pytest.mark.parametrize(("below", "form"), REQUESTS, ids=["resign", "away", "letters", "orders"])
class TestASecondEmail:
    def test_asks_before_anything_is_done(self, browser, house, turn, owner, done, settings, below, form):
        before = done()
        asked = browser.post(turn.path + below, data=form)
        assert asked.status_code == 303
        assert asked.location.startswith(f"{turn.path}?asked=")
        assert "We’ve emailed you another link" in browser.get(asked.location).text
        assert done() == before
        assert emailed(house, settings)[0] == owner.address

    def test_its_page_does_it_by_a_button_and_once(
        self, browser, app, house, turn, done, settings, below, form
    ):
        before = done()
        browser.post(turn.path + below, data=form)
        _, path = emailed(house, settings)
        stranger = app.test_client()
        for method in (stranger.get, stranger.head, stranger.get):
            page = method(path)
            assert page.status_code == 200
            assert "Set-Cookie" not in page.headers
        assert done() == before
        for _ in range(2):
            page = stranger.post(path)
            assert page.status_code == 200
            assert 'class="note good"' in page.text
        after = done()
        assert after != before
        assert '<form method="post">' not in stranger.get(path).text
        assert done() == after

    def test_a_form_of_another_site_does_nothing(
        self, browser, app, house, turn, done, settings, below, form
    ):
        before = done()
        browser.post(turn.path + below, data=form)
        _, path = emailed(house, settings)
        for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            assert app.test_client().post(path, headers=headers).status_code == 403
        assert done() == before

    def test_its_link_ends_with_all_others_and_after_a_day(
        self, browser, house, turn, owner, done, clock, settings, below, form
    ):
        before = done()
        browser.post(turn.path + below, data=form)
        _, path = emailed(house, settings)
        clock.advance(hours=25)
        assert browser.post(path).status_code == 404
        browser.post(turn.path + below, data=form)
        _, path = emailed(house, settings)
        keys.end_all(house.store, owner.id)
        assert browser.post(path).status_code == 404
        assert done() == before

    def test_the_same_request_is_asked_about_once_and_at_most_five_times_a_day(
        self, browser, house, turn, below, form, clock
    ):
        for _ in range(3):
            browser.post(turn.path + below, data=form)
        assert house.rows("SELECT count(*) FROM letter WHERE kind = 'confirmation'")[0][0] == 1
        with house.store.transaction() as connection:
            from sqlalchemy import text

            connection.execute(text("UPDATE confirmation SET done_at = created_at"))
            row = house.rows("SELECT * FROM confirmation")[0]
            for _ in range(4):
                connection.execute(
                    text(
                        """INSERT INTO confirmation (player_id, match_id, what, facts, created_at, expires_at,
                                                     done_at)
                           SELECT player_id, match_id, what, facts, created_at, expires_at, done_at
                           FROM confirmation WHERE id = :id"""
                    ),
                    {"id": row.id},
                )
        refused = browser.post(turn.path + below, data=form)
        assert refused.status_code == 429
        assert "5 times today" in refused.text
        clock.advance(days=1, minutes=1)
        if house.turns(turn.match_id).get(turn.seat):
            assert browser.post(turn.path + below, data=form).status_code == 303

    def test_a_signed_in_player_is_not_asked(self, browser, house, turn, owner, done, below, form):
        browser.post(house.sign_in_link(owner.name))
        before = done()
        browser.post(turn.path + below, data=form)
        assert done() != before
        assert house.rows("SELECT count(*) FROM confirmation")[0][0] == 0

    def test_another_signed_in_player_is(self, browser, house, turn, owner, done, below, form):
        other = house.rows("SELECT name FROM player WHERE id <> :p", p=owner.id)[0].name
        browser.post(house.sign_in_link(other))
        before = done()
        browser.post(turn.path + below, data=form)
        assert done() == before
        assert house.rows("SELECT player_id FROM confirmation") == [(owner.id,)]

    def test_a_form_of_another_site_with_the_session_is_asked_about(
        self, browser, house, turn, owner, done, below, form
    ):
        browser.post(house.sign_in_link(owner.name))
        before = done()
        browser.post(turn.path + below, data=form, headers={"Sec-Fetch-Site": "same-site"})
        assert done() == before


def test_a_link_in_the_wrong_hands_causes_ten_emails_a_day_at_most(browser, house, turn):
    """Each kind of request has its limit, and there are many kinds."""
    answers = []
    for n in range(4):
        for do in ("orders", "resign", "policy"):
            form = {
                "do": do,
                "word": "resign",
                "text": f"sink F{n + 1}",
                "name": "defend",
                "choice": "always",
            }
            answers.append(browser.post(turn.path, data=form | ({"choice": "never"} if n % 2 else {})))
        answers.append(browser.post(turn.path + "/away", data=AWAY | {"last": f"2026-03-1{n}"}))
        answers.append(
            browser.post(turn.path + "/letters", data=LETTERS | {"event-chat": ("none", "digest")[n % 2]})
        )
    assert house.rows("SELECT count(*) FROM letter WHERE kind = 'confirmation'")[0][0] == 10
    assert answers[-1].status_code in (303, 429)
    assert 429 in {one.status_code for one in answers}


def test_an_email_that_was_lost_comes_again_and_either_link_does_it_once(
    browser, house, turn, clock, settings
):
    def letters() -> int:
        return house.rows("SELECT count(*) FROM letter WHERE kind = 'confirmation'")[0][0]

    for minutes, known in ((0, 1), (5, 1), (5, 2), (1, 2)):
        clock.advance(minutes=minutes)
        browser.post(turn.path, data=RESIGN)
        assert letters() == known
    assert house.rows("SELECT count(*) FROM confirmation")[0][0] == 1
    for _ in range(20):
        clock.advance(minutes=11)
        answer = browser.post(turn.path, data=RESIGN)
    assert answer.status_code == 429
    assert letters() == confirming.MOST_IN_ALL
    _, path = emailed(house, settings)
    assert 'class="note good"' in browser.post(path).text
    assert house.rows("SELECT count(*) FROM chair WHERE resigned_at IS NOT NULL")[0][0] == 1


def test_the_days_are_said_on_the_page(browser, house, turn, settings):
    browser.post(turn.path + "/away", data=AWAY)
    page = browser.get(emailed(house, settings)[1]).text
    assert "9 March" in page
    assert "11 March" in page


def test_days_that_cannot_be_are_refused_before_anything_is_asked(browser, house, turn):
    for bad in ({"first": "someday"}, {"first": "2026-03-12"}, {"first": "2020-01-01"}):
        page = browser.post(turn.path + "/away", data=AWAY | bad)
        assert page.status_code == 422
        assert bad["first"] in page.text
    assert house.rows("SELECT count(*) FROM confirmation")[0][0] == 0


def test_what_can_no_longer_be_done_is_said(browser, house, turn, owner, settings):
    browser.post(turn.path + "/away", data=AWAY)
    _, path = emailed(house, settings)
    browser.post(house.sign_in_link(owner.name))
    browser.post("/profile/away", data=AWAY | {"last": "2026-03-12"})
    page = browser.post(path)
    assert page.status_code == 422
    assert "already away" in page.text
    assert house.rows("SELECT count(*) FROM absence")[0][0] == 1


def test_an_absence_is_cancelled_that_way_too(browser, house, turn, owner, settings):
    browser.post(house.sign_in_link(owner.name))
    browser.post("/profile/away", data=AWAY)
    browser.post("/sign-out")
    (absence,) = house.rows("SELECT id FROM absence")
    browser.post(turn.path + "/away", data={"do": "cancel", "absence": str(absence.id)})
    assert house.rows("SELECT cancelled_at FROM absence") == [(None,)]
    assert browser.post(emailed(house, settings)[1]).status_code == 200
    assert house.rows("SELECT cancelled_at FROM absence") != [(None,)]


def test_a_list_of_moves_that_cannot_be_read_is_refused_before_anything_is_asked(browser, house, turn):
    page = browser.post(turn.path, data=ORDERS | {"text": "sink F5\nfly to F6"})
    assert page.status_code == 422
    assert "fly to F6" in page.text
    assert house.rows("SELECT count(*) FROM confirmation")[0][0] == 0


def test_the_list_of_moves_is_shown_before_its_button_is_pressed(browser, house, turn, settings):
    browser.post(turn.path, data=ORDERS)
    page = browser.get(emailed(house, settings)[1]).text
    assert "sink F5\npass" in page
    assert "Change your conditional moves" in page


def test_a_note_is_changed_and_deleted_that_way(browser, house, turn, settings):
    browser.post(turn.path, data={"do": "note", "text": "one", "occasion": "x"})
    number = str(house.rows("SELECT id FROM note")[0].id)
    for do, left in (("change_note", ["two"]), ("forget_note", [])):
        asked = browser.post(turn.path, data={"do": do, "note": number, "text": "two"})
        assert asked.location == f"{turn.path}?asked=notes#now"
        _, path = emailed(house, settings)
        assert "two" in browser.get(path).text
        assert "Your notes are changed." in browser.post(path).text
        assert [row.text for row in house.rows("SELECT text FROM note")] == left
    assert browser.post(turn.path, data={"do": "forget_note", "note": "999"}).status_code == 404


def test_a_pause_is_asked_for_and_ended_that_way(browser, house, settings):
    match_id = house.start("Ada", "Bo", rule=Rule("per_move", per_move=3 * 86400), setup="random")
    wanted = lambda: house.rows("SELECT count(*) FROM chair WHERE pause_wanted_at IS NOT NULL")[0][0]  # noqa: E731
    path = f"/t/{next(iter(house.turns(match_id).values()))}/table"
    for do, many in (("pause", 1), ("no_pause", 0)):
        done = browser.post(path, data={"do": do})
        assert done.location == f"{path}?done=asked#now"
        assert "Nothing has changed yet." in browser.get(done.location).text
        assert wanted() == 1 - many
        assert 'class="note good"' in browser.post(emailed(house, settings)[1]).text
        assert wanted() == many


def test_another_game_is_asked_about_where_the_browser_only_plays_a_seat(
    browser, house, turn, owner, settings
):
    """Such a browser has no account: it looks at its seat and plays, and joins nothing."""
    from tests.web.test_seat_cookie import play_out

    play_out(browser, turn)
    other = house.rows("SELECT id FROM player WHERE id <> :p", p=owner.id)[0].id
    service.resign(house.store, Viewer(player_id=other), turn.match_id)
    done = browser.post(f"/m/{turn.match_id}/again")
    assert done.location == f"/m/{turn.match_id}/again?asked=1"
    assert "Nothing has changed yet." in browser.get(done.location).text
    assert house.rows('SELECT count(*) FROM "match"')[0][0] == 1
    assert "You’ve joined the new game." in browser.post(emailed(house, settings)[1]).text
    assert house.rows('SELECT count(*) FROM "match"')[0][0] == 2


def test_blocking_a_host_by_an_invitations_link_is_asked_about(browser, house, settings):
    """Whoever a link was forwarded to can decline with it, and cut nobody off."""
    house.start("Ada", "Bo", setup="random")
    ada, bo = house.invited(house.open("Ada", "Bo", setup="random"))
    browser.post(f"/i/{ada}", data=ACCEPTED)
    done = browser.post(f"/i/{bo}", data={"do": "block"}, follow_redirects=True).text
    assert "The host isn’t blocked yet" in done
    assert house.rows("SELECT * FROM block") == []
    address, path = emailed(house, settings)
    assert address == "bo@example.org"
    assert "Block the host of" in browser.get(path).text
    assert "no longer reach you" in browser.post(path).text
    assert [row.invitations for row in house.rows("SELECT * FROM block")] == [True]


def test_the_link_is_masked_in_logs():
    from app.web.core.security import mask

    for path in ("/c/", "/k/"):
        assert mask(f"GET {path}{'x' * 22}") == f"GET {path}…"


class TestTheHostsTools:
    """They need a session, or a link that was sent today."""

    @pytest.fixture
    def match_id(self, house):
        return house.start("Ada", "Bo", setup="random")

    @pytest.fixture
    def link(self, house, match_id):
        return f"/i/{house.invited(match_id)[0]}/table"

    def over(self, house, match_id):
        return house.rows('SELECT status FROM "match" WHERE id = :m', m=match_id)[0].status == "over"

    def test_a_fresh_link_has_them(self, browser, house, match_id, link):
        assert 'value="call_off"' in browser.get(link).text
        assert browser.post(link, data=CALL_OFF).status_code == 303
        assert self.over(house, match_id)

    def test_an_old_one_has_not_and_says_what_to_do(self, browser, house, match_id, link, clock):
        clock.advance(hours=25)
        page = browser.get(link).text
        assert 'value="call_off"' not in page
        assert "Email me a link to the host tools" in page
        refused = browser.post(link, data=CALL_OFF)
        assert refused.status_code == 403
        assert 'value="call off"' in refused.text
        assert "Email me a link to the host tools" in refused.text
        assert not self.over(house, match_id)

    def test_nor_has_a_turns_link(self, browser, house, match_id):
        host = house.rows(
            """SELECT c.seat FROM chair c JOIN player p ON p.id = c.player_id
               WHERE c.match_id = :m AND p.name = 'Ada'""",
            m=match_id,
        )[0].seat
        while host not in house.turns(match_id):
            house.play(match_id, 1)
        path = f"/t/{house.turns(match_id)[host]}/table"
        assert 'value="call_off"' not in browser.get(path).text
        assert browser.post(path, data=CALL_OFF).status_code == 403
        assert (
            browser.post(path, data={"do": "offer", "seat": "red", "address": "a@b.example"}).status_code
            == 403
        )
        assert not self.over(house, match_id)

    def test_one_press_emails_a_fresh_link_that_leads_there(
        self, browser, house, match_id, link, clock, settings
    ):
        clock.advance(hours=25)
        for _ in range(2):
            done = browser.post(link, data={"do": "host_link"})
            assert done.location == f"{link}?done=host_link#now"
        assert "on its way to your address" in browser.get(done.location).text
        (row,) = house.rows("SELECT id FROM letter WHERE kind = 'sign_in'")
        with house.store.reading() as connection:
            context = context_of(connection, letter_of(connection, row.id))
        assert context.address == "ada@example.org"
        page = written(house, settings, context)
        arrived = browser.post(page.facts["sign_in_url"].removeprefix(settings.url))
        assert arrived.location == f"/m/{match_id}/table"
        assert 'value="call_off"' in browser.get(arrived.location).text
        assert browser.post(f"/m/{match_id}/table", data=CALL_OFF).status_code == 303
        assert self.over(house, match_id)

    def test_fresh_links_are_few_in_a_day(self, browser, house, link, clock):
        """The link can be in the wrong hands, and each press is an email to the host."""
        clock.advance(hours=25)
        pressed = []
        for _ in range(30):
            pressed.append(browser.post(link, data={"do": "host_link"}))
            clock.advance(minutes=10)
        assert [one.status_code for one in pressed] == [303] * 5 + [429] * 25
        assert "Use one of the emails that we sent, or sign in." in pressed[-1].text
        assert len(house.rows("SELECT id FROM letter WHERE kind = 'sign_in'")) == 5
        browser.post("/sign-in", data={"address": "ada@example.org"})
        assert len(house.rows("SELECT id FROM letter WHERE kind = 'sign_in'")) == 6
        clock.advance(hours=20)
        assert browser.post(link, data={"do": "host_link"}).status_code == 303

    def test_a_guest_has_none_by_any_link(self, browser, house, match_id):
        guest = f"/i/{house.invited(match_id)[1]}/table"
        assert browser.post(guest, data=CALL_OFF).status_code == 422
        assert not self.over(house, match_id)

    def test_what_concerns_ones_own_seat_is_asked_about(self, browser, link, clock):
        clock.advance(hours=25)
        assert browser.post(link, data={"do": "back"}).location == f"{link}?done=asked#now"
        assert re.search("Host tools", browser.get(link).text)


class TestTheHostsToolsBeforeTheStart:
    """As in a running game: an old link shows the game, and gives no power over others."""

    @pytest.fixture
    def link(self, browser, house):
        link = f"/i/{house.invited(house.open('Ada', 'Bo'))[0]}"
        browser.post(link, data=ACCEPTED)
        return link

    def status(self, house):
        return house.rows('SELECT status FROM "match"')[0].status

    def test_a_fresh_link_has_them(self, browser, house, link):
        assert 'value="call_off"' in browser.get(link).text
        assert browser.post(link, data={"do": "call_off"}).status_code == 303
        assert self.status(house) == "called_off"

    @pytest.mark.parametrize("action", ["call_off", "start_with_fewer", "withdraw", "take_out", "replace"])
    def test_an_old_one_has_not_and_keeps_what_was_typed(self, browser, house, link, clock, action):
        guest = house.rows("SELECT id FROM invitation WHERE NOT organiser")[0].id
        clock.advance(hours=25)
        page = browser.get(link).text
        assert 'value="call_off"' not in page
        assert "Email me a link to the host tools" in page
        sent = {"do": action, "invitation": str(guest), "address": "new@example.org"}
        refused = browser.post(link, data=sent)
        assert refused.status_code == 403
        assert "Email me a link to the host tools" in refused.text
        assert "new@example.org" in refused.text
        assert self.status(house) == "open"
        assert not house.rows("SELECT 1 FROM invitation WHERE status = 'withdrawn' OR address LIKE 'new@%'")

    def test_one_press_emails_a_fresh_link(self, browser, house, link, clock):
        clock.advance(hours=25)
        done = browser.post(link, data={"do": "host_link"})
        assert done.location == f"{link}?done=host_link"
        assert "on its way to your address" in browser.get(done.location).text
        (row,) = house.rows("SELECT match_id FROM letter WHERE kind = 'sign_in'")
        assert row.match_id == 1

    def test_declining_as_host_would_call_the_game_off_so_an_old_link_does_not(
        self, browser, house, link, clock
    ):
        clock.advance(hours=25)
        assert browser.post(link, data={"do": "decline"}).status_code == 403
        assert self.status(house) == "open"

    @pytest.mark.usefixtures("link")
    def test_a_guests_old_link_still_declines(self, browser, house, clock):
        guest = f"/i/{house.invited(1)[1]}"
        clock.advance(hours=25)
        assert browser.post(guest, data={"do": "decline"}).status_code == 303
        assert house.rows("SELECT 1 FROM invitation WHERE status = 'declined'")


class TestAnInvitationsLinkOfAKnownPlayer:
    """It can be forwarded: it accepts, and leaves the profile of all their games alone."""

    FORM = ACCEPTED | {"name": "Mallory", "zone": "Asia/Tokyo"}

    @pytest.fixture
    def link(self, app, house):
        house.start("Ada", "Bo")  # so Bo is a player
        ada, bo = house.invited(house.open("Ada", "Bo"))
        app.test_client().post(f"/i/{ada}", data=ACCEPTED)
        return f"/i/{bo}"

    def bo(self, house):
        row = house.rows("SELECT name, zone FROM player WHERE address = 'bo@example.org'")[0]
        return row.name, row.zone

    def test_it_says_the_name_and_asks_nothing_else(self, browser, link):
        page = browser.get(link).text
        assert "You’ll play as <strong><bdi>Bo</bdi></strong>" in page
        assert 'name="zone"' not in page

    def test_what_is_sent_all_the_same_changes_nothing_but_the_answer(self, browser, house, link):
        before = self.bo(house)
        assert browser.post(link, data=self.FORM).status_code == 303
        assert self.bo(house) == before
        assert "Mallory" not in browser.get(link).text

    def test_signed_in_they_change_it_as_ever(self, browser, house, link):
        browser.post(house.sign_in_link("Bo"))
        assert 'name="zone"' in browser.get(link).text
        assert browser.post(link, data=self.FORM | {"name": "Robert"}).status_code == 303
        assert self.bo(house) == ("Robert", "Asia/Tokyo")

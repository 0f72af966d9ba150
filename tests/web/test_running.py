"""The table of a running match, an open seat and an absence, with a browser that runs no scripts."""

import re
from html import unescape

import pytest

from app.play.clock.rules import Rule
from app.play.deadlines import sweep
from app.play.lobby.expiry import remind_and_expire
from app.play.seats import offers
from app.web.core.allowances import JOINS
from tests.web.visits import fields

THREE_DAYS = Rule("per_move", per_move=3 * 86400, grace=86400, then="replace")


class Match:
    """A match with a clock; each of its people has a browser that is signed in."""

    def __init__(self, app, house, *names, rule=THREE_DAYS):
        self.house = house
        self.match_id = house.start(*names, rule=rule, setup="random")
        self.path = f"/m/{self.match_id}/table"
        self.stranger = app.test_client()
        self.browsers = {name: app.test_client() for name in names}
        for name, browser in self.browsers.items():
            browser.post(house.sign_in_link(name))
        self.seats = {
            row.name: row.seat
            for row in house.rows(
                """SELECT p.name, c.seat FROM chair c JOIN player p ON p.id = c.player_id
                   WHERE c.match_id = :m""",
                m=self.match_id,
            )
        }

    def see(self, name, path=""):
        return self.browsers[name].get(path or self.path).text

    def press(self, name, act, **form):
        return self.browsers[name].post(self.path, data={"do": act, **form})

    def waited(self):
        """Who is asked, and who is not."""
        (seat, token), *_ = self.house.turns(self.match_id).items()
        name = next(name for name, its in self.seats.items() if its == seat)
        return name, seat, token


@pytest.fixture
def match(app, house):
    return Match(app, house, "Ada", "Bo")


def acts(html):
    return set(fields(html, "do"))


def test_looking_at_the_table_changes_nothing(match, browser, house):
    _, _, token = match.waited()
    before = house.count(), house.rows('SELECT news FROM "match"')
    for path in (match.path, f"/t/{token}/table", f"/t/{token}/away", f"/t/{token}?go=table"):
        for _ in range(2):
            assert browser.get(path, follow_redirects=True).status_code == 200
    assert (house.count(), house.rows('SELECT news FROM "match"')) == before


def test_a_pause_by_two_browsers(match):
    assert "Ask for a pause" in match.see("Ada")
    assert match.press("Ada", "pause").status_code == 303
    assert "Ada</bdi>" in match.see("Bo")
    assert "Ada would like to pause" in match.see("Bo", f"/m/{match.match_id}")
    match.press("Bo", "pause")
    assert "The clocks are stopped until someone ends it." in match.see("Ada", f"/m/{match.match_id}")
    match.press("Ada", "resume")
    page = match.see("Ada", f"/m/{match.match_id}")
    assert "The game is paused: its clocks are stopped." not in page
    assert "ended the pause" in page


def test_who_ends_a_pause_that_there_is_not_is_told_so(match):
    answer = match.press("Ada", "resume")
    assert answer.status_code == 409
    assert "The game isn’t paused" in answer.text


def test_only_the_organiser_is_offered_the_keys(match):
    keyed = {"extend", "hand_over", "call_off"}
    assert keyed <= acts(match.see("Ada"))
    assert not keyed & acts(match.see("Bo"))
    assert acts(match.stranger.get(match.path).text) == set()
    assert match.press("Bo", "call_off", word="call off").status_code == 422
    assert match.stranger.post(match.path, data={"do": "call_off", "word": "call off"}).status_code == 404


def test_the_same_extension_six_times_is_one(match, house):
    _, seat, _ = match.waited()
    (seen,) = set(fields(match.see("Ada"), "seen"))
    for _ in range(6):
        answer = match.press("Ada", "extend", seat=seat, seen=seen, days="2")
        assert answer.status_code == 303
    assert "of extra time" in match.see("Ada", f"/m/{match.match_id}")
    assert len(house.rows("SELECT id FROM notice WHERE what = 'extended'")) == 1
    for days in ("", "x", "0", "31", "-1", "9999"):
        assert match.press("Ada", "extend", seat=seat, seen=seen, days=days).status_code == 422


def test_calling_off_needs_the_words(match):
    refused = match.press("Ada", "call_off", word="yes")
    assert refused.status_code == 422
    assert "Nothing was changed" in refused.text
    assert match.press("Ada", "call_off", word=" Call  OFF ").status_code == 303
    page = match.see("Bo", f"/m/{match.match_id}")
    assert "The game was called off before the end." in page
    assert "The game is over" in match.see("Bo")


def test_a_silent_seat_is_opened_and_taken_by_a_stranger(match, clock, house):
    """From the page of the match to the seat, with nothing but an address."""
    name, seat, old = match.waited()
    if name == "Ada":  # the organiser's own turn is played, so that Bo is asked
        house.play(match.match_id, 1)
        while match.waited()[0] == "Ada":
            house.play(match.match_id, 1)
        name, seat, old = match.waited()
    refused = match.press("Ada", "open_seat", seat=seat)
    assert refused.status_code == 422
    assert "they still have time" in refused.text
    clock.advance(days=3, hours=1)
    assert "open_seat" in acts(match.see("Ada"))
    assert match.press("Ada", "open_seat", seat=seat).status_code == 303
    assert "Your seat is open" in match.see(name, f"/m/{match.match_id}")
    assert "back" in acts(match.see(name))
    assert "a seat is free" in match.stranger.get("/").text
    public = match.stranger.get(f"/m/{match.match_id}").text
    assert "Take it over" in public
    assert acts(match.stranger.get(match.path).text) == {"ask_seat"}
    form = {"do": "ask_seat", "seat": seat, "address": "dan@example.org"}
    assert match.stranger.post(match.path, data=form).status_code == 303
    (offer,) = house.rows("SELECT id FROM invitation WHERE address = 'dan@example.org'")
    link = f"/i/{house.mint('invitation', invitation_id=offer.id)}"
    assert "Take over a seat?" in match.stranger.get(link).text
    about = {"name": "Dan", "language": "en", "zone": "Europe/Vienna"}
    missing = match.stranger.post(link, data={"do": "accept", **about, "name": ""})
    assert missing.status_code == 422
    assert match.stranger.post(link, data={"do": "accept", **about}).status_code == 303
    assert match.stranger.post(link, data={"do": "accept", **about}).status_code == 303
    assert "You’ve asked for the seat" in match.stranger.get(link).text
    assert "has taken over" not in match.see("Ada", f"/m/{match.match_id}")
    request = {"request": offer.id}
    assert "give_seat" not in acts(match.see(name))
    assert match.press(name, "give_seat", **request).status_code == 422
    assert "give_seat" in acts(match.see("Ada"))
    assert match.press("Ada", "give_seat", **request).status_code == 303
    assert match.press("Ada", "give_seat", **request).status_code == 409
    assert "The seat is yours" in match.stranger.get(link).text
    page = match.see("Ada", f"/m/{match.match_id}")
    assert f"has taken over {name}’s seat" in page
    mine = rf'class="my-game[^"]*" href="/m/{match.match_id}"'
    assert re.search(mine, match.see("Ada", "/"))
    assert not re.search(mine, match.see(name, "/"))
    assert "The turn this link was for is over" in match.stranger.get(f"/t/{old}").text
    assert match.stranger.post(f"/t/{old}/table", data={"do": "back"}).status_code == 409
    late = house.rows("SELECT status FROM invitation WHERE seat <> ''")
    assert [row.status for row in late] == ["accepted"]


def test_who_comes_after_an_offer_has_ended_reads_that_the_seat_still_looks_for_somebody(match, clock, house):
    """Not that somebody was faster, which is not true."""
    name, seat, _ = match.waited()
    organiser = "Ada" if name == "Bo" else "Bo"
    if name == "Ada":
        match.press("Ada", "hand_over", seat=match.seats["Bo"])
    clock.advance(days=3, hours=1)
    match.press(organiser, "open_seat", seat=seat)
    match.press(organiser, "offer", seat=seat, address="dan@example.org")
    (offer,) = house.rows("SELECT id FROM invitation WHERE address = 'dan@example.org'")
    link = f"/i/{house.mint('invitation', invitation_id=offer.id)}"
    clock.advance(days=14)
    for _ in range(2):
        page = match.stranger.get(link).text
        assert "This offer has expired" in page
        assert f'href="{match.path}#open"' in page
        assert "faster" not in page
        remind_and_expire(house.store)
    about = {"do": "accept", "name": "Dan", "language": "en", "zone": "UTC"}
    assert "This offer has expired" in match.stranger.post(link, data=about).text


def test_who_comes_too_late_is_told_so_kindly(match, clock, house):
    name, seat, _ = match.waited()
    if name == "Ada":
        match.press("Ada", "hand_over", seat=match.seats["Bo"])
    organiser = "Bo" if name == "Ada" else "Ada"
    clock.advance(days=3, hours=1)
    match.press(organiser, "open_seat", seat=seat)
    for address in ("dan@example.org", "eve@example.org"):
        assert match.press(organiser, "offer", seat=seat, address=address).status_code == 303
    links = [
        f"/i/{house.mint('invitation', invitation_id=row.id)}"
        for row in house.rows("SELECT id FROM invitation WHERE seat <> '' ORDER BY id")
    ]
    about = {"do": "accept", "language": "en", "zone": "UTC"}
    assert match.stranger.post(links[0], data={**about, "name": "Dan"}).status_code == 303
    late = match.stranger.post(links[1], data={**about, "name": "Eve"})
    assert late.status_code == 409
    assert "someone else was faster" in late.text
    assert "This seat is taken" in match.stranger.get(links[1]).text
    assert not house.rows("SELECT id FROM player WHERE name = 'Eve'")


def test_a_turns_link_opens_the_table_and_leads_there_without_holding_it(match, browser, house):
    _, seat, token = match.waited()
    page = browser.get(f"/t/{token}").text
    assert token not in page
    assert 'href="?go=table"' in page
    assert browser.get(f"/t/{token}?go=table").headers["Location"] == f"/t/{token}/table"
    assert browser.post(f"/t/{token}/table", data={"do": "pause"}).status_code == 303
    assert house.rows("SELECT seat FROM chair WHERE pause_wanted_at IS NOT NULL") == [], "an email asks first"
    browser.post(house.sign_in_link(next(name for name, its in match.seats.items() if its == seat)))
    assert browser.post(f"/t/{token}/table", data={"do": "pause"}).status_code == 303
    wanting = house.rows("SELECT seat FROM chair WHERE pause_wanted_at IS NOT NULL")
    assert [row.seat for row in wanting] == [seat]
    assert browser.get("/t/nonsense/table").status_code == 404


def test_an_absence_is_shown_first_and_entered_then(match, house):
    """The form prints until when one would have to answer, game by game, before anything is done."""
    name, _, _ = match.waited()
    dates = {"first": "2026-03-04", "last": "2026-03-06"}
    before = house.count()
    page = match.browsers[name].get("/profile/away", query_string=dates).text
    assert f"#{match.match_id}" in page
    shown = re.findall(r'<time datetime="([^"]+)"', page)
    assert shown == ["2026-03-05T09:30Z", "2026-03-08T09:30Z"]
    assert house.count() == before
    for _ in range(2):
        answer = match.browsers[name].post("/profile/away", data={"do": "away", **dates})
        assert answer.status_code == 303
    assert len(house.rows("SELECT id FROM absence")) == 1
    other = next(one for one in match.browsers if one != name)
    assert "· away from" in match.see(other, f"/m/{match.match_id}")
    (number,) = fields(match.see(name, "/profile/away"), "absence")
    assert (
        match.browsers[other].post("/profile/away", data={"do": "cancel", "absence": number}).status_code
        == 404
    )
    match.browsers[name].post("/profile/away", data={"do": "cancel", "absence": number})
    assert "· away from" not in match.see(other, f"/m/{match.match_id}")


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("2026-02-30", "2026-03-06", "isn’t a date"),
        ("", "", "Please enter a date."),
        ("2026-03-06", "2026-03-04", "is before the first"),
        ("2026-03-01", "2026-03-04", "is in the past"),
        ("2027-05-01", "2027-05-02", "too far ahead"),
        ("2026-04-01", "2026-05-01", "You have 30 days left in 2026, and this needs 31 days"),
    ],
)
def test_impossible_absences_are_refused_with_the_form_kept(match, house, first, last, said):
    dates = {"first": first, "last": last}
    looked = match.browsers["Ada"].get("/profile/away", query_string=dates)
    pressed = match.browsers["Ada"].post("/profile/away", data={"do": "away", **dates})
    for answer in (looked, pressed):
        assert answer.status_code == 422
        assert said in unescape(answer.text)
        assert f'value="{first}"' in answer.text
    assert not house.rows("SELECT id FROM absence")


def test_an_absence_by_a_turns_link_shows_only_that_game(app, house, clock):
    """A letter's link is for one game: of the others its page tells no more than their deadlines."""
    del clock
    first, second = Match(app, house, "Ada", "Bo"), Match(app, house, "Ada", "Cleo")
    for match in (first, second):
        while match.waited()[0] != "Ada":
            house.play(match.match_id, 1)
    (token,) = house.turns(first.match_id).values()
    page = app.test_client().get(f"/t/{token}/away?first=2026-03-04&last=2026-03-06").text
    assert f"#{first.match_id}" in page
    assert f"#{second.match_id}" not in page
    assert "another game of yours" in page
    assert app.test_client().get("/t/nonsense/away").status_code == 404
    assert app.test_client().get("/profile/away").headers["Location"] == "/sign-in"


def test_who_goes_away_may_leave_a_policy_for_that_time(match, house):
    name, _, _ = match.waited()
    dates = {"first": "2026-03-04", "last": "2026-03-06"}
    page = match.browsers[name].get("/profile/away", query_string=dates).text
    (policy,) = set(re.findall(r'name="(policy-[^"]+)"', page))
    choice = re.findall(r'<option value="([^"]+)">', page)[0]
    wrong = match.browsers[name].post("/profile/away", data={"do": "away", **dates, policy: "perhaps"})
    assert wrong.status_code == 422
    assert not house.rows("SELECT id FROM absence")
    for _ in range(2):
        sent = match.browsers[name].post("/profile/away", data={"do": "away", **dates, policy: choice})
        assert sent.status_code == 303
    (order,) = house.rows("SELECT kind, text, until FROM standingorder")
    (away,) = house.rows("SELECT ends FROM absence")
    assert (order.kind, order.text, order.until) == ("policy", choice, away.ends)


def test_the_organisers_invitation_leads_to_their_keys_also_when_it_is_not_their_turn(match, browser, house):
    ada, bo = house.invited(match.match_id)
    (link,) = re.findall(r'href="(/i/[^"]+/table)"', browser.get(f"/i/{ada}").text)
    assert link == f"/i/{ada}/table"
    assert "call_off" in acts(browser.get(link).text)
    assert "call_off" not in acts(browser.get(f"/i/{bo}/table").text)
    assert browser.post(f"/i/{bo}/table", data={"do": "call_off", "word": "call off"}).status_code == 422
    assert browser.post(link, data={"do": "call_off", "word": "call off"}).status_code == 303
    assert browser.get("/i/nonsense/table").status_code == 404


def test_what_was_typed_at_the_table_stays_where_it_was_refused(match, clock):
    """A refused number of days or a mistyped address is mended, not typed again."""
    page = match.see("Ada")
    seat, seen = fields(page, "seat")[0], fields(page, "seen")[0]
    answer = match.press("Ada", "extend", seat=seat, seen=seen, days="31")
    assert answer.status_code == 422
    assert f'id="days-{seat}" name="days" min="1" max="30" value="31"' in answer.text
    _, seat, _ = match.waited()
    for _ in range(2):
        clock.advance(days=3, hours=1)
        sweep.sweep(match.house.store)
    form = {"do": "ask_seat", "seat": seat, "address": "dan(at)example.org"}
    answer = match.stranger.post(match.path, data=form)
    assert answer.status_code == 422
    assert 'value="dan(at)example.org"' in answer.text


def test_one_visitor_shuts_no_open_seat_for_the_others(match, clock, app):
    _, seat, _ = match.waited()
    for _ in range(2):
        clock.advance(days=3, hours=1)
        sweep.sweep(match.house.store)

    def asks(who, address):
        form = {"do": "ask_seat", "seat": seat, "address": address}
        return app.test_client().post(match.path, data=form, environ_base={"REMOTE_ADDR": who}).status_code

    answers = [asks("198.51.100.1", f"p{n}@example.org") for n in range(30)]
    assert answers == [303] * JOINS.most + [429] * (30 - JOINS.most)
    assert JOINS.most * 3 <= offers.MOST_OFFERS
    assert asks("198.51.100.2", "eve@example.org") == 303

"""The clock of a table: chosen in its form, said in words wherever it shows, and shown as it runs."""

import re
from html import unescape

import msgspec
import pytest
from sqlalchemy import text

from app.play.clock.rules import Rule, Stop
from app.play.deadlines import outages

TABLE = {"organiser": "ada@example.org", "others": "bo@example.org", "seats": "2"}
USUAL = {
    "clock": "per_move",
    "days": "3",
    "other-days": "",
    "bank": "10",
    "increment": "24",
    "cap": "15",
    "grace": "12",
    "then": "default",
    "touched": "1",
}
"""The form as it is sent when nobody has touched it."""


def opened(house) -> Rule:
    return msgspec.json.decode(house.rows('SELECT clock FROM "match"')[0].clock, type=Rule)


def test_an_untouched_form_gives_three_days_and_some_grace(browser, house):
    page = browser.get("/open/survive").text
    for name, value in (("clock", "per_move"), ("days", "3"), ("then", "default")):
        assert f'name="{name}" value="{value}" checked' in page
    for name in ("bank", "increment", "cap", "grace"):
        assert f'name="{name}" maxlength="8" autocomplete="off" value="{USUAL[name]}"' in page
    assert browser.post("/open/survive", data=TABLE | USUAL).status_code == 303
    assert opened(house) == Rule("per_move", per_move=3 * 86400, grace=12 * 3600)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"clock": "none"}, Rule()),
        ({"clock": "none", "bank": "a lot"}, Rule()),
        ({"days": "7", "grace": ""}, Rule("per_move", per_move=7 * 86400)),
        ({"other-days": "1,5", "grace": "0"}, Rule("per_move", per_move=36 * 3600)),
        ({"other-days": "۱٫۵", "grace": "۰"}, Rule("per_move", per_move=36 * 3600)),
        ({"other-days": "１．５", "grace": "０"}, Rule("per_move", per_move=36 * 3600)),
        (
            {"off-5": "on", "off-6": "on", "then": "bot"},
            Rule("per_move", per_move=3 * 86400, off=(5, 6), grace=43200, then="bot"),
        ),
        (
            {"clock": "bank", "then": "replace", "days": "?"},
            Rule("bank", bank=864000, increment=86400, cap=1296000, grace=43200, then="replace"),
        ),
    ],
)
def test_a_clock_is_what_its_form_says(browser, house, change, rule):
    assert browser.post("/open/survive", data=TABLE | USUAL | change).status_code == 303
    assert opened(house) == rule


def test_a_table_opened_without_a_word_about_clocks_has_none(browser, house):
    assert browser.post("/open/survive", data=TABLE).status_code == 303
    assert opened(house) == Rule()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"other-days": "soon"}, "“soon” isn’t a number of days or hours"),
        ({"other-days": "-3"}, "“-3” isn’t a number"),
        ({"other-days": "nan"}, "“nan” isn’t a number"),
        (
            {"other-days": "99999"},
            "“99999” isn’t a number of days or hours that works here. Write one like",
        ),
        (
            {"other-days": "0,01"},
            "The time for each turn can’t be 14 minutes. It can be from 1 hour to 90 days.",
        ),
        ({"other-days": "91"}, "The time for each turn can’t be 91 days. It can be from 1 hour to 90 days."),
        ({"other-days": "0"}, "The time for each turn can be 1 hour to 90 days."),
        ({"clock": "bank", "bank": ""}, "Please enter a number of days or hours."),
        (
            {"clock": "bank", "cap": "9"},
            "can’t be 9 days. It can be from 10 days to 180 days, and no less than",
        ),
        ({"clock": "bank", "increment": "0"}, "The time that each turn adds can be 1 hour"),
        ({"grace": "999"}, "The grace period can’t be that long. It can be at most 30 days."),
        ({"clock": "sundial"}, "There’s no time limit called “sundial”."),
        ({"then": "explode"}, "There’s no option called “explode” for when time runs out."),
        ({f"off-{day}": "on" for day in range(7)}, "time must count on at least one weekday."),
    ],
)
def test_an_impossible_clock_is_refused_and_the_form_kept(browser, house, change, said):
    before = house.count()
    answer = browser.post("/open/survive", data=TABLE | USUAL | {"off-2": "on"} | change)
    assert answer.status_code == 422
    page = unescape(answer.text)
    assert "The game wasn’t started" in page
    assert said in page
    assert 'name="off-2" value="on" checked' in page
    assert '<details class="field" open>' in page
    for name, value in change.items():
        if name in ("other-days", "bank", "cap", "increment", "grace"):
            assert f'name="{name}" maxlength="8" autocomplete="off" value="{value}"' in page
    assert house.count() == before


def test_the_table_says_how_it_is_timed(browser, house):
    """Time settings that one cannot see are found out too late."""
    browser.post("/open/survive", data=TABLE | USUAL | {"off-6": "on"})
    ada = house.invited(1)[0]
    page = browser.get(f"/i/{ada}").text
    assert "3 days for each turn. Sunday doesn’t count, in each player’s own time zone." in page
    assert "a grace period of 12 hours; then a default move is played." in page


def test_the_clock_is_told_to_the_minute(browser, house):
    """What is agreed is what counts: words round nothing away, and no grace has no minutes."""
    browser.post("/open/survive", data=TABLE | USUAL | {"other-days": "0.05", "grace": "1,5"})
    page = browser.get(f"/i/{house.invited(1)[0]}").text
    assert (
        "1 hour, 12 minutes for each turn. If time runs out, there’s a grace period of 1 hour, 30 minutes;"
        in page
    )
    browser.post("/open/survive", data=TABLE | USUAL | {"grace": "0.001"})
    assert "If time runs out, a default move is played" in browser.get(f"/i/{house.invited(2)[0]}").text


DAY = 86400
THREE_DAYS = Rule("per_move", per_move=3 * DAY, grace=43200)


def shown(page: str) -> str:
    """The text of a page's head: what is to be done, until when, and who is waited for."""
    top = page[page.index('<div class="top">') : page.index('id="board"')]
    return " ".join(unescape(re.sub(r"<[^>]+>", "", top)).split())


def said_of_the_clock(page: str) -> str:
    """Beside the rule by which the match is timed."""
    beside = page[page.index("<dt>Time limit</dt>") : page.index("<dt>Feed</dt>")]
    return " ".join(unescape(re.sub(r"<[^>]+>", "", beside)).split())


def set_down(house, query: str, **values) -> None:
    with house.store.transaction() as connection:
        connection.execute(text(query), values)


def test_a_turn_shows_its_deadline_in_the_players_own_zone(browser, house):
    match_id = house.start("Ada", "Bo", setup="random", rule=THREE_DAYS)
    set_down(house, "UPDATE player SET zone = 'Asia/Tehran'")
    (token,) = house.turns(match_id).values()
    page = browser.get(f"/t/{token}").text
    assert "You have until Thursday 5 March 2026, 13:00 (UTC+03:30): 3 days left." in shown(page)
    assert '<time datetime="2026-03-05T09:30Z" data-zoned>' in page
    assert shown(page).count("3 days left") == 1
    assert (
        "<dt>Time limit</dt><dd>3 days for each turn. If time runs out, there’s a grace period of 12 hours"
        in page
    )


def test_the_others_see_until_when_they_wait(browser, house):
    match_id = house.start("Ada", "Bo", setup="random", rule=THREE_DAYS)
    set_down(house, "UPDATE player SET zone = 'Asia/Tehran'")
    (seat,) = house.turns(match_id)
    other = house.rows(
        "SELECT p.name FROM player p JOIN chair c ON c.player_id = p.id WHERE seat != :s", s=seat
    )
    browser.post(house.sign_in_link(other[0].name))
    page = shown(browser.get(f"/m/{match_id}").text)
    assert "to move until Thu 5 Mar, 13:00 (3 days left)" in page
    assert "You have until" not in page


def test_a_bank_is_shown_for_those_who_are_not_asked_too(browser, house, clock):
    """How much somebody has left for their next turn is seen before it begins: who may take long, who not."""
    rule = Rule("bank", bank=3 * DAY, increment=12 * 3600, cap=4 * DAY)
    match_id = house.start("Ada", "Bo", game="atlantis", rule=rule)
    assert shown(browser.get(f"/m/{match_id}").text).count("3 days in the bank") == 1
    clock.advance(days=1)
    (first,) = house.turns(match_id)
    while first in house.turns(match_id):
        house.play(match_id, 1)
    page = shown(browser.get(f"/m/{match_id}").text)
    assert page.count("in the bank") == 1
    assert "2 days, 12 hours in the bank" in page


def test_onlookers_see_everybodys_deadline_in_utc_until_the_script_turns_it(browser, house):
    match_id = house.start("Ada", "Bo", setup="random", rule=THREE_DAYS)
    page = browser.get(f"/m/{match_id}").text
    assert "to move until 5 Mar 2026, 09:30 UTC (3 days left)" in shown(page)
    assert '<time datetime="2026-03-05T09:30Z">5 Mar' in page
    assert "You have until" not in page


def test_without_a_clock_nothing_is_said_of_time_but_that(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    (token,) = house.turns(match_id).values()
    page = browser.get(f"/t/{token}").text
    assert "until" not in shown(page)
    assert "No time limit." in page


def test_a_kept_page_tells_no_old_time(browser, house, clock):
    """The page is made once for all who look; what is left of a deadline is made anew as time goes by."""
    match_id = house.start("Ada", "Bo", setup="random", rule=THREE_DAYS)
    first = browser.get(f"/m/{match_id}")
    clock.advance(minutes=4)
    same = browser.get(f"/m/{match_id}", headers={"If-None-Match": first.headers["ETag"]})
    assert same.status_code == 304
    clock.advance(hours=10)
    later = browser.get(f"/m/{match_id}", headers={"If-None-Match": first.headers["ETag"]})
    assert later.status_code == 200
    assert "2 days, 13 hours left" in shown(later.text)
    clock.advance(days=2, hours=13)
    assert "less than an hour left" in shown(browser.get(f"/m/{match_id}").text)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ('UPDATE "match" SET stops = :stops', "The clock is stopped: the game is paused."),
        ("UPDATE house SET stops = :stops", "The clock is stopped, like all clocks on this server."),
        ("UPDATE player SET away = :stops", "The clock is stopped for an absence."),
    ],
)
def test_a_clock_that_stands_still_says_so_and_why(browser, house, clock, change, said):
    match_id = house.start("Ada", "Bo", setup="random", rule=THREE_DAYS)
    (token,) = house.turns(match_id).values()
    set_down(house, change, stops=msgspec.json.encode([Stop(clock.moment)]).decode())
    clock.advance(days=30)
    page = shown(browser.get(f"/t/{token}").text)
    assert said in page
    assert "You have 3 days left." in page


def test_a_deadline_that_an_outage_moved_is_explained_to_all_in_their_own_time(browser, house, clock):
    """For as long as the turn lasts in which the house was away, or its operator had stopped the clocks."""
    outages.beat(house.store)
    match_id = house.start("Ada", "Bo", setup="random", rule=THREE_DAYS)
    (token,) = house.turns(match_id).values()
    paths = (f"/t/{token}", f"/m/{match_id}")
    assert not any("the clocks were stopped" in browser.get(path).text for path in paths)
    set_down(house, "UPDATE player SET zone = 'Asia/Tokyo'")
    clock.advance(hours=6)
    outages.beat(house.store)
    page, seen = shown(browser.get(paths[0]).text), said_of_the_clock(browser.get(paths[1]).text)
    said = "because the clocks were stopped or the server was down:"
    assert f"This time doesn’t count, {said} Mon 2 Mar, 18:30 to Tue 3 Mar, 00:35." in page
    assert f"This time doesn’t count, {said} 2 Mar 2026, 09:30 UTC to 2 Mar 2026, 15:35 UTC." in seen
    for span in (*((4, 4, 20) * 4), 4, 4):
        clock.advance(minutes=span)
        outages.beat(house.store)
    for page in (shown(browser.get(paths[0]).text), said_of_the_clock(browser.get(paths[0]).text)):
        spans = page[page.index(f"These times don’t count, {said}") : page.index("; and 2 earlier.")]
        assert spans.count(" to ") == 3, "the last three"
        assert spans.endswith("; Tue 3 Mar, 02:02 to Tue 3 Mar, 02:27")
    house.play(match_id, 6)
    assert "the clocks were stopped" not in browser.get(f"/m/{match_id}").text


def test_a_day_off_and_an_absence_end_at_a_known_time(browser, house, clock):
    clock.moment = clock.moment.replace(day=7)  # a Saturday
    weekend = Rule("per_move", per_move=3 * DAY, off=(5, 6))
    match_id = house.start("Ada", "Bo", setup="random", rule=weekend)
    (token,) = house.turns(match_id).values()
    page = shown(browser.get(f"/t/{token}").text)
    assert "until Thursday 12 March 2026, 00:00 (WET, UTC+00:00): 3 days left." in page
    assert "The clock is stopped until Mon 9 Mar, 00:00: today is a day off." in page
    page = shown(browser.get(f"/m/{match_id}").text)
    assert "until 12 Mar 2026, 00:00 UTC (3 days left) · The clock is stopped until 9 Mar" in page


def test_in_the_grace_the_page_says_what_follows(browser, house, clock):
    match_id = house.start("Ada", "Bo", setup="random", rule=THREE_DAYS)
    (token,) = house.turns(match_id).values()
    clock.advance(days=3)
    set_down(
        house,
        "UPDATE question SET late_at = :at, due_at = :at",
        at=clock.moment,
    )
    page = shown(browser.get(f"/t/{token}").text)
    assert "You have run out of time. Your grace period ends on Thursday 5 March 2026, 21:30" in page
    assert ": 12 hours left. After that, a default move is played for you." in page
    assert "out of time; grace period until 5 Mar 2026, 21:30 UTC (12 hours left)" in shown(
        browser.get(f"/m/{match_id}").text
    )
    outages.freeze(house.store)
    assert "You have run out of time. Your grace period has 12 hours left." in shown(
        browser.get(f"/t/{token}").text
    )


def test_a_time_that_is_up_and_not_yet_judged_is_not_said_to_be_left(browser, house, clock):
    """While the house is away nothing follows a deadline: the page promises no hour that is not there."""
    match_id = house.start("Ada", "Bo", setup="random", rule=THREE_DAYS)
    (token,) = house.turns(match_id).values()
    clock.advance(days=2, hours=23, minutes=30)
    assert "less than an hour left" in shown(browser.get(f"/t/{token}").text)
    clock.advance(minutes=30)
    page, seen = (shown(browser.get(path).text) for path in (f"/t/{token}", f"/m/{match_id}"))
    assert "(WET, UTC+00:00). That time has passed. You can still play until the server acts on it." in page
    assert "until 5 Mar 2026, 09:30 UTC, which has passed" in seen
    assert "left" not in page[page.index("You had until") : page.index("acts on it.")]
    assert "less than an hour" not in page + seen


def test_my_games_begin_with_the_nearest_deadline(browser, house):
    later = house.start("Ada", "Bo", setup="orders", rule=THREE_DAYS)
    never = house.start("Ada", "Bo", setup="orders")
    sooner = house.start("Ada", "Bo", setup="orders", rule=Rule("per_move", per_move=DAY + 4 * 3600))
    browser.post(house.sign_in_link("Ada"))
    page = browser.get("/").text
    mine = page[page.index('id="mine"') :].partition("</section>")[0]
    assert [int(found) for found in re.findall(r'href="/m/(\d+)"', mine)] == [sooner, later, never]
    assert "1 day, 4 hours left" in mine
    assert "until <time" in mine

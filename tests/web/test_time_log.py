"""What time brought about stands in the log of a match, between the moves."""

import re

from sqlalchemy import text

from app.play.clock.rules import Rule
from app.play.deadlines import outages, sweep
from app.play.match.records import Viewer
from app.play.seats import chat, offers, takeover

RULE = Rule("per_move", per_move=86400, grace=3600)


def test_the_page_says_who_was_late_and_what_the_clock_played(house, browser, clock):
    """Nobody has to ask who missed: it is public, and what was played by the clock is marked."""
    match_id = house.start("Ada", "Bo", rule=RULE, setup="random")
    seat = next(iter(house.turns(match_id)))
    clock.advance(days=1)
    sweep.sweep(house.store)
    page = browser.get(f"/m/{match_id}").text
    name = house.rows(
        "SELECT p.name FROM chair c JOIN player p ON p.id = c.player_id WHERE c.seat = :seat", seat=seat
    )[0].name
    assert f"{name} has run out of time. Their grace period ends on Tuesday 3 March 2026, 10:30 (UTC" in page
    clock.advance(hours=1)
    sweep.sweep(house.store)
    page = browser.get(f"/m/{match_id}").text
    late, missed = page.index(f"{name} has run out of time."), page.index(f"{name} didn’t move in time.")
    assert late < missed < page.index("(played automatically: out of time)")


def test_the_log_is_in_the_time_of_its_reader_as_the_deadlines_are(house, browser, clock):
    """Also without a script, with the zone named; who is not known reads UTC."""
    match_id = house.start("Ada", "Bo", rule=RULE, setup="random")
    with house.store.transaction() as connection:
        connection.execute(text("UPDATE player SET zone = 'Asia/Tokyo' WHERE name = 'Ada'"))
        connection.execute(text("UPDATE player SET zone = 'America/Lima' WHERE name = 'Bo'"))
    clock.advance(hours=1)
    house.play(match_id, 2)
    chat.say(house.store, Viewer(player_id=seated(house, "Ada")), match_id, "Hello.")

    def moments() -> set[str]:
        page = browser.get(f"/m/{match_id}/log").text
        assert "Hello." in page
        assert page.count("<time") >= 3
        return set(re.findall(r"<time[^>]*>\d+ \w+ 2026, ([^<]*)</time>", page))

    assert moments() == {"09:30 UTC", "10:30 UTC"}
    browser.post(house.sign_in_link("Ada"))
    assert moments() == {"18:30 JST", "19:30 JST"}
    browser.post(house.sign_in_link("Bo"))
    assert moments() == {"04:30 UTC\u221205:00", "05:30 UTC\u221205:00"}
    assert 'title="Monday 2 March 2026, 04:30 (UTC\u221205:00)"' in browser.get(f"/m/{match_id}").text


def test_an_onlooker_who_is_signed_in_reads_what_the_house_told_in_their_own_time(house, browser, clock):
    match_id = house.start("Ada", "Bo", rule=RULE, setup="random")
    house.start("Cleo", "Dan", setup="random")
    clock.advance(days=1)
    sweep.sweep(house.store)
    with house.store.transaction() as connection:
        connection.execute(text("UPDATE player SET zone = 'Asia/Tokyo' WHERE name = 'Cleo'"))
    browser.post(house.sign_in_link("Cleo"))
    page = browser.get(f"/m/{match_id}").text
    assert "Their grace period ends on Tuesday 3 March 2026, 19:30 (JST, UTC+09:00)" in page


def seated(house, name):
    found = "SELECT id FROM player WHERE name = :name"
    return house.rows(found, name=name)[0].id


def test_a_house_whose_clocks_are_stopped_says_so_on_every_board(house, browser):
    match_id = house.start("Ada", "Bo", rule=RULE, setup="random")
    assert "All clocks on this server are stopped" not in browser.get(f"/m/{match_id}").text
    outages.freeze(house.store)
    assert "All clocks on this server are stopped" in browser.get(f"/m/{match_id}").text
    outages.thaw(house.store)
    assert "All clocks on this server are stopped" not in browser.get(f"/m/{match_id}").text


def test_who_takes_a_seat_over_is_not_said_to_have_been_late(house, browser, clock):
    """What a player did or left undone stays under their name, also after somebody else has their seat."""
    rule = Rule("per_move", per_move=86400, grace=3600, then="replace")
    match_id = house.start("Ada", "Bo", "Cleo", game="atlantis", rule=rule)
    with house.store.transaction() as connection:
        connection.execute(text("UPDATE \"match\" SET seat_giver = 'anybody'"))
    house.play(match_id, 2)
    seat = next(iter(house.turns(match_id)))
    found = "SELECT p.name FROM chair c JOIN player p ON p.id = c.player_id WHERE c.seat = :seat"
    name = house.rows(found, seat=seat)[0].name
    for span in ({"days": 1}, {"hours": 1}):
        clock.advance(**span)
        sweep.sweep(house.store)
    offers.request_offer(house.store, match_id, seat, "fay@example.org")
    (row,) = house.rows("SELECT id FROM invitation WHERE seat = :seat", seat=seat)
    clock.advance(hours=1)
    takeover.take(house.store, house.mint("invitation", invitation_id=row.id), "Fay", "en", "UTC")
    page, feed = browser.get(f"/m/{match_id}").text, browser.get(f"/m/{match_id}/feed.atom").text
    for told in (page, feed):
        assert f"{name} has run out of time." in told
        assert f"{name} didn’t move in time." in told
        assert f"The seat of {name} is open" in told
        assert f"Fay has taken over {name}’s seat." in told
        assert "Fay has run out" not in told
        assert "Fay gets" not in told


def test_who_lost_their_seat_is_not_said_to_have_resigned(house, browser, clock):
    rule = Rule("per_move", per_move=86400, then="lose")
    match_id = house.start("Ada", "Bo", "Cleo", game="atlantis", rule=rule)
    clock.advance(days=1)
    sweep.sweep(house.store)
    page, feed = browser.get(f"/m/{match_id}").text, browser.get(f"/m/{match_id}/feed.atom").text
    assert "has lost their seat. It plays default moves" in page
    assert "has lost their seat. It plays default moves" in feed
    assert "lost the seat</span>" in page
    assert "resigned" not in page + feed

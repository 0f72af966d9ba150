"""What time brought about stands in the log of a match, between the moves."""

from app.play import standstill, sweeping
from app.play.clocks import Rule

RULE = Rule("per_move", per_move=86400, grace=3600)


def test_the_page_says_who_was_late_and_what_the_clock_played(house, browser, clock):
    """Nobody has to ask who missed: it is public, and what was played by the clock is marked."""
    match_id = house.start("Ada", "Bo", rule=RULE, setup="random")
    seat = next(iter(house.turns(match_id)))
    clock.advance(days=1)
    sweeping.sweep(house.store)
    page = browser.get(f"/m/{match_id}").text
    name = house.rows(
        "SELECT p.name FROM chair c JOIN player p ON p.id = c.player_id WHERE c.seat = :seat", seat=seat
    )[0].name
    assert f"The time of {name} is up. There is grace until Tuesday 3 March 2026, 10:30 (UTC" in page
    clock.advance(hours=1)
    sweeping.sweep(house.store)
    page = browser.get(f"/m/{match_id}").text
    late, missed = page.index(f"The time of {name} is up."), page.index(f"{name} did not answer in time.")
    assert late < missed < page.index("(played by the clock)")


def test_a_house_whose_clocks_are_stopped_says_so_on_every_board(house, browser):
    match_id = house.start("Ada", "Bo", rule=RULE, setup="random")
    assert "All clocks of this house are stopped" not in browser.get(f"/m/{match_id}").text
    standstill.freeze(house.store)
    assert "All clocks of this house are stopped" in browser.get(f"/m/{match_id}").text
    standstill.thaw(house.store)
    assert "All clocks of this house are stopped" not in browser.get(f"/m/{match_id}").text

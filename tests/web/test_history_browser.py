"""Earlier positions, the replay, the report and a page that waits, in a browser."""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from app.play.lobby import invitations
from app.play.match.records import Viewer
from app.play.seats import chat
from app.play.views.player_view import player_view
from tests.web.barriers import barriers_by_day_and_night
from tests.web.test_browser import moves, started

pytestmark = pytest.mark.slow


def ply_of(page) -> int:
    return int(page.locator("#plies").get_attribute("data-ply"))


def at(page, ply: int) -> None:
    page.locator(f'#plies[data-ply="{ply}"]').wait_for()


def test_history_by_buttons_slider_keys_and_the_browsers_own_way_back(house, site, visit):
    match_id, _, _ = started(house, setup="random")
    house.play(match_id, 12)
    base = f"{site}/m/{match_id}"
    page = visit(base)
    page.evaluate("window.sameDocument = true")
    at(page, 12)
    page.locator("#ply-back").click()
    at(page, 11)
    assert page.url == f"{base}/11"
    assert page.evaluate("document.activeElement.id") == "ply-back", "the focus stays where it was"
    board = page.locator(".board .picture > svg").bounding_box()
    page.keyboard.press("ArrowLeft")
    at(page, 10)
    said = page.locator("#heard").inner_text()
    assert re.match(r"Position after move 10\. .+\D[.]$", said), "each position is said, with what happened"
    assert page.locator(".board .picture > svg").bounding_box()["width"] == board["width"]
    page.keyboard.press("?")
    assert "show the position before" in page.locator("dialog#keys").inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    at(page, 11)
    page.locator("#ply-first").click()
    at(page, 0)
    page.locator("#ply-slider").focus()
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.go_back()
    at(page, 0)
    page.locator("#ply-last").click()
    at(page, 12)
    assert page.url == base
    assert page.evaluate("window.sameDocument"), "the page was loaded anew"


@pytest.mark.parametrize("language", ["ja", "zh-Hant"])
def test_what_is_heard_ends_as_sentences_of_the_language_do(house, site, visit, language):
    match_id, _, _ = started(house, setup="random")
    house.play(match_id, 3)
    page = visit(f"{site}/m/{match_id}", locale=language)
    at(page, 3)
    page.locator("#ply-back").click()
    at(page, 2)
    said = page.locator("#heard").inner_text()
    assert re.search(r"[^\x00-\x7f]。[^\x00-\x7f]?", said)
    assert not re.search(r"[。！？：] |[^\x00-\x7f]\.", said), said


def test_the_number_beside_the_slider_is_written_in_the_language_of_the_page(house, site, visit):
    match_id, _, _ = started(house, setup="random")
    house.play(match_id, 12)
    page = visit(f"{site}/m/{match_id}", locale="fa")
    output = page.locator('output[for="ply-slider"]')
    assert output.inner_text() == "حرکت ۱۲ از ۱۲"
    page.evaluate("""() => {
        const slider = document.getElementById("ply-slider");
        slider.value = "10";
        slider.dispatchEvent(new Event("input", { bubbles: true }));
    }""")
    assert output.inner_text() == "حرکت ۱۰ از ۱۲"


def test_history_without_javascript(house, site, visit):
    match_id, _, _ = started(house, setup="random")
    house.play(match_id, 5)
    page = visit(f"{site}/m/{match_id}", java_script_enabled=False)
    page.get_by_role("link", name="Previous move").click()
    assert page.url.endswith(f"/m/{match_id}/4")
    page.locator("#ply-slider").fill("2")
    page.get_by_role("button", name="Show").click()
    assert page.url.endswith(f"/m/{match_id}/2")
    assert not page.get_by_role("button", name="Replay").is_visible()
    page.get_by_role("link", name="Current position").click()
    assert page.url.endswith(f"/m/{match_id}")


def test_a_replay_shows_each_move_and_can_be_paused(house, site, visit):
    match_id, _, _ = started(house, setup="random")
    house.play(match_id, 6)
    page = visit(f"{site}/m/{match_id}/2", reduced_motion="reduce")
    page.clock.install(time=datetime(2026, 3, 2, tzinfo=UTC))
    page.reload()
    page.clock.pause_at(datetime(2026, 3, 3, tzinfo=UTC))
    page.get_by_role("button", name="Replay").click()
    at(page, 3)
    assert page.locator(".trail.playing, .step.shown").count()
    page.clock.run_for(5000)
    at(page, 4)
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(20000)
    assert ply_of(page) == 4
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.trail') || document.body).animationName")
        == "none"
    )
    page.get_by_role("button", name="Replay").click()
    at(page, 5)
    page.clock.run_for(5000)
    at(page, 6)
    assert page.get_by_role("button", name="Replay").is_visible()
    assert page.url == f"{site}/m/{match_id}"


def test_pointing_at_a_step_marks_its_places(house, site, visit):
    match_id, _, _ = started(house, setup="random")
    house.play(match_id, 12)
    page = visit(f"{site}/m/{match_id}")
    step = page.locator('.story .recent .step:not([data-marks=""])[data-marks]').first
    place = step.get_attribute("data-marks").split(" ")[0]
    ring = page.locator(f'.spot[data-spot="{place}"]')
    assert "shown" not in ring.get_attribute("class")
    step.hover()
    assert "shown" in ring.get_attribute("class")
    page.mouse.move(0, 0)
    step.locator(".ply").focus()
    assert "shown" in ring.get_attribute("class")
    page.locator("#now").hover()
    assert "shown" not in ring.get_attribute("class")


def test_a_waiting_page_shows_news_by_itself_and_loses_nothing(house, site, visit):
    match_id, seat, _ = started(house, game="atlantis")
    waiting = house.rows(
        "SELECT p.name FROM chair c JOIN player p ON p.id = c.player_id WHERE c.seat != :s", s=seat
    )
    context_page = visit(site + house.sign_in_link(waiting[0].name))
    context_page.locator("form button").last.click()
    page = context_page
    page.clock.install()
    page.goto(f"{site}/m/{match_id}")
    assert not page.title().startswith("(1)")
    page.evaluate("window.sameDocument = true")
    page.locator("#said").fill("I am still writing th")
    page.locator("#orders details").first.evaluate("one => { one.open = true }")
    house.play(match_id, 1)
    page.clock.run_for(4000)
    page.locator("main[data-asked]").wait_for()
    assert page.title() == f"(1) Your turn \u2013 Atlantis #{match_id}"
    assert page.locator("#said").input_value() == "I am still writing th"
    assert page.evaluate("document.activeElement.id") == "said"
    assert page.locator("#orders details").first.evaluate("one => one.open")
    assert page.evaluate("window.sameDocument")
    assert "tidepost-turn" in page.locator('link[rel="icon"]').get_attribute("href")
    heard = page.locator("#heard").inner_text()
    assert heard.startswith("It’s your turn. ")
    steps = page.locator('.recent .step[data-ply="1"]').all_inner_texts()
    assert steps
    assert all(one.strip().removesuffix("1").strip() in heard for one in steps), "what happened is said too"
    page.locator("#choose").wait_for()


def test_a_hidden_page_sleeps_and_looks_at_once_when_it_is_shown(house, site, visit):
    match_id, seat, _ = started(house, setup="random")
    page = visit(f"{site}/m/{match_id}")
    page.clock.install()
    page.reload()
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/m/" in request.url else None)
    page.evaluate(
        """() => { Object.defineProperty(document, 'hidden', { get: () => window.away, configurable: true });
                   window.away = true; document.dispatchEvent(new Event('visibilitychange')) }"""
    )
    chat.say(
        house.store,
        Viewer(player_id=house.rows("SELECT player_id FROM chair")[0].player_id),
        match_id,
        "Ahoy.",
    )
    page.clock.run_for(600_000)
    assert asked == []
    page.evaluate("() => { window.away = false; document.dispatchEvent(new Event('visibilitychange')) }")
    page.get_by_text("Ahoy.").wait_for()
    assert seat


def test_the_tab_that_played_by_a_link_can_play_the_next_turn_too(house, site, visit):
    match_id, seat, path = started(house, game="atlantis")
    page = visit(site + path)
    page.clock.install()
    page.reload()
    for turn in range(2):
        view = player_view(house.store, match_id, Viewer(player_id=_player(house, match_id, seat)))
        answer = view.game.format(view.asked[0].decision.default)
        for details in page.locator("#choose details").all():
            details.evaluate("one => { one.open = true }")
        page.locator("#answer").fill(answer)
        page.locator("#answer").press("Enter")
        page.locator("main[data-waits]").wait_for()
        assert page.url.startswith(f"{site}/m/{match_id}")
        page.get_by_text("Played:").first.wait_for()
        page.get_by_role("button", name="Email me a sign-in link").wait_for()
        heard = page.locator("#heard").text_content()
        assert "Played:" in heard
        assert "sign-in" not in heard, "what happened, not the buttons"
        assert len(moves(house, match_id)) == 2 * turn + 1
        house.play(match_id, 1)
        page.clock.run_for(5000)
        page.locator("main[data-asked]").wait_for()
        assert page.title().startswith("(1)")
        assert page.locator("main .note").count() == 0, "the last turn is no news any more"


def _player(house, match_id, seat) -> int:
    found = house.rows("SELECT player_id FROM chair WHERE match_id = :m AND seat = :s", m=match_id, s=seat)
    return found[0].player_id


@pytest.mark.long  # `test_every_page` visits shorter ones
def test_history_and_statistics_can_be_read_by_a_screen_reader_on_a_phone(house, site, visit):
    match_id = house.start("Ada", "Bo", game="atlantis")
    house.play(match_id, 1500)
    wrong = []
    for address in ("/30", "/30?as=red", "/log", "/statistics", ""):
        page = visit(
            f"{site}/m/{match_id}{address}",
            viewport={"width": 360, "height": 800},
            reduced_motion="reduce",
        )
        for details in page.locator(".story details, .statistics details").all():
            details.evaluate("one => { one.open = true }")
        if address == "/30":
            page.get_by_role("button", name="Replay").click()
            at(page, 31)
        wrong += [f"{address}: {one}" for one in barriers_by_day_and_night(page)]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
    assert wrong == [], "\n".join(wrong)


def test_a_sound_is_off_until_somebody_turns_it_on_and_stays_so(house, site, visit):
    _, _, path = started(house, game="atlantis")
    page = visit(site + path)
    page.get_by_role("button", name="Play a sound when it\u2019s my turn").click()
    page.get_by_role("button", name="Turn the sound off").wait_for()
    page.reload()
    page.get_by_role("button", name="Turn the sound off").click()
    page.reload()
    page.get_by_role("button", name="Play a sound when it\u2019s my turn").wait_for()


def test_a_link_whose_turn_was_played_elsewhere_says_so_by_itself(house, site, visit):
    match_id, _, path = started(house, game="atlantis")
    page = visit(site + path)
    page.clock.install()
    page.reload()
    assert page.title().startswith("(1)")
    house.play(match_id, 1)
    page.clock.run_for(20_000)
    page.locator("main:not([data-asked])").wait_for()
    assert not page.title().startswith("(1)")
    assert "tidepost-turn" not in page.locator('link[rel="icon"]').get_attribute("href")


PAUSES = """
const later = window.setTimeout; window.pauses = [];
window.setTimeout = (what, pause, ...more) => {
  window.pauses.push(pause);
  return later(what, pause, ...more);
};
"""


def test_a_page_without_news_is_asked_for_with_growing_pauses(house, site, visit):
    match_id, _, _ = started(house, setup="random")
    page = visit(f"{site}/m/{match_id}")
    page.clock.install()
    page.add_init_script(PAUSES)
    page.reload()
    for _ in range(7):
        with page.expect_response(re.compile("/m/")) as asked:
            page.clock.run_for(70_000)
        assert asked.value.status == 304
    pauses = page.evaluate("window.pauses")[:6]
    assert pauses == sorted(pauses)
    assert pauses[0] < 1200
    assert pauses[5] > 3000


def test_the_newest_line_is_in_sight_while_a_turn_waits(house, site, visit):
    match_id, _, _ = started(house, setup="random")
    while not (later := [one for one in house.turns(match_id).values() if len(moves(house, match_id)) > 25]):
        house.play(match_id, 1)
    page = visit(f"{site}/t/{later[0]}", viewport={"width": 1400, "height": 900})
    box = page.locator(".brief .newest")
    assert box.evaluate("one => one.scrollHeight > one.clientHeight"), "there is more than fits"
    last = box.locator("li").last
    assert box.evaluate("(one) => Math.abs(one.scrollTop) < 2")
    inner, outer = last.bounding_box(), box.bounding_box()
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 2


def test_the_tab_says_how_many_games_wait(house, site, visit):
    matches = [house.start("Ada", "Bo", game="atlantis") for _ in range(3)]
    page = visit(site + house.sign_in_link("Ada"))
    page.locator("form button").last.click()
    page.wait_for_url(f"{site}/")
    page.clock.install()
    page.goto(f"{site}/m/{matches[0]}")
    page.clock.run_for(20_000)
    asked = [one for one in matches if _is_asked(house, one, "Ada")]
    expect(page).to_have_title(re.compile(rf"^\({len(asked)}\) " if asked else "^[^(]"))
    for one in matches[1:]:
        house.play(one, 1)
    now = [one for one in matches if _is_asked(house, one, "Ada")]
    assert len(now) != len(asked)
    page.clock.run_for(60_000)
    expect(page).to_have_title(re.compile(rf"^\({len(now)}\) " if now else "^[^(]"))


def _is_asked(house, match_id: int, name: str) -> bool:
    query = """SELECT count(*) FROM question q JOIN chair c ON c.match_id = q.match_id AND c.seat = q.seat
               JOIN player p ON p.id = c.player_id WHERE q.match_id = :m AND p.name = :n
               AND q.closed_at IS NULL"""
    return bool(house.rows(query, m=match_id, n=name)[0][0])


def test_a_page_that_waits_for_the_others_notices_them_by_itself(house, site, visit):
    match_id = house.open("Ada", "Bo", "Cleo", setup="random")
    ada, bo, cleo = house.invited(match_id)
    invitations.accept(house.store, ada, "Ada", "en", "UTC", "")
    page = visit(f"{site}/i/{ada}")
    page.clock.install()
    page.reload()
    page.evaluate("window.sameDocument = true")
    page.get_by_text("Change this invitation").first.click()
    page.locator("input[name=address]").first.fill("somebody@exam")
    invitations.accept(house.store, bo, "Bo", "en", "UTC", "")
    page.clock.run_for(5000)
    page.get_by_text("2 of 3 players have joined so far.").wait_for()
    fields = page.locator("input[name=address]")
    assert fields.first.input_value() == "somebody@exam" or fields.count() == 1
    assert page.evaluate("window.sameDocument")
    invitations.accept(house.store, cleo, "Cleo", "en", "UTC", "")
    page.clock.run_for(60_000)
    page.get_by_role("heading", name="The game has begun").wait_for()
    page.get_by_role("button", name="Go to the game").click()
    page.get_by_text("You’re playing").wait_for()


def test_the_waiting_page_of_a_session_leads_to_the_game_when_it_begins(house, site, visit):
    match_id = house.open("Ada", "Bo", setup="random")
    ada, bo = house.invited(match_id)
    invitations.accept(house.store, ada, "Ada", "en", "UTC", "")
    page = visit(site + house.sign_in_link("Ada"))
    page.locator("form button").last.click()
    page.wait_for_url(f"{site}/")
    page.clock.install()
    page.goto(f"{site}/m/{match_id}/table")
    invitations.accept(house.store, bo, "Bo", "en", "UTC", "")
    page.clock.run_for(5000)
    page.wait_for_url(f"{site}/m/{match_id}")

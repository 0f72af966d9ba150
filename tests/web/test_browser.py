"""A turn with the mouse, one with the keyboard, one without JavaScript; and what a screen reader needs."""

import re
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import expect
from werkzeug.serving import make_server

from app import games
from app.catcher import server as catcher
from app.play.clock.rules import Rule
from app.play.views.player_view import player_view_by_token
from tests.share import sharing
from tests.web.barriers import barriers, barriers_by_day_and_night
from tests.web.visits import House

pytestmark = pytest.mark.slow


def started(house: House, **options: str) -> tuple[int, str, str]:
    """A match for two: its number, who begins, and their link."""
    match_id = house.start("Ada", "Bo", **options)
    seat, token = next(iter(house.turns(match_id).items()))
    return match_id, seat, f"/t/{token}"


def path_of(house: House, slug: str) -> str:
    """The link of who begins in another game."""
    return f"/t/{next(iter(house.turns(house.start('Ada', 'Bo', game=slug)).values()))}"


def moves(house: House, match_id: int) -> list[str]:
    return [
        row.move for row in house.rows("SELECT move FROM played WHERE match_id = :m ORDER BY ply", m=match_id)
    ][1:]


def walk_to(page, selector: str) -> None:
    """Press arrows until the cursor of the board is on what the selector names."""
    for tried in range(150):
        key = page.evaluate(
            """([selector, tried]) => {
                const here = document.activeElement.getBoundingClientRect();
                const target = document.querySelector(selector);
                if (!target || target === document.activeElement) return "";
                const there = target.getBoundingClientRect();
                const x = there.x + there.width / 2 - here.x - here.width / 2;
                const y = there.y + there.height / 2 - here.y - here.height / 2;
                const side = x > 0 ? "ArrowRight" : "ArrowLeft", down = y > 0 ? "ArrowDown" : "ArrowUp";
                if (tried > 40) return "PageDown";
                return (Math.abs(x) > Math.abs(y)) === (tried % 3 > 0) ? side : down;
            }""",
            [selector, tried],
        )
        if not key:
            return
        page.keyboard.press(key)
    raise AssertionError(f"the arrows do not reach {selector}")


@pytest.mark.parametrize("zero", ["0", "\uff10", "\u06f0", "\u0660"])
def test_the_list_of_answers_is_narrowed_from_any_keyboard(house, site, visit, zero):
    path = started(house, setup="random")[2]
    page = visit(f"{site}{path}?list=1#list")
    rows = page.locator("#answers li")
    wanted = rows.locator("code").all_text_contents()[0]
    digits = {ord("0") + n: chr(ord(zero) + n) for n in range(10)}
    wide = {ord(" "): "\u3000"} | (
        {n: chr(n + 0xFEE0) for n in range(0x41, 0x7B)} if zero == "\uff10" else {}
    )
    page.locator("#answer").evaluate(
        "field => { for (let up = field; up; up = up.parentElement) up.open = true; }"
    )
    page.locator("#answer").fill(f"\u200f{wanted}".translate(digits | wide))
    shown = [row.text_content() for row in rows.all() if not row.evaluate("row => row.hidden")]
    assert shown
    assert len(shown) < rows.count()
    assert all(part.lower() in row.lower() for row in shown for part in re.split("[ >]", wanted))


def test_a_turn_with_the_mouse(house, site, visit):
    match_id, seat, path = started(house, setup="random")
    page = visit(site + path)
    page.evaluate("window.sameDocument = true")
    page.locator(f'.board svg a[data-at^="{seat}"]').first.click(force=True)
    page.locator(".trail").wait_for()
    page.locator(".board svg a[data-pick=target]").first.click(force=True)
    page.locator(".plan").wait_for()
    button = page.locator('button[name="answer"]').first
    answer = button.get_attribute("value")
    button.click()
    page.get_by_role("button", name="Take back my last step").wait_for()
    assert moves(house, match_id) == [answer]
    assert answer in page.locator(".log").first.inner_text()
    page.locator(".pieces a").filter(has_text="D").first.click()
    assert page.evaluate("window.sameDocument"), "the page was loaded anew"
    page.goto(site + path)
    assert "take back" not in page.title()


def test_a_turn_with_the_keyboard(house, site, visit):
    match_id, seat, path = started(house, setup="random")
    page = visit(site + path)

    def tab_to(condition: str) -> None:
        for _ in range(150):
            page.keyboard.press("Tab")
            if page.evaluate(f"(() => {{ const e = document.activeElement; return {condition} }})()"):
                return
        raise AssertionError(f"the keyboard does not reach: {condition}")

    tab_to("e.className === 'skip'")
    page.keyboard.press("Enter")
    tab_to("Boolean(e.dataset.at)")
    walk_to(page, f'.board svg a[data-at^="{seat}"]')
    page.keyboard.press("Enter")
    page.locator(".trail").wait_for()
    assert page.evaluate("document.activeElement.closest('main') !== null"), "the focus was lost"
    page.evaluate("document.getElementById('board').querySelector('a[data-pick=target]').focus()")
    page.keyboard.press("Enter")
    page.locator(".plan").wait_for()
    tab_to("e.name === 'answer' && e.tagName === 'BUTTON'")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Take back my last step").wait_for()
    assert len(moves(house, match_id)) == 1
    assert page.evaluate("Boolean(document.activeElement.dataset.at)"), "the cursor left the board"
    tab_to("e.tagName === 'SUMMARY' && e.parentElement.id === 'list'")
    page.keyboard.press("Enter")
    tab_to("e.id === 'answer'")
    page.keyboard.type("swim home")
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    assert page.locator("#answer").input_value() == "swim home"
    assert len(moves(house, match_id)) == 1


def test_a_turn_without_javascript(house, site, visit):
    match_id, seat, path = started(house, setup="random")
    page = visit(site + path, java_script_enabled=False)
    page.locator(".pieces a").filter(has_text=seat).first.click()
    page.locator(".pieces a").first.click()
    page.locator('button[name="answer"]').first.click()
    page.get_by_role("button", name="Take back my last step").click()
    page.get_by_text("You took back your last step.").wait_for()
    assert moves(house, match_id)[-1] == "undo"


def test_without_javascript_a_refusal_is_in_sight_wherever_the_address_points(house, site, visit):
    match_id, _, path = started(house)
    page = visit(f"{site}{path}#choose", java_script_enabled=False, viewport={"width": 800, "height": 900})
    told = page.get_by_text("Your list so far:").locator("code").text_content()
    page.get_by_text("The list as fields").click()
    value = page.get_by_label("Explorer 1: value")
    was = value.input_value()
    value.select_option("5" if was != "5" else "4")
    page.get_by_role("button", name="Send this list").click()
    refusal = page.get_by_role("alert")
    refusal.wait_for()
    assert page.url.endswith("#now"), "the page shows the place that its address names once it is drawn"
    expect(refusal).to_be_in_viewport()
    page.get_by_label("Explorer 1: value").select_option(was)
    page.get_by_role("button", name="Send this list").click()
    page.wait_for_load_state()
    assert moves(house, match_id)[0] == f"orders {told.strip()}"


TEMPLATES = Path(__file__).parents[2] / "templates"
ON_A_GAMES_PAGE = ("play/_*.html", "play/match.html", "play/what_if.html", "games/*/ask_*.html")


@pytest.mark.parametrize("kind", ON_A_GAMES_PAGE)
def test_forms_of_a_game_answer_at_the_top_where_refusals_stand(kind):
    forms = [
        one
        for path in TEMPLATES.glob(kind)
        for one in re.findall(r'<form method="post"([^>]*)>', path.read_text())
    ]
    assert forms
    assert [one for one in forms if "action=" not in one] == []


def tiles_listed(line):
    """The tiles of a placing list, in its order. Its values are the ten that there are, in a drawn order."""
    wishes = [wish.split() for wish in line.removeprefix("orders ").partition(" ships")[0].split(";")]
    assert sorted(wish[0] for wish in wishes) == sorted("6543322111")
    return [" ".join(wish[1:]) for wish in wishes]


def test_a_placing_list_by_pointing(house, site, visit):
    match_id, _, path = started(house)
    page = visit(f"{site}{path}?propose=none")
    land = page.locator('.board svg a[data-at="F4"]')
    land.click(force=True)
    assert page.locator("select[data-point]").first.input_value() == "F4"
    assert "listed" in land.get_attribute("class")
    assert land.get_attribute("aria-label").startswith("F4: Explorer 1")
    page.locator('.board svg a[data-at="F8"]').click(force=True)
    page.locator('.board svg a[data-at="C5"]').click(force=True)
    page.get_by_role("button", name="Send this list").click()
    page.get_by_text("has sent a placement list").or_(page.get_by_text("Waiting")).first.wait_for()
    assert tiles_listed(moves(house, match_id)[0]) == ["F4", "F8", *[""] * 8]
    assert moves(house, match_id)[0].endswith("ships C5")


def test_a_set_up_is_proposed_changed_on_the_board_and_kept_through_a_reload(house, site, visit):
    match_id, _, path = started(house)
    page = visit(site + path)
    first, second = (page.locator(f'select[aria-label="Explorer {n}: tile 1"]') for n in (1, 2))
    was, other = first.input_value(), second.input_value()
    assert was
    assert was != other
    free = page.evaluate(
        """() => {
            const used = Array.from(document.querySelectorAll("select[data-point='1']"), one => one.value);
            return Array.from(document.querySelectorAll("select[data-point='1'] option"), one => one.value)
                .find(at => at && !used.includes(at));
        }"""
    )
    page.locator(f'.board svg a[data-at="{was}"]').click(force=True)
    page.locator(f'.board svg a[data-at="{free}"]').click(force=True)
    assert first.input_value() == free
    value = page.get_by_label("Explorer 1: value").input_value()
    assert page.locator(f'.board svg a[data-at="{free}"] .listing').text_content() == value
    page.locator(f'.board svg a[data-at="{free}"]').click(force=True)
    page.locator(f'.board svg a[data-at="{other}"]').click(force=True)
    assert (first.input_value(), second.input_value()) == (other, free), "they change places"
    page.reload()
    assert (first.input_value(), second.input_value()) == (other, free)
    page.get_by_role("button", name="Send this list").click()
    page.get_by_text("has sent a placement list").or_(page.get_by_text("Waiting")).first.wait_for()
    assert [tiles.split()[0] for tiles in tiles_listed(moves(house, match_id)[0])][:2] == [other, free]


def test_a_placing_list_without_javascript(house, site, visit):
    match_id, _, path = started(house)
    page = visit(f"{site}{path}?propose=none", java_script_enabled=False)
    page.get_by_label("Explorer 1: tile 1").select_option("F4")
    page.get_by_label("Ship space 1", exact=True).select_option("C5")
    page.get_by_role("button", name="Keep for later").click()
    page.get_by_text("Your list is kept among your notes. It isn’t sent yet.").wait_for()
    assert moves(house, match_id) == []
    page.goto(site + path)
    page.get_by_text("The list as fields").click()
    assert page.get_by_label("Explorer 1: tile 1").input_value() == "F4"
    page.get_by_label("Explorer 2: tile 1").select_option("F8")
    page.get_by_role("button", name="Keep for later").click()
    page.goto(site + path)
    assert house.rows("SELECT count(*) AS n FROM note")[0].n == 1
    page.get_by_role("button", name="Send this list").click()
    page.wait_for_load_state()
    assert tiles_listed(moves(house, match_id)[0]) == ["F4", "F8", *[""] * 8]


def test_the_time_zone_is_guessed_and_can_be_changed(house, site, visit):
    match_id = house.open("Ada", "Bo")
    path = f"/i/{house.invited(match_id)[0]}"
    page = visit(site + path, timezone_id="Asia/Tokyo")
    assert page.locator("#zone").input_value() == "Asia/Tokyo"
    plain = visit(site + path, timezone_id="Asia/Tokyo", java_script_enabled=False)
    assert plain.locator("#zone").input_value() == "UTC"


@pytest.mark.long  # `test_every_page` visits most of these states
def test_nothing_stands_in_the_way_of_a_screen_reader(house, site, visit):
    match_id, seat, path = started(house, setup="random")
    _, _, orders = started(house)
    table = house.invited(house.open("Eve", "Fay"))[0]
    pick = f"?pick={seat}1"
    tile = visit(site + path).locator(".board a[data-pick=tile]").first.get_attribute("href").split("#")[0]
    others = [path_of(house, slug) for slug in games.all_games() if slug != "survive"]
    wrong = []
    for address in (
        *("/", "/open/survive", "/help", "/sign-in", "/nothing"),
        *(f"/rules/{slug}" for slug in games.all_games()),
        *(path, path + pick, path + tile, path + "?list=1", orders, f"/m/{match_id}", f"/i/{table}", *others),
    ):
        wrong += [f"{address}: {one}" for one in barriers_by_day_and_night(visit(site + address))]
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("width", sharing([320, 390, 1280], 320))
def test_no_page_is_wider_than_the_screen(house, site, visit, width):
    match_id, _, path = started(house, setup="random")
    _, _, orders = started(house)
    table = house.invited(house.open("Eve", "Fay"))[0]
    others = [path_of(house, slug) for slug in games.all_games() if slug != "survive"]
    rules = [f"/rules/{slug}" for slug in games.all_games()]
    pages = ("/", "/open/survive", *rules, path, orders, f"/m/{match_id}", f"/i/{table}", *others)
    for address in pages:
        page = visit(site + address, viewport={"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


def test_a_board_is_as_wide_as_a_phone_above_what_is_asked_and_keeps_its_colours(house, site, visit):
    _, _, survive = started(house, setup="random")
    for path in (survive, *(path_of(house, slug) for slug in games.all_games() if slug != "survive")):
        page = visit(site + path, viewport={"width": 390, "height": 800})
        board, asked = page.locator(".board svg").first.bounding_box(), page.locator("#choose").bounding_box()
        assert board["width"] > 350, path
        assert board["y"] + board["height"] <= asked["y"], path
        assert page.locator("#plies").bounding_box()["y"] > asked["y"], "the past comes after what is asked"
        painted = page.evaluate(
            """[...document.querySelectorAll('.board svg text[fill]')].filter(one => {
                 const probe = document.createElement('i'); probe.style.color = one.getAttribute('fill');
                 document.body.append(probe);
                 const same = getComputedStyle(one).fill === getComputedStyle(probe).color;
                 probe.remove(); return !same }).length"""
        )
        assert painted == 0, path


@pytest.mark.parametrize("width", [390, 1280])
def test_a_colour_can_be_read_in_the_placing_list(house, site, visit, width):
    _, _, path = started(house, colours="two")
    page = visit(site + path, viewport={"width": width, "height": 800})
    page.get_by_text("The list as fields").click()
    widths = page.locator(".two-colours select:first-of-type").evaluate_all(
        "all => all.map(e => e.offsetWidth)"
    )
    assert len(widths) == 20
    assert min(widths) >= 80
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_dates_keep_the_language_and_name_their_zone(house, site, visit):
    """English is not American: the day stands before the month, and whose time it is stands behind."""
    match_id, _, _ = started(house, setup="random")
    options = {"timezone_id": "Asia/Tokyo", "locale": "en-US"}
    page = visit(f"{site}/m/{match_id}", **options)
    shown = page.locator("time[datetime]").first
    assert re.fullmatch(r"2 Mar 2026, 18:30 (GMT\+9|JST)", shown.inner_text())
    assert "UTC" in shown.get_attribute("title")
    assert page.locator("time[datetime]").evaluate_all("all => all.every(e => /GMT|JST/.test(e.textContent))")
    plain = visit(f"{site}/m/{match_id}", java_script_enabled=False, **options)
    assert "UTC" in plain.locator("time[datetime]").first.inner_text()


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "ja"])
def test_the_zone_stands_behind_the_time_in_chinese_and_japanese(house, site, visit, language):
    match_id, _, _ = started(house, setup="random")
    page = visit(f"{site}/m/{match_id}", timezone_id="Asia/Tokyo", locale=language)
    shown = page.locator("time[datetime]").first.inner_text()
    assert re.fullmatch(r"2026年3月2日 18:30 (GMT\+9|JST)", shown)


def test_a_deadline_in_persian_has_the_gregorian_day_beside_it(house, site, visit):
    """The clock of the house stands in the past: the browser's is put there too."""
    match_id = house.start("Ada", "Bo", setup="random", rule=Rule("per_move", per_move=3 * 86400))
    page = visit(site, timezone_id="Asia/Tehran", locale="fa")
    page.clock.install(time=datetime(2026, 3, 2, 9, 30, tzinfo=UTC))
    page.goto(f"{site}/m/{match_id}")
    shown = page.locator("time[datetime]").all_text_contents()
    assert any("۱۴ اسفند ۱۴۰۴" in one and "(۵ مارس ۲۰۲۶)" in one for one in shown)
    assert any("۱۱ اسفند ۱۴۰۴" in one and "۲۰۲۶" not in one for one in shown)


def test_a_screen_reader_finds_its_way_through_tiles_in_hand_and_wide_tables(house, site, visit):
    """Held tiles have a heading of their own, and what scrolls can be reached by keyboard."""
    match_id, _, path = started(house, setup="random")
    while not (held := holding(house, match_id)):
        house.play(match_id, 1)
    wrong = []
    phone = {"viewport": {"width": 320, "height": 700}}
    for address, kind in ((held, {}), *((f"/rules/{slug}", phone) for slug in games.all_games())):
        page = visit(site + address, **kind)
        assert address != held or page.locator(".board h2").count() == 1
        wrong += [f"{address}: {one}" for one in barriers(page)]
    assert wrong == [], "\n".join(wrong)
    assert path


def holding(house, match_id):
    """The path of a turn whose player has a tile in hand, or None."""
    for token in house.turns(match_id).values():
        if player_view_by_token(house.store, token).view.hand:
            return f"/t/{token}"
    return None


def test_the_mail_catcher_can_be_read_and_takes_no_focus_away(visit, tmp_path):
    letter = b"To: ada@example.org\r\nSubject: first\r\nMessage-ID: <1@x>\r\n\r\nx\r\n"
    (tmp_path / "00000000000000000001-00000000.eml").write_bytes(letter)
    server = make_server("127.0.0.1", 0, catcher.pages(tmp_path), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        page = visit(f"http://127.0.0.1:{server.server_port}/")
        assert barriers(page) == []
        second = letter.replace(b"first", b"second")
        (tmp_path / "00000000000000000002-00000000.eml").write_bytes(second)
        page.get_by_text("second").wait_for()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("slug", sorted(games.all_games()))
def test_the_board_is_whole_on_the_first_screen_beside_what_is_asked(house, site, visit, slug):
    page = visit(site + path_of(house, slug), viewport={"width": 1280, "height": 900})
    page.evaluate("scrollTo(0, 0)")
    for part in (".board .picture svg", "#asks"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 900, part


@pytest.mark.parametrize("slug", sorted(games.all_games()))
def test_board_and_hand_and_log_are_printed_on_one_page_without_buttons(house, site, visit, slug):
    page = visit(site + path_of(house, slug), viewport={"width": 1280, "height": 900})
    page.emulate_media(media="print")
    assert page.locator("button:visible, input:visible, textarea:visible").count() == 0
    assert page.locator(".board .picture svg").is_visible()
    assert page.locator(".story").is_visible()
    assert len(re.findall(rb"/Type /Page\b(?!s)", page.pdf(format="A4"))) == 1


def test_on_a_phone_the_first_screen_holds_the_board_and_names_what_an_email_chose(house, site, visit):
    match_id, _, path = started(house, setup="random")
    phone = {"viewport": {"width": 360, "height": 760}, "has_touch": True}
    page = visit(f"{site}/m/{match_id}", **phone)
    box = page.locator(".board svg").first.bounding_box()
    assert box["y"] + box["height"] <= 760
    page = visit(site + path, **phone)
    tile = page.locator('#choose .pieces a[id^="piece-"]').last.inner_text()
    page = visit(f"{site}{path}?do=sink+{tile}", **phone)
    bar = page.locator(".go")
    assert f"Sink {tile}" in bar.inner_text()
    assert bar.bounding_box()["y"] + bar.bounding_box()["height"] <= 760
    page = visit(f"{site}{path}?do=sink+{tile}", viewport={"width": 1280, "height": 760})
    assert not page.locator(".go .chosen").is_visible(), "the list is in sight there"


def test_on_a_phone_no_table_of_the_rules_is_cut_off(site, visit):
    for slug in games.all_games():
        page = visit(f"{site}/rules/{slug}", viewport={"width": 360, "height": 760})
        fits = "[...document.querySelectorAll('.scroll')].every(one => one.scrollWidth <= one.clientWidth)"
        assert page.evaluate(fits), slug


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "ja"])
def test_on_a_phone_no_head_of_a_row_stands_one_sign_a_line(site, visit, language):
    lines = """[...document.querySelectorAll('.scroll :is(th, td:first-child)')].map(one => {
        const range = document.createRange(); range.selectNodeContents(one);
        return [one.textContent.trim(), new Set([...range.getClientRects()].map(line => line.top)).size];
    })"""
    fits = "[...document.querySelectorAll('.scroll')].every(one => one.scrollWidth <= one.clientWidth)"
    for slug in ("atlandice", "survive"):
        page = visit(f"{site}/rules/{slug}", viewport={"width": 360, "height": 760}, locale=language)
        heads = [
            (text, many) for text, many in page.evaluate(lines) if re.fullmatch(r"[^\W\da-zA-Z]{2,4}", text)
        ]
        assert len(heads) > 5, "the page is in another language"
        assert [text for text, many in heads if many > 1] == []
        assert page.evaluate(fits), slug


def test_on_a_phone_the_board_grows_and_is_panned_and_stays_so_while_one_picks(house, site, visit):
    _, seat, path = started(house, setup="random")
    page = visit(site + path, viewport={"width": 360, "height": 760}, has_touch=True)
    page.get_by_label("Larger board").check()
    piece = page.locator(f'.board svg a[data-at^="{seat}"]').first
    piece.scroll_into_view_if_needed()
    hexagon = page.locator('.board svg [href="#sv-hex"]').first.bounding_box()
    assert hexagon["width"] >= 44, "a finger hits it"
    assert page.evaluate("document.documentElement.scrollWidth") == 360, "the page itself stays where it is"
    frame = "document.querySelector('.board > .picture')"
    page.evaluate(f"{frame}.scrollTo({{left: 150, top: 60, behavior: 'instant'}})")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    piece.dispatch_event("click")
    page.locator(".board svg a[data-pick=target]").first.wait_for()
    assert page.evaluate(f"[{frame}.scrollLeft, {frame}.scrollTop]") == [150, 60]
    assert barriers(page) == []


@pytest.mark.parametrize("slug", sorted(games.all_games()))
def test_the_board_is_whole_on_a_tablet_and_on_a_wide_screen(house, site, visit, slug):
    path = path_of(house, slug) if slug != "survive" else started(house, setup="random")[2]
    page = visit(site + path)
    for width, height in ((800, 900), (1280, 900), (390, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(".board .picture > svg").bounding_box()["height"] <= height, (width, height)
    page.locator("#zoom").check()
    assert page.locator(".board .picture > svg").bounding_box()["height"] > 390, "the larger board isn't cut"

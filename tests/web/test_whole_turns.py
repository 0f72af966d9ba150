"""Whole turns of each game by mouse, by touch, by keyboard alone and without JavaScript, with the presses."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page

from app.play.views.player_view import player_view_by_token
from tests.share import sharing
from tests.web.test_browser import moves, walk_to

pytestmark = pytest.mark.slow

KINDS = {
    "mouse": {},
    "touch": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
    "keyboard": {},
    "without JavaScript": {"java_script_enabled": False},
}
each_kind = pytest.mark.parametrize("kind", KINDS)


def mostly(*kinds: str) -> pytest.MarkDecorator:
    """These ways in every run, the others with `-m long`."""
    return pytest.mark.parametrize("kind", sharing(list(KINDS), *kinds))


class Hand:
    """Somebody at a page. Presses are counted: clicks, taps, or the Enter key."""

    def __init__(self, page: Page, kind: str) -> None:
        self.page, self.kind, self.presses = page, kind, 0

    def offered(self, kind: str) -> dict[str, list[str]]:
        """The names on the board of this kind, each with the steps of the plan that its address holds."""
        links = self.page.locator(f".board a[data-pick={kind}]").all()
        return {
            link.get_attribute("data-at"): parse_qs(urlsplit(link.get_attribute("href")).query).get(
                "step", []
            )
            for link in links
        }

    def choose(self, name: str) -> None:
        link = self.page.locator(f'.board a[data-at="{name}"]').first
        address = link.get_attribute("href")
        if self.kind == "keyboard":
            self.page.keyboard.press("b")
            walk_to(self.page, f'.board a[data-at="{name}"]')
        self._press(link if self.kind != "without JavaScript" else self._listed(address))

    def _listed(self, address: str):
        """The link below the board, if there is one: where there are few moves, they are listed instead."""
        listed = self.page.locator(f'#choose a[href="{address}"]')
        return listed.first if listed.count() else self.page.locator(f'.board a[href="{address}"]').first

    def play(self) -> None:
        if self.kind == "keyboard":
            self.page.keyboard.press("p")
            assert self.page.evaluate("document.activeElement.id") == "play"
        else:
            assert self.page.locator("#play").bounding_box() is not None
        self._press(self.page.locator("#play"), played=True)

    def answer(self, text: str) -> None:
        button = self.page.locator(f'button[name=answer][value="{text}"]')
        if self.kind == "keyboard":
            button.focus()
        self._press(button, played=True)

    def _press(self, thing, *, played: bool = False) -> None:
        self.presses += 1
        before = self.page.locator("main").element_handle()
        if self.kind == "touch":
            thing.tap(force=True)
        elif self.kind == "keyboard":
            self.page.keyboard.press("Enter")
        else:
            thing.click(force=True)
        if self.kind == "without JavaScript":
            self.page.wait_for_load_state()
        else:
            self.page.wait_for_function("main => !main.isConnected", arg=before)
        if played:
            self.page.locator(".note.good").first.wait_for()


def begun(house, site, visit, kind, **options):
    match_id = house.start("Ada", "Bo", **options)
    seat, token = next(iter(house.turns(match_id).items()))
    return match_id, seat, Hand(visit(f"{site}/t/{token}", **KINDS[kind]), kind), f"{site}/t/{token}"


def walker(hand: Hand, address: str, seat: str, length: int) -> str:
    """A piece that can go so many steps; looked up beside the page."""
    for name in hand.offered("piece"):
        html = hand.page.request.get(f"{address}?pick={name}").text()
        if name.startswith(seat) and f"{length} moves)" in html:
            return name
    raise AssertionError("nobody can go that far")


def far(hand: Hand, length: int) -> str:
    return next(name for name, steps in hand.offered("target").items() if len(steps) == length)


@each_kind
def test_a_turn_of_survive_takes_seven_presses(house, site, visit, kind):
    match_id, seat, hand, address = begun(house, site, visit, kind, setup="random")
    hand.choose(walker(hand, address, seat, 3))
    hand.choose(far(hand, 3))
    assert hand.page.locator(".plan li").count() == 3
    assert "Sink a tile" in hand.page.locator("#choose .next").inner_text()
    assert moves(house, match_id) == []
    assert hand.page.locator(".board .routes path").count()
    hand.choose(next(iter(hand.offered("tile"))))
    hand.play()
    assert hand.presses == 4
    made = moves(house, match_id)
    assert [text.split()[0] for text in made] == ["move", "move", "move", "sink"]
    if hand.page.locator("#choose").count() and "You rolled" in hand.page.locator("#choose").inner_text():
        if not hand.offered("target"):  # a creature that is the only one of its kind is chosen
            hand.choose(next(iter(hand.offered("piece"))))
        hand.choose(next(iter(hand.offered("target"))))
        hand.play()
        assert len(moves(house, match_id)) == 5
    assert hand.presses <= 7


@mostly("touch", "keyboard")
def test_each_further_piece_takes_two_presses_more(house, site, visit, kind):
    match_id, seat, hand, address = begun(house, site, visit, kind, setup="random")
    first = walker(hand, address, seat, 2)
    hand.choose(first)
    hand.choose(far(hand, 2))
    other = next(name for name in hand.offered("piece") if name != first and name.startswith(seat))
    hand.choose(other)
    hand.choose(next(iter(hand.offered("target"))))
    hand.choose(next(iter(hand.offered("tile"))))
    hand.play()
    assert hand.presses == 6
    assert len(moves(house, match_id)) == 4


@each_kind
def test_a_turn_of_atlantis_takes_a_card_a_figure_and_play(house, site, visit, kind):
    match_id, _, hand, _ = begun(house, site, visit, kind, game="atlantis")
    assert {"A", "B", "C"} & set(hand.offered("piece")) == {"A"}, "a figure can be pressed first"
    hand.choose(next(name for name in hand.offered("piece") if name.startswith("own:")))
    assert set(hand.offered("target")) == {"A"}, "equal figures are one choice"
    assert hand.page.locator("#choose .targets li").count() == 1
    hand.choose("A")
    assert "own%3A" in hand.page.url, "the address names a card"
    hand.play()
    assert hand.presses == 3
    assert len(moves(house, match_id)) == 1


@mostly("mouse", "without JavaScript")
def test_a_figure_pressed_first_says_which_cards_move_it(house, site, visit, kind):
    match_id, _, hand, _ = begun(house, site, visit, kind, game="atlantis")
    hand.choose("A")
    cards = hand.offered("target")
    assert cards
    assert all(name.startswith("own:") for name in cards)
    first = hand.page.locator("#choose .targets a").first.inner_text()
    assert first.startswith("A with "), "each says where it leads"
    hand.choose(next(iter(cards)))
    assert hand.page.locator(".board .trails .trail path").count(), "an arrow shows the way"
    hand.play()
    assert hand.presses == 3
    assert moves(house, match_id)[0].startswith("go A ")


@mostly("touch", "without JavaScript")
def test_a_payment_is_chosen_on_the_hand_and_the_own_tiles(house, site, visit, kind):
    match_id = house.start("Ada", "Bo", game="atlantis")
    house.play(match_id, 8)
    while True:
        page = visit(f"{site}/t/{next(iter(house.turns(match_id).values()))}", **KINDS[kind])
        hand = Hand(page, kind)
        for card in [name for name in hand.offered("piece") if name.startswith("own:")]:
            hand.choose(card)
            figures = [
                name
                for name in hand.offered("target")
                if "pays" in page.locator(f'.board a[data-at="{name}"]').first.get_attribute("data-does")
            ]
            if figures:
                break
            page.goto(page.url.partition("?")[0])
        else:
            house.play(match_id, 1)
            continue
        hand.choose(figures[0])
        if page.locator("[data-parts]").count():
            break
        house.play(match_id, 1)
    boxes = page.locator("[data-part]")
    ticked = [one for one in boxes.all() if one.is_checked()]
    free = next(one for one in boxes.all() if not one.is_checked())
    name, piece = free.get_attribute("data-part"), free.get_attribute("value")
    if kind == "without JavaScript":
        for one in ticked:
            one.uncheck()
        for one in boxes.all():
            one.check()
    else:
        link = page.locator(f'.board a[data-at="{name}"]').first
        if kind == "keyboard":
            page.keyboard.press("b")
            walk_to(page, f'.board a[data-at="{name}"]')
            page.keyboard.press("Enter")
        else:
            (link.tap if kind == "touch" else link.click)(force=True)
        assert free.is_checked()
        assert "on" in link.get_attribute("class").split()
        assert page.locator("[data-paid]").inner_text() in page.locator("#heard").inner_text()
        assert piece
        for one in boxes.all():
            one.check()
    page.locator("#play").click()
    page.get_by_role("alert").wait_for()
    assert "You can’t pay" in page.get_by_role("alert").inner_text()
    assert all(one.is_checked() for one in boxes.all()), "what was ticked is still so"
    for one in boxes.all():
        one.uncheck()
    worth = int(page.locator("[data-parts]").get_attribute("data-sum").split(" of ")[1].rstrip("."))
    tile = next((one for one in boxes.all() if int(one.get_attribute("data-worth")) >= worth), None)
    for one in [tile] if tile else boxes.all()[-worth:]:
        one.check()
    page.locator("#play").click()
    page.locator(".note.good").first.wait_for()
    assert " pay " in moves(house, match_id)[-1]


def donors(house, match_id: int) -> list[str]:
    """The links of those who are asked for a donation and own two resources at least."""
    found = []
    for token in house.turns(match_id).values():
        seen = player_view_by_token(house.store, token)
        owned = next(one.owned for one in seen.view.owners if one.name == seen.seat)
        if seen.asked[0].decision.asks == "donate" and sum(owned.values()) > 1:
            found.append(token)
    return found


@pytest.mark.parametrize("kind", ["mouse", "touch", "keyboard"])
def test_gifts_are_chosen_on_the_board(house, site, visit, kind):
    match_id = house.start("Ada", "Bo", game="atlandice")
    while not (asked := donors(house, match_id)):
        house.play(match_id, 1)
    page = visit(f"{site}/t/{asked[0]}", **KINDS[kind])
    name = page.locator("[data-part]").first.get_attribute("data-part")
    own = page.locator(f'[data-part="{name}"]')
    link = page.locator(f'.board a[data-at="{name}"]')

    def press():
        if kind == "keyboard":
            page.keyboard.press("b")
            walk_to(page, f'.board a[data-at="{name}"]')
            page.keyboard.press("Enter")
        else:
            (link.tap if kind == "touch" else link.click)(force=True)

    press()
    assert own.first.is_checked()
    assert page.locator("[data-paid]").inner_text() == "Chosen: 1."
    assert "Chosen: 1." in page.locator("#heard").inner_text()
    assert "on" in link.get_attribute("class").split()
    for _ in range(own.count()):
        press()
    assert not own.first.is_checked(), "after the last one none is chosen again"
    for one in page.locator("[data-part]").all()[:2]:
        one.check()
    page.get_by_role("button", name="Give these").click()
    page.locator(".note.good").first.wait_for()
    assert len(moves(house, match_id)[-1].split()) == 3


def test_the_space_where_a_figure_would_land_is_pressed_instead_of_the_figure(house, site, visit):
    match_id, _, hand, _ = begun(house, site, visit, "mouse", game="atlantis")
    hand.choose(next(name for name in hand.offered("piece") if name.startswith("own:")))
    address = hand.page.locator('.board a[data-at="A"]').get_attribute("href")
    space = hand.page.locator(f'.board g[data-at^="space:"] > a[href="{address}"]')
    assert space.count() == 1
    assert space.get_attribute("tabindex") == "-1", "keys reach the figure"
    box = space.bounding_box()
    hand.page.mouse.click(box["x"] + box["width"] / 3, box["y"] + box["height"] * 0.7)
    hand.page.locator(".plan").wait_for()
    hand.play()
    assert len(moves(house, match_id)) == 1


@each_kind
def test_a_turn_of_atlandice_takes_what_lies_there_and_play(house, site, visit, kind):
    match_id, _, hand, _ = begun(house, site, visit, kind, game="atlandice")
    name = next(iter(hand.offered("tile") or hand.offered("piece")))
    hand.choose(name)
    if not hand.page.locator("#play").count():
        hand.choose(next(iter(hand.offered("target"))))
    hand.play()
    assert hand.presses <= 3
    assert len(moves(house, match_id)) == 1


@mostly("mouse", "keyboard")
def test_a_step_is_taken_back_and_what_no_longer_goes_falls_out(house, site, visit, kind):
    match_id, seat, hand, address = begun(house, site, visit, kind, setup="random")
    hand.choose(walker(hand, address, seat, 2))
    hand.choose(far(hand, 2))
    hand.page.locator(".plan li a").first.click()
    hand.page.get_by_text("Some moves aren’t possible now and were removed").wait_for()
    assert hand.page.locator(".plan").count() == 0
    assert moves(house, match_id) == []


def test_escape_takes_back_and_the_keys_are_listed(house, site, visit):
    _, seat, hand, _ = begun(house, site, visit, "keyboard", setup="random")
    page = hand.page
    hand.choose(next(name for name in hand.offered("piece") if name.startswith(seat)))
    does = page.locator(".board a[data-pick=target]").first.get_attribute("data-does")
    assert page.locator("#heard").inner_text()
    hand.choose(next(iter(hand.offered("target"))))
    assert page.locator("#heard").inner_text()
    assert does
    page.locator(".plan").wait_for()
    page.keyboard.press("Escape")
    page.locator(".plan").wait_for(state="detached")
    page.keyboard.press("?")
    assert page.locator("dialog#keys").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog#keys").is_visible()


IN_SIGHT = """() => {
    const focused = document.activeElement, box = focused.getBoundingClientRect();
    return focused !== document.body && box.bottom > 0 && box.top < innerHeight;
}"""


def test_by_keyboard_the_focus_stays_in_sight_and_each_choice_is_said(house, site, visit):
    _, seat, hand, _ = begun(house, site, visit, "keyboard", setup="random")
    page = hand.page
    heard = page.locator("#heard")
    piece = next(name for name in hand.offered("piece") if name.startswith(seat))
    page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
    page.keyboard.press("b")
    assert page.evaluate(IN_SIGHT), "the key to the board shows the board"
    hand.choose(piece)
    assert heard.inner_text().startswith(f"Chosen: {piece}. Now choose")
    page.keyboard.press("Escape")
    page.locator(".trail b").wait_for(state="detached")
    hand.choose(next(iter(hand.offered("tile"))))
    page.locator("#choose:focus").wait_for()
    address = page.url
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Escape")
    page.locator(".plan").wait_for(state="detached")
    assert page.url.partition("?")[0] == address.partition("?")[0], "arrows in the card turn no pages"
    assert page.locator(".board a:focus").count(), "taking back returns to the board"
    page.locator("#said").focus()
    page.keyboard.type("hello")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator(".note[role=status]:focus").wait_for()
    assert heard.inner_text() == "Your message was sent."
    assert page.evaluate(IN_SIGHT)
    assert page.locator("#heard.told").count() == 0, "what the eye sees is not shown twice"


def test_escape_leads_to_the_button_that_takes_back_a_played_step(house, site, visit):
    match_id, seat, hand, address = begun(house, site, visit, "keyboard", setup="random")
    page = hand.page
    hand.choose(walker(hand, address, seat, 2))
    hand.choose(far(hand, 2))
    hand.play()
    assert moves(house, match_id)
    page.keyboard.press("b")
    page.keyboard.press("Escape")
    assert page.locator("button[value=take_back]:focus").count()
    assert page.evaluate(IN_SIGHT)
    page.keyboard.press("Enter")
    page.get_by_text("You took back your last step.").first.wait_for()
    assert page.locator(".board a:focus").count(), "and from there to the board"


def test_what_if_is_played_by_keyboard(house, site, visit):
    match_id = house.start("Ada", "Bo", setup="random")
    page = visit(site + house.sign_in_link("Ada"))
    page.locator("form button").last.click()
    page.goto(f"{site}/m/{match_id}/what-if")
    hand, heard = Hand(page, "keyboard"), page.locator("#heard")
    hand.choose(next(name for name in hand.offered("tile")))
    page.locator("#play").wait_for()
    assert heard.inner_text().startswith("Sink ")
    page.keyboard.press("Escape")
    page.locator("#play").wait_for(state="detached")
    assert "move" in heard.inner_text()
    hand.choose(next(name for name in hand.offered("tile")))
    page.keyboard.press("p")
    page.keyboard.press("Enter")
    page.locator("button[value=back]").wait_for()
    page.keyboard.press("?")
    assert page.locator("dialog#keys").is_visible()


def test_signing_out_leaves_nothing_typed_behind(house, site, visit):
    _, _, hand, address = begun(house, site, visit, "mouse", setup="random")
    page = hand.page
    hand.choose(next(iter(hand.offered("tile"))))
    hand.play()
    page.goto(f"{site}/m/1")
    page.locator("textarea[name=text]").first.evaluate("field => { field.value = 'A secret'; }")
    page.locator("textarea[name=text]").first.dispatch_event("change")
    assert "A secret" in page.evaluate("JSON.stringify(Object.values(sessionStorage))")
    page.get_by_role("button", name="Stop now").click()
    page.wait_for_load_state()
    assert page.evaluate("sessionStorage.length") == 0
    assert address


def test_typing_narrows_the_list(house, site, visit):
    _, seat, hand, _ = begun(house, site, visit, "mouse", setup="random")
    page = hand.page
    page.locator("#list summary").click()
    page.get_by_text("List all moves").click()
    rows = page.locator("#answers li:visible")
    rows.first.wait_for()
    whole = rows.count()
    page.locator("#answer").fill(f"{seat}1>")
    assert 0 < rows.count() < whole
    page.locator("#answer").fill("sink")
    assert all("Sink" in text for text in rows.all_inner_texts())


def test_nothing_typed_is_lost(house, site, visit):
    _, seat, hand, address = begun(house, site, visit, "mouse", setup="random")
    page = hand.page
    said = page.locator("textarea[name=text]").first
    said.evaluate(
        "field => { for (let e = field; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true; }"
    )
    said.fill("Good luck")
    hand.choose(next(name for name in hand.offered("piece") if name.startswith(seat)))
    assert said.input_value() == "Good luck"
    page.reload()
    assert said.input_value() == "Good luck"
    page.goto(address)
    page.locator("#list summary").click()
    page.locator("#answer").fill("sink A1")
    page.locator("#answer").press("Enter")
    page.get_by_role("alert").wait_for()
    assert page.locator("#answer").input_value() == "sink A1"
    assert said.input_value() == "Good luck"


@pytest.mark.parametrize(("kind", "covers"), [("mouse", False), ("touch", True)])
def test_what_was_played_is_heard_without_buttons_and_laid_over_the_page_only_out_of_sight(
    house, site, visit, kind, covers
):
    _, _, hand, _ = begun(house, site, visit, kind, game="atlantis")
    hand.choose(next(name for name in hand.offered("piece") if name.startswith("own:")))
    hand.choose("A")
    if covers:
        hand.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    hand.play()
    heard = hand.page.locator("#heard")
    assert "Played:" in heard.text_content()
    assert "sign-in link" not in heard.text_content()
    assert "sign-in link" in hand.page.locator(".note.good").inner_text()
    seen = hand.page.locator(".note.good").bounding_box()["y"] >= 0
    assert seen is not covers
    assert ("told" in heard.get_attribute("class").split()) is covers

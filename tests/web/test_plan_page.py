"""A plan on the page: in its address, shown on the board, played by one button, whole or not at all."""

import re
from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from tests.web.visits import fields, picks


def moves(house, match_id):
    rows = house.rows("SELECT move FROM played WHERE match_id = :m AND ply > 0 ORDER BY ply", m=match_id)
    return [row.move for row in rows]


def open_at(browser, turn, *steps, **more):
    query = urlencode([("step", step) for step in steps] + list(more.items()))
    return browser.get(f"{turn.path}?{query}")


def line_of(browser, turn, length=2):
    """A way of one piece as texts."""
    for name, address in picks(turn.html).items():
        if not name.startswith(turn.seat):
            continue
        page = browser.get(turn.path + address.split("#")[0]).text
        for target in picks(page).values():
            steps = parse_qs(urlsplit(target).query).get("step", [])
            if len(steps) == length:
                return steps
    raise AssertionError("nobody can go that far")


def form_of(html, **more):
    return {"question": fields(html, "question")[0], "planned": "1", **more}


def test_a_plan_is_shown_and_nothing_is_done(browser, house, turn):
    before = house.count()
    steps = line_of(browser, turn)
    assert "You can make up to three moves." in unescape(turn.html)
    assert "more move" not in turn.html
    page = open_at(browser, turn, *steps)
    assert page.status_code == 200
    assert fields(page.text, "answer")[0] == "\n".join(steps)
    assert "You can make 1 more move" in unescape(page.text)
    assert "Your next 2 moves, not played yet" in page.text
    assert house.count() == before


def test_the_button_plays_all_of_it_once(browser, house, turn):
    steps = line_of(browser, turn)
    page = open_at(browser, turn, *steps).text
    form = form_of(page, answer="\r\n".join(steps))
    done = browser.post(turn.path, data=form)
    assert (done.status_code, done.location) == (303, f"{turn.path}?played=2.2#now")
    assert moves(house, turn.match_id) == steps
    before = house.count()
    again = browser.post(turn.path, data=form)
    assert (again.status_code, again.location) == (303, f"{turn.path}?again=1#now")
    assert house.count() == before


def test_a_step_that_is_refused_in_the_middle_leaves_nothing_played_and_the_rest_planned(
    browser, house, turn
):
    first, second = line_of(browser, turn)
    page = open_at(browser, turn, first).text
    before = house.count()
    refused = browser.post(turn.path, data=form_of(page, answer=f"{first}\nsink A1\n{second}"))
    assert refused.status_code == 422
    assert house.count() == before
    assert "Your move wasn’t played" in refused.text
    assert "sink A1" in refused.text
    assert fields(refused.text, "answer")[0] == f"{first}\n{second}"


def test_a_typed_line_comes_after_the_plan(browser, house, turn):
    steps = line_of(browser, turn)
    page = open_at(browser, turn, steps[0]).text
    typed = {"question": fields(page, "question")[0], "step": [steps[0]], "answer": "swim home"}
    refused = browser.post(turn.path, data=typed)
    assert refused.status_code == 422
    assert 'value="swim home"' in refused.text
    assert fields(refused.text, "answer")[0] == steps[0]
    assert moves(house, turn.match_id) == []
    assert browser.post(turn.path, data=typed | {"answer": steps[1]}).status_code == 303
    assert moves(house, turn.match_id) == steps


def test_what_chance_decides_is_an_intention_and_ends_the_plan(browser, house, turn):
    tile = next(name for name in picks(turn.html) if re.fullmatch(r"[A-M]\d+", name))
    page = open_at(browser, turn, f"sink {tile}").text
    assert "you’ll see what follows once it’s played" in page
    assert "leaves 3 moves unused" in page
    assert picks(page) == {}
    later = open_at(browser, turn, f"sink {tile}", *line_of(browser, turn)).text
    assert fields(later, "answer")[0] == f"sink {tile}"
    assert "Some moves aren’t possible now and were removed" in later
    assert moves(house, turn.match_id) == []


@pytest.mark.parametrize("step", ["", "x" * 9000, "sink A1", "own:77", "own:1/99", "\0", "<script>"])
def test_rubbish_is_no_plan(browser, turn, step):
    page = open_at(browser, turn, step)
    assert page.status_code == 200
    assert 'class="plan"' not in page.text
    assert "<script>" not in page.text.replace("<script src", "")


@pytest.mark.usefixtures("tongue")
def test_a_plan_is_nobody_elses(browser, app, turn):
    steps = line_of(browser, turn)
    query = urlencode([("step", step) for step in steps])
    plain = app.test_client().get(f"/m/{turn.match_id}").text
    other = app.test_client().get(f"/m/{turn.match_id}?{query}").text
    shown = [page.split("<main", 1)[1].split("</main>")[0] for page in (plain, other)]
    untagged = [re.sub(r'data-tag="[^"]*"', "", page) for page in shown]
    assert untagged[0] == untagged[1]


@pytest.mark.parametrize("word", [" Undo ", "Ｕｎｄｏ", "撤销", "復原", "取り消し", "برگردان"])
def test_the_field_understands_undo(browser, house, turn, word):
    steps = line_of(browser, turn)
    page = open_at(browser, turn, *steps).text
    browser.post(turn.path, data=form_of(page, answer="\n".join(steps)))
    question = fields(browser.get(turn.path).text, "question")[0]
    done = browser.post(turn.path, data={"question": question, "answer": word})
    assert done.status_code == 303
    assert moves(house, turn.match_id) == [*steps, "undo"]


def test_examples_are_playable(browser, turn):
    steps = line_of(browser, turn)
    page = open_at(browser, turn, *steps).text
    hint = page.split('id="answer-hint"')[1].split("</p>")[0]
    examples = [unescape(one) for one in re.findall(r"<code[^>]*>([^<]*)</code>", hint)]
    assert examples
    form = {"question": fields(page, "question")[0], "step": steps, "answer": examples[0]}
    assert browser.post(turn.path, data=form).status_code == 303


def to_be_paid(browser, house):
    """The address of a planned walk that can be paid in several ways."""
    match_id = house.start("Ada", "Bo", game="atlantis")
    house.play(match_id, 8)
    for _ in range(20):
        path = f"/t/{next(iter(house.turns(match_id).values()))}"
        for first in picks(browser.get(path).text).values():
            for second in picks(browser.get(path + first.split("#")[0]).text).values():
                address = path + second.split("#")[0]
                if "data-parts" in browser.get(address).text:
                    return match_id, address
        house.play(match_id, 1)
    raise AssertionError("nothing was to be paid")


def test_another_payment_is_a_link(browser, house):
    _, address = to_be_paid(browser, house)
    path = address.partition("?")[0]
    others = re.findall(r'<a href="(\?step=own%3A\d+%2F\d+#board)">', browser.get(address).text)
    paid = browser.get(path + others[0].split("#")[0]).text
    answer = fields(paid, "answer")[0]
    assert " pay " in answer
    assert browser.post(path, data=form_of(paid, answer=answer)).status_code == 303


def test_what_is_paid_is_chosen_from_boxes_and_a_wrong_choice_comes_back(browser, house):
    match_id, address = to_be_paid(browser, house)
    path, html = address.partition("?")[0], browser.get(address).text
    boxes = re.findall(r'name="part" value="([^"]*)" id="[^"]*" data-part="([^"]*)"[^>]*?( checked)?>', html)
    walk = fields(html, "part")[0]
    assert walk.startswith("go ")
    assert walk.endswith(" pay")
    assert any(checked for *_, checked in boxes), "what the server would choose is ticked"
    assert set(picks(html)) == {name for _, name, _ in boxes}, "each can be clicked on the board"
    answer = fields(html, "answer")[0]
    everything = form_of(html, answer=answer, part=[walk, *(piece for piece, *_ in boxes)])
    refused = browser.post(path, data=everything)
    assert refused.status_code == 422
    assert "You can’t pay" in unescape(refused.text)
    assert fields(refused.text, "answer")[0] == answer, "the plan is still there"
    assert refused.text.count(" checked>") == len(boxes), "and so is what was ticked"
    other = re.findall(r'<a href="(\?step=own%3A\d+%2F\d+#board)">', html)[0]
    text = fields(browser.get(path + other.split("#")[0]).text, "answer")[0]
    before, _, pieces = text.partition(" pay ")
    assert walk == f"{before} pay"
    done = browser.post(path, data=form_of(html, answer=answer, part=[walk, *pieces.split()]))
    assert done.status_code == 303
    assert moves(house, match_id)[-1] == text


def test_passing_is_no_stronger_a_button_than_the_pieces_beside_it(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    for _ in range(200):
        house.play(match_id, 1)
        token = next(iter(house.turns(match_id).values()))
        page = browser.get(f"/t/{token}").text
        if 'value="creature pass"' in page and 'class="pieces field' in page:
            break
    assert 'value="creature pass"><span>' in page


def test_keys_meet_equal_pieces_once_and_a_click_on_any_of_them_counts(browser, house):
    match_id = house.start("Ada", "Bo", game="atlantis")
    page = browser.get(f"/t/{next(iter(house.turns(match_id).values()))}").text
    first = re.search(r'<a href="([^"]*)" data-at="A" data-pick="piece"', page)[1]
    for other in "BC":
        assert f'<a href="{first}" data-at="{other}" data-pick="other"' in page

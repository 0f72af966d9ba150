"""A turn from the link of a letter."""

import re

import pytest

from app.engine.chance import Chance
from app.play.views.player_view import player_view_by_token
from tests.web.visits import fields, picks


def sink(turn):
    """The canonical text of some tile that may be sunk now."""
    names = [name for name in picks(turn.html) if re.fullmatch(r"[A-M]\d+", name)]
    return f"sink {names[0]}"


def step(browser, turn):
    """The canonical text of some step of an explorer, after which the turn goes on."""
    piece = next(name for name in picks(turn.html) if name.startswith(turn.seat))
    second = browser.get(turn.path + picks(turn.html)[piece].split("#")[0])
    _, address = next(iter(picks(second.text).items()))
    return fields(browser.get(turn.path + address.split("#")[0]).text, "answer")[0]


def test_the_page_shows_what_is_asked_and_does_nothing(browser, house, turn):
    before = house.count()
    for _ in range(3):
        assert browser.get(turn.path).status_code == 200
        assert browser.head(turn.path).status_code == 200
        assert browser.head(turn.path).data == b""
    assert house.count() == before
    assert "It’s your turn" in turn.html
    assert turn.token not in turn.html


def test_a_button_plays_and_leads_back_to_the_board(browser, house, turn):
    answer = step(browser, turn)
    done = browser.post(turn.path, data={"question": turn.question, "answer": answer})
    assert (done.status_code, done.location) == (303, f"{turn.path}?played=1.1#now")
    told = re.search(r"<p data-say>(Played: [^<]+\.)</p>", browser.get(done.location).text)
    assert told
    assert "&gt;" not in told[1], "in sentences, as in the log"
    for forged in ("0.1", "2.1", "1", "x.y", "1.0", "9" * 50 + ".1"):
        assert "Played:" not in browser.get(turn.path, query_string={"played": forged}).text
    played = house.rows("SELECT move FROM played WHERE match_id = :m ORDER BY ply", m=turn.match_id)
    assert [row.move for row in played] == ["start", answer]


def test_a_form_may_come_as_one_with_files_or_as_no_text_at_all(browser, turn):
    form = {"question": turn.question, "answer": sink(turn)}
    usual = "application/x-www-form-urlencoded"
    assert browser.post(turn.path, data=b"question=\xff&answer=%ff", content_type=usual).status_code == 404
    assert browser.post(turn.path, data=b"\xff" * 140_000, content_type=usual).status_code == 413
    assert browser.post(turn.path, data=form, content_type="multipart/form-data").status_code == 303


def test_pointing_at_the_board_step_by_step(browser, turn):
    piece = next(name for name in picks(turn.html) if name.startswith(turn.seat))
    second = browser.get(turn.path + picks(turn.html)[piece].split("#")[0])
    space, address = next(iter(picks(second.text).items()))
    third = browser.get(turn.path + address.split("#")[0])
    answers = fields(third.text, "answer")[:1]
    assert answers[0].startswith(f"move {piece}>")
    assert space.split(":")[-1] in answers[0]
    assert browser.post(turn.path, data={"question": turn.question, "answer": answers[0]}).status_code == 303


def test_the_same_answer_twice_is_played_once(browser, house, turn):
    form = {"question": turn.question, "answer": step(browser, turn)}
    browser.post(turn.path, data=form)
    before = house.count()
    again = browser.post(turn.path, data=form)
    assert (again.status_code, again.location) == (303, f"{turn.path}?again=1#now")
    assert "It only counts once." in browser.get(again.location.split("#")[0]).text
    assert house.count() == before


def test_two_windows_with_different_moves(browser, house, turn):
    """The later one is refused aloud, over the board as it is now, with the move kept that was typed."""
    tiles = [name for name in picks(turn.html) if re.fullmatch(r"[A-M]\d+", name)]
    browser.post(turn.path, data={"question": turn.question, "answer": f"sink {tiles[0]}"})
    before = house.count()
    second = browser.post(turn.path, data={"question": turn.question, "answer": f"sink {tiles[1]}"})
    assert second.status_code == 409
    assert "the game has changed since" in second.text
    assert f'<code translate="no">sink {tiles[1]}</code>' in second.text
    assert "<svg" in second.text
    assert house.count() == before


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("sink A1", "A1"),
        ("swim home", "can’t read"),
        ("", ""),
        ("<script>alert(1)</script>", "&lt;script&gt;"),
        ("sink F5\0", ""),
        ("foo", 'For example <code translate="no">'),
        ("\u202emove green1", "We can’t read “move green1”"),
        ("move " + "red1>E5, " * 300, ""),
    ],
)
def test_what_cannot_be_played_says_why_and_keeps_the_text(browser, house, turn, typed, why):
    before = house.count()
    answer = browser.post(turn.path, data={"question": turn.question, "answer": typed})
    assert answer.status_code == 422
    assert "Your move wasn’t played" in answer.text
    assert why in answer.text
    assert "<script>alert" not in answer.text
    assert house.count() == before


def test_a_line_that_is_too_long_is_refused(browser, house, turn):
    before = house.count()
    form = {"question": turn.question, "answer": "sink F5 " * 1000}
    assert browser.post(turn.path, data=form).status_code == 413
    assert browser.post(turn.path, data={"answer": "x" * 140_000}).status_code == 413
    assert house.count() == before


def test_a_link_in_a_letter_prepares_an_answer(browser, turn):
    answer = sink(turn)
    page = browser.get(turn.path, query_string={"do": answer})
    assert fields(page.text, "answer")[0] == answer
    assert "It isn’t played until you press" in page.text
    unknown = browser.get(turn.path, query_string={"do": "sink A1"})
    assert 'value="sink A1"' in unknown.text


def test_taking_back(browser, turn):
    piece = next(name for name in picks(turn.html) if name.startswith(turn.seat))
    second = browser.get(turn.path + picks(turn.html)[piece].split("#")[0])
    third = browser.get(turn.path + next(iter(picks(second.text).values())).split("#")[0])
    move = fields(third.text, "answer")[0]
    browser.post(turn.path, data={"question": turn.question, "answer": move})
    page = browser.get(turn.path).text
    assert "take_back" in page
    undone = browser.post(turn.path, data={"do": "take_back"})
    assert undone.status_code == 303
    assert "You took back your last step." in browser.get(undone.location).text
    assert "Took back a step" in browser.get(turn.path).text
    refused = browser.post(turn.path, data={"do": "take_back"})
    assert refused.status_code == 409


def test_a_link_whose_turn_is_over_shows_how_things_stand(browser, house, turn):
    other = next(seat for seat in ("red", "yellow") if seat != turn.seat)
    for _ in range(12):
        if other in house.turns(turn.match_id):
            break
        house.play(turn.match_id, 1)
    page = browser.get(turn.path)
    assert page.status_code == 200
    assert "The turn this link was for is over" in page.text
    assert "your turn has ended" not in page.text
    ended = browser.get(turn.path, query_string={"played": "12.1"}).text
    assert "Your move was played, and your turn is over." in ended
    assert "You’ll get an email when it’s your turn again." in page.text
    assert f"/m/{turn.match_id}" in page.text
    late = browser.post(turn.path, data={"question": turn.question, "answer": "sink F5"})
    assert late.status_code == 409
    assert '<code translate="no">sink F5</code>' in late.text


def test_an_old_link_has_fresh_ones_mailed_by_one_button(browser, house, turn):
    other = next(seat for seat in ("red", "yellow") if seat != turn.seat)
    while other not in house.turns(turn.match_id):
        house.play(turn.match_id, 1)
    page = browser.get(turn.path).text
    assert fields(page, "do") == ["links"]
    assert 'inputmode="email"' not in page
    letters = "SELECT player_id FROM letter WHERE kind = 'links'"
    assert browser.get(turn.path + "?do=links").status_code == 200
    assert house.rows(letters) == []
    asked = {browser.post(turn.path, data={"do": "links"}).location for _ in range(3)}
    assert asked == {f"{turn.path}?sent=1#now"}
    mine = "SELECT player_id FROM chair WHERE match_id = :m AND seat = :s"
    assert house.rows(letters) == house.rows(mine, m=turn.match_id, s=turn.seat), "one, to them alone"
    sent = browser.get(f"{turn.path}?sent=1").text
    assert "An email with new links" in sent
    assert fields(sent, "do") == []
    assert browser.get("/profile").status_code == 303, "nobody is signed in by an old link"
    unknown = browser.post("/t/nothing", data={"do": "links"})
    assert unknown.location == "/t/nothing?sent=1#now"


def test_resigning_needs_the_word(browser, house, turn):
    """What cannot be taken back is never one slip of a finger away."""
    before = house.count()
    for word in ("", "yes"):
        page = browser.post(turn.path, data={"do": "resign", "word": word})
        assert page.status_code == 422
        assert "You haven’t resigned" in page.text
    assert house.count() == before
    done = browser.post(turn.path, data={"do": "resign", "word": " Resign"})
    assert (done.status_code, done.location) == (303, f"{turn.path}?asked=resign#now")
    assert "You haven’t resigned yet" in browser.get(done.location).text


@pytest.mark.parametrize("token", ["A" * 22, "short", "%00", "..%2f..", "é" * 22, "A" * 5000])
def test_forged_and_cut_links_find_nothing(browser, house, turn, token):
    before = house.count()
    for path in (f"/t/{token}", f"/i/{token}"):
        assert browser.get(path).status_code == 404
        assert browser.post(path, data={"question": turn.question, "answer": "done"}).status_code == 404
    assert house.count() == before


def test_another_seats_link_answers_no_question_of_mine(browser, house):
    match_id = house.start("Ada", "Bo")
    tokens = house.turns(match_id)
    mine, theirs = list(tokens.values())
    question = fields(browser.get(f"/t/{mine}").text, "question")[0]
    before = house.count()
    answer = browser.post(f"/t/{theirs}", data={"question": question, "answer": "orders random"})
    assert answer.status_code in (404, 409)
    assert house.count() == before


def test_a_placing_list_by_its_fields(browser, house):
    match_id = house.start("Ada", "Bo")
    seat, token = next(iter(house.turns(match_id).items()))
    page = browser.get(f"/t/{token}").text
    tiles = re.findall(r'data-at="([A-M]\d+)"', page)
    land, sea = tiles[0], tiles[-1]
    rows = [
        piece for value in "6543322111" for piece in (value, land if value == "6" else "", "", "", "", ";")
    ]
    pieces = ["orders", *rows, "ships", sea, ""]
    form = {"question": fields(page, "question")[0], "piece": pieces}
    assert browser.post(f"/t/{token}", data=form).status_code == 303
    played = house.rows("SELECT seat, move FROM played WHERE match_id = :m AND ply = 1", m=match_id)[0]
    assert played.seat == seat
    assert played.move.startswith(f"orders 6 {land}; 5")
    assert played.move.endswith(f"ships {sea}")


def test_a_placing_list_that_cannot_be_used_keeps_its_fields(browser, house):
    match_id = house.start("Ada", "Bo")
    token = next(iter(house.turns(match_id).values()))
    page = browser.get(f"/t/{token}").text
    land = re.findall(r'data-at="([A-M]\d+)"', page)[0]
    rows = [piece for _ in range(10) for piece in ("6", land, "", "", "", ";")]
    form = {"question": fields(page, "question")[0], "piece": ["orders", *rows, "ships", *[""] * 10]}
    refused = browser.post(f"/t/{token}", data=form)
    assert refused.status_code == 422
    assert refused.text.count(f"<option selected>{land}</option>") == 10
    assert refused.text.count("<option selected>6</option>") == 10


def test_leaving_the_set_up_to_chance(browser, house):
    match_id = house.start("Ada", "Bo")
    for token in house.turns(match_id).values():
        page = browser.get(f"/t/{token}").text
        form = {"question": fields(page, "question")[0], "answer": "orders random"}
        assert browser.post(f"/t/{token}", data=form).status_code == 303
    assert len(house.turns(match_id)) == 1


def test_two_colours_have_twenty_rows(browser, house):
    match_id = house.start("Ada", "Bo", colours="two")
    page = browser.get(f"/t/{next(iter(house.turns(match_id).values()))}").text
    assert page.count('<li class="two-colours">') == 20


def test_a_form_that_says_no_question_is_told_so_on_the_page(browser, turn):
    for sent in ({}, {"answer": "sink F7"}, {"do": "unheard of"}):
        told = browser.post(turn.path, data=sent)
        assert told.status_code == 422
        assert "doesn’t say which question it answers" in told.text
        assert fields(told.text, "question")
    assert browser.post(f"/m/{turn.match_id}", data={"answer": "sink F7"}).status_code == 404, "an onlooker"


def test_keeping_an_answer_writes_over_no_other_note(browser, house):
    match_id = house.start("Ada", "Bo")
    path = f"/t/{next(iter(house.turns(match_id).values()))}"
    browser.post(path, data={"do": "note", "text": "orders are for soldiers", "occasion": "0123456789"})
    browser.post(path, data={"do": "note", "text": "Keep this", "occasion": "9876543210"})
    refused = browser.post(path, data={"do": "keep", "piece": ["Keep", "nothing"]})
    assert refused.status_code == 422
    for tile in ("F4", "F5"):
        kept = browser.post(path, data={"do": "keep", "piece": ["orders", "6", tile, ";", "ships", "C5"]})
        assert (kept.status_code, kept.location) == (303, f"{path}?done=keep#choose")
    texts = {row.text for row in house.rows("SELECT text FROM note")}
    assert texts == {"Keep this", "orders are for soldiers", "orders 6 F5 ; ships C5"}
    dropped = browser.post(path, data={"do": "drop"})
    assert (dropped.status_code, dropped.location) == (303, f"{path}?done=drop#choose")
    texts = {row.text for row in house.rows("SELECT text FROM note")}
    assert texts == {"Keep this", "orders are for soldiers"}
    assert "The list you kept is deleted." in browser.get(dropped.location).text


def test_a_kept_list_is_shown_as_such_and_can_be_deleted(browser, house):
    match_id = house.start("Ada", "Bo")
    path = f"/t/{next(iter(house.turns(match_id).values()))}"
    fresh = browser.get(path).text
    assert 'value="drop"' not in fresh
    token = path.removeprefix("/t/")
    seen = player_view_by_token(house.store, token)
    move = seen.game.bot(seen.view, seen.asked[0].decision, Chance(b"x", 1))
    browser.post(path, data={"do": "keep", "piece": seen.game.format(move).split()})
    kept = browser.get(path).text
    assert 'value="drop"' in kept
    assert "This is the list you kept" in kept
    assert 'value="drop"' not in browser.get(f"{path}?propose=2").text

"""The boards and the words: whole, readable, and only with what their reader may know."""

import itertools
import re
from xml.etree import ElementTree as ET

import pytest

from app import draw
from app.draw import looks
from app.engine.chance import Chance
from app.games.atlantis import GAME
from app.games.atlantis.board import ITEMS

SVG = "{http://www.w3.org/2000/svg}"


def words():
    return looks.words("atlantis", "en")[0]


def say(name, *facts):
    return " ".join(getattr(words(), name)(*facts).split())


def snake(kind):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__).lower()


def played(number, seats):
    """States of a game, with what led to each: the simple player's moves and random ones in turn."""
    secret, mind = (bytes([number]) * 32, bytes([number]) * 31 + b"x")
    step = GAME.setup(GAME.colours[:seats], {}, Chance(secret, 0))
    yield step
    for ply in itertools.count(1):
        decisions = GAME.decisions(step.state)
        if not decisions:
            return
        decision, chance = decisions[0], Chance(mind, ply)
        if ply % 2:
            move = GAME.bot(GAME.view(step.state, decision.seat), decision, chance)
        else:
            move = chance.pick(decision.options)
        step = GAME.apply(step.state, decision.seat, move, Chance(secret, ply))
        yield step


STEPS = [step for seats in (2, 3, 4) for step in played(seats, seats)]
SOME = STEPS[::6] + [step for step in STEPS if GAME.outcome(step.state)]


def views(state):
    return [GAME.view(state, seat) for seat in (*state.seats, None)]


def test_every_picture_is_well_formed_and_shows_all_that_lies_and_stands():
    for step in SOME:
        for view in views(step.state):
            picture = draw.board(GAME, view)
            assert all(water.bridges or f">-{water.toll}<" in picture for water in view.waters)
            there = [node.get("data-at") for node in ET.fromstring(picture).iter() if node.get("data-at")]
            once = [name for name in there if not name.startswith("won:")]
            assert len(set(once)) == len(once)
            assert {f"space:{s.number}" for s in view.path if s.tile} <= set(there)
            assert {f"gap:{w.first}" for w in view.waters} <= set(there)
            figures = 3 * len(step.state.seats)
            mine = {"A", "B", "C"} if view.seat else set()
            assert mine <= set(there)
            assert len([n for n in there if n in "ABC" or re.fullmatch(r"\w+:[ABC]", n)]) == figures


def test_all_that_a_move_is_pointed_at_with_is_on_its_players_board_and_becomes_a_link():
    for step in SOME:
        for decision in GAME.decisions(step.state):
            view = GAME.view(step.state, decision.seat)
            names = {name for move in decision.options for name in GAME.click_path(move)}
            picture = draw.board(GAME, view, pick={name: f"?pick={name}" for name in names})
            root = ET.fromstring(picture)
            links = {node.get("data-at"): node.get("href") for node in root.iter(f"{SVG}a")}
            assert links == {name: f"?pick={name}" for name in names}


def test_what_is_chosen_shows_where_it_would_lead():
    for step in SOME:
        for decision in GAME.decisions(step.state):
            view = GAME.view(step.state, decision.seat)
            plain = draw.board(GAME, view)
            for offer in [offer for offer in view.offers if offer.kind == "go"][:3]:
                assert draw.board(GAME, view, picked=offer.points_at) != plain
                assert draw.board(GAME, view, picked=offer.points_at[:1]) != plain


def test_a_picture_for_all_shows_no_hand_and_uses_letters_that_its_font_has():
    for step in SOME:
        picture = draw.board(GAME, GAME.view(step.state, None))
        assert "Your" not in picture
        assert "own:" not in picture
        assert draw.pictures.undrawable("".join(ET.fromstring(picture).itertext())) == ""


def test_a_picture_can_be_made(tmp_path):
    png = draw.picture(GAME, GAME.view(STEPS[30].state, None), tmp_path)
    assert png.startswith(b"\x89PNG")
    assert len(png) < 150_000


def test_what_changed_is_marked():
    marked = 0
    for step in SOME:
        names = draw.named(told.event for told in step.told if told.to is None)
        view = GAME.view(step.state, None)
        marked += "at-mark" in draw.board(GAME, view, marks=names)
        assert "at-mark" not in draw.board(GAME, view)
    assert marked > len(SOME) // 2


def test_the_text_board_is_whole_and_narrow():
    for step in SOME:
        for view in views(step.state):
            text = draw.text(GAME, view)
            assert text.isascii()
            assert max(map(len, text.splitlines())) <= 72
            for space in view.path:
                assert f"{space.number} {space.tile or '~~~'}" in text
            for player in view.players:
                for tile in player.won:
                    assert tile in text
            for line in ("ATLANTIS", "MAINLAND", "Draw pile"):
                assert line in text
            assert text.count(".A") + text.count(".B") + text.count(".C") == 3 * len(view.players)
            mine = draw.mine(GAME, view)
            assert bool(mine) == (view.seat is not None)
            assert max(map(len, mine.splitlines()), default=0) <= 72
            for holding in view.hand:
                assert holding.item in mine


def test_a_page_is_well_formed_and_tells_the_board_in_words():
    for step in SOME[::3]:
        for view in views(step.state):
            page = draw.page(GAME, view)
            assert page.count("<svg") == 1
            told = "".join(ET.fromstring(f"<div>{page}</div>").itertext())
            for player in view.players:
                assert f"{player.seat}: {player.cards} card" in told


def test_every_event_question_ending_and_refusal_has_its_words():
    names = [f"event_{snake(kind)}" for kind in GAME.event_types]
    names += [f"refused_{reason}" for reason in GAME.reasons]
    names += [f"asks_{asks}" for asks in GAME.asks]
    names += [f"ending_{reason}" for reason in GAME.endings]
    names += [f"label_{snake(kind)}" for kind in GAME.move_types]
    names += ["title", "blurb", "board_alt"]
    for name in names:
        assert callable(getattr(words(), name)), name


def test_what_happens_is_told_in_sentences():
    told_of = set()
    more = (step for number in (6, 7, 8) for step in played(number, 4))
    for step in (*STEPS, *more):
        for told in step.told:
            sentence = say(f"event_{snake(type(told.event))}", told.event, lambda seat: f"<{seat}>")
            told_of.add(type(told.event))
            assert re.fullmatch(r"[^{}]+[.:]", sentence), sentence
            assert "  " not in sentence
            assert " ." not in sentence
            assert " ," not in sentence
    assert told_of == set(GAME.event_types)


def test_what_is_asked_and_answered_is_told_in_words():
    for step in SOME:
        for decision in GAME.decisions(step.state):
            view = GAME.view(step.state, decision.seat)
            asked = say(f"asks_{decision.asks}", decision, view)
            assert asked.endswith(".")
            can_buy = any(offer.kind == "buy" for offer in view.offers)
            assert can_buy or "you can buy" not in asked, "who has no tile can't buy"
            labels = [say(f"label_{snake(type(move))}", move, view) for move in decision.options]
            assert len(set(labels)) == len(labels)
            for move, offer, label in zip(decision.options, view.offers, labels, strict=True):
                assert offer.text == GAME.format(move)
                if offer.kind == "go":
                    assert offer.gains is None or f"gains {offer.gains}" in label
                    assert ("pays" in label) == (offer.cost > 0)
                    assert ("mainland" in label) == (offer.stops[-1] == 54)
    for step in SOME:
        outcome = GAME.outcome(step.state)
        if outcome:
            assert say(f"ending_{outcome.reason}", outcome, str)


@pytest.mark.parametrize("item", ITEMS)
def test_every_item_has_a_shape_of_its_own(item):
    """Colours never stand alone."""
    shapes = ET.fromstring(draw.board(GAME, GAME.view(STEPS[0].state, None)))
    drawn = {node.get("id"): ET.tostring(node) for node in shapes.iter() if node.get("id")}
    mine = drawn.pop(f"at-{item}").replace(f"at-{item}".encode(), b"")
    for other in ITEMS:
        if other != item:
            assert mine != drawn[f"at-{other}"].replace(f"at-{other}".encode(), b"")


def test_other_payments_are_legal_and_none_is_the_one_that_the_server_would_choose():
    tried = 0
    for step in SOME:
        for decision in GAME.decisions(step.state):
            view = GAME.view(step.state, decision.seat)
            offers = {offer.text: offer for offer in view.offers}
            for move in decision.options:
                others = GAME.variants(view, move)
                assert len(others) <= 12
                assert not others or offers[GAME.format(move)].cost
                texts = [GAME.format(one) for one in others]
                assert len(set(texts)) == len(texts)
                assert offers[GAME.format(move)].pay_text not in texts
                for text in texts:
                    again = GAME.parse(step.state, decision.seat, text)
                    GAME.apply(step.state, decision.seat, again, Chance(bytes(32), 1))
                    tried += 1
                if others:
                    assert move not in GAME.variants(view, others[0])
                    assert len(GAME.variants(view, others[0])) >= min(len(others), 12)
    assert tried > 20


def test_figures_on_atlantis_are_one_choice():
    view = GAME.view(STEPS[0].state, STEPS[0].state.seats[0])
    assert GAME.alike(view) == {"B": "A", "C": "A"}
    assert GAME.alike(GAME.view(STEPS[0].state, None)) == {}
    for step in SOME:
        for decision in GAME.decisions(step.state):
            view = GAME.view(step.state, decision.seat)
            offers = {offer.text: offer for offer in view.offers}
            for name, other in GAME.alike(view).items():
                mine = [offers[GAME.format(m)] for m in decision.options if getattr(m, "figure", "") == name]
                theirs = [
                    offers[GAME.format(m)] for m in decision.options if getattr(m, "figure", "") == other
                ]
                assert [(o.stops, o.cost, o.gains, o.pays) for o in mine] == [
                    (o.stops, o.cost, o.gains, o.pays) for o in theirs
                ]

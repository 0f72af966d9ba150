"""The board to point at, by the rules of the small game."""

import re

from app.clock import now
from app.engine.chance import Chance
from app.games import all_games
from app.games.survive.moves import Board
from app.play.match.records import Asked
from app.web.match.move_picker import FEW, TARGET, TILE, LegalAnswer, legal_answers, pick
from tests.toy import TOY, Bid


def asked_in(position):
    options = TOY.complete_options(2, {})
    state = TOY.load(position, ("red", "blue"), options, Chance(b"", 0))
    return [Asked(f"q{n}", one, now()) for n, one in enumerate(TOY.decisions(state)) if one.seat == "red"]


ROWING = {"step": "row", "turn": "red", "points": 2, "places": {"red": 1}, "purses": {"red": 5}}


def test_names_that_can_be_pointed_at_carry_addresses_that_grow():
    selection = pick(legal_answers(TOY, asked_in(ROWING)))
    assert selection.following == {"on": "?step=row+on#board", "back": "?step=row+back#board"}
    assert selection.kinds == {"on": TILE, "back": TILE}
    later = pick(legal_answers(TOY, asked_in(ROWING)), (), ("row on",))
    assert later.following["on"] == "?step=row+on&step=row+on#board"


def test_a_move_that_is_fully_pointed_at_is_named():
    selection = pick(legal_answers(TOY, asked_in(ROWING)), ("back",))
    assert [answer.text for answer in selection.ready] == ["row back"]
    assert selection.following == {}


def test_names_that_lead_nowhere_are_forgotten():
    answers = legal_answers(TOY, asked_in(ROWING))
    assert pick(answers, ("on", "moon")) == pick(answers, ("on",))
    assert pick(answers, ("moon", "on")) == pick(answers)
    assert pick(answers, ("<script>",)) == pick(answers)


def test_few_answers_are_all_buttons():
    answers = legal_answers(TOY, asked_in({"purses": {"red": 5, "blue": 5}}))
    assert len(answers) <= FEW
    assert [answer.move for answer in pick(answers).ready] == [Bid(n) for n in range(4)]


def test_nobody_asked_nothing_offered():
    assert pick(()).ready == ()
    assert pick((), ("on",)).following == {}


def test_what_only_the_seat_may_know_is_a_number_in_an_address():
    game = all_games()["survive"]
    position = {
        "terrain": {"G4": "mountain", "G5": "mountain"},
        "explorers": {"red1": {"at": "G4"}, "red2": {"at": "ship1"}, "yellow1": {"at": "G5"}},
        "ships": {"ship1": "C5"},
        "creatures": {"shark1": "D3"},
        "hands": {"red": ["wind", "move-shark"]},
        "turn": {"seat": "red", "step": "play"},
    }
    state = game.load(position, ("red", "yellow"), game.complete_options(2, {}), Chance(b"", 0))
    answers = legal_answers(game, [Asked("q", one, now()) for one in game.decisions(state)])
    first = pick(answers)
    assert first.following["own:move-shark"] == "?pick=own%3A0#board"
    assert first.following["own:wind"] == "?pick=own%3A1#board"
    second = pick(answers, ("own:1",))
    assert second.picked == ("own:wind",)
    assert second.following == {"ship1": "?pick=own%3A1&pick=ship1#board"}
    third = pick(answers, ("own:1", "ship1"), ("own:3",))
    assert third.kinds["C6"] == TARGET
    assert re.fullmatch(r"\?step=own%3A3&step=own%3A\d+#board", third.following["C6"])
    assert not any("wind" in address for address in pick(answers, ("own:1", "ship1")).following.values())
    assert pick(answers, ("own:7",)) == first
    assert pick(answers, ("own:wind",)) == first


def test_swimmers_are_picked_in_any_order():
    game = all_games()["survive"]
    names = ("red1", "red2", "red3")
    paths = set(game.other_paths(Board(names))) | {game.click_path(Board(names))}
    assert len(paths) == 6
    answer = LegalAnswer(
        "q", Board(names), "board red1 red2 red3", names, "x", game.other_paths(Board(names))
    )
    picked = pick((answer,), ("red3", "red1"))
    assert picked.picked == ("red3", "red1")
    assert picked.following == {"red2": "?step=x#board"}


def test_two_of_a_kind_are_one_press():
    answer = LegalAnswer("q", Bid(1), "take tool tool", ("tool@works", "tool@works"), "x")
    assert pick((answer,)).following == {"tool@works": "?step=x#board"}
    other = LegalAnswer("q", Bid(2), "take gem", ("gem@works",), "y")
    assert pick((answer, other)).following["tool@works"] == "?step=x#board"
    mixed = LegalAnswer("q", Bid(3), "take tool gem", ("tool@works", "gem@works"), "z")
    assert pick((answer, mixed), begin=False).following == {"tool@works": "?pick=tool%40works#board"}


def test_a_piece_that_is_the_only_one_is_picked():
    game = all_games()["survive"]
    position = {
        "terrain": {"G4": "mountain"},
        "explorers": {"red1": {"at": "G4"}, "yellow1": {"at": "G4"}},
        "creatures": {"shark1": "D3"},
        "turn": {"seat": "red", "step": "creature", "die": "shark"},
    }
    state = game.load(position, ("red", "yellow"), game.complete_options(2, {}), Chance(b"", 0))
    answers = legal_answers(game, [Asked("q", one, now()) for one in game.decisions(state)])
    selection = pick(answers)
    assert selection.picked == ("shark1",)
    assert set(selection.kinds.values()) == {TARGET}
    assert [one.text for one in selection.ready] == ["creature pass"]
    assert pick(answers, ("shark1",)).following == selection.following

"""An email from right to left, as plain text: each line says how it reads, and no link is spoilt."""

import re
import unicodedata

import pytest

from app import draw, games
from app.engine.chance import Chance
from app.mail.outbound.direction import from_right_to_left
from app.mail.outbound.message import LONGEST, one_line
from app.words.isolation import isolated_lines


def lines(text: str) -> list[str]:
    return from_right_to_left(text).split("\n")


def test_a_line_of_persian_is_marked_for_every_kind_of_program():
    assert lines("نوبت شماست.") == ["\u200f\u2067نوبت شماست.\u2069"]
    assert lines("Ada نوبت شماست.") == ["\u200f\u2067Ada نوبت شماست.\u2069"]
    assert lines("- نوبت\n\n-- ") == ["\u200f\u2067- نوبت\u2069", "", "-- "]


@pytest.mark.parametrize("line", ["", "-- ", "https://tidepost.example/t/abc", "  sink E5", "Tidepost #12"])
def test_a_line_without_such_letters_stays_as_it_is(line):
    assert lines(line) == [line]


@pytest.mark.parametrize("link", ["https://tidepost.example/t/abc", "mailto:a@example.org", "a@example.org"])
def test_no_mark_stands_beside_a_link(link):
    (line,) = lines(f"تخته: {link}")
    assert f" {link} " in line
    assert line.startswith("\u200f\u2067")
    assert line.endswith("\u2069")


def test_lines_of_a_board_keep_their_direction():
    board = isolated_lines("A1  B2\n\nقرمز 3")
    assert board.split("\n") == ["\u200e\u2066A1  B2\u2069", "", "\u200e\u2066قرمز 3\u2069"]
    assert from_right_to_left(board) == board


@pytest.mark.usefixtures("five")
@pytest.mark.parametrize("slug", sorted(games.all_games()))
def test_a_board_in_an_email_is_isolated_line_by_line(slug):
    game = games.all_games()[slug]
    step = game.setup(
        game.colours[: game.seats[0]], game.complete_options(game.seats[0], {}), Chance(b"x", 0)
    )
    view = game.view(step.state, None)
    told = draw.text(game, view, language="fa")
    assert all(
        line.startswith("\u200e\u2066") and line.endswith("\u2069") for line in told.split("\n") if line
    )
    assert all(line.count("\u2069") == len(re.findall("[\u2066-\u2068]", line)) for line in told.split("\n"))
    assert not draw.text(game, view, language="ja").startswith("\u200e")


def test_a_subject_keeps_the_joints_of_words_and_of_emoji_and_no_other_mark():
    assert one_line("بازی\u200cها \u2066E5\u2069") == "بازی\u200cها E5"
    assert one_line("👨\u200d👩\u200d👧") == "👨\u200d👩\u200d👧"


@pytest.mark.parametrize("one", ["🇮🇷", "👨\u200d👩\u200d👧\u200d👦", "e\u0301", "각", "كِ", "👍🏽"])
def test_a_subject_is_never_cut_within_a_character(one):
    for before in range(LONGEST - 14, LONGEST + 2):
        cut = one_line("x" * before + one + "y" * 20)
        assert len(cut) <= LONGEST
        assert cut.endswith("…")
        rest = cut[before:-1]
        assert rest in ("", one) or rest.strip("y") == one, before
    assert unicodedata.category("\u200c") == "Cf"

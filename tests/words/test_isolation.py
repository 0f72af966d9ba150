"""Names and texts from right to left change no order in a sentence from left to right."""

import re
from pathlib import Path

from markupsafe import Markup

import templates
from app.words import catalogue, say
from app.words.isolation import turned

ADA = "آدا"
ISOLATED = f"\u2068{ADA}\u2069"


def test_texts_from_right_to_left_are_isolated_wherever_they_stand_in_a_fact():
    assert turned(ADA) == ISOLATED
    assert turned("שרה") == "\u2068שרה\u2069"
    assert turned((ADA, "Bo")) == (ISOLATED, "Bo")
    assert turned([ADA]) == [ISOLATED]
    assert turned({"name": ADA, "days": 3}) == {"name": ISOLATED, "days": 3}
    assert turned(lambda seat: ADA + seat)("red") == f"\u2068{ADA}red\u2069"
    marked = turned(Markup("<b>آدا</b>"))
    assert isinstance(marked, Markup)
    assert marked == Markup("\u2068<b>آدا</b>\u2069")


def test_everything_else_is_left_as_it_is():
    for fact in ("Ada", "日本", "Zoë", 3, None, True, ISOLATED, "", Markup("<b>"), 2.5):
        assert turned(fact) is fact


def test_a_sentence_isolates_such_a_name_and_no_other():
    assert say("mail/words", "en", "hello", "Ada") == "Hello Ada,"
    assert say("mail/words", "en", "hello", ADA) == f"Hello {ISOLATED},"
    told = say("play/words", "en", "waiting_for", names=[ADA, "Bo"])
    assert told == f"Waiting for {ISOLATED} and Bo"


def test_a_line_break_is_a_space_but_between_wide_characters():
    assert catalogue.on_one_line("a\n  b\n") == "a b"
    assert catalogue.on_one_line("终。\n  始 E5\n 了") == "终。始 E5 了"
    assert catalogue.on_one_line("赤の番\nです。") == "赤の番です。"
    assert catalogue.on_one_line("你好 世界") == "你好 世界"


def test_no_sentence_or_list_takes_its_direction_from_a_name_that_it_begins_with():
    """Browsers look at the first letter in `bdi` and `dir=auto`, even if it is isolated."""
    around = re.compile(r"""(?:<bdi>|dir="auto"[^>]*>)\s*\{\{(?:\s*say\(|[^}]*\blisted\(|\s*news\b)""")
    sources = sorted(Path(templates.__file__).parent.rglob("*.*"))
    wrong = [
        str(path)
        for path in sources
        if path.suffix in (".html", ".jinja") and around.search(path.read_text())
    ]
    assert sources
    assert wrong == []


def test_what_stands_behind_a_name_in_persian_stays_behind_it():
    assert say("mail/words", "fa", "labelled", "Dan (2)", "پذیرفته") == "\u2068Dan (2)\u2069: پذیرفته"

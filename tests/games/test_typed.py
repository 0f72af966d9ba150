"""Every legal move is read as other keyboards type it, with their digits, dashes, blanks and marks."""

import pytest

from app.engine.reading import one_form, tidy
from tests.games.test_contract import each_table, random_game, some
from tests.nim import GAMES

WIDE = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)} | {" ": "\u3000"})
BLANKS = ("\u3000", "\xa0", "\u2003", "\u202f", "\u2009", "\t", "  ")
DASHES = "‐‑‒–—―−－﹣⁃─━ーｰ〜～"
COMMAS = "，、،﹐､﹑︐"
SEMICOLONS = "；؛﹔"
COLONS = "：﹕"
STOPS = ("。", "．", "｡", "۔", ".", "！")
ARROWS = ("＞", "→", "－＞", "ー＞", " → ", "　＞　", "―＞")
HIDDEN = "\u200b\u200c\u200d\u200e\u200f\u061c\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff\xad\ufe0f"
ZEROS = "٠۰०০๐０𝟎"


def digits(zero: str) -> dict[int, str]:
    return {ord("0") + n: chr(ord(zero) + n) for n in range(10)}


def spellings(text: str) -> set[str]:
    """A move as people with other keyboards type it; each changes one kind of sign, and some all of them."""
    found = {text.translate(WIDE), text.upper().translate(WIDE), text.translate(digits("０")).upper()}
    found |= {text.translate(digits(zero)) for zero in ZEROS}
    found |= {text.replace(" ", blank) for blank in BLANKS}
    found |= {text.replace("-", dash) for dash in DASHES}
    found |= {text.replace(",", comma) for comma in COMMAS}
    found |= {text.replace(";", one) for one in SEMICOLONS} | {text.replace(":", one) for one in COLONS}
    found |= {f"{text}{stop}" for stop in STOPS}
    found |= {text.replace(">", arrow) for arrow in ARROWS}
    found |= {f"{hidden}{text}{hidden}".replace(" ", f"{hidden} {hidden}") for hidden in HIDDEN}
    found |= {hidden.join(text) for hidden in "\u200c\u200f"}
    found.add(
        f"\u2067{text.translate(digits(chr(0x6F0))).replace(' ', chr(0x200C) + ' ').replace(',', '،')}\u2069"
    )
    found.add(f"・{text}")
    return found


@each_table
def test_a_move_is_read_as_other_keyboards_type_it(table):
    game = GAMES[table[0]]
    for ply in some(random_game(table)[1], most=12):
        for decision in game.decisions(ply.state):
            offered = [*decision.options, *filter(None, [decision.default])]
            for move in offered[:: max(1, len(offered) // 8)]:
                text = game.format(move)
                for typed in spellings(text):
                    steps = game.split(typed)
                    assert len(steps) == 1, (text, typed, steps)
                    assert game.parse(ply.state, decision.seat, steps[0]) == move, (text, typed)
                    assert game.parse(ply.state, decision.seat, typed) == move, (text, typed)


@pytest.mark.parametrize("between", [*SEMICOLONS, "\u2028", "\x85", "\r\n", "\r"])
@each_table
def test_a_line_is_cut_into_moves_at_the_semicolons_of_other_keyboards(table, between):
    game = GAMES[table[0]]
    for ply in some(random_game(table)[1], most=3):
        for decision in game.decisions(ply.state)[:1]:
            texts = [game.format(move) for move in decision.options[:2]]
            plain, other = "\n".join(texts), between.join(texts)
            if between in SEMICOLONS:
                plain = ";".join(texts)
            assert game.split(other) == game.split(plain)


@pytest.mark.parametrize("text", ["sink F7", "Sink\tF7", "سلام ۱۲", "Ｅ５、ー", "a\r\nb", "\u2028", "①②"])
def test_the_one_form_of_a_text_is_its_own(text):
    assert one_form(one_form(text)) == one_form(text)
    assert tidy(one_form(text)) == tidy(text)

"""What a reader sees as one character is never cut, and wide characters take two columns."""

import textwrap

import pytest

from app.graphemes import cut, padded, unfolded, width, wrapped
from app.templating import environment, plain

ONES = {
    "a flag": "\U0001f1ee\U0001f1f7",
    "a family": "👨\u200d👩\u200d👧\u200d👦",
    "a hand of some colour": "👍🏽",
    "a key": "1\ufe0f\u20e3",
    "a letter with its mark": "e\u0301",
    "a Korean syllable of letters": "\u1100\u1161\u11a8",
    "an Arabic letter with its vowel": "\u0643\u0650",
    "two marks": "a\u0323\u0302",
    "a Devanagari syllable": "\u0915\u094d\u0937\u093f",
    "a line break": "\r\n",
}


@pytest.mark.parametrize("one", ONES.values(), ids=ONES)
def test_no_character_that_a_reader_sees_is_cut(one):
    text = f"ab{one}cd"
    for longest in range(1, len(text)):
        kept = cut(text, longest)
        assert len(kept) <= longest
        assert kept in ("a", "ab", f"ab{one}", f"ab{one}c"), longest
        marked = cut(text, longest, "…")
        assert marked.endswith("…")
        assert marked[:-1] in ("a", "ab", f"ab{one}".rstrip(), f"ab{one}c"), longest
    assert cut(text, len(text)) == cut(text, len(text), "…") == text


def test_a_single_character_that_is_too_long_is_cut_all_the_same():
    """Hundreds of marks on one letter are no reason to keep them all."""
    assert len(cut("a" + "\u0301" * 500, 40)) == 40
    assert len(cut("a" + "\u0301" * 500, 40, "…")) == 40


def test_narrow_text_is_wrapped_as_jinja_wraps_it():
    text = "“Well-known” words — and another-line, which is longer…\nAnd its own break."
    made = plain().from_string("{{ t|wordwrap(20) }}").render(t=text)
    assert made == "“Well-known” words —\nand another-line,\nwhich is longer…\nAnd its own break."


def test_wide_text_breaks_between_characters_and_keeps_its_marks():
    lines = wrapped("轮到你了，请走一步棋。「好」的。", 10).split("\n")
    assert lines == ["轮到你了，", "请走一步", "棋。「好」", "的。"]
    assert all(width(line) <= 10 for line in lines)
    assert wrapped("あなたの番です。E5に移動します。", 16, False).split("\n") == [
        "あなたの番です。",
        "E5に移動します。",
    ]
    assert not any(
        line[0] in "、。」っー"
        for line in wrapped("「キャッツー」、待った。あっ、そうだ。" * 3, 8).split("\n")
    )


def test_words_of_latin_letters_are_not_broken_beside_wide_ones():
    assert wrapped("请走 ship1 D10 再走 sink E5", 12, False).split("\n") == [
        "请走 ship1",
        "D10 再走",
        "sink E5",
    ]
    assert "https://example.org/t/abcdef" in wrapped("请看 https://example.org/t/abcdef 吧", 10, False).split(
        "\n"
    )


def test_what_is_isolated_stays_on_a_line_and_a_whole_one_is_isolated_in_each():
    text = "بنویسید \u2066move red1 F5\u2069 یا \u2066sink F4\u2069."
    lines = wrapped(text, 20).split("\n")
    assert all(line.count("\u2066") == line.count("\u2069") for line in lines)
    assert any("\u2066move red1 F5\u2069" in line for line in lines)
    whole = wrapped("\u2067نوبت شماست و همه منتظرند\u2069", 10).split("\n")
    assert len(whole) > 1
    assert all(line[0] == "\u2067" and line[-1] == "\u2069" for line in whole)
    assert wrapped("\u2066a\u2069 b \u2066c\u2069", 3).split("\n") == ["\u2066a\u2069 b", "\u2066c\u2069"]


def test_what_is_isolated_over_several_lines_is_so_in_each():
    said = "\u2068" + "x" * 9 + " bid 1" * 6 + " " + "y" * 25 + "\u2069"
    lines = wrapped(f"Ada: “{said}”", 20, True, "\n| ").split("\n")
    assert len(lines) > 4
    assert all(line.startswith("| ") for line in lines[1:])
    assert all(width(line) <= 22 for line in lines)
    assert all(line.count("\u2068") == line.count("\u2069") for line in lines)


@pytest.mark.parametrize(
    ("text", "chinese", "japanese"),
    [
        ("a\n  b", "a b", "a b"),
        ("取\n  得王冠", "取得王冠", "取得王冠"),
        ("打出\n  red1", "打出 red1", "打出red1"),
        ("red1\n  の上", "red1 の上", "red1の上"),
        ("ship5、\n  yellow5", "ship5、yellow5", "ship5、yellow5"),
        ("一\n二", "一\n二", "一\n二"),
    ],
)
def test_folded_lines_are_put_together_as_the_language_is_written(text, chinese, japanese):
    assert (unfolded(text), unfolded(text, close=True)) == (chinese, japanese)


def test_columns_are_filled_by_width():
    assert [
        width(padded(one, 8)) for one in ("Ada", "阿達", "آدا", "e\u0301", "👨\u200d👩\u200d👧\u200d👦")
    ] == [8] * 5
    assert padded("a long name", 4) == "a long name"


def test_the_templates_cut_and_wrap_by_what_readers_see():
    flag = ONES["a flag"]
    for made in (plain(), environment()):
        assert made.from_string("{{ t|truncate(4, true, '…', 0) }}").render(t=f"ab{flag}cd") == "ab…"
        assert made.from_string("{{ t|truncate(6) }}").render(t="ab") == "ab"
        assert made.from_string("{{ t|padded(4) }}|").render(t="阿") == "阿  |"


@pytest.mark.parametrize("text", ["", " ", "  two before, two behind  ", "a-b c", "x" * 79, "a\nb", "é"])
def test_a_text_of_one_line_is_wrapped_as_any_other(text):
    lines = [
        line
        for one in text.splitlines()
        for line in textwrap.wrap(one, 79, expand_tabs=False, replace_whitespace=False) or [""]
    ]
    assert wrapped(text) == "\n".join(lines)

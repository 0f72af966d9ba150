"""What people type comes out in one plain form, by whichever way it is read."""

import pytest

from app.engine.reading import nearest, tidy


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("move red1>E5", "move red1>e5"),
        ("red1->E5", "red1>e5"),
        ("Red1 -> E5", "red1>e5"),
        ("red1 => e5", "red1>e5"),
        ("red1 → E5.", "red1>e5"),
        ("red1 > e5", "red1>e5"),
        ("red1⇒E5", "red1>e5"),
        ("red1 ⟶ E5", "red1>e5"),
        ("red1 ~> E5", "red1>e5"),
        ("red1 ➡️ E5", "red1>e5"),
        ("red1-->e5", "red1>e5"),
        ("  play   wind\u00a0ship2\tC4\u2013D4 ", "play wind ship2 c4-d4"),
        ("- sink F7", "sink f7"),
        ("• sink F7!", "sink f7"),
        ("sink \u06f7", "sink 7"),
        ("\u202esink\u200b F7", "sink f7"),
        ("\uff33INK F\uff17", "sink f7"),
        ("sink F7,", "sink f7,"),
        ("", ""),
        (" ", ""),
    ],
)
def test_lines_come_out_in_one_form(typed, plain):
    assert tidy(typed) == plain
    assert tidy(plain) == plain


def test_near_names_keep_their_spelling():
    assert nearest("dolfin", ("Dolphin", "whale"))[0] == "Dolphin"
    assert nearest("xyzzy", ("Dolphin", "whale")) == ()

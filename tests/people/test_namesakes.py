"""Players of one name in one game are told apart."""

import pytest

from app.people.names import told_apart


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["Ada", "Bo"], ("Ada", "Bo")),
        (["Ada", "Ada"], ("Ada 1", "Ada 2")),
        (["Ada", "Bo", "ada"], ("Ada 1", "Bo", "ada 2")),
        (["Ada", " \uff21\uff44\uff41", "A\u200dda"], ("Ada 1", " \uff21\uff44\uff41 2", "A\u200dda 3")),
        (["Ada", "Ada", "Ada 1"], ("Ada 2", "Ada 3", "Ada 1")),
        (["Bo", "Ada 2", "bo", "BO"], ("Bo 1", "Ada 2", "bo 2", "BO 3")),
        (["", "", "Ada"], ("", "", "Ada")),
        (["Ada", "\u0410\u0501\u0430"], ("Ada 1", "\u0410\u0501\u0430 2")),  # Cyrillic
        (["Bob", "\u0392ob", "BOB"], ("Bob 1", "\u0392ob 2", "BOB 3")),  # Greek
        (["\u0410nna", "Anna"], ("\u0410nna 1", "Anna 2")),  # Cyrillic in a Latin word
        (["\u041e\u043b\u044f", "O\u043bya"], ("\u041e\u043b\u044f", "O\u043bya")),  # \u044f is no ya
        (["Bill", "BiII", "Bi11"], ("Bill 1", "BiII 2", "Bi11 3")),
        (["Otto", "0tt0"], ("Otto 1", "0tt0 2")),
        (["Arne", "Ame"], ("Arne 1", "Ame 2")),
        (["\u0410\u0434\u0430", "\u0430\u0434\u0430"], ("\u0410\u0434\u0430 1", "\u0430\u0434\u0430 2")),
        (["\u5c0f\u660e", "\u5c0f\u7ea2"], ("\u5c0f\u660e", "\u5c0f\u7ea2")),
        (["علی", "علي", "عَلی"], ("علی 1", "علي 2", "عَلی 3")),
        (["علی‌رضا", "علیرضا"], ("علی‌رضا 1", "علیرضا 2")),
        (["كامران", "کامران"], ("كامران 1", "کامران 2")),
        (["ニコ", "二コ"], ("ニコ 1", "二コ 2")),
        (["ｻｸﾗ", "サクラ"], ("ｻｸﾗ 1", "サクラ 2")),
        (["さくら", "サクラ"], ("さくら", "サクラ")),
        (["Ada", "Ad\u00e1", "Adda"], ("Ada", "Ad\u00e1", "Adda")),
        ([], ()),
    ],
)
def test_equal_names_get_a_number(names, told):
    assert told_apart(names) == told
    assert len({one.casefold() for one in told if one}) == len([one for one in told if one])

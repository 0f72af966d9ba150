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
        ([], ()),
    ],
)
def test_equal_names_get_a_number(names, told):
    assert told_apart(names) == told
    assert len({one.casefold() for one in told if one}) == len([one for one in told if one])

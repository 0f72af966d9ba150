"""A field for one address takes what a mail program copies: the name beside it, and `mailto:`."""

import pytest

from app.people.checks import check_address, clean_name
from app.people.errors import Refused


@pytest.mark.parametrize(
    "typed",
    [
        "ada@example.org",
        " Ada@Example.org ",
        "ａｄａ＠ｅｘａｍｐｌｅ．ｏｒｇ",
        "ada＠example.org",
        "ada@example。org",
        "\u2067ada@example.org\u2069",
        "小明＜ada@example.org＞",
        "Ada <ada@example.org>",
        '"Lovelace, Ada" <ada@example.org>',
        "Lovelace, Ada <ada@example.org>",
        "<ada@example.org>",
        "mailto:ada@example.org",
        "MAILTO:ada@example.org?subject=Hello",
        "Ada \u2039ada@example.org\u203a",
        "Ada <ada@example.org>;",
        "Ada <mailto:ada@example.org>",
    ],
)
def test_it_is_read(typed):
    assert check_address(typed)[1] == "ada@example.org"


@pytest.mark.parametrize(
    "typed",
    [
        "Ada",
        "Ada <ada@example.org> Bo <bo@example.org>",
        "ada@example.org, bo@example.org",
        "ada@example.org <bo@example.org>",
        "Ada <ada@example.org",
        "Ada <>",
        "mailto:",
        "<" * 20_000 + "ada@example.org>",
    ],
)
def test_more_or_less_than_one_address_is_refused(typed):
    with pytest.raises(Refused, match="address"):
        check_address(typed)


@pytest.mark.parametrize("typed", ["Ada", "Ada <ada@example.org>", '"Ada" <ada@example.org>', " Ada<a@b> "])
def test_a_field_for_a_name_takes_the_name_of_it(typed):
    assert clean_name(typed) == "Ada"


def test_a_name_that_is_an_address_is_none():
    for typed in ("<ada@example.org>", "ada@example.org", "www.evil.example <ada@example.org>"):
        with pytest.raises(Refused):
            clean_name(typed)

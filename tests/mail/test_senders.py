"""The sender of a mail, however its program spells the header; never one of two."""

import pytest

from app.mail.inbound.reading import Message, OwnNames, open_message

HOUSE = OwnNames(domain="tidepost.example")


def sender(written: str) -> str:
    opened = open_message(f"From: {written}\r\n\r\nboard\r\n".encode(), HOUSE)
    assert isinstance(opened, Message)
    return opened.sender


@pytest.mark.parametrize(
    "written",
    [
        "ann@players.example",
        "Ann <ANN@Players.Example>",
        '"Lee, Ann" <ann@players.example>',
        "ann@players.example (Ann)",
        "Ann (at home) <ann@players.example>",
        # against the rules, and common
        "ann@players.example <ann@players.example>",
        "Ann@Players.example <ann@players.example>",
        "'ann@players.example' <ann@players.example>",
        "Lee, Ann <ann@players.example>",
        "Lee, Ann, Dr. <ann@players.example>",
        "Ann [home] <ann@players.example>",
        "Ann; Lee <ann@players.example>",
        'Ann "Lee <ann@players.example>',
        "Ann <mailto:ann@players.example>",
        "Ann <ann@players.example.>",
        "'ann@players.example'",
    ],
)
def test_one_address_is_found(written):
    assert sender(written) == "ann@players.example"


@pytest.mark.parametrize(
    "written",
    [
        "",
        "Ann",
        "ann@players.example <bo@players.example>",
        "Ann <ann@players.example>, Bo <bo@players.example>",
        "Ann <ann@players.example> <bo@players.example>",
        "Lee, ann@players.example <bo@players.example>",
        "Ann@work [x] <ann@players.example>",
        '"ann@players.example"@evil.example, x',
        "ann@players.example@evil.example, x",
        "Lee, Ann <ann@players.example\\@evil.example>",
        "Lee, @evil.example:ann@players.example",
        "Lee, <@evil.example:ann@players.example>",
        "ann@players.example;@evil.example",
    ],
)
def test_of_two_none_is_taken(written):
    assert sender(written) != "ann@players.example"

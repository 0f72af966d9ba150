"""Banners above a mail are skipped where they surely are banners; what was typed never is."""

import pytest

from app.mail.inbound.reading.banners import without_banners


def read(text: str, *named: str) -> list[str]:
    lines = without_banners(
        text.split("\n"),
        named,
        lambda line: line.startswith("sink"),
        lambda line: line.startswith((">", "--")),
    )
    return [line for line in lines if line]


@pytest.mark.parametrize(
    "banner",
    [
        "*** EXTERNAL ***",
        "EXTERNAL EMAIL",
        "CAUTION - EXTERNAL EMAIL",
        "\u26a0 EXTERNAL SENDER \u26a0",
        "[EXTERNAL]:",
        "<<External Email>>",
        "[External]\n[Bulk]",
        "[External] [Spam]",
        "(extern)",
        "EXTERNAL: Do not click links or open attachments unless you recognize the sender.",
        "ZjQcmQRYFpfptBannerStart\nFrom an External Sender\nBe careful.\nZjQcmQRYFpfptBannerEnd",
        "NOTICE: This email was sent from outside Example Corp.\nPlease be careful.",
        "You don't often get email from ann@example.org. Learn why this is important",
        "-----\nWARNING: external sender. Think before you click links.\n-----",
        "| CAUTION: This email originated from outside. |",
        "UWAGA: Wiadomość pochodzi spoza organizacji.",
        "VARNING: Detta meddelande kommer utanför organisationen.",
        "ВНИМАНИЕ: письмо от внешнего отправителя",
        "【外部メール】",
        "[חיצוני]",
        "[EXTERNAL]\n\nCAUTION: This email originated from outside of the organization.\n\n[SPAM]",
    ],
)
def test_a_banner_is_skipped(banner):
    assert read(f"{banner}\n\nsink F5\nrest") == ["sink F5", "rest"]
    assert read(f"\n{banner}\n\nHello\nsink F5") == ["Hello", "sink F5"]


@pytest.mark.parametrize(
    "text",
    [
        "Warning: I will attack from outside",
        "Attention: external walls",
        "External",
        "Hello [EXTERNAL]",
        "[1] one",
        "[x] done",
        "-----",
        "> CAUTION: This email originated from outside of the organization.",
        "Caution!",
        "A long line about an external matter that says nothing of the kind that banners say, and goes on",
    ],
)
def test_what_may_have_been_typed_stays(text):
    assert read(f"{text}\nsink F5") == [text, "sink F5"]


def test_a_command_is_never_part_of_a_banner():
    assert read("CAUTION: This email originated from outside of the\nsink F5") == ["sink F5"]
    assert read("sink F5\n[EXTERNAL]") == ["sink F5", "[EXTERNAL]"]


def test_a_tag_before_the_text_is_cut_off():
    assert read("[EXTERNAL] sink F5") == ["sink F5"]
    assert read("[EXTERNAL] [BULK] hello") == ["hello"]


def test_the_operator_names_beginnings():
    assert read("Take care, friends: far mail\n\nsink F5", "take care, friends") == ["sink F5"]
    assert read("Do take care, friends\nsink F5", "take care, friends") == [
        "Do take care, friends",
        "sink F5",
    ]

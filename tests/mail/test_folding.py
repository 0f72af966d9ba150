"""Headers of text in any script come off the wire as they went on it, with every space of them."""

import email
from email import policy
from email.message import EmailMessage

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.mail.outbound.folding import SMTP
from tests.share import examples

TEXTS = st.text(st.sampled_from("آبی‌ن逃离亚あé😀E5#–=?_ "), min_size=1, max_size=150).map(
    lambda text: " ".join(text.split())
)
PERSIAN = "[Tidepost] فرار از آتلانتیس #1 – لطفاً بازی‌تان را تأیید کنید"


def arrived(name: str, value: str) -> tuple[str, bytes]:
    """A header as a reader's program decodes it, and its bytes on the wire."""
    message = EmailMessage(policy=SMTP)
    message[name] = value
    raw = message.as_bytes(policy=SMTP.clone(utf8=False))
    return str(email.message_from_bytes(raw, policy=policy.SMTP)[name]), raw


@given(TEXTS.filter(lambda text: text and "=?" not in text))
@settings(max_examples=examples(60))
@example(PERSIAN)
@example("[Tidepost] 逃离亚特兰蒂斯岛 #1：轮到你了")
def test_a_subject_keeps_its_characters_and_spaces(text):
    found, raw = arrived("Subject", text)
    assert found == text
    assert raw.isascii()
    assert all(len(line) <= 78 for line in raw.split(b"\r\n"))


@pytest.mark.parametrize("name", ["فرار از آتلانتیس", "فرار از " * 20 + "آتلانتیس", "逃离亚特兰蒂斯岛 #1"])
def test_the_identifier_of_a_list_stays_readable_behind_its_name(name):
    found, raw = arrived("List-Id", f"{name} <match-1.example.org>")
    assert found == f"{name} <match-1.example.org>"
    assert b" <match-1.example.org>" in raw


def test_a_subject_of_ascii_and_one_to_an_address_beyond_it_are_as_they_were():
    assert arrived("Subject", "Your turn")[1] == b"Subject: Your turn\r\n\r\n"
    message = EmailMessage(policy=SMTP)
    message["Subject"] = PERSIAN
    raw = message.as_bytes(policy=SMTP.clone(utf8=True))
    assert str(email.message_from_bytes(raw, policy=policy.SMTPUTF8)["Subject"]) == PERSIAN

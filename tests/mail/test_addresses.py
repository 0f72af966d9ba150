"""Addresses that name a letter: only what we signed counts, for what we signed it for."""

import re
import uuid
from pathlib import Path

from msgspec.structs import replace

from app.mail.core import signed_addresses
from app.settings import Settings
from app.store.outbox import LetterRequest

SETTINGS = Settings("", "folder://", "", "", "https://h.example", "h.example", ("k" * 32,), Path("/nowhere"))
OF_BEFORE = uuid.UUID(int=7).hex
LETTER = LetterRequest(kind="asked", once="").id


def test_an_address_leads_back_to_its_letter_in_whatever_case_it_comes_back():
    made = signed_addresses.address(SETTINGS, signed_addresses.BOUNCE, LETTER)
    local = made.removesuffix("@h.example")
    assert re.fullmatch(r"b\+[a-z2-7]{29}", local)
    assert len(local) <= 64
    for spelt in (local, local.upper(), local.title()):
        assert signed_addresses.letter_at(SETTINGS, signed_addresses.BOUNCE, spelt) == LETTER


def test_addresses_of_letters_of_before_lead_back_to_them():
    made = signed_addresses.address(SETTINGS, signed_addresses.LEAVE, OF_BEFORE)
    assert re.fullmatch(r"u\+[a-z2-7]{42}@h\.example", made)
    local = made.partition("@")[0]
    assert signed_addresses.letter_at(SETTINGS, signed_addresses.LEAVE, local) == OF_BEFORE


def test_a_signature_for_one_purpose_is_none_for_another():
    local = signed_addresses.address(SETTINGS, signed_addresses.LEAVE, LETTER).partition("@")[0]
    assert signed_addresses.letter_at(SETTINGS, signed_addresses.BOUNCE, local) is None
    assert signed_addresses.letter_at(SETTINGS, signed_addresses.BOUNCE, "b" + local[1:]) is None


def test_a_letter_of_an_older_key_still_comes_back_and_one_of_no_key_does_not():
    text = signed_addresses.signed(SETTINGS, signed_addresses.LEAVE, LETTER)
    newer = replace(SETTINGS, secret_keys=("n" * 32, *SETTINGS.secret_keys))
    assert signed_addresses.letter_of(newer, signed_addresses.LEAVE, text) == LETTER
    assert signed_addresses.signed(newer, signed_addresses.LEAVE, LETTER) != text
    other = replace(SETTINGS, secret_keys=("n" * 32,))
    assert signed_addresses.letter_of(other, signed_addresses.LEAVE, text) is None


def test_one_changed_letter_makes_it_nobodys():
    text = signed_addresses.signed(SETTINGS, signed_addresses.LEAVE, LETTER)
    for n, old in enumerate(text[:-1]):  # of the last, four bits are used
        changed = text[:n] + ("a" if old != "a" else "b") + text[n + 1 :]
        assert signed_addresses.letter_of(SETTINGS, signed_addresses.LEAVE, changed) is None
    for text in (
        "",
        "a",
        "ä" * 42,
        "1" * 42,
        "1" * 29,
        "a" * 28,
        "a" * 29,
        "a" * 30,
        "a" * 41,
        "a" * 42,
        "a" * 43,
    ):
        assert signed_addresses.letter_of(SETTINGS, signed_addresses.LEAVE, text) is None

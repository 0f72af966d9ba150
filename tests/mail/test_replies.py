"""A folder of messages as programs and people send them, each with what it must come to."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.engine.reading import tidy
from app.mail.inbound.reading import Message, OwnNames, open_message, read
from app.mail.inbound.reading.kinds import seems_automatic

FOLDER = Path(__file__).parent / "replies"
EXPECTED: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / "expected.yaml").read_text())
HOUSE = OwnNames(domain="tidepost.example")
PLACE, PIECE = "[a-m][0-9]{1,2}", "[a-z]+[0-9]{1,2}"
COMMAND = re.compile(
    f"sink {PLACE}|(?:move|creature) {PIECE}[>-]{PLACE}|orders:|(?:say|note):? .+"
    "|board|help|legal|undo|games|resign"
)


def is_command(line: str) -> bool:
    """A few commands like those of a game and of the house."""
    return COMMAND.fullmatch(tidy(line).replace(" - ", ">")) is not None


def test_each_message_has_its_expectation_and_each_expectation_its_message():
    assert {path.stem for path in FOLDER.glob("*.eml")} == set(EXPECTED)
    assert len(EXPECTED) >= 60


@pytest.mark.parametrize("name", EXPECTED)
def test_a_message_comes_to_what_is_expected(name):
    """Lessons: a folded From in capitals is its player; what a machine answers is no move."""
    expected = dict(EXPECTED[name])
    about = expected.pop("about")
    message = open_message((FOLDER / f"{name}.eml").read_bytes(), HOUSE)
    assert isinstance(message, Message), (about, message)
    reply = read(message, is_command, HOUSE)
    kind = expected.setdefault("kind", "reply")
    if kind == "reply":
        assert "lines" in expected, about
    for key, wanted in expected.items():
        found = getattr(reply if hasattr(reply, key) else message, key)
        assert (list(found) if isinstance(found, tuple) else found) == wanted or _begins(
            key, found, wanted
        ), (
            about,
            key,
            message.body,
        )


def _begins(key: str, found: Any, wanted: Any) -> bool:
    """Recipients: the first ones; the letter's own To follows in every message."""
    return key == "recipients" and list(found[: len(wanted)]) == wanted


@pytest.mark.parametrize(
    "subject",
    [
        "自动回复: [Tidepost] Ferry #1",
        "自動応答: Re: [Tidepost] Ferry #1",
        "Re: 自動返信: [Tidepost] Ferry #1",
        "AW: Automatische Antwort: [Tidepost] Ferry #1",
        "Autosvar: [Tidepost] Ferry #1",
        "Automatisk svar: x",
        "Automaattinen vastaus: x",
        "Automatická odpověď: x",
        "Automatikus válasz: x",
        "Otomatik Yanıt: x",
        "Αυτόματη απάντηση: x",
        "자동 회신: x",
        "Răspuns automat: x",
        "Автоматична відповідь: x",
    ],
)
def test_the_subject_of_an_automatic_answer_is_known_in_many_languages(subject):
    assert seems_automatic(subject)


@pytest.mark.parametrize(
    "subject", ["Re: [Tidepost] Ferry #1", "回复: Ferry", "答复: Re: x", "SV: VS: Odp: x", ":", ""]
)
def test_the_subject_of_a_reply_is_none(subject):
    assert not seems_automatic(subject)

"""The help that answers name in each language: every word that it tells people to type is understood."""

import re
from datetime import date

import pytest

from app import narrate
from app.mail.inbound.dispatch import first_word, recogniser
from app.mail.inbound.position import Position
from app.mail.inbound.system_commands import CHOICES, END, WORDS
from app.people.dates import dates_in, read_date
from app.people.errors import Refused
from app.web.core.rendering import page_words
from app.words.commands import HERE, argument_in, own_argument
from app.words.languages import available

QUOTED = re.compile(r"“([^”]+)”|「([^」]+)」|«([^»]+)»|『([^』]+)』")
HIDDEN = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
EXAMPLES = ("sink F5", "move red1>E5")
POLICIES = (("defend", ("always", "never")),)
LANGUAGES = list(available())
TODAY = date(2026, 11, 28)


def typed_in(text):
    """What stands between quote marks in a text, as people would type it after reading."""
    plain = HIDDEN.sub("", text)
    return ["".join(found).strip(" …") for found in QUOTED.findall(plain)]


def is_understood(line, language):
    position = Position(None, None)
    if recogniser(position)(line):
        word, argument = first_word(line)
        return word != "away" or not argument or bool(dates_in(argument, TODAY, language))
    names = (*CHOICES, HERE, "clear")
    return argument_in(line, names) in names or line in (*EXAMPLES, "always", "never", "defend", ";", "；")


@pytest.fixture(autouse=True)
def no_match(monkeypatch):
    monkeypatch.setattr(Position, "can_read", lambda *_: False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_that_the_help_names_is_understood(language):
    help_lines = narrate.say(narrate.LETTERS, language, "help_lines", EXAMPLES, True, POLICIES)
    named = typed_in(help_lines)
    assert len(named) > 20
    for line in named:
        assert is_understood(line, language), line


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_names_every_command_in_the_languages_own_word(language):
    lines = typed_in(narrate.say(narrate.LETTERS, language, "help_lines", EXAMPLES, True, POLICIES))
    own = [line for line in lines if language == "en" or not line.isascii()]
    named = {first_word(line)[0] for line in own}
    wanted = set(WORDS) - {"orders", "letters", "unblock"}
    assert wanted <= named | ({"unmute"} if "unblock" in named else set()), wanted - named
    arguments = {argument_in(line, (*CHOICES, HERE)) for line in own}
    assert {"at once", "quiet", "daily", "reminders", "none", HERE} <= arguments
    assert any(first_word(line)[0] == END and first_word(line)[1] for line in own)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("replies", (EXAMPLES,)),
        ("replies", ((),)),
        ("resign_how", (42,)),
        ("elsewhere_not_yours", ()),
        ("confirmation_not_you", ()),
        ("silenced", ("Bo", False)),
        ("silenced", ("Bo", True)),
        ("silenced_now", ((), ())),
    ],
)
def test_what_other_emails_tell_to_type_is_understood(language, name, facts):
    for line in typed_in(narrate.say(narrate.LETTERS, language, name, *facts)):
        assert is_understood(line, language), (name, line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_help_names_words_that_are_understood(language):
    for name in ("rules.replies_text", "rules.resign_by_reply"):
        text = re.sub("<[^>]+>", "", str(page_words(language, name)))
        assert typed_in(text)
        for line in typed_in(text):
            assert is_understood(line, language), (name, line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_of_dates_show_how_dates_are_written(language):
    day = date(2026, 12, 3)
    refusals = [
        Refused("away_date", text=""),
        Refused("away_unclear", text="x", first=day, last=day, other_first=TODAY, other_last=TODAY),
        Refused("away_open", text="x"),
        Refused("away_passed", text="x", passed=TODAY, day=day),
    ]
    for refusal in refusals:
        told = [one for one in typed_in(narrate.refusal(None, language, refusal)) if one != "x"]
        assert told
        for line in told:
            word, argument = first_word(line)
            assert dates_in(argument if word == "away" else line, TODAY, language), (refusal.reason, line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_choices_of_a_refusal_are_understood(language):
    for english in ("at once", "quiet", "daily", "reminders", "none"):
        own = own_argument(english, language)
        assert argument_in(own, CHOICES) == english
        assert language == "en" or not own.isascii()


def test_a_form_reads_what_it_shows_as_an_example():
    assert read_date("2026-12-03") == date(2026, 12, 3)

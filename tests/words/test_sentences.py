"""Every sentence is there once, is said, and reads well with each sample and plural form."""

import re
from itertools import pairwise

import pytest
from click.testing import CliRunner

from app.cli import main
from app.sentences import listing
from app.sentences.needs import needs
from app.sentences.particular import PARTICULAR
from app.sentences.renderings import renderings
from app.sentences.samples import counts
from app.words import audit, available, calls
from app.words.audit import Sentence

ENGLISH = [one for one in audit.sentences("en") if not one.part]
FAULTS = {
    "a fact that isn't there": re.compile(
        r"\bNone\b|Undefined|\bnamespace\b|<[\w.]+ object|\bbound method\b"
    ),
    "a brace of a template": re.compile(r"\{[{%#]|[#%}]\}"),
    "two spaces": re.compile(r"  "),
    "a space before a full stop or comma": re.compile(r" [.,;](?![.\w])"),
    "two full stops": re.compile(r"(?<!\.)\.\.(?!\.)"),
    "a space at an end": re.compile(r"^\s|\s$"),
}


SIGNS = {
    "en": (),
    "zh": (
        (
            "a space beside a wide mark",
            re.compile(r"[，。：；？！、」』）] [，。：；？！、」』）\u4e00-\u9fff]"),
        ),
    ),
    "ja": (
        (
            "a space beside a wide mark",
            re.compile(r"[，。：；？！、」』）] [，。：；？！、」』）\u3040-\u30ff\u4e00-\u9fff]"),
        ),
    ),
    "fa": (("digits of Latin in prose", re.compile(r"(?<=[\u0600-\u06ff] )[0-9]+(?= [\u0600-\u06ff])")),),
}
"""What a language's finished sentences don't have beside those."""


def wrong(sentence: Sentence, language: str = "en") -> list[tuple[str, str]]:
    """The faults of a sentence's renderings."""
    texts = renderings(sentence, language)
    if not any(texts):
        return [("nothing", "")]
    found = [
        (fault, text)
        for text in texts
        for fault, sign in (*FAULTS.items(), *SIGNS[language.partition("-")[0]])
        if any(match[0].strip() not in sentence.text or not match[0].strip() for match in sign.finditer(text))
    ]
    may_be_silent = sentence.name.startswith("event_")  # then the event is not told
    return found + ([] if may_be_silent or all(texts) else [("nothing", "")])


@pytest.mark.slow
@pytest.mark.parametrize("folder", sorted({one.folder for one in ENGLISH}))
def test_every_sentence_reads_well_with_every_sample(folder):
    """In every language: the facts of a game's sentences are collected once for all."""
    those = [
        (language, one)
        for language in available()
        for one in audit.sentences(language)
        if one.folder == folder and not one.part
    ]
    assert {
        f"{language} {one.name}": faults for language, one in those if (faults := wrong(one, language))
    } == {}


@pytest.mark.parametrize("name", PARTICULAR)
def test_facts_for_one_sentence_are_facts_it_takes(name):
    (sentence,) = (one for one in ENGLISH if one.name == name)
    assert set(PARTICULAR[name]) <= {path[-1] for path in needs(sentence.file, sentence.name)}


def test_no_english_sentence_is_missing_doubled_or_unused():
    found = listing.faults("en")
    assert [(one.folder, one.name) for one in (*found.missing, *found.doubled, *found.unused)] == []


@pytest.fixture
def english(monkeypatch):
    """Puts other sentences in place of those of the English files."""

    def put(*sentences: Sentence) -> None:
        monkeypatch.setattr(audit, "sentences", lambda _language: sentences)

    return put


def test_an_unused_a_doubled_and_a_missing_sentence_are_found(english, monkeypatch):
    said = next(one for one in ENGLISH if one.name == "subject_turn")
    english(said, Sentence(said.folder, "never_said_by_anybody", "", "x", said.file, 9999), said)
    found = listing.faults("en")
    assert [one.name for one in found.unused] == ["never_said_by_anybody"]
    assert [one.name for one in found.doubled] == ["subject_turn"]
    english_only = {"en": (said,), "fa": ()}
    monkeypatch.setattr(audit, "sentences", english_only.__getitem__)
    assert audit.missing("fa") == (said,)


def test_a_sentence_that_is_said_and_not_there_is_missing(english):
    english(*(one for one in ENGLISH if one.name != "subject_turn"))
    assert {(one.folder, one.name) for one in listing.faults("en").missing} == {
        ("mail/words", "subject_turn")
    }
    result = run("en")
    assert result.exit_code == 1
    assert "missing  mail/words  subject_turn()\n    mail/asked/subject.txt:" in result.output


def parameters(folders: tuple[str, ...], name: str) -> list[str]:
    """The parameters of a sentence, those with a default marked by a question mark."""
    facts = next(one.facts for one in ENGLISH if one.name == name and one.folder in folders)
    return [re.sub(r"=.*", "?", one.strip()) for one in facts.split(",") if one.strip()]


def test_every_call_gives_the_facts_that_its_sentence_takes():
    wrong_calls = []
    known = [one for one in calls.calls() if one.keywords is not None]
    for one in known:
        takes = parameters(one.folders, one.name)
        given = [*takes[: one.positional], *(one.keywords or ())]
        unknown = set(given) - {name.rstrip("?") for name in takes} - set(takes)
        lacking = {name for name in takes if not name.endswith("?")} - set(given)
        in_a_board = one.file.startswith("games/")  # may leave facts out, or spread a list
        if one.positional > len(takes) or unknown or (lacking and not in_a_board):
            wrong_calls.append((one, takes))
    assert len(known) > 800
    assert wrong_calls == []


def test_a_part_that_only_its_file_says_is_no_sentence(english):
    english(*ENGLISH, Sentence("mail/words", "_never", "", "x", "mail/words/en.jinja", 9999))
    assert not listing.faults("en")


def test_a_sentence_said_by_another_game_alone_is_unused():
    survive = next(one for one in ENGLISH if one.folder == "games/survive/words" and one.name == "title")
    assert not any(place.startswith("games/atlantis") for place in audit.uses(survive))


def test_each_plural_form_is_rendered():
    digest = next(one for one in ENGLISH if one.folder == "mail/words" and one.name == "digest_title")
    assert counts("en") == (3, 1)
    assert len(renderings(digest, "en")) == 3  # some, one, none


def test_facts_are_known_by_their_use():
    found = needs("words/en.jinja", "clock_rule")
    assert "per_move" in found[("rule", "kind")].constants
    assert "function" in needs("words/en.jinja", "notice_late")[("name",)].kinds


def run(*arguments: str):
    return CliRunner().invoke(main, ["words", *arguments])


def test_the_command_counts_and_is_content_with_english():
    result = run("en")
    assert re.fullmatch(r"\d+ sentences, 0 missing, 0 doubled, 0 unused\n", result.output)
    assert result.exit_code == 0


def test_the_command_names_a_fault_its_places_and_an_example(english):
    english(*ENGLISH, next(one for one in ENGLISH if one.name == "subject_turn"))
    result = run("en")
    assert result.exit_code == 1
    assert "doubled  mail/words  subject_turn(title, number)\n    mail/words/en.jinja:" in result.output
    assert "said in " in result.output
    assert "    [Tidepost] Nine Holes #12" in result.output


def test_an_unknown_language_is_answered_with_those_there_are():
    for arguments in (("xx",), ("xx", "--rendered")):
        result = run(*arguments)
        assert result.exit_code == 1
        assert "no words in 'xx'; there are en" in result.output


@pytest.mark.slow
def test_the_list_has_every_sentence_with_its_rendering():
    lines = run("en", "--rendered").output.splitlines()
    heads = [line.partition("  (")[0] for line in lines if line and not line.startswith((" ", "="))]
    assert sorted(heads) == sorted(one.name for one in ENGLISH)
    assert all(
        after.startswith("    ")
        for line, after in pairwise(lines)
        if line and not line.startswith((" ", "="))
    )

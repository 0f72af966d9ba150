"""What every language but English is held to: whole, its own, and nothing of English left in it."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from jinja2 import nodes

from app import templating
from app.sentences import listing
from app.words import audit, available
from app.words.audit import Sentence

TEMPLATES = Path(__file__).parents[2] / "templates"
LANGUAGES = [code for code in available() if code != "en"]
ENGLISH = {(one.folder, one.name): one for one in audit.sentences("en")}
LATIN = re.compile(r"(?<![\w/.#@])[A-Za-z][a-z]{2,}(?![\w@]|\.[a-z])")
KNOWN = {"Tidepost", "Survive", "Atlantis", "Atlandice", "Python", "JavaScript", "Atom", "Feed", "Outlook"}
KNOWN |= {
    "bearer",
    "token",
    "Authorization",
    "Bearer",
    "Webhook",
    "webhook",
    "cookie",
    "Discord",
    "Slack",
    "JSON",
    "Standard",
    "Webhooks",
}
"""Names, and words of the trade, which are the same in every language."""
NOTATION = {"bridge", "done", "orders", "ships", "pay", "card", "pass", "play", "move", "sink", "help", "sea"}
NOTATION |= {"donations", "clock", "bridges", "mod"}
TYPED = re.compile(r"“([^”]*)”|<(?:code|kbd)[^>]*>(.*?)</(?:code|kbd)>", re.DOTALL)
"""What an English sentence quotes may be there to be typed; such words are the same in every language."""
_TAG = re.compile(r"^[^<>]*>|<[^>]*(?:>|$)|&#?\w+;|\{\w+\}")
"""A tag, an entity or a placeholder; of a tag with a fact in it, either half."""
SETS = {"zh-Hans": "gb2312", "zh-Hant": "big5", "ja": "shift_jis"}
"""Character sets without the characters that only the neighbouring languages write."""
OUTSIDE = frozenset("–—…“”‘’·×→←↑↓✓−\u2066\u2067\u2068\u2069\u200b\u200e\u200f\u200c\u00a0\u2060é")
HAN, WIDE, ARABIC = "[\u3040-\u30ff\u4e00-\u9fff]", "[，。：；？！、「」『』（）]", "[\u0600-\u06ff]"
WRONG = {
    "zh": (
        (re.compile(r"您"), "a second word for you"),
        (re.compile(rf"(?<={HAN})(?:[,;:?!]|\.(?!\w))"), "a narrow mark of punctuation"),
        (re.compile(rf"{WIDE} | {WIDE}"), "a space beside a wide mark"),
    ),
    "ja": (
        (re.compile(rf"(?<={HAN})(?:[,;:?!]|\.(?!\w))"), "a narrow mark of punctuation"),
        (re.compile(rf"{WIDE} | {WIDE}"), "a space beside a wide mark"),
    ),
    "fa": (
        (re.compile(r"[ىيكة]"), "a letter of Arabic"),
        (re.compile(r"[٠-٩]"), "digits of Arabic"),
        (re.compile(r"(?<=[\u0600-\u06ff])[,;?]"), "a mark of Latin"),
        (re.compile(rf"\b(?:ن?می) (?={ARABIC})|(?<={ARABIC}) ها(?:ی|یی)?\b"), "a space for a narrow joint"),
        (re.compile(rf"\u200c(?!{ARABIC})|(?<!{ARABIC})\u200c"), "a narrow joint that joins nothing"),
    ),
}
"""Signs that no text of a language has, and what they are."""


@cache
def macros(file: str) -> dict[str, tuple[str, ...]]:
    """The texts that each macro of a file writes by itself: between tags, and in quotes not compared."""
    environment = templating.environment()
    tree = environment.parse(templating.loader().get_source(environment, file)[0])
    return {one.name: tuple(_texts(one)) for one in tree.find_all(nodes.Macro)}


def _texts(macro: nodes.Macro) -> Iterator[str]:
    for one in macro.find_all(nodes.TemplateData):
        yield one.data
    for call in macro.find_all((nodes.Call, nodes.Concat, nodes.Dict)):
        for one in call.find_all(nodes.Const):
            if isinstance(one.value, str) and re.search(r"[^\x00-\x7f]|\w \w| \w|\w ", one.value):
                yield one.value


def texts(sentence: Sentence) -> tuple[str, ...]:
    return macros(sentence.file)[sentence.name]


def left_over(sentence: Sentence) -> set[str]:
    """The Latin words of a sentence that the English one doesn't quote, and that are no names."""
    english = ENGLISH.get((sentence.folder, sentence.name))
    quoted = (
        " ".join(filter(None, (part for match in TYPED.finditer(english.text) for part in match.groups())))
        if english
        else ""
    )
    allowed = {*KNOWN, *NOTATION, *re.findall(r"[A-Za-z]+", quoted)}
    return {
        word for text in texts(sentence) for word in LATIN.findall(_TAG.sub(" ", text)) if word not in allowed
    }


def faults_of(language: str, text: str) -> list[str]:
    """What is wrong with a text as one of its language, beside the words."""
    found = [what for sign, what in WRONG[language.partition("-")[0]] if sign.search(text)]
    strange = "".join(dict.fromkeys(c for c in text if c not in OUTSIDE and not _in_set(language, c)))
    return [*found, *([f"characters of another language: {strange}"] if strange else [])]


def _in_set(language: str, character: str) -> bool:
    if language not in SETS or character.isascii():
        return True
    try:
        character.encode(SETS[language])
    except UnicodeEncodeError:
        return False
    return True


def in_all_languages() -> Iterator[Sentence]:
    for language in LANGUAGES:
        yield from audit.sentences(language)


def test_no_sentence_is_missing_doubled_or_unused():
    """Of the sentences of the product; games of the tests speak English alone."""
    found = {language: listing.faults(language) for language in LANGUAGES}
    assert {
        language: wrong
        for language, one in found.items()
        if (
            wrong := [
                each for each in (*one.missing, *one.doubled, *one.unused) if (TEMPLATES / each.file).exists()
            ]
        )
    } == {}


def parameters(facts: str) -> list[str]:
    """The names of a macro's parameters, without their defaults."""
    return [one.partition("=")[0].strip() for one in facts.split(",") if one.strip()]


def test_each_sentence_takes_the_facts_that_the_english_one_takes():
    others = [one for one in in_all_languages() if not one.part]
    assert {
        f"{one.file}:{one.line} {one.name}": (one.facts, ENGLISH[one.folder, one.name].facts)
        for one in others
        if (one.folder, one.name) in ENGLISH
        and parameters(one.facts) != parameters(ENGLISH[one.folder, one.name].facts)
    } == {}


def test_no_english_is_left_over():
    assert {
        f"{one.file}:{one.line} {one.name}": words for one in in_all_languages() if (words := left_over(one))
    } == {}


def test_each_text_is_written_as_the_language_is():
    found = {}
    for one in in_all_languages():
        language = one.file.rpartition("/")[2].partition(".")[0]
        for text in texts(one):
            if wrong := faults_of(language, _TAG.sub("", text)):
                found[f"{one.file}:{one.line} {one.name}: {text.strip()}"] = wrong
    assert found == {}


@pytest.mark.parametrize(
    ("language", "text", "wrong"),
    [
        ("zh-Hans", "轮到你了,请走棋。", ["a narrow mark of punctuation"]),
        ("zh-Hans", "请您走棋。", ["a second word for you"]),
        ("zh-Hans", "輪到你了。", ["characters of another language: 輪"]),
        ("zh-Hans", "轮到你了。 请走棋。", ["a space beside a wide mark"]),
        ("zh-Hant", "轮到你了。", ["characters of another language: 轮"]),
        ("zh-Hant", "請您行動。", ["a second word for you"]),
        ("zh-Hant", "輪到你了, 請走 E5。", ["a narrow mark of punctuation"]),
        ("zh-Hant", "輪到你了，請走 E5。", []),
        ("ja", "あなたの番です.", ["a narrow mark of punctuation"]),
        ("ja", "轮到あなた。", ["characters of another language: 轮"]),
        ("fa", "نوبت شماست, بازی کنید", ["a mark of Latin"]),
        ("fa", "مي‌شود", ["a letter of Arabic"]),
        ("fa", "می شود", ["a space for a narrow joint"]),
        ("fa", "بازی ها", ["a space for a narrow joint"]),
        ("fa", "بازی‌ ها", ["a narrow joint that joins nothing"]),
        ("zh-Hans", "轮到你了，请走 E5。", []),
        ("ja", "あなたの番です。E5に移動します。", []),
        ("fa", "نوبت شماست؛ بازی‌ها می‌شوند، تمام.", []),
    ],
)
def test_the_faults_of_a_language_are_found(language, text, wrong):
    assert faults_of(language, text) == wrong


def test_english_is_found_where_a_language_says_it():
    english = ENGLISH["mail/words", "subject_turn"]
    assert left_over(english) == {"your", "turn"}
    assert left_over(ENGLISH["mail/words", "digest_title"])
    assert "help" not in left_over(ENGLISH["mail/words", "no_replies"]) | left_over(
        ENGLISH["mail/words", "replies"]
    )


def test_the_first_letter_of_a_name_turns_no_sentence_of_ours():
    """A sentence that begins with a name keeps the direction of its language, and names are isolated."""
    guessing = re.compile(r'dir="auto"[^>]*>\{\{ (?:sentence|line|one|unread|say\()')
    files = [*(TEMPLATES / "mail").rglob("*.html"), *(TEMPLATES / "play").glob("*.html")]
    found = {path.name for path in files if guessing.search(path.read_text(encoding="utf-8"))}
    assert found == set()

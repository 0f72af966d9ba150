"""No sentence is built by joining pieces: only whole sentences stand before, behind or between sentences."""

import ast
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from jinja2 import nodes

from app import games, templating
from app.narrate import variants
from app.words import audit, say

ROOT = Path(__file__).parents[2]
TEMPLATES = {
    name: text
    for name, text in audit.all_sources()
    if name.endswith((".html", ".txt")) and not name.startswith(("catcher/", "operator/", "rules/pictures"))
}
WORDS = {name: text for name, text in audit.all_sources() if "/words/" in f"/{name}"}
PAGES = {
    name: text
    for name, text in TEMPLATES.items()
    if name not in WORDS and "/rules/" not in name and not re.match(r"games/\w+/board\.", name)
}
"""The templates that arrange sentences. Boards are drawings; a rules page belongs to one language."""
MODULES = {
    str(path.relative_to(ROOT)): path
    for room in ("mail/letters", "mail/inbound", "narrate", "web", "play/views")
    for path in sorted((ROOT / "app" / room).rglob("*.py"))
    if path.name != "waiting.py"  # an email to the operator, in English
}
SENTENCE_MARKS = re.compile(r"[.,:;!?()–…“”]")
_ENTITY = re.compile(r"&#?\w+;")
SAYING = {"say", "_say", "site"}
"""Functions that give a sentence. So do all of `narrate`."""
NEUTRAL = {"", " ", "\n"}
"""Whole sentences may stand beside each other, or on lines of their own."""


def put_between(text: str) -> list[tuple[int, str]]:
    """The marks of punctuation beside a template's expressions, each with its line."""
    found = []
    for output in templating.environment().parse(text).find_all(nodes.Output):
        parts = [None, *output.nodes, None]
        for before, one, after in zip(parts, parts[1:], parts[2:], strict=False):
            if isinstance(one, nodes.TemplateData):
                data = _ENTITY.sub("", one.data)
                beside = [re.split("[<\n]", data)[0]] if before is not None else []
                beside += [re.split("[>\n]", data)[-1]] if after is not None else []
                found += [(one.lineno, part) for part in beside if _is_punctuation(part)]
    return found


def _is_punctuation(text: str) -> bool:
    """Whether text between tags has a mark. Text with an equals sign is within a tag, or an address."""
    return ">" not in text and "=" not in text and SENTENCE_MARKS.search(text) is not None


def put_together(text: str) -> list[tuple[int, str]]:
    """Where a template joins sentences and other text by operators or the filter `join`, with lines."""
    tree = templating.environment().parse(text)
    found = [
        (one.lineno, repr(part.value))
        for one in tree.find_all((nodes.Concat, nodes.Add))
        for part in one.find_all(nodes.Const)
        if isinstance(part.value, str) and SENTENCE_MARKS.search(part.value) and _says(one)
    ]
    return found + [
        (one.lineno, "join")
        for one in tree.find_all(nodes.Filter)
        if one.name == "join" and one.args and getattr(one.args[0], "value", "") not in NEUTRAL
    ]


def _says(node: nodes.Node) -> bool:
    return any(
        isinstance(one.node, nodes.Name) and one.node.name == "say" for one in node.find_all(nodes.Call)
    )


def joined_by(tree: ast.AST) -> list[tuple[int, str]]:
    """Where a module joins a sentence with other text, or items with commas, with lines."""
    found = []
    for one in ast.walk(tree):
        if isinstance(one, ast.JoinedStr) and _gives_words(one):
            found.append((one.lineno, "f-string"))
        elif isinstance(one, ast.BinOp) and isinstance(one.op, ast.Add | ast.Mod) and _gives_text(one):
            found.append((one.lineno, "operator"))
        elif (
            isinstance(one, ast.Call)
            and isinstance(one.func, ast.Attribute)
            and one.func.attr == "join"
            and isinstance(one.func.value, ast.Constant)
            and one.func.value.value not in NEUTRAL
            and (_gives_words(one) or str(one.func.value.value).strip() in (",", ";", ":", "–", "-"))
        ):
            found.append((one.lineno, "join"))
    return found


def _gives_words(node: ast.AST) -> bool:
    """Whether a part of an expression is a call that gives a sentence."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call):
            called = one.func
            if isinstance(called, ast.Name) and called.id in SAYING and one.args:
                return True
            if isinstance(called, ast.Attribute) and (
                called.attr in SAYING or getattr(called.value, "id", "") == "narrate"
            ):
                return True
    return False


def _gives_text(node: ast.BinOp) -> bool:
    texts = [one for one in (node.left, node.right) if isinstance(one, ast.Constant | ast.JoinedStr)]
    return bool(texts) and _gives_words(node) and not isinstance(node.left, ast.List)


@pytest.mark.parametrize("name", sorted(PAGES))
def test_templates_put_nothing_of_a_sentence_beside_its_words(name):
    assert put_between(PAGES[name]) + put_together(PAGES[name]) == []


ALLOWED = {
    ("app/web/core/errors.py", "join"): "the header Allow",
    ("app/web/core/compression.py", "join"): "the header Vary",
    ("app/mail/inbound/dispatch.py", "join"): "moves in the notation, which are written with semicolons",
}


@pytest.mark.parametrize("name", sorted(MODULES))
def test_modules_join_no_sentences(name):
    found = joined_by(ast.parse(MODULES[name].read_text(encoding="utf-8")))
    assert [(line, how) for line, how in found if (name, how) not in ALLOWED] == []


NAMED = {"words/en.jinja": "a seat's colour begins a sentence as its name"}


@pytest.mark.parametrize("name", sorted(WORDS))
def test_words_take_no_sentence_to_pieces(name):
    """No word is made a sentence's first by a filter, and none is exchanged in a finished text."""
    tree = templating.environment().parse(WORDS[name])
    used = {one.name for one in tree.find_all(nodes.Filter)} - ({"capitalize"} if name in NAMED else set())
    assert used & {"capitalize", "title", "upper", "lower"} <= (
        {"capitalize"} if name == "words/en.jinja" else set()
    )


@pytest.mark.parametrize(
    "text",
    [
        '{{ say("a") }}: {{ b }}',
        '{{ say("a") }}.',
        "{{ a }} ({{ b }})",
        "<b>{{ a }}</b>, {{ b }}",
        '{% if a %}{{ a }}{% endif %}, {{ say("b") }}',
    ],
)
def test_a_mark_beside_a_sentence_is_found(text):
    assert put_between(text)


@pytest.mark.parametrize("text", ['{{ say("a") ~ ": " ~ b }}', '{{ names | join(", ") }}'])
def test_a_sentence_that_an_operator_makes_is_found(text):
    assert put_together(text)


@pytest.mark.parametrize(
    "text",
    ['{{ say("a") }} {{ say("b") }}', '<a href="/m/{{ n }}?b={{ c }}">{{ a }}</a> · {{ b }}', "- {{ a }}"],
)
def test_sentences_in_a_row_and_addresses_are_no_fault(text):
    assert put_between(text) + put_together(text) == []


@pytest.mark.parametrize(
    "text",
    [
        'f"{say(a)}: {b}"',
        '", ".join(notes)',
        'say(a) + "."',
        '"%s: " % narrate.option(a)',
        '" – ".join(narrate.choice(one) for one in b)',
    ],
)
def test_a_join_in_a_module_is_found(text):
    assert joined_by(ast.parse(text))


@pytest.mark.parametrize("text", ['" ".join(narrate.sentences(a))', 'say(f"refusal_{a}")', 'f"{a}/table"'])
def test_whole_sentences_and_names_of_sentences_are_no_fault(text):
    found = [how for _, how in joined_by(ast.parse(text))]
    assert found == []


@pytest.mark.parametrize(
    ("slug", "name", "choice"),
    [
        (slug, option.name, choice)
        for slug, game in games.all_games().items()
        for option in game.options
        for choice in option.choices[1:]
    ],
)
def test_each_choice_that_differs_from_the_usual_one_is_a_line_of_its_own(slug, name, choice):
    (line,) = variants(games.all_games()[slug], "en", {name: choice})
    assert line.startswith("Variant: ")


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (
            "play dolphin red1 B9",
            "“play dolphin red1 B9” isn’t possible: red1 isn’t in the water. Choose another move.",
        ),
        ("move red1>E5", "You can’t play “move red1>E5”: red1 isn’t in the water. Choose another move."),
    ],
)
def test_a_refused_move_is_quoted_without_saying_play_twice(move, said):
    facts = {"move": move, "piece": "red1"}
    assert say("games/survive/words", "en", "refused_not_swimming", facts) == said


def test_a_move_in_its_place_is_offered_without_saying_play_twice():
    facts = {"move": "move ship1>C2", "piece": "ship1", "instead": ("play wind ship1 C4", "move ship1>C4")}
    told = say("games/survive/words", "en", "refused_not_sea", {**facts, "at": "C2"})
    assert told.endswith("You can write “play wind ship1 C4” or “move ship1>C4”.")
    told = say(
        "games/survive/words", "en", "refused_not_sea", {**facts, "at": "C2", "instead": ("move ship1>C4",)}
    )
    assert told.endswith("You can play “move ship1>C4”.")


@pytest.mark.parametrize(("slug", "name"), [("atlantis", "event_drew_cards"), ("survive", "event_drew")])
def test_what_is_told_to_one_player_stays_true_when_all_read_it_after_the_game(slug, name):
    event = SimpleNamespace(seat="red", cards=("pot", "ring"), at="F4", tile="dolphin")
    told = say(f"games/{slug}/words", "en", name, event, {"red": "Ada"}.__getitem__)
    assert told.startswith("Hidden from the others: Ada")
    for language, hidden in (("ja", "非公開："), ("zh-Hans", "未公开："), ("zh-Hant", "未公開：")):
        told = say(f"games/{slug}/words", language, name, event, {"red": "Ada"}.__getitem__)
        assert told.startswith(hidden)

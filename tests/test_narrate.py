"""Every reason has words, words name the facts, and a language that lacks some borrows from English."""

import ast
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from app import games, narrate, words
from app.engine.chance import Chance
from app.engine.errors import AmbiguousMove, UnreadableMove
from app.people.errors import Closed, NotFound, Refused

ROOT = Path(__file__).parent.parent
FACTS = {
    "error": "Object missing required field `answer`.",
    "address": "a@b",
    "zone": "Mars",
    "preset": "chess960",
    "known": ["email", "own"],
    "language": "xx",
    "most": 40,
    "length": 50,
    "game": "chess",
    "edition": 3,
    "free": 1,
    "given": 3,
    "line": "sink F5",
    "kind": "hourglass",
    "then": "explode",
    "text": "soon",
    "choice": "never",
    "hour": 25,
    "name": "Bo",
    "days": 7,
    "year": 2026,
    "left": 12,
    "word": "call off",
    "first": date(2026, 12, 3),
    "last": date(2026, 12, 10),
    "latest": date(2027, 12, 3),
    "day": date(2027, 11, 5),
    "passed": date(2026, 11, 5),
    "other_first": date(2027, 3, 12),
    "other_last": date(2027, 3, 12),
    "open": 19,
    "wait": 7200,
    "names": ["Bo", "Bob"],
    "silenced": True,
    "part": "Ada @ home",
    "read": ("bo@c",),
}
KINDS = ("Refused", "Closed")
INVITATION = ("waiting", "invited", "accepted", "declined", "withdrawn", "expired")
"""Reasons that are the status of an invitation."""


def reasons() -> set[str]:
    """Every reason for which the house refuses, from its source. What is not found needs no more words."""
    found = set(INVITATION)
    for folder in ("play", "people", "web"):
        for path in (ROOT / "app" / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in KINDS and node.args:
                    said = ast.walk(node.args[0])
                    found |= {one.value for one in said if isinstance(one, ast.Constant)}
    return {reason for reason in found if isinstance(reason, str)}


@pytest.mark.parametrize("reason", sorted(reasons()))
def test_the_house_has_words_for_each_of_its_reasons(reason):
    generic = narrate.refusal(None, "en", Refused("no such reason"))
    sentence = narrate.refusal(None, "en", Refused(reason, **FACTS))
    assert sentence.endswith((".", "?"))
    assert sentence != generic


def test_a_reason_without_words_gets_general_ones():
    sentences = {narrate.refusal(None, "en", kind("no such reason")) for kind in (Closed, NotFound, Refused)}
    assert len(sentences) == 3


def test_what_cannot_be_read_is_quoted_with_what_may_have_been_meant():
    error = UnreadableMove("sinc F5", at="sinc", nearest=("sink",))
    assert narrate.refusal(None, "en", error) == "We can’t read “sinc” in “sinc F5”. Did you mean “sink”?"
    again = UnreadableMove("bridge 3 bridge 5", at="bridge", nearest=("bridge",))
    assert (
        narrate.refusal(None, "en", again)
        == "We can’t read “bridge” in “bridge 3 bridge 5”. The rules page says how to write moves."
    )
    error = UnreadableMove("hello", nearest=("sink", "sail"))
    assert narrate.refusal(None, "en", error) == "We can’t read “hello”. Did you mean “sink” or “sail”?"
    ambiguous = AmbiguousMove("C5", tuple(f"move red{n}>C5" for n in range(1, 12)))
    assert narrate.refusal(None, "en", ambiguous).endswith(
        "“move red8>C5”, among others. Write the one you mean."
    )


def test_what_was_typed_stays_text():
    sentence = narrate.refusal(None, "en", UnreadableMove("<b>{{ 7 * 7 }}</b>"))
    assert "<b>{{ 7 * 7 }}</b>" in sentence


def test_a_language_that_nobody_has_written_yet_speaks_english():
    error = Refused("name_empty")
    assert narrate.refusal(None, "xx", error) == narrate.refusal(None, "en", error)


def test_a_missing_phrase_is_found_out():
    with pytest.raises(LookupError):
        narrate.say(narrate.SITE, "en", "no_such_phrase")


@pytest.mark.parametrize("slug", sorted(games.all_games()))
def test_each_game_names_itself_and_its_options(slug):
    game = games.all_games()[slug]
    assert narrate.title(game, "en")
    assert len(narrate.short_title(game, "en")) <= 20
    assert len(narrate.blurb(game, "en")) > 40
    for option in game.options:
        assert narrate.option(game, "en", option)
        for choice in option.choices:
            assert narrate.choice(game, "en", option, choice)


@pytest.mark.parametrize("language", words.available())
def test_a_short_title_ends_before_a_colon_of_either_width(language):
    for game in games.all_games().values():
        short = narrate.short_title(game, language)
        assert short
        assert narrate.title(game, language).startswith(short)
        assert not set(short) & set(":\uff1a")


def test_a_question_without_a_list_of_answers_shows_how_one_is_written():
    game = games.all_games()["survive"]
    state = game.setup(("red", "yellow"), game.complete_options(2, {}), Chance(b"", 0)).state
    decision = game.decisions(state)[0]
    assert decision.asks == "orders"
    assert narrate.example(game, "en", decision).startswith("orders 3 F5 F6; ")
    other = games.all_games()["atlantis"]
    asked = other.decisions(
        other.setup(("red", "blue"), other.complete_options(2, {}), Chance(b"", 0)).state
    )[0]
    assert narrate.example(other, "en", asked) == ""


def test_with_two_players_a_visit_says_that_a_die_is_for_the_neutral_one():
    game = games.all_games()["atlandice"]
    for seats, said in ((("red", "blue"), True), (("red", "blue", "green"), False)):
        state = game.setup(seats, game.complete_options(len(seats), {}), Chance(b"", 0)).state
        decision = game.decisions(state)[0]
        asks = narrate.asks(game, "en", decision, game.view(state, decision.seat))
        assert ("neutral player" in asks) is said


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("America/Lima", "(UTC\u221205:00)"),
        ("America/New_York", "(EST, UTC\u221205:00)"),
        ("Asia/Kolkata", "(IST, UTC+05:30)"),
        ("UTC", "(UTC)"),
    ],
)
def test_the_distance_from_utc_stays_on_one_line(zone, said):
    """A line breaks after a hyphen, so west of Greenwich stands a minus sign."""
    moment = datetime(2026, 1, 5, 12, tzinfo=UTC).astimezone(ZoneInfo(zone))
    assert narrate.moment("en", moment).endswith(said)

"""Every game can be told in every language that it has, and drawn wherever a game may stand."""

import html
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

import templates
from app import draw, narrate, templating, words
from app.draw import pictures
from app.engine.game import Game, Move
from tests.games.random_games import played, refusals, some
from tests.nim import EARLIER, GAMES
from tests.nim import TEMPLATES as NIM_TEMPLATES

WIDEST = 76
FOLDERS = (Path(templates.__file__).parent, NIM_TEMPLATES)
LANGUAGES = [(slug, language) for slug, game in GAMES.items() for language in game.languages]
TABLES = [
    (slug, seats)
    for slug, game in GAMES.items()
    for seats in ((game.seats[-1],) if slug in EARLIER else (game.seats[0], game.seats[-1]))
]
_ISOLATES = re.compile("[\u2066-\u2069\u200c-\u200f]")
_OTHER_SCRIPTS = re.compile("[\u0620-\u06ff\u3040-\u30ff\u3400-\u9fff]")
in_each_language = pytest.mark.parametrize(("slug", "language"), LANGUAGES)
at_each_table = pytest.mark.parametrize(("slug", "seats"), TABLES)


def snake(kind: type) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__).lower()


def wanted(game: Game) -> Iterator[str]:
    """The macros without which something about a game could not be said."""
    yield from ("title", "blurb", "takes")
    yield from (f"event_{snake(kind)}" for kind in game.event_types)
    yield from (f"label_{snake(kind)}" for kind in game.move_types)
    yield from (f"refused_{reason}" for reason in game.reasons)
    yield from (f"asks_{kind}" for kind in game.asks)
    yield from (f"ending_{reason}" for reason in game.endings)
    for policy in game.policies:
        yield from (f"policy_{policy.name}", f"about_policy_{policy.name}")
    for option in game.options:
        yield f"option_{option.name}"
        yield from (f"choice_{option.name}_{choice}" for choice in option.choices)
    for preset in game.presets:
        yield from (f"preset_{preset.name}", f"about_preset_{preset.name}")
    if game.presets and game.demo_options:
        yield "about_first_game"


@in_each_language
def test_there_are_words_for_everything_a_game_has_to_say(slug, language):
    words = templating.plain().get_template(f"games/{GAMES[slug].slug}/words/{language}.jinja").module
    assert [name for name in wanted(GAMES[slug]) if not hasattr(words, name)] == []


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_declares_the_languages_that_it_has_words_in(slug):
    game = GAMES[slug]
    files = {
        file.stem for folder in FOLDERS for file in (folder / "games" / game.slug / "words").glob("*.jinja")
    }
    assert files == set(game.languages)
    assert game.languages[0] == "en", "what others lack is said in English"


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_has_its_rules_page_in_english(slug):
    name = f"games/{GAMES[slug].slug}/rules/en.html"
    assert "<p>" in templating.loader().get_source(templating.environment(), name)[0]


def is_said(text: str) -> bool:
    wrong = r"\bNone\b|Undefined|<[A-Za-z]+ |\(\)|[a-z)]\.[A-Z]| [.,;](?!\.)"
    return bool(text) and "\n" not in text and not re.search(wrong, text)


@in_each_language
def test_a_whole_game_is_told_in_sentences(slug, language):
    game = GAMES[slug]
    for seats in (game.seats[0], game.seats[-1]):
        for _, told in played(slug, seats):
            for event in (one.event for one in told):
                for sentence in narrate.sentences(game, language, [event], str.title):
                    assert is_said(sentence), event
        outcome = game.outcome(played(slug, seats)[-1][0])
        assert is_said(narrate.ending(game, language, outcome, str.title))


@in_each_language
def test_every_question_and_every_answer_has_words(slug, language):
    game = GAMES[slug]
    for state in some(slug, game.seats[-1], 40):
        for decision in game.decisions(state):
            view = game.view(state, decision.seat)
            assert is_said(narrate.asks(game, language, decision, view))
            offered: tuple[Move, ...] = (*decision.options, *filter(None, [decision.default]))
            for move in offered[:: max(1, len(offered) // 25)]:
                assert is_said(narrate.label(game, language, move, view)), move


@in_each_language
def test_what_can_be_pointed_at_has_words_and_no_bare_names_of_ours(slug, language):
    game = GAMES[slug]
    for state in some(slug, game.seats[-1], 40):
        for decision in game.decisions(state):
            view = game.view(state, decision.seat)
            for name in {name for move in decision.options for name in game.click_path(move)}:
                said = narrate.board_name(game, language, name, view)
                assert is_said(said), name
                assert not re.search(r"[:@_]|\b[a-z]+-[a-z]+\b", said), name


@in_each_language
def test_every_option_and_choice_has_a_line(slug, language):
    game = GAMES[slug]
    assert is_said(narrate.blurb(game, language))
    for option in game.options:
        assert is_said(narrate.option(game, language, option))
        assert all(is_said(narrate.choice(game, language, option, choice)) for choice in option.choices)


@in_each_language
def test_every_choice_of_a_policy_has_its_own_sentence(slug, language):
    game = GAMES[slug]
    for policy in game.policies:
        assert is_said(narrate.about_policy(game, language, policy))
        texts = [choice.replace("N", "3") for choice in policy.choices]
        said = [narrate.policy(game, language, policy, text) for text in texts]
        assert all(is_said(sentence) for sentence in said)
        assert len(set(said)) == len(said)
        three = words.formats(language).number(3)
        assert [three in sentence for sentence in said] == ["N" in choice for choice in policy.choices]


@in_each_language
def test_whoever_is_refused_hears_why(slug, language):
    """Moves of other moments of the game, tried now: most are illegal, for many different reasons."""
    game = GAMES[slug]
    heard = {str(error): error for error in refusals(slug)}
    assert heard
    for error in heard.values():
        assert is_said(narrate.refusal(game, language, error)), error


@at_each_table
def test_every_board_can_be_seen_and_read_by_everybody(slug, seats):
    game = GAMES[slug]
    for state in some(slug, seats, 30):
        for seat in (*game.colours[:seats], None):
            view = game.view(state, seat)
            root = ET.fromstring(draw.board(game, view))
            assert root.get("viewBox")
            assert root.get("aria-label")
            text = draw.text(game, view)
            assert max(map(len, text.splitlines())) <= WIDEST
            assert "<" not in text.replace("<-", "")
            own = draw.mine(game, view)
            assert seat is not None or not own, "onlookers have no secrets"
            assert all(len(line) <= WIDEST for line in own.splitlines())
            page = draw.page(game, view)
            assert "<svg" in page
            assert not re.search(r"<style|<script|\sstyle=|\son[a-z]+=|javascript:", page), "a strict policy"


@at_each_table
def test_no_letter_of_a_picture_is_missing_from_its_font(slug, seats):
    game = GAMES[slug]
    for state in some(slug, seats, 30):
        root = ET.fromstring(draw.board(game, game.view(state, None)))
        shown = "".join(
            text
            for element in root.iter()
            if element.tag.rpartition("}")[2] in ("text", "tspan")
            for text in (element.text or "", element.tail or "")
        )
        assert pictures.undrawable(shown) == ""


@in_each_language
def test_a_text_of_a_picture_has_letters_of_one_script_that_its_fonts_have(slug, language):
    """Where one letter of a text is missing from its font, another font draws all of it, and never bold."""
    game, texts = GAMES[slug], set()
    for state in some(slug, game.seats[-1], 6):
        drawn = draw.board(game, game.view(state, None), language=language)
        root = ET.fromstring(pictures.in_language(drawn, language))
        texts |= {text.strip() for text in root.itertext()}
    assert not [text for text in texts if re.search("[A-Za-z]", text) and _OTHER_SCRIPTS.search(text)]
    assert pictures.undrawable(_ISOLATES.sub("", "".join(sorted(texts))), language) == ""


@at_each_table
def test_all_that_can_be_pointed_at_is_on_the_page(slug, seats):
    game = GAMES[slug]
    for state in some(slug, seats, 40):
        for decision in game.decisions(state):
            view = game.view(state, decision.seat)
            touches = [game.click_path(move) for move in decision.options]
            for depth in range(max(map(len, touches), default=0)):
                names = {touch[depth] for touch in touches if len(touch) > depth}
                page = draw.page(game, view, pick={name: f"?pick={name}" for name in names})
                missing = {name for name in names if f'data-at="{html.escape(name)}"' not in page}
                assert not missing, (decision.asks, missing)
                assert len(re.findall(r'href="\?pick=', page)) >= len(names)

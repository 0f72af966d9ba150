"""The words of the house beside the games' own: neither takes the other's lines."""

import pytest

from app import narrate
from app.engine.chance import Chance
from app.games import all_games
from app.mail.inbound.dispatch import first_word
from app.mail.inbound.system_commands import WORDS
from app.mail.letters.kinds import KINDS

SEED = b"s" * 32


@pytest.mark.parametrize("slug", list(all_games()))
def test_no_move_begins_with_a_word_of_the_house_but_where_the_game_asks_by_it(slug):
    game = all_games()[slug]
    for seats in game.seats:
        state = game.setup(game.colours[:seats], game.complete_options(seats, {}), Chance(SEED, 0)).state
        for ply in range(1, 120):
            decisions = game.decisions(state)
            if not decisions:
                break
            for decision in decisions:
                for move in (*decision.options, *([decision.default] if decision.default else [])):
                    word = first_word(game.format(move))[0]
                    assert word not in WORDS or word == decision.asks
            asked = decisions[0]
            chance = Chance(SEED, ply)
            move = chance.pick(asked.options) if asked.options else asked.default
            state = game.apply(state, asked.seat, move, Chance(SEED, ply)).state


@pytest.mark.parametrize(
    ("line", "word", "rest"),
    [
        ("SAY: Hello, Bo", "say", "Hello, Bo"),
        ("help.", "help", ""),
        ("  note   two  blanks ", "note", "two  blanks"),
        ("Ｕｎｄｏ", "undo", ""),
        ("", "", ""),
    ],
)
def test_the_first_word_is_known_as_people_type_it_and_the_rest_is_kept(line, word, rest):
    assert first_word(line) == (word, rest)


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_of_letter_has_a_name_in_the_list_of_what_was_sent(kind):
    assert narrate.has_words(narrate.SITE, "en", f"kind_{kind}")

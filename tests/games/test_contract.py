"""The contract that every game keeps, tried in games of random legal moves."""

import functools
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine import codec
from app.engine.chance import Chance
from app.engine.errors import RulesError
from app.engine.game import Decision, Game, Move, Option, Options, Record, Seat, Step
from app.engine.presets import with_preset
from tests.nim import EARLIER, GAMES

ROOT = Path(__file__).parent.parent.parent
MOST_PLIES = 6000
RUBBISH = (
    "",
    " ",
    "xyzzy",
    "9",
    "move",
    "\u202e<b>",
    "sink Z99",
    "go",
    "visit",
    "a" * 5000,
    "\x00",
    "move >",
    ",;,",
)


def tables() -> Iterator[tuple[str, int, tuple[tuple[str, str], ...]]]:
    """Every game: each number of seats by default, each other choice of each option once, and each preset."""
    for slug, game in GAMES.items():
        if slug in EARLIER:
            yield slug, game.seats[-1], ()
            continue
        for seats in game.seats:
            yield slug, seats, ()
        for option in game.options:
            for choice in option.choices[1:]:
                yield slug, seats_for(game, option), (*needed(game, option), (option.name, choice))
        for preset in game.presets:
            for seats in (game.seats[0], game.seats[-1]):
                yield slug, seats, tuple(sorted(with_preset(game, preset.name, seats, {}).items()))


def needed(game: Game, option: Option) -> tuple[tuple[str, str], ...]:
    """The choices of other options without which an option isn't available."""
    if option.needs is None:
        return ()
    other = next(one for one in game.options if one.name == option.needs[0])
    return (*needed(game, other), option.needs)


def seats_for(game: Game, option: Option) -> int:
    """A number of seats for which an option is available."""
    all_needed = {name for name, _ in needed(game, option)} | {option.name}
    limits = [one.seats for one in game.options if one.name in all_needed and one.seats]
    return next(n for n in reversed(game.seats) if all(n in limit for limit in limits))


def name_of(table: tuple[str, int, tuple[tuple[str, str], ...]]) -> str:
    slug, seats, options = table
    return "-".join((slug, str(seats), *(f"{name}:{choice}" for name, choice in options)))


TABLES = list(dict.fromkeys(tables()))
each_table = pytest.mark.parametrize("table", TABLES, ids=name_of)
each_game = pytest.mark.parametrize("slug", list(GAMES))


class Ply:
    """A state, who answered what there, and what came of it."""

    def __init__(self, state: Record, seat: Seat, move: Move, step: Step) -> None:
        self.state, self.seat, self.move, self.step = state, seat, move, step


def seed_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def start(game: Game, seats: int, options: Options, seed: bytes) -> Step:
    colours = game.colours[:seats]
    return game.setup(colours, game.complete_options(seats, options), Chance(seed, 0))


def answer(decisions: tuple[Decision, ...], chance: Chance) -> tuple[Decision, Move]:
    decision = chance.pick([decision for decision in decisions if not decision.optional])
    if decision.options:
        return decision, chance.pick(decision.options)
    assert decision.default is not None
    return decision, decision.default


@functools.cache
def random_game(
    table: tuple[str, int, tuple[tuple[str, str], ...]], seed: str = "one"
) -> tuple[Step, list[Ply], Record]:
    """A whole game of random legal moves. The last state is over."""
    slug, seats, options = table
    game = GAMES[slug]
    secret, dice = seed_of(seed), seed_of(seed + " choices")
    first = start(game, seats, dict(options), secret)
    state, plies = first.state, []
    while decisions := game.decisions(state):
        number = len(plies) + 1
        assert number < MOST_PLIES, "the game does not end"
        decision, move = answer(decisions, Chance(dice, number))
        step = game.apply(state, decision.seat, move, Chance(secret, number))
        plies.append(Ply(state, decision.seat, move, step))
        state = step.state
    return first, plies, state


def some(plies: list[Ply], most: int = 25) -> list[Ply]:
    return plies[:: max(1, len(plies) // most)]


@each_table
def test_a_game_of_random_moves_ends_with_every_seat_placed(table):
    game = GAMES[table[0]]
    _, plies, last = random_game(table)
    colours = game.colours[: table[1]]
    assert all(game.outcome(ply.state) is None for ply in plies)
    outcome = game.outcome(last)
    assert outcome is not None
    assert outcome.reason in game.endings
    assert set(outcome.places) == set(outcome.scores) == set(colours)
    assert min(outcome.places.values()) == 1


@each_table
def test_somebody_must_act_until_the_end_and_has_a_default(table):
    game = GAMES[table[0]]
    for ply in random_game(table)[1]:
        decisions = game.decisions(ply.state)
        assert any(not decision.optional for decision in decisions)
        assert len({(d.seat, d.asks, d.about) for d in decisions}) == len(decisions)
        for decision in decisions:
            assert decision.asks in game.asks
            assert decision.optional or decision.default is not None


@each_table
def test_the_questions_are_the_same_without_their_answers(table):
    game = GAMES[table[0]]
    _, plies, last = random_game(table)
    for ply in plies:
        assert game.asking(ply.state) == tuple(one.asking for one in game.decisions(ply.state))
    assert game.asking(last) == ()


@each_table
def test_what_is_offered_is_accepted_and_the_default_too(table):
    game = GAMES[table[0]]
    for number, ply in enumerate(some(random_game(table)[1])):
        for decision in game.decisions(ply.state):
            offered = decision.options if decision.default is None else (*decision.options, decision.default)
            for move in offered[:: max(1, len(offered) // 40)]:
                step = game.apply(ply.state, decision.seat, move, Chance(seed_of("offer"), number))
                assert isinstance(step.state, game.state_type)
                assert all(type(told.event) in game.event_types for told in step.told)


@each_table
def test_what_is_written_is_read_back(table):
    game = GAMES[table[0]]
    for ply in some(random_game(table)[1], most=60):
        for decision in game.decisions(ply.state):
            texts = [game.format(move) for move in decision.options]
            assert len(set(texts)) == len(texts)
            for move, text in zip(decision.options, texts, strict=True):
                assert game.split(text) == (text,)
                assert game.parse(ply.state, decision.seat, text) == move
                assert game.parse(ply.state, decision.seat, f"  {text.upper()} ") == move
                assert all(isinstance(touch, str) for touch in game.click_path(move))


@each_table
def test_states_and_events_survive_json(table):
    game = GAMES[table[0]]
    first, plies, last = random_game(table)
    for ply in some(plies, most=60):
        assert codec.load_state(game, codec.dumps(ply.state)) == ply.state
        assert codec.load_told(game.event_types, codec.dump_told(ply.step.told)) == ply.step.told
    assert codec.load_state(game, codec.dumps(last)) == last
    assert codec.load_told(game.event_types, codec.dump_told(first.told)) == first.told


@each_table
def test_a_position_holds_the_whole_state(table):
    game = GAMES[table[0]]
    first, plies, last = random_game(table)
    options = game.complete_options(table[1], dict(table[2]))
    for state in (first.state, *(ply.state for ply in some(plies)), last):
        position = game.dump(state)
        assert game.load(position, game.colours[: table[1]], options, Chance(seed_of("load"), 0)) == state


@each_table
def test_the_log_alone_gives_the_same_game_again(table):
    game = GAMES[table[0]]
    first, plies, last = random_game(table)
    state = start(game, table[1], dict(table[2]), seed_of("one")).state
    assert state == first.state
    for number, ply in enumerate(plies, 1):
        move = game.parse(state, ply.seat, game.format(ply.move))
        step = game.apply(state, ply.seat, move, Chance(seed_of("one"), number))
        assert codec.dumps(step) == codec.dumps(ply.step)
        state = step.state
    assert state == last


def is_offered(game: Game, state: Record, seat: Seat, text: str) -> bool:
    """Whether the text happens to be the canonical text of an offered move: a word of RUBBISH may be."""
    offered = (move for one in game.decisions(state) if one.seat == seat for move in one.options)
    return text in map(game.format, offered)


@each_table
def test_rubbish_gets_an_error_of_the_rules_and_changes_nothing(table):
    game = GAMES[table[0]]
    for ply in some(random_game(table)[1], most=10):
        before = codec.dumps(ply.state)
        for text in RUBBISH:
            for seat in game.colours[: table[1]]:
                if is_offered(game, ply.state, seat, text):
                    continue
                with pytest.raises(RulesError) as caught:  # noqa: PT012 - reading or applying may refuse
                    game.split(text)
                    move = game.parse(ply.state, seat, text)
                    game.apply(ply.state, seat, move, Chance(seed_of("rubbish"), 1))
                assert caught.value.reason in ("unreadable", "ambiguous", *game.reasons)
        assert codec.dumps(ply.state) == before


@each_table
def test_nobody_answers_anothers_question(table):
    game = GAMES[table[0]]
    for ply in some(random_game(table)[1], most=10):
        asked = {decision.seat for decision in game.decisions(ply.state)}
        for seat in set(game.colours[: table[1]]) - asked:
            with pytest.raises(RulesError):
                game.apply(ply.state, seat, ply.move, Chance(seed_of("other"), 1))


@each_table
def test_a_view_is_the_same_whatever_the_seat_may_not_know(table):
    """For every seat and the onlookers, byte for byte, questions included, all hidden facts dealt anew."""
    game = GAMES[table[0]]
    changed = 0
    for number, ply in enumerate(some(random_game(table)[1], most=40)):
        for seat in (*game.colours[: table[1]], None):
            other = game.resample(ply.state, seat, Chance(seed_of("redeal"), number))
            changed += other != ply.state
            assert codec.dumps(game.view(other, seat)) == codec.dumps(game.view(ply.state, seat))
            again = [game.resample(state, seat, Chance(seed_of("again"), 1)) for state in (ply.state, other)]
            assert again[0] == again[1], "what is dealt anew must not follow from the true state"
            mine, others = (
                [d if d.seat == seat else (d.seat, d.asks, d.about) for d in game.decisions(state)]
                for state in (ply.state, other)
            )
            assert mine == others
    if game.open_information:
        assert not changed, "nothing is hidden, so there is nothing to resample"
    else:
        assert changed, "nothing is ever hidden: is `resample` written? Or declare `open_information`"


@each_table
def test_open_information_hides_nothing_from_anybody(table):
    """Every seat and onlooker has the same view and hears the same events."""
    game = GAMES[table[0]]
    first, plies, last = random_game(table)
    states = [first.state, *(ply.state for ply in some(plies)), last]
    told = [one for step in (first, *(ply.step for ply in plies)) for one in step.told]
    seats = game.colours[: table[1]]
    shown = [{codec.dumps(game.view(state, seat)) for seat in (*seats, None)} for state in states]
    if game.open_information:
        assert all(len(views) == 1 for views in shown)
        assert all(one.to is None for one in told)
    else:
        assert any(len(views) > 1 for views in shown) or any(one.to is not None for one in told)


@each_table
def test_what_is_told_to_some_goes_to_seats_at_the_table(table):
    game = GAMES[table[0]]
    colours = set(game.colours[: table[1]])
    for ply in random_game(table)[1]:
        for told in ply.step.told:
            assert told.to is None or (told.to and set(told.to) <= colours)


def policy_texts(game: Game) -> list[tuple[str, str]]:
    """Each kind of question that a policy answers, with every text that it may have."""
    return [
        (policy.asks, game.read_policy(policy.name, choice.replace("N", number)))
        for policy in game.policies
        for choice in policy.choices
        for number in (("1", "2", "9") if "N" in choice else ("",))
    ]


@each_table
def test_a_policy_gives_a_legal_answer_or_wants_to_be_asked(table):
    game = GAMES[table[0]]
    texts = policy_texts(game)
    for ply in random_game(table)[1]:
        for decision in game.decisions(ply.state):
            for asks, text in texts:
                move = game.apply_policy(game.view(ply.state, decision.seat), decision, text)
                assert (move is None) == (asks != decision.asks or text == "ask")
                assert move is None or move in decision.options
    if not texts:
        with pytest.raises(RulesError):
            game.read_policy("defend", "always")


@each_table
def test_whether_a_policy_answers_at_once_tells_nothing_of_a_hand(table):
    """A hand may change the answer, but not whether there is one: a delay would tell."""
    game = GAMES[table[0]]
    for number, ply in enumerate(random_game(table)[1]):
        for asks, text in policy_texts(game):
            for decision in (one for one in game.decisions(ply.state) if one.asks == asks):
                other = game.resample(ply.state, None, Chance(seed_of("hands"), number))
                (asked,) = (one for one in game.decisions(other) if one.seat == decision.seat)
                answers = [
                    game.apply_policy(game.view(state, one.seat), one, text)
                    for state, one in ((ply.state, decision), (other, asked))
                ]
                assert (answers[0] is None) == (answers[1] is None)


@each_game
def test_policies_and_lasting_questions_are_about_questions_that_there_are(slug):
    game = GAMES[slug]
    assert {policy.asks for policy in game.policies} | game.lasting <= set(game.asks)
    assert len({policy.asks for policy in game.policies}) == len(game.policies)
    assert all(policy.choices[0] == "ask" for policy in game.policies)


@each_game
@pytest.mark.parametrize(
    "text", ["", "perhaps", "at least", "at least 0", "at least 999", "9" * 5000, "\x00"]
)
def test_a_policy_that_says_nothing_is_refused(slug, text):
    game = GAMES[slug]
    for policy in game.policies:
        with pytest.raises(RulesError):
            game.read_policy(policy.name, text)
    with pytest.raises(RulesError):
        game.read_policy("no such policy", "always")


@each_table
def test_the_simple_player_finishes_a_game_from_its_own_view_alone(table):
    game = GAMES[table[0]]
    secret = seed_of("bots")
    state = start(game, table[1], dict(table[2]), secret).state
    number = 0
    while decisions := game.decisions(state):
        number += 1
        assert number < MOST_PLIES, "the game does not end"
        decision = decisions[0]
        move = game.bot(game.view(state, decision.seat), decision, Chance(seed_of("mind"), number))
        state = game.apply(state, decision.seat, move, Chance(secret, number)).state
    assert game.outcome(state) is not None


@each_game
def test_presets_choose_what_there_is(slug):
    game = GAMES[slug]
    names = [preset.name for preset in game.presets]
    assert len(set(names)) == len(names)
    choices = {option.name: option.choices for option in game.options}
    for preset in game.presets:
        assert all(choice in choices[name] for name, choice in preset.choices.items())


@each_game
def test_an_option_needs_a_choice_of_one_declared_before_it(slug):
    game = GAMES[slug]
    for place, option in enumerate(game.options):
        before = {one.name: one.choices for one in game.options[:place]}
        assert option.needs is None or option.needs[1] in before[option.needs[0]]


@each_game
def test_an_option_that_is_not_available_keeps_its_default(slug):
    game = GAMES[slug]
    for seats in game.seats:
        for option in game.options:
            complete = game.complete_options(seats, {})
            if not option.available(seats, complete):
                with pytest.raises(RulesError) as caught:
                    game.complete_options(seats, {option.name: option.choices[-1]})
                assert caught.value.reason in game.reasons


@each_game
def test_unknown_options_and_wrong_numbers_of_seats_are_refused(slug):
    game = GAMES[slug]
    for seats, options in ((game.seats[0], {"no such option": "on"}), (99, {}), (0, {})):
        with pytest.raises(RulesError):
            game.complete_options(seats, options)
    for option in game.options:
        with pytest.raises(RulesError):
            game.complete_options(seats_for(game, option), {option.name: "no such choice"})


@each_game
@pytest.mark.parametrize("position", [{"no such key": 1}, {"turn": {"seat": "nobody"}}, {"turn": 7}])
def test_a_nonsense_position_is_refused(slug, position):
    game = GAMES[slug]
    seats = game.seats[0]
    with pytest.raises(RulesError):
        game.load(position, game.colours[:seats], game.complete_options(seats, {}), Chance(seed_of("x"), 0))


@each_game
def test_it_is_an_edition_of_a_game_with_seats_that_pages_can_colour(slug):
    game = GAMES[slug]
    assert re.fullmatch(r"[a-z][a-z0-9_]*", game.slug)
    assert game.edition >= 1
    assert game.seats[0] >= 2
    assert len(set(game.colours)) == len(game.colours) >= game.seats[-1]
    style = (ROOT / "app" / "web" / "style" / "seats.css").read_text()
    assert set(game.colours) <= set(re.findall(r"\.seat-([a-z]+) {", style))


@each_game
def test_the_first_game_to_try_can_be_set_up(slug):
    game = GAMES[slug]
    for seats in game.seats:
        assert game.decisions(start(game, seats, game.demo_options, seed_of("demo")).state)


@each_game
def test_no_state_of_an_unknown_edition_is_converted(slug):
    game = GAMES[slug]
    assert game.upgrade(game.edition + 1, {}) is None
    assert game.upgrade(0, {}) is None

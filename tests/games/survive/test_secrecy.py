"""Hand tiles, values and placing lists stay secret."""

import re
from typing import Any

import pytest

from app.engine import codec
from app.engine.chance import Chance
from app.games.survive import GAME
from app.games.survive.board import BACKS, VALUES
from app.games.survive.events import Defended, Ended, TilePlayed, TurnedUp, ValuesDealt
from app.games.survive.moves import Place
from app.web.core.rendering import environment

SEED = b"secrecy." * 4
OPEN_EVENTS = (Defended, Ended, TilePlayed, TurnedUp)
HIDDEN = ("tiles", "hands", "worth", "orders")
WORDS = [back for back in BACKS if back not in ("shark", "whale", "ship", "wind", "whirlpool", "volcano")]


def game(seats: int, seed: int = 0, **options: str) -> Any:
    """Steps of a random game, the set-up first."""
    chance = Chance(SEED, seed, "choices")
    step = GAME.setup(
        GAME.colours[:seats], GAME.complete_options(seats, options), Chance(SEED, seed * 10_000)
    )
    ply = seed * 10_000
    while True:
        yield step
        decisions = GAME.decisions(step.state)
        if not decisions:
            return
        decision = chance.pick(decisions)
        move = chance.pick(decision.options) if decision.options else decision.default
        ply += 1
        step = GAME.apply(step.state, decision.seat, move, Chance(SEED, ply))


def sealed_lists() -> Any:
    """Steps in which one seat after another seals a placing list."""
    step = GAME.setup(GAME.colours, GAME.complete_options(4, {}), Chance(SEED, 0))
    for ply, seat in enumerate(GAME.colours[:3], 1):
        step = GAME.apply(step.state, seat, GAME.parse(step.state, seat, "orders random"), Chance(SEED, ply))
        yield step


@pytest.mark.parametrize("options", [{}, {"setup": "live"}, {"setup": "random"}], ids=str)
def test_no_secret_is_told_to_everybody_before_the_end(options: dict[str, str]) -> None:
    for step in game(3, **options):
        for told in step.told:
            if told.to is None and not isinstance(told.event, OPEN_EVENTS):
                text = codec.dumps(told.event).replace('"dolphin":', "")  # a field of Swam
                assert not any(word in text for word in WORDS)
                assert "value" not in text


def test_a_kept_tile_is_named_to_its_owner_alone() -> None:
    position = {
        "terrain": {"F5": "beach/shark-defence", "G4": "mountain/volcano"},
        "explorers": {"red1": "G4", "yellow1": "G4"},
        "turn": {"step": "sink"},
    }
    state = GAME.load(position, ("red", "yellow"), GAME.complete_options(2, {}), Chance(SEED, 0))
    step = GAME.apply(state, "red", GAME.parse(state, "red", "sink F5"), Chance(SEED, 1))
    naming = [told.to for told in step.told if "shark-defence" in codec.dumps(told.event)]
    assert naming == [("red",)]
    assert GAME.view(step.state, "red").hand == ("shark-defence",)  # type: ignore[attr-defined]
    for seat in ("yellow", None):
        assert "shark-defence" not in codec.dumps(GAME.view(step.state, seat))


def test_the_question_to_a_defender_tells_the_others_nothing() -> None:
    questions = []
    for tile in ("shark-defence", "wind"):
        position = {
            "terrain": {"G4": "mountain/volcano"},
            "explorers": {"red1": "G4", "yellow1": {"at": "sea:C4", "value": 3}},
            "hands": {"yellow": [tile]},
            "creatures": {"shark1": "C3"},
            "turn": {"step": "creature", "die": "shark"},
        }
        state = GAME.load(position, ("red", "yellow"), GAME.complete_options(2, {}), Chance(SEED, 0))
        step = GAME.apply(state, "red", GAME.parse(state, "red", "creature shark1>C4"), Chance(SEED, 1))
        (question,) = GAME.decisions(step.state)
        questions.append(
            (
                question.seat,
                question.asks,
                question.about,
                question.default,
                question.optional,
                codec.dump_told(step.told),
                codec.dumps(GAME.view(step.state, "red")),
                codec.dumps(GAME.view(step.state, None)),
            )
        )
    assert questions[0] == questions[1]


@pytest.mark.parametrize("setup", ["orders", "live", "random"])
def test_with_memory_as_printed_own_values_are_hidden_once_the_game_has_begun(setup: str) -> None:
    for step in game(2, setup=setup, memory="rulebook"):
        for seat in ("red", "yellow"):
            seen = {e.name: e.value for e in GAME.view(step.state, seat).explorers if e.value is not None}
            begun = step.state.step not in ("orders", "explorers", "ships")
            if begun and step.state.step != "over":
                assert not seen
            elif step.state.step == "over":
                assert len(seen) == 20
            else:
                assert all(name.startswith(seat) for name in seen)


@pytest.mark.parametrize("memory", ["open", "rulebook"])
def test_what_chance_placed_is_told_once_to_each_owner(memory: str) -> None:
    step = next(game(3, setup="random", memory=memory))
    dealt = {
        told.event.seat: (told.to, told.event.values)
        for told in step.told
        if isinstance(told.event, ValuesDealt)
    }
    assert set(dealt) == {"red", "yellow", "green"}
    for seat, (to, values) in dealt.items():
        assert to == (seat,)
        assert sum(values.values()) == 28
        assert all(name.startswith(seat) for name in values)


def test_with_open_memory_players_see_their_own_values_and_no_others() -> None:
    for step in game(3, setup="live"):
        if step.state.step == "over":
            return
        for seat in ("red", "yellow", None):
            view = GAME.view(step.state, seat)
            seen = {e.colour for e in view.explorers if e.value is not None}  # type: ignore[attr-defined]
            assert seen <= {seat}


def test_a_sealed_list_is_seen_by_its_owner_alone() -> None:
    state = GAME.setup(("red", "yellow"), GAME.complete_options(2, {}), Chance(SEED, 0)).state
    text = "orders 6 F5 F6; 5 G4; 4; 3 E5; 3 E6; 2 H5; 2 H6; 1 I5; 1 I6; 1 F4 ships E2"
    step = GAME.apply(state, "red", GAME.parse(state, "red", text), Chance(SEED, 1))
    assert GAME.view(step.state, "red").orders == text.removeprefix("orders ")  # type: ignore[attr-defined]
    for seat in ("yellow", None):
        assert "F5 F6" not in codec.dumps(GAME.view(step.state, seat))
    assert "F5" not in codec.dump_told(step.told)


def test_another_deal_changes_what_is_hidden_and_nothing_else() -> None:
    changed = set()
    for number, step in enumerate((*game(4), *sealed_lists())):
        state = step.state
        for seat in ("red", None):
            other: Any = GAME.resample(state, seat, Chance(SEED, number))
            assert codec.dumps(GAME.view(other, seat)) == codec.dumps(GAME.view(state, seat))
            assert sorted(map(len, other.hands)) == sorted(map(len, state.hands))
            changed |= {name for name in HIDDEN if getattr(other, name) != getattr(state, name)}
    assert changed == {"tiles", "hands", "worth", "orders"}


@pytest.mark.parametrize("tile", ["dolphin", "wind", "move-whale", "shark-defence", "whale-defence"])
@pytest.mark.parametrize(
    "terrain", [{"F5": "beach", "F6": "forest", "G4": "mountain"}, {"G4": "mountain/volcano"}]
)
def test_a_single_hidden_tile_of_a_hand_could_be_another(tile: str, terrain: dict[str, str]) -> None:
    position = {
        "terrain": terrain,
        "explorers": {"red1": "G4", "yellow1": "G4"},
        "hands": {"red": ["dolphin"], "yellow": [tile]},
    }
    state = GAME.load(position, ("red", "yellow"), GAME.complete_options(2, {}), Chance(SEED, 0))
    dealt: list[Any] = [GAME.resample(state, "red", Chance(SEED, n)) for n in range(20)]
    assert {other.hands[0] for other in dealt} == {("dolphin",)}
    assert any(other.hands[1] != (tile,) for other in dealt)


def test_while_explorers_are_placed_one_by_one_each_could_have_any_value() -> None:
    position = {
        "terrain": {"F5": "beach", "F6": "beach", "F7": "beach"},
        "explorers": {"red1": {"at": "F5", "value": 6}, "yellow1": {"at": "F6", "value": 6}},
        "turn": {"seat": "red", "step": "explorers"},
    }
    state = GAME.load(
        position, ("red", "yellow"), GAME.complete_options(2, {"setup": "live"}), Chance(SEED, 0)
    )
    dealt: list[Any] = [GAME.resample(state, "red", Chance(SEED, n)) for n in range(60)]
    assert {other.worth[0] for other in dealt} == {6}
    assert {other.worth[10] for other in dealt} == {1, 2, 3, 4, 5, 6}


def test_anothers_sealed_list_becomes_another_whole_one() -> None:
    state = GAME.setup(("red", "yellow"), GAME.complete_options(2, {}), Chance(SEED, 0)).state
    step = GAME.apply(state, "red", GAME.parse(state, "red", "orders random"), Chance(SEED, 1))
    other: Any = GAME.resample(step.state, "yellow", Chance(SEED, 2))
    assert GAME.apply(state, "red", other.orders[0], Chance(SEED, 3)).state.orders[0].wishes  # type: ignore[attr-defined]
    assert other.orders[1] is None
    assert GAME.resample(step.state, "red", Chance(SEED, 2)).orders == step.state.orders  # type: ignore[attr-defined]


@pytest.mark.parametrize("colours", ["one", "two"])
def test_pointing_names_no_value_for_addresses_are_written_down_everywhere(colours: str) -> None:
    step = GAME.setup(
        ("red", "yellow"), GAME.complete_options(2, {"setup": "live", "colours": colours}), Chance(SEED, 0)
    )
    (decision,) = GAME.decisions(step.state)
    placed = [move for move in decision.options if type(move).__name__ == "Place"]
    assert len({GAME.format(move) for move in placed}) > len({GAME.click_path(move) for move in placed}) == 40
    assert {GAME.click_path(move) for move in placed} == {(move.at,) for move in placed}


@pytest.mark.parametrize("colours", ["one", "two"])
def test_the_form_of_a_list_is_prefilled_in_a_drawn_order(colours: str) -> None:
    state = GAME.setup(
        ("red", "yellow"), GAME.complete_options(2, {"colours": colours}), Chance(SEED, 0)
    ).state
    view: Any = GAME.view(state, "red")
    orders = [view.drawn_explorers(f"question {n}") for n in range(400)]
    assert orders[0] == view.drawn_explorers("question 0"), "a page that is shown again shows the same"
    many = len(orders[0])
    assert {tuple(sorted(one)) for one in orders} == {tuple(sorted(orders[0]))}
    assert many == (10 if colours == "one" else 20)
    for row in range(many):
        mean = sum(order[row][1] for order in orders) / len(orders)
        assert abs(mean - 2.8) < 0.45, "no row is likelier to hold the 6"


def test_the_page_of_a_list_shows_the_drawn_order() -> None:
    state = GAME.setup(("red", "yellow"), GAME.complete_options(2, {}), Chance(SEED, 0)).state
    view: Any = GAME.view(state, "red")
    shown = []
    for question in ("one", "two"):
        page = environment().get_template("games/survive/ask_orders.html").module.ask(view, question, (), "")  # type: ignore[attr-defined]
        fields = re.findall(r'class="value".*?</select>', page, re.DOTALL)
        shown.append([int(re.findall(r"<option selected>(\d)", field)[0]) for field in fields])
        assert shown[-1] == [value for _, value in view.drawn_explorers(question)]
    assert shown[0] != shown[1]


def test_one_by_one_the_values_are_offered_in_a_drawn_order() -> None:
    orders = set()
    for seat in GAME.colours:
        for seed in range(12):
            options = GAME.complete_options(4, {"setup": "live"})
            seats = (seat, *(other for other in GAME.colours if other != seat))
            state = GAME.setup(seats, options, Chance(SEED, seed)).state
            values = [move.value for move in GAME.decisions(state)[0].options if isinstance(move, Place)]
            orders.add(tuple(dict.fromkeys(values)))
    assert {order[0] for order in orders} == {1, 2, 3, 4, 5, 6}


def test_the_order_of_a_bots_list_tells_no_value() -> None:
    firsts: dict[int, int] = {}
    for seed in range(400):
        state = GAME.setup(("red", "yellow"), GAME.complete_options(2, {}), Chance(SEED, seed)).state
        (mine, _) = GAME.decisions(state)
        move: Any = GAME.bot(GAME.view(state, "red"), mine, Chance(SEED, seed, "mind"))
        value = move.wishes[0].value
        firsts[value] = firsts.get(value, 0) + 1
    assert all(abs(firsts[value] - 40 * VALUES.count(value)) < 30 for value in set(VALUES)), firsts


def test_what_is_offered_first_is_drawn_place_and_value():
    """An example takes the first answers offered: it names no place and no value that is known beforehand."""
    first = set()
    for number in range(12):
        options = GAME.complete_options(3, {"setup": "live"})
        state = GAME.setup(("red", "yellow", "green"), options, Chance(bytes([number]) * 32, 0)).state
        decision = GAME.decisions(state)[0]
        first.add(GAME.format(decision.options[0]))
        by_value = [GAME.format(move).split() for move in decision.options if move != decision.options[-1]]
        begins = {value: place for _, value, place in reversed(by_value)}
        assert len(set(begins.values())) > 1, "each value begins with a place of its own"
    assert len({line.split()[2] for line in first}) > 3
    assert len({line.split()[1] for line in first}) > 1

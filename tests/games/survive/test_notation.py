"""Text as people type it, and the moves read from it."""

from typing import Any

import pytest

from app.engine.chance import Chance
from app.engine.errors import AmbiguousMove, IllegalMove, RulesError, UnreadableMove
from app.games.survive import GAME

CHANCE = Chance(b"notation" * 4, 0)
POSITION: dict[str, Any] = {
    "terrain": {"F5": "beach/dolphin", "G4": "mountain"},
    "explorers": {"red1": "ship1", "red2": "F5", "red3": "sea:C5", "yellow1": "G4"},
    "ships": {"ship1": "C1", "ship2": "E4"},
    "creatures": {"shark1": "D8", "shark2": "D9", "serpent1": "B2"},
    "hands": {"red": ["wind", "dolphin", "move-shark"]},
}


def at(step: str, **changes: Any) -> Any:
    """The position of these tests, at a step of red's turn."""
    turn = {"seat": "red", "step": step, **changes.pop("turn", {})}
    return GAME.load(
        {**POSITION, **changes, "turn": turn}, ("red", "yellow"), GAME.complete_options(2, {}), CHANCE
    )


def read(step: str, text: str, **changes: Any) -> str:
    return GAME.format(GAME.parse(at(step, **changes), "red", text))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("MOVE RED2>E5", "move red2>E5"),
        ("red2>e5", "move red2>E5"),
        ("move red 2 → E 5", "move red2>E5"),
        ("red2 to E5", "move red2>E5"),
        ("Red2 - E05.", "move red2>E5"),
        ("2>E5", "move red2>E5"),
        ("move 2 e5", "move red2>E5"),
        ("• move red۲＞E۵", "move red2>E5"),
        ("move red2->ship 2", "move red2>ship2"),
        ("red2 onto ship2", "move red2>ship2"),
        ("move red1>sea", "move red1>sea"),
        ("move red1>water", "move red1>sea"),
        ("move red1>C1", "move red1>sea"),
        ("move red1>isle", "move red1>isle"),
        ("move red1>isle NW", "move red1>isle"),
        ("move red1>nw", "move red1>isle"),
        ("move red1>isle:NW", "move red1>isle"),
        ("ship 2 > D4", "move ship2>D4"),
        ("sink f5", "sink F5"),
        ("F5", "sink F5"),
        ("play dolphin red3 C6", "play dolphin red3 C6"),
        ("dolphin red3>C6", "play dolphin red3 C6"),
        ("play red3 C6", "play dolphin red3 C6"),
        ("play dolphin 3 C6–C7", "play dolphin red3 C6-C7"),
        ("play dolphin red3 C5-C6-C7", "play dolphin red3 C6-C7"),
        ("play winds ship2 d4 d5", "play wind ship2 D4-D5"),
        ("play move-shark shark1 B5", "play move-shark shark1 B5"),
        ("play move shark shark 1 to B5", "play move-shark shark1 B5"),
        ("play shark1 B5", "play move-shark shark1 B5"),
        ("shark1>B5", "play move-shark shark1 B5"),
        ("done", "done"),
        ("move: red2>E5", "move red2>E5"),
        ("MOVE:red2 ⇒ E5", "move red2>E5"),
        ("move red2⟶E5", "move red2>E5"),
        ("move red2 ~> E5", "move red2>E5"),
        ("sink: F5", "sink F5"),
        ("Play: winds ship 2, D4, D5", "play wind ship2 D4-D5"),
        ("move: shark shark1 B5", "play move-shark shark1 B5"),
    ],
)
def test_many_ways_to_write_a_move_of_a_turn(text: str, canonical: str) -> None:
    assert read("play", text) == canonical
    assert read("play", canonical) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("creature shark1>C8", "creature shark1>C8"),
        ("shark 1 > C8", "creature shark1>C8"),
        ("move shark1>C8", "creature shark1>C8"),
        ("creature shark1>D7-C7", "creature shark1>D7-C7"),
        ("creature shark1>D7>C7", "creature shark1>D7-C7"),
        ("creature D11", "creature shark2>D11"),
        ("creature shark>D6", "creature shark1>D6"),
        ("creature pass", "creature pass"),
        ("Pass!", "creature pass"),
        ("creature: pass", "creature pass"),
        ("Creature: shark1 ⇒ C8", "creature shark1>C8"),
    ],
)
def test_many_ways_to_move_a_creature(text: str, canonical: str) -> None:
    assert read("creature", text, turn={"die": "shark"}) == canonical


def test_a_creature_without_a_number_is_asked_for_where_two_can_go() -> None:
    with pytest.raises(AmbiguousMove) as caught:
        read("creature", "creature shark C9", turn={"die": "shark"})
    assert caught.value.readings == ("creature shark1>C9", "creature shark2>C9")


@pytest.mark.parametrize(
    ("text", "wrong", "near"),
    [
        ("snik F5", "snik", "sink"),
        ("sink Z9", "z9", None),
        ("move red12>E5", "red12", "red2"),
        ("move rde2>E5", "rde2", "red2"),
        ("creature shrak1>C8", "shrak1", "shark1"),
        ("move red2>E5 E6", "e6", None),
        ("defend now", "now", None),
    ],
)
def test_what_cannot_be_read_is_pointed_at(text: str, wrong: str, near: str | None) -> None:
    with pytest.raises(UnreadableMove) as caught:
        read("play", text)
    assert caught.value.at == wrong
    assert near is None or near in caught.value.facts["nearest"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("move red2>isle", "not_at_isle"),
        ("move red2>sea", "not_aboard"),
        ("move red1>isle SE", "other_isle"),
        ("play wind red3 C6", "wrong_piece"),
        ("creature C9", "no_creature_reaches"),
    ],
)
def test_what_makes_no_sense_here_is_illegal_not_unreadable(text: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        read("play", text)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("move red1>ship2, red4>ship2, ship2>D4", ("move red1>ship2", "move red4>ship2", "move ship2>D4")),
        ("move red1>ship2，red4>ship2、ship2>D4", ("move red1>ship2", "move red4>ship2", "move ship2>D4")),
        ("red1>ship2; ship2>D4", ("red1>ship2", "move ship2>D4")),
        ("move: red1>ship2, then ship2>D4", ("move: red1>ship2", "move ship2>D4")),
        ("move ship2>C4>C5", ("move ship2>c4", "move ship2>c5")),
        ("ship2 -> C4-C5", ("move ship2>c4", "move ship2>c5")),
        ("move red1>E5,, move red2>E5,", ("move red1>E5", "move red2>E5")),
        ("move red1>E5, F7", ("move red1>E5", "move F7")),
        ("move red1>C4, sink D5", ("move red1>C4, sink D5",)),
        ("red1>C4; shark1>C5", ("red1>C4, shark1>C5",)),
        ("sink D5, creature pass", ("sink D5, creature pass",)),
        ("play move-shark shark1 B5, red1>C4", ("play move-shark shark1 B5, red1>C4",)),
        ("move-shark shark1 B5, red1>C4", ("move-shark shark1 B5, red1>C4",)),
        ("board red1, green2, green3", ("board red1, green2, green3",)),
        ("red1, green2, green3", ("red1, green2, green3",)),
        ("sink F7\r\n\ncreature pass\n", ("sink F7", "creature pass")),
        ("move red1>C4, red2>C5\nsink F7", ("move red1>C4", "move red2>C5", "sink F7")),
        ("6 F5\n5 G4", ("6 F5", "5 G4")),
        ("orders\n6 F5 F6\n5 G4,\n- 4\nG5\nships E2\nD4", ("orders 6 F5 F6; 5 G4; 4 G5 ships E2 D4",)),
        ("orders 6 F5\n5 G4\nsink F7", ("orders 6 F5; 5 G4", "sink F7")),
        ("6 F5\n5 G4\nships E2", ("6 F5; 5 G4 ships E2",)),
        ("creature shark1>C4>C5", ("creature shark1>C4>C5",)),
        ("orders 6 F5, F6; 5 G4; ships E2, D4", ("orders 6 F5, F6; 5 G4; ships E2, D4",)),
        ("green 6 F5; 5 G4 ships E2", ("green 6 F5; 5 G4 ships E2",)),
        (" ,; ", ()),
    ],
)
def test_a_line_is_split_into_steps(line: str, steps: tuple[str, ...]) -> None:
    assert GAME.split(line) == steps


@pytest.mark.parametrize(
    "text",
    [
        "move red2>E5, sink F5",
        "red2>E5; F5, creature pass",
        "sink F5, red2>E5",
        "sink F5; creature shark1>C8",
        "play move-shark shark1 B5, move red2>E5",
        "dolphin red3 C6, red2>E5",
        "sink F5, shark1>C8",
        "sink F5\ncreature pass",
    ],
)
def test_several_actions_in_a_line_are_sent_back_with_what_they_are(text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        read("play", text)
    assert caught.value.reason == "one_action"
    assert len(caught.value.facts["lines"]) >= 2


def test_lists_may_be_written_with_commas_colons_and_without_the_first_word() -> None:
    state = GAME.setup(("red", "yellow"), GAME.complete_options(2, {}), CHANCE).state
    plain = "6 F5 F6; 5 G4; 4; 3 E5; 3 E6; 2 H5; 2 H6; 1 I5; 1 I6; 1 F4 ships E2 D4"
    for text in (
        f"orders {plain}",
        "6: f5, f6; 5: g4; 4; 3 E5; 3 E6; 2 H5; 2 H6; 1 I5; 1 I6; 1 F4; ships: e2, d4",
        f"Orders red {plain.upper()}".replace("SHIPS", "Ships"),
        f"orders {plain}".replace(";", "；").replace("6", "۶"),
        f"orders: {plain}".replace("; ", "\n").replace(" ships ", "\nships: "),
        f"orders\n{plain}".replace("; ", ";\r\n- "),
        f"orders {plain}".replace(";", ","),
        f"orders {plain}".replace(";", ",").replace("F5 F6", "F5, F6").replace("E2 D4", "E2, D4"),
        f"orders {plain}".replace(";", ""),
        f"orders {plain}".replace(";", ",").replace("5 G4", "G4 5").replace("3 E5", "E5 3"),
    ):
        assert len(GAME.split(text)) == 1
        assert GAME.format(GAME.parse(state, "red", text)) == f"orders {plain}"
        assert GAME.format(GAME.parse(state, "red", GAME.split(text)[0])) == f"orders {plain}"


def test_a_list_in_which_commas_do_not_tell_the_wishes_apart_is_not_guessed_at() -> None:
    state = GAME.setup(("red", "yellow"), GAME.complete_options(2, {}), CHANCE).state
    with pytest.raises(UnreadableMove) as caught:
        GAME.parse(state, "red", "orders F5 6, F6, G4 5")
    assert caught.value.at == "5"


def test_a_colour_may_stand_above_its_wishes() -> None:
    state = GAME.setup(("red", "yellow"), GAME.complete_options(2, {"colours": "two"}), CHANCE).state
    canonical = "orders red 6 F5; red 5 G4; green 6 F6; green 5 G5 ships E2"
    for text in (
        canonical,
        "orders\nred:\n6 F5\n5 G4\ngreen:\n6 F6\n5 G5\nships E2",
        "orders red 6 F5, 5 G4, green 6 F6, 5 G5 ships E2",
        "orders F5 red 6, G4 5, F6 6 green, 5 G5 ships E2",
    ):
        assert GAME.format(GAME.parse(state, "red", text)) == canonical


def test_who_does_not_sit_at_the_table_is_refused_at_every_step() -> None:
    for step in ("orders", "explorers", "ships", "play", "sink"):
        state = at(step)
        for ask in (
            lambda state=state: GAME.parse(state, "blue", "sink F5"),
            lambda state=state: GAME.apply(state, "blue", GAME.parse(state, "red", "sink F5"), CHANCE),
            lambda state=state: GAME.view(state, "blue"),
        ):
            with pytest.raises(IllegalMove) as caught:
                ask()
            assert caught.value.reason == "not_at_the_table"


def test_a_tile_to_place_on_needs_its_colour_where_there_are_two() -> None:
    options = GAME.complete_options(2, {"setup": "live", "colours": "two"})
    state = GAME.setup(("red", "yellow"), options, CHANCE).state
    with pytest.raises(AmbiguousMove) as caught:
        GAME.parse(state, "red", "place 6 F5")
    assert caught.value.readings == ("place red 6 F5", "place green 6 F5")
    assert GAME.format(GAME.parse(state, "red", "F5 green 6")) == "place green 6 F5"


@pytest.mark.parametrize(
    "text", ["", "move", "play", "orders", "place", "board", "creature", "ship", "sink", "9" * 400]
)
@pytest.mark.parametrize("step", ["play", "creature", "explorers", "ships", "orders", "sink"])
def test_rubbish_is_refused_at_every_step(step: str, text: str) -> None:
    state = at(step, turn={"die": "shark"}) if step == "creature" else at(step)
    with pytest.raises(RulesError):
        GAME.apply(state, "red", GAME.parse(state, "red", text), CHANCE)


@pytest.mark.parametrize(
    ("text", "touches"),
    [
        ("move red2>E5", ("red2", "E5")),
        ("move red2>ship2", ("red2", "ship2")),
        ("move red1>sea", ("red1", "C1")),
        ("move red1>isle", ("red1", "isle:NW")),
        ("move ship2>D4", ("ship2", "D4")),
        ("sink F5", ("F5",)),
        ("creature shark1>C5", ("shark1", "C5")),
        ("play wind ship2 D4", ("own:wind", "ship2", "D4")),
        ("play dolphin red3 C6", ("own:dolphin", "red3", "C6")),
        ("play move-shark shark1 B5", ("own:move-shark", "shark1", "B5")),
        ("board red1 red2 red3", ("red1", "red2", "red3")),
        ("place 6 F5", ("F5",)),
        ("place random", ()),
        ("ship E2", ("E2",)),
        ("creature pass", ()),
        ("defend", ()),
        ("allow", ()),
        ("done", ()),
        ("orders random", ()),
    ],
)
def test_what_is_pointed_at_to_make_a_move(text: str, touches: tuple[str, ...]) -> None:
    assert GAME.click_path(GAME.parse(at("play"), "red", text)) == touches


@pytest.mark.parametrize(
    "text",
    [
        "Hello Bo, move on",
        "You may still move 3 times; then sink a tile.",
        "You can play a tile from your hand, then make up to three moves. Then sink a tile.",
        "Written by Tidepost, board games by letter:",
    ],
)
def test_a_sentence_with_a_comma_is_not_several_actions(text: str) -> None:
    with pytest.raises(UnreadableMove):
        read("move", text)

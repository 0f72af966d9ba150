"""What people type, and what it means."""

import pytest

from app.engine.chance import Chance
from app.engine.errors import AmbiguousMove, IllegalMove, RulesError, UnreadableMove
from app.games.atlandice import GAME
from app.games.atlandice.moves import Visit
from tests.games.atlandice.table import loaded, seed_of

EFFECT = {"step": "effect"}


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("visit smith weapon", "visit smith weapon"),
        ("Visit the Smithy: one weapon.", "visit smith weapon"),
        ("VISIT 5 WEAPON GEM", "visit smith gem weapon"),
        ("visit smith weapons and gems", "visit smith gem weapon"),
        ("visit  smi\u00a0wea", "visit smith weapon"),
        ("visit inn -", "visit inn -"),
        ("visit inn \u2013", "visit inn -"),
        ("visit inn", "visit inn -"),
        ("visit jeweller gem", "visit jewelers gem"),
        ("visit smith weapon for the neutral", "visit smith weapon neutral"),
    ],
)
def test_visits(typed, canonical):
    assert GAME.format(GAME.parse(loaded(), "red", typed)) == canonical


@pytest.mark.parametrize(
    ("tile", "typed", "canonical"),
    [
        ("B1", "take weapon", "take weapon"),
        ("B1", "take a weapon from the smith", "take weapon"),
        ("J3", "take tool and gem", "take gem tool"),
        ("L1", "take weapon", "take weapon@smith"),
        ("L1", "take book from market", "take book@market"),
        ("L1", "take gem @ smith", "take gem@smith"),
        ("J2", "swap gem weapon@smith", "swap gem weapon@smith"),
        ("J2", "swap weapon@smith gem", "swap gem weapon@smith"),
        ("J2", "swap gem for weapon at smith", "swap gem weapon@smith"),
        ("J2", "swap gem@jewelers, weapon@smith", "swap gem weapon@smith"),
        ("L2", "put book", "put book"),
        ("L2", "put book to the market", "put book"),
        ("I2", "put gem > works", "put gem works"),
        ("I2", "move gem from market to works", "put gem works"),
        ("B2", "put weapon inn", "put weapon inn"),
        ("I3", "die works 5", "die works 5"),
        ("I3", "die works \u2192 5", "die works 5"),
        ("I3", "die works smith", "die works 5"),
        ("E1", "submarine to market", "submarine market"),
        ("E1", "sub 6", "submarine market"),
    ],
)
def test_effects(tile, typed, canonical):
    effect = {"tile": tile, "area": "works"} if tile == "J3" else {"tile": tile}
    state = loaded(turn=EFFECT, effect=effect, submarine="works")
    assert GAME.format(GAME.parse(state, "red", typed)) == canonical


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("donate gem gem, book tool", "donate gem gem, book tool"),
        ("donate tool book, gem gem", "donate gem gem, book tool"),
        ("give gem gem book tool", "donate gem gem, book tool"),
        ("donate -", "donate -"),
        ("donate nothing", "donate -"),
        ("Donate \u2014", "donate -"),
    ],
)
def test_gifts(typed, canonical):
    state = loaded(turn={"step": "donate"})
    assert GAME.format(GAME.parse(state, "red", typed)) == canonical


def test_a_line_may_hold_a_visit_and_its_effects():
    assert GAME.split("visit smith weapon, take gem") == ("visit smith weapon", "take gem")
    assert GAME.split("visit smith weapon, gem; take gem\nput gem") == (
        "visit smith weapon, gem",
        "take gem",
        "put gem",
    )
    assert GAME.split("donate gem gem, book tool") == ("donate gem gem, book tool",)
    assert GAME.split("donate gem gem, donate book tool") == ("donate gem gem, book tool",)
    full_width = "visit inn -\uff1b\uff54\uff41\uff4b\uff45 gem\u3001put gem"
    assert GAME.split(full_width) == ("visit inn -", "take gem", "put gem")
    assert GAME.split(" ; ,\n") == ()


def test_a_gift_stays_whole_however_its_pairs_are_set_apart():
    """An answer is final, so half a gift must not be played alone."""
    state = loaded(turn={"step": "donate"})
    for mark in (";", "\uff0c", "\u3001", ", give"):
        (whole,) = GAME.split(f"donate gem gem{mark} book tool")
        assert GAME.format(GAME.parse(state, "red", whole)) == "donate gem gem, book tool"


def test_a_kind_that_lies_at_several_areas_is_asked_back():
    state = loaded(turn=EFFECT, effect={"tile": "L1"})
    with pytest.raises(AmbiguousMove) as caught:
        GAME.parse(state, "red", "take gem")
    assert caught.value.readings == ("take gem@jewelers", "take gem@smith", "take gem@market")


@pytest.mark.parametrize(
    ("typed", "at", "near"),
    [
        ("vizit smith weapon", "vizit", "visit"),
        ("visit smiht weapon", "smiht", "smith"),
        ("visit smith wepon", "wepon", "weapon"),
        ("submarine labrary", "labrary", "library"),
    ],
)
def test_what_is_misspelt_is_named_with_what_is_near(typed, at, near):
    with pytest.raises(UnreadableMove) as caught:
        GAME.parse(loaded(), "red", typed)
    assert caught.value.at == at
    assert near in caught.value.nearest


@pytest.mark.parametrize(
    ("typed", "given"), [("donate gem", 1), ("donate gem gem, gem", 3), ("donate gem gem book", 3)]
)
def test_an_odd_gift_is_read_and_refused(typed, given):
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(loaded(turn={"step": "donate"}), "red", typed)
    assert (caught.value.reason, caught.value.facts["given"]) == ("odd_gift", given)


def test_a_move_is_pointed_at_on_the_board():
    touched = {
        "visit smith gem weapon neutral": ("neutral", "gem@smith", "weapon@smith"),
        "visit inn -": ("inn",),
    }
    for text, names in touched.items():
        assert GAME.click_path(GAME.parse(loaded(), "red", text)) == names
    for tile, text, names in (
        ("L1", "take gem@smith", ("gem@smith",)),
        ("B1", "take gem", ("gem@smith",)),
        ("J2", "swap gem weapon@smith", ("gem@jewelers", "weapon@smith")),
        ("L2", "put book", ("book@library", "market")),
        ("I3", "die works 5", ("die@works", "smith")),
        ("E1", "submarine inn", ("inn",)),
    ):
        state = loaded(turn=EFFECT, effect={"tile": tile}, submarine="works")
        assert GAME.click_path(GAME.parse(state, "red", text)) == names
    gift = GAME.parse(loaded(turn={"step": "donate"}), "red", "donate gem book")
    assert GAME.click_path(gift) == ("gem@own", "book@own")


def test_words_of_the_notation_in_any_order_are_read_or_refused():
    """Whatever is read and legal has a canonical text that means the same."""
    verbs = ["visit", "take", "swap", "put", "die", "submarine", "donate", "x"]
    words = ["smith", "works", "market", "gem", "weapon", "book", "-", "neutral", "@", ",", ">", "5", "9"]
    words += ["from", "@smith", "@own", "smi", "x", *verbs]
    states = [
        loaded(turn=EFFECT, effect={"tile": tile}, submarine="inn") for tile in ("B1", "L1", "J2", "B2", "I3")
    ]
    states += [loaded(), loaded(("red", "blue")), loaded(turn={"step": "donate"}, owned={"red": {"gem": 3}})]
    chance = Chance(seed_of("words"), 0)
    legal = 0
    for number in range(12_000):
        state = states[number % len(states)]
        rest = [chance.pick(words) for _ in range(chance.below(4))]
        text = " ".join([chance.pick(verbs), *rest])
        for line in GAME.split(text):
            try:
                move = GAME.parse(state, "red", line)
                GAME.apply(state, "red", move, Chance(seed_of("words"), number))
            except RulesError:
                continue
            assert GAME.parse(state, "red", GAME.format(move)) == move
            legal += 1
    assert legal > 20


def test_two_resources_can_be_taken_in_either_order():
    visit = Visit("library", ("book", "gem"), neutral=True)
    assert GAME.click_path(visit) == ("neutral", "book@library", "gem@library")
    assert GAME.other_paths(visit) == (("neutral", "gem@library", "book@library"),)
    for plain in (Visit("library", ("gem", "gem")), Visit("library", ("gem",)), Visit("market", ())):
        assert GAME.other_paths(plain) == ()


def test_the_same_words_mean_what_the_open_effect_makes_of_them():
    for _ in range(2):  # what is kept of the first reading is not used for another effect
        for tile, text, canonical in (
            ("B1", "take weapon", "take weapon"),
            ("L1", "take weapon", "take weapon@smith"),
            ("L2", "put book", "put book"),
            ("I2", "put book works", "put book works"),
        ):
            state = loaded(turn=EFFECT, effect={"tile": tile})
            found = GAME.format(GAME.parse(state, "red", text))
            assert found == canonical

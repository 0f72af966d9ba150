"""The face of Survive: what is drawn is what is there, for those who may see it, and can be pointed at."""

import io
import math
import re
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from app import draw, narrate
from app.draw import pictures
from app.draw.looks import look
from app.engine.chance import Chance
from app.engine.errors import RulesError
from app.games.survive import GAME
from app.games.survive.board import HOLE, ISLAND, ISLES, NEIGHBOURS, SPACES

SEATS = ("red", "yellow", "green")
SEED = b"look at the sea!" * 2
CROWD = {
    "terrain": {"F5": "forest", "G5": "mountain", "D5": "forest"},
    "explorers": {
        "red1": {"at": "F5", "value": 6},
        "red2": {"at": "F5", "value": 1},
        "yellow1": {"at": "F5", "value": 2},
        "red3": {"at": "ship1", "value": 3},
        "green1": {"at": "ship1", "value": 5},
        "green2": {"at": "ship1", "value": 4},
        "yellow2": {"at": "sea:E3", "value": 1},
        "red4": {"at": "isle:NW", "value": 1},
        "green3": {"at": "isle:NW", "value": 1},
        "red5": {"at": "G5", "value": 4},
    },
    "ships": {"ship1": "E3", "ship2": "C5"},
    "creatures": {"serpent1": "B2", "shark1": "C5", "whale1": "C5", "whale2": "D9"},
    "hands": {"red": ["dolphin"], "yellow": ["shark-defence"]},
    "turn": {"seat": "red", "step": "play"},
}


def view_of(position, seat=None, **options):
    state = GAME.load(position, SEATS, GAME.complete_options(len(SEATS), options), Chance(SEED, 0))
    return GAME.view(state, seat)


def look_at(macro):
    return getattr(look("survive", "board.svg", "en"), macro)


def placed(svg, name):
    """Where the text stands, and which text it is."""
    found = re.findall(rf'<text x="([\d.]+)" y="([\d.]+)"[^>]*>{name}</text>', svg)
    assert len(found) == 1, (name, found)
    return tuple(map(float, found[0]))


def test_the_spaces_that_are_drawn_are_those_of_the_map_and_lie_as_neighbours():
    ground = str(look_at("ground")())
    at = {name: placed(ground, name) for name in SPACES}
    assert len(re.findall(r"<text", ground)) == len(SPACES) + len(ISLES)
    for one in SPACES:
        near = {other for other in SPACES if other != one and math.dist(at[one], at[other]) < 70}
        assert near == set(NEIGHBOURS[one])
    shallow = {name for name in SPACES if f'x="{at[name][0]:g}" y="{at[name][1] - 27:g}" fill=' in ground}
    assert shallow == {*ISLAND, HOLE}


def test_each_isle_touches_the_two_spaces_that_reach_it_and_no_other():
    ground = str(look_at("ground")())
    at = {name: placed(ground, name) for name in SPACES}
    middles = dict(
        zip(ISLES, re.findall(r'<path d="M(\d+) (\d+)L(\d+) (\d+)" stroke="#f3fafa"', ground), strict=True)
    )
    for isle, (ax, ay, bx, by) in middles.items():
        ends = [(float(ax), float(ay)), (float(bx), float(by))]
        touched = {n for n, (x, y) in at.items() if min(math.dist((x, y - 27), end) for end in ends) < 70}
        assert touched == set(ISLES[isle])


def titles(svg):
    return [element.text for element in ET.fromstring(svg).iter() if element.tag.endswith("title")]


def test_every_piece_on_the_board_is_drawn_once_and_the_saved_are_counted():
    svg = draw.board(GAME, view_of(CROWD))
    explorers = ["green1", "green2", "red1", "red2", "red3", "red5", "yellow1", "yellow2"]
    others = ["serpent1", "shark1", "ship1", "ship2", "whale1", "whale2"]
    assert sorted(titles(svg)) == sorted([*explorers, *others, "red × 1", "green × 1"])
    assert "R×1" in svg


def test_values_are_on_their_owners_board_and_on_nobody_elses():
    def shown(seat):
        return {title for title in titles(draw.board(GAME, view_of(CROWD, seat))) if " = " in title}

    assert shown("red") == {"red1 = 6", "red2 = 1", "red3 = 3", "red5 = 4"}
    assert shown("yellow") == {"yellow1 = 2", "yellow2 = 1"}
    assert shown(None) == set()


def test_a_hand_is_told_to_its_owner_alone():
    assert "dolphin" in draw.mine(GAME, view_of(CROWD, "red"))
    for seat in ("yellow", None):
        view = view_of(CROWD, seat)
        assert "dolphin" not in draw.page(GAME, view) + draw.text(GAME, view) + draw.mine(GAME, view)
    assert draw.mine(GAME, view_of(CROWD)) == ""


@pytest.mark.parametrize("with_ship", ["", "ship1"])
@pytest.mark.parametrize("many", range(1, 21))
def test_pieces_in_one_space_stay_in_it_and_leave_each_other_free(with_ship, many):
    spots: dict[str, tuple[float, float, float, str]] = {}
    names = tuple(f"shark{n}" for n in range(many))
    look_at("locate")(spots, "F5", with_ship, (), names, ())
    x, y = (number - 27 * (axis == 1) for axis, number in enumerate(placed(str(look_at("ground")()), "F5")))
    for name, (px, py, r, _) in spots.items():
        assert math.dist((px, py), (x, y)) + r <= 40, name
        assert r >= (2.5 if with_ship else 4)
    free = [spots[name] for name in names]
    for n, (ax, ay, ar, _) in enumerate(free):
        for bx, by, br, _ in free[:n]:
            assert math.dist((ax, ay), (bx, by)) >= (ar + br) * 0.93


def test_what_may_be_pointed_at_is_a_link_with_its_name_and_pieces_lie_above_spaces():
    names = ["red1", "F5", "ship2", "shark1", "red3", "isle:NE", "C6"]
    kinds = {"red1": "piece", "F5": "tile", "isle:NE": "target", "C6": "target"}
    svg = draw.board(
        GAME,
        view_of(CROWD, "red"),
        pick={name: f"?pick={name}&x=1" for name in names},
        picked=["red5"],
        kinds=kinds,
    )
    assert svg.count('<use href="#sv-dot"') == 2, "a dot where a piece could go, an isle too"
    assert svg.count('<use href="#sv-pin"') == 1, "a pin where one press is a whole move"
    links = [element for element in ET.fromstring(svg).iter() if element.tag.endswith("}a")]
    assert [link.get("data-at") for link in links] == [
        "F5",
        "isle:NE",
        "C6",
        "red1",
        "ship2",
        "shark1",
        "red3",
    ]
    assert all(link.get("href") == f"?pick={link.get('data-at')}&x=1" for link in links)
    assert all(link.get("aria-label") for link in links)
    assert ET.fromstring(svg).get("role") == "group"
    assert ET.fromstring(draw.board(GAME, view_of(CROWD))).get("role") == "img"


def test_an_address_cannot_break_out_of_its_link():
    svg = draw.board(GAME, view_of(CROWD), pick={"F5": '"><script>'})
    assert "<script>" not in svg


def test_what_changed_has_a_ring_and_names_from_elsewhere_are_passed_over():
    view = view_of(CROWD)
    plain = draw.board(GAME, view)
    assert draw.board(GAME, view, marks=["no such name", "wind", "red9"]).count("<circle") == plain.count(
        "<circle"
    )
    assert draw.board(GAME, view, marks=["red1"]).count("<circle") == plain.count("<circle") + 2
    assert draw.board(GAME, view, marks=["red1", "F5"]).count("<circle") == plain.count("<circle"), "one ring"


def test_an_attack_that_waits_is_seen_on_the_board_and_in_words():
    attack = {
        **CROWD,
        "turn": {"seat": "red", "step": "defend", "die": "shark"},
        "creatures": {"shark1": "D2"},
        "attack": {"creature": "shark1", "at": "D2", "asked": "yellow"},
    }
    attack["explorers"] = {**CROWD["explorers"], "yellow2": {"at": "sea:D2", "value": 1}}
    view = view_of(attack)
    assert "shark1 is on D2. yellow can answer before it attacks." in draw.text(GAME, view)
    assert "shark1 is on D2. yellow can answer before it attacks." in draw.page(GAME, view)
    assert 'stroke-dasharray="5 3"' in draw.board(GAME, view)


def test_the_text_board_is_complete():
    text = draw.text(GAME, view_of(CROWD))
    for said in (
        "on the island: red1 F5, red2 F5, red5 G5",
        "aboard: red3 ship1",
        "safe: red4 NW",
        "ship1 E3 (red3 green1 green2)",
        "ship2 C5",
        "shark1 C5, whale1 C5, whale2 D9",
        "F5^",
        "G5#",
        "1 tile in hand",
    ):
        assert said in text
    lines = text.splitlines()
    below = lines[next(n for n, line in enumerate(lines) if line.startswith("   E1")) + 1]
    assert below[15:].startswith("V1*3") or "V1*3" in below


def test_a_letters_picture_is_small_and_its_colours_are_those_of_the_pieces(tmp_path):
    png = draw.picture(GAME, view_of(CROWD), tmp_path)
    assert len(png) <= pictures.LARGEST
    with Image.open(io.BytesIO(png)) as image:
        assert image.width == 784
        colours = [colour for _, colour in image.convert("RGB").getcolors(1 << 20) or ()]
    for wanted in ((196, 48, 43), (247, 207, 61), (39, 117, 58)):
        assert min(math.dist(wanted, colour) for colour in colours) < 24


def test_a_refusal_says_what_was_read_why_not_and_what_would_do():
    state = GAME.load(CROWD, SEATS, GAME.complete_options(3, {}), Chance(SEED, 0))
    with pytest.raises(RulesError) as caught:
        GAME.apply(state, "red", GAME.parse(state, "red", "sink G5"), Chance(SEED, 1))
    said = narrate.refusal(GAME, "en", caught.value)
    assert said.startswith("You can’t play “sink G5”: G5 is mountain, and forest sinks first.")
    assert "F5" in said


def test_events_name_who_what_and_where():
    state = GAME.load(CROWD, SEATS, GAME.complete_options(3, {}), Chance(SEED, 0))
    told = GAME.apply(state, "red", GAME.parse(state, "red", "sink F5"), Chance(SEED, 1)).told
    names = {"red": "Ada", "yellow": "Bo", "green": "Cy"}
    said = narrate.sentences(GAME, "en", [one.event for one in told], names.__getitem__)
    assert said[0] == "Ada sinks F5, a forest. red1, red2 and yellow1 fall into the water."
    assert {"F5", "red1"} <= set(draw.named(one.event for one in told))


def test_a_button_says_what_waits_where_a_move_leads():
    island = {"terrain": {"F5": "forest", "D5": "forest"}, "turn": {"seat": "red", "step": "move"}}
    explorers = {"red1": {"at": "D5", "value": 6}, "red2": {"at": "ship1", "value": 1}}
    sea = {"ships": {"ship1": "D3"}, "creatures": {"shark1": "D4", "serpent1": "C4", "whale1": "D2"}}
    options = GAME.complete_options(len(SEATS), {})
    state = GAME.load({**island, "explorers": explorers, **sea}, SEATS, options, Chance(SEED, 0))
    view = GAME.view(state, "red")
    labels = [narrate.label(GAME, "en", move, view) for move in GAME.decisions(state)[0].options]
    assert "red1 goes into the water at D4 and is killed by shark1" in labels
    assert "red1 goes into the water at C4 and is killed by serpent1" in labels
    assert "ship1 sails to D2 and is destroyed by whale1" in labels
    assert "ship1 sails to D4" in labels


@pytest.mark.parametrize(
    ("crew", "others"),
    [
        ("red3", "the winds only move a loaded ship that you control. You can move ship1."),
        (
            "green1",
            "the winds only move a loaded ship that you control. There’s none now, so move or sink a tile.",
        ),
    ],
)
def test_the_winds_for_an_empty_ship_are_refused_with_the_ships_that_would_do(crew, others):
    explorers = {crew: {"at": "ship1", "value": 2}, "red1": {"at": "F5", "value": 6}}
    position = {**CROWD, "explorers": explorers, "hands": {"red": ["wind"]}}
    state = GAME.load(position, SEATS, GAME.complete_options(3, {}), Chance(SEED, 0))
    with pytest.raises(RulesError) as caught:
        GAME.apply(state, "red", GAME.parse(state, "red", "play wind ship2 C6"), Chance(SEED, 1))
    said = narrate.refusal(GAME, "en", caught.value)
    assert said.startswith("“play wind ship2 C6” isn’t possible: ship2 is empty, and ")
    assert others in said

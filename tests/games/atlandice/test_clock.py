"""The clock track is data: of any length, followed by board, text and page, and kept with each match."""

import hashlib
import re
from xml.etree import ElementTree as ET

import msgspec
import pytest

from app import draw
from app.engine import codec
from app.engine.chance import Chance
from app.games.atlandice import GAME, Atlandice
from app.games.atlandice.board import HOME
from app.games.atlandice.clock import CLOCKS, Clock, read_clocks
from app.games.atlandice.state import State
from tests.games.atlandice.table import as_state, loaded, play, random_game, seed_of
from tests.games.thresholds import rules_page

LANDED = {"twenty": "079c8f058ef3e51f5412076d85be0c1ee86d0e06a68ba428472c4e853939e0a1"}
"""SHA-256 of each track by which matches may be played. A correction is a track with a new name."""


def text_of(last: int, events: str = '2 = "gem"\n4 = "donation"\n6 = "all"', **changed: int) -> str:
    values = dict.fromkeys([*HOME, "market"], 2) | changed
    lines = "\n".join(f"{tile} = {value}" for tile, value in values.items())
    return f'[[clock]]\nname = "tried"\nlast = {last}\n[clock.events]\n{events}\n[clock.values]\n{lines}\n'


def track_of(last: int) -> Clock:
    return read_clocks(text_of(last))["tried"]


def test_a_track_that_matches_are_played_by_never_changes():
    found = {name: hashlib.sha256(codec.dumps(track).encode()).hexdigest() for name, track in CLOCKS.items()}
    assert LANDED.items() <= found.items()


@pytest.mark.parametrize("last", [7, 12, 20, 24, 31, 40, 60])
def test_a_track_of_any_length_is_played_to_its_end_and_drawn(last):
    track = track_of(last)
    for seats in (("red", "blue"), ("red", "blue", "green", "yellow")):
        hands = set()
        for _, _, _, step in random_game(seats, f"track {last}", track=track):
            state = as_state(step)
            if state.step != "over" and not hands:
                state = msgspec.structs.replace(state, track=track)
            hands.add(state.clock)
        assert state.step == "over"
        assert max(hands) == last
    for clock in {0, 1, last // 2, last - 1}:
        view = GAME.view(msgspec.structs.replace(loaded(), track=track, clock=clock), None)
        assert all(len(line) <= 72 for line in draw.text(GAME, view).splitlines())
        assert f"of {last}." in draw.text(GAME, view)
        cells = cells_of(draw.board(GAME, view))
        assert [number for number, *_ in cells] == list(range(last + 1))
        assert all(
            x >= 0 and x + width <= 480 and y >= 0 and y + height <= 134 for _, x, y, width, height in cells
        )


def cells_of(svg: str) -> list[tuple[int, float, float, float, float]]:
    """Number, left, top, width and height of each space as drawn."""
    found = []
    for group in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}g"):
        moved = group.get("transform", "")
        if not moved.startswith("translate(9 8)"):
            continue
        scale = float((re.search(r"scale\(([\d.]+)\)", moved) or ["", "1"])[1])
        for cell in group:
            title = cell.find("{*}title")
            box = cell.find("{*}rect")
            at = re.match(r"translate\((\d+) (\d+)\)", cell.get("transform", ""))
            if title is None or box is None or at is None:
                continue
            x, y = 9 + int(at[1]) * scale, 8 + int(at[2]) * scale
            assert title.text
            found.append(
                (int(title.text.split(":")[0]), x, y, float(box.get("width", 0)) * scale, 48 * scale)
            )
    return found


def test_the_hand_follows_the_values_and_events_of_its_own_track():
    track = read_clocks(text_of(24, '9 = "donation"', E1=4))["tried"]
    state = msgspec.structs.replace(
        loaded(dice={"works": 1, "market": 1}, taken={"red": 1, "blue": 2, "green": 2}, clock=5), track=track
    )
    state = play(state, "red", "visit market gem")
    assert state.clock == 9
    assert state.step == "donate"


def test_a_correction_changes_no_match_that_runs(monkeypatch):
    match = as_state(GAME.setup(("red", "blue"), GAME.complete_options(2, {}), Chance(seed_of("kept"), 0)))
    stored = msgspec.json.decode(codec.dumps(match))
    monkeypatch.setattr(Atlandice, "clock", track_of(24))
    again = codec.load_state(GAME, codec.dumps(match))
    assert isinstance(again, State)
    assert again.track == match.track == CLOCKS["twenty"]
    # Matches that began before tracks had names keep the oldest.
    del stored["track"], stored["donations"]
    oldest = codec.load_state(GAME, msgspec.json.encode(stored).decode())
    assert oldest == match
    assert as_state(GAME.setup(("red", "blue"), {}, Chance(seed_of("kept"), 0))) == match


def test_the_rules_page_follows_the_track(monkeypatch):
    now = Atlandice.clock
    assert "Ours has 20 steps" in rules_page(GAME)
    corrected = msgspec.structs.replace(now, last=24, events=((9, "donation"), (11, "book")))
    monkeypatch.setattr(Atlandice, "clock", corrected)
    page = rules_page(GAME)
    assert "Ours has 24 steps. Surveys: books on 11. Donations on 9." in page
    assert "J3 has 3" in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "'clock'"),
        (text_of(20, '5 = "flood"'), "'flood' is none of gem, book"),
        (text_of(20, '20 = "gem"'), "space 20 is not between 0 and 20"),
        (text_of(20, '0 = "gem"'), "space 0 is not between"),
        (text_of(20, Z9=1), "a value for each tile and the market"),
        (text_of(20).replace("J1 = 2\n", ""), "a value for each tile and the market"),
    ],
)
def test_a_track_that_cannot_be_played_is_refused_with_its_place(text, said):
    with pytest.raises((ValueError, KeyError), match=re.escape(said)):
        read_clocks(text)

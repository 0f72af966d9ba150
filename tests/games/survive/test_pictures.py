"""The pictures of the rules page are positions that play can reach, and what the page tells of them is so."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from app.engine.chance import Chance
from app.games.survive import GAME
from app.games.survive.board import BACK_COUNT, ISLAND, SUPPLY, TERRAIN_COUNT, TERRAINS, VALUES
from app.web.lobby.sample_boards import shown, worked

PICTURES = worked("survive")
each_picture = pytest.mark.parametrize("name", sorted(PICTURES))


def position(name: str) -> Any:
    return GAME.dump(shown(GAME, PICTURES[name])[0])  # type: ignore[arg-type]


@each_picture
def test_tiles_sink_in_order_and_new_pieces_come_from_their_backs(name: str) -> None:
    there = position(name)
    island = PICTURES["start"]["position"]["terrain"]
    assert set(island) == set(ISLAND)
    assert Counter(island.values()) == TERRAIN_COUNT
    kinds = {at: text.split("/")[0] for at, text in there["terrain"].items()}
    assert kinds.items() <= island.items()
    left = Counter(kinds.values())
    sunk = {kind: TERRAIN_COUNT[kind] - left[kind] for kind in TERRAINS}
    for first, then in pairwise(TERRAINS):
        assert not left[first] or not sunk[then], f"{then} has sunk before {first}"
    for piece in ("shark", "whale", "ship"):
        most = sum(min(sunk[kind], BACK_COUNT[kind][piece]) for kind in TERRAINS)
        least = sum(max(0, sunk[kind] - TERRAIN_COUNT[kind] + BACK_COUNT[kind][piece]) for kind in TERRAINS)
        placed = 0 if piece != "ship" or there["turn"]["step"] == "explorers" else 2 * len(there["hands"])
        assert placed + least <= there["appeared"][piece] <= placed + most, piece
        assert there["appeared"][piece] <= SUPPLY[piece]
    assert sum(sunk.values()) in (0, there["turn"]["number"] - 1), "one tile is sunk in each turn"


@each_picture
def test_pieces_are_where_they_can_be(name: str) -> None:
    there = position(name)
    attacker = there.get("attack", {}).get("creature")
    deadly = {at for one, at in there["creatures"].items() if not one.startswith("whale") and one != attacker}
    wrecking = {at for one, at in there["creatures"].items() if not one.startswith("shark")}
    values: dict[str, list[int]] = {}
    for explorer, entry in there["explorers"].items():
        values.setdefault(explorer.rstrip("0123456789"), []).append(entry["value"])
        assert not entry["at"].startswith("sea:") or entry["at"][4:] not in deadly
        assert entry["at"] not in there["ships"] or there["ships"][entry["at"]] not in wrecking
    assert all(Counter(own) <= Counter(VALUES) for own in values.values())
    assert {one for one in there["creatures"] if one.startswith("serpent")} == {
        f"serpent{n}" for n in range(1, 6)
    }


@each_picture
def test_what_a_picture_offers_is_what_the_rules_allow(name: str) -> None:
    entry: Any = PICTURES[name]
    state: Any = shown(GAME, entry)[0]
    paths = [GAME.click_path(move) for one in GAME.decisions(state) for move in one.options]
    if entry.get("picked"):
        (picked,) = entry["picked"]
        assert {path[1] for path in paths if path[:1] == (picked,)} == set(entry["offered"])
    for ply, turn in enumerate(entry.get("then", ()), 1):
        for seat, line in turn.items():
            for text in GAME.split(line):
                state = GAME.apply(state, seat, GAME.parse(state, seat, text), Chance(b"x" * 32, ply)).state

"""The captions of the rules page tell what the rules make of its pictures."""

import re
from pathlib import Path

import templates
from app.engine.chance import Chance
from app.games.atlantis import GAME
from app.games.atlantis.events import Crossed, Gained, Moved, Paid, Slid
from app.games.atlantis.path import path_of
from app.web.lobby.sample_boards import shown, worked

PAGE = (Path(templates.__file__).parent / "games" / "atlantis" / "rules" / "en.html").read_text()


def caption(name):
    found = re.search(rf'{{% call board\("{name}".*?%}}(.*?){{% endcall %}}', PAGE, re.DOTALL)
    return " ".join(re.sub("<[^>]+>", "", found[1]).split())


def before(name):
    """The state before the moves of a picture, and the events of its moves by type, in order."""
    told = worked("atlantis")[name]
    state, _ = shown(GAME, {key: value for key, value in told.items() if key != "play"})
    first, events = state, []
    for entry in (*told.get("play", ()), *told.get("then", ())):
        for seat, line in entry.items():
            for text in GAME.split(line):
                step = GAME.apply(state, seat, GAME.parse(state, seat, text), Chance(bytes(32), 1))
                state = step.state
                events += [one.event for one in step.told]
    return first, state, events


def tolls(state):
    return {gap.first: gap.toll for gap in path_of(state).gaps}


def some(events, kind):
    return [event for event in events if isinstance(event, kind)]


def test_start():
    state, _, _ = before("start")
    assert tolls(state) == {27: 4}
    assert "Space 27, in the middle, is water: crossing it costs 4" in caption("start")


def test_moving():
    state, _, events = before("moving")
    assert some(events, Moved)[0].stops == (22, 24)
    assert (some(events, Paid)[0].cost, some(events, Gained)[0].tile) == (2, "pot2")
    assert tolls(state)[23] == 2
    assert "costs 2, the lower of 4 and 2" in caption("moving")


def test_bridged():
    state, after, events = before("bridged")
    assert (tolls(state)[22], tolls(state)[27], tolls(after)[27]) == (2, 4, 0)
    assert (some(events, Paid), some(events, Gained)[0].space) == ([], 28)
    assert "from 25 to 29, and instead of paying 4" in caption("bridged")


def test_grown():
    _, after, events = before("grown")
    (gap,) = [gap for gap in path_of(after).gaps if gap.bridged]
    assert (gap.first, gap.last, gap.cost, gap.toll) == (26, 27, 4, 0)
    assert (some(events, Paid), some(events, Gained)[0].space) == ([], 26)
    assert "Without a bridge this gap would cost 4" in caption("grown")


def test_slid():
    _, _, events = before("slid")
    assert (some(events, Paid)[0].cost, some(events, Gained)[0].tile) == (1, "ring1")
    (slid,) = some(events, Slid)
    assert (slid.side, slid.spaces) == ("mainland", (52, 53))
    assert "52 and 53 vanish" in caption("slid")


def test_crossing():
    state, after, events = before("crossing")
    assert {gap: tolls(state)[gap] for gap in (34, 43, 51)} == {34: 5, 43: 4, 51: 2}
    assert [(one.seat, one.figures, one.cost, one.short) for one in some(events, Crossed)] == [
        ("blue", ("A", "C"), 13, 3),
        ("white", ("C",), 6, 0),
    ]
    assert some(events, Crossed)[1].pieces[:2] == ("olive2", "pot3")
    scores = GAME.outcome(after).scores
    assert (scores["blue"], scores["white"]) == (-3, 2)
    for said in ("three gaps ahead: 5, 4 and 2", "Together that is 13", "score is −3", "pays 6"):
        assert said in caption("crossing")

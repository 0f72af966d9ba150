"""The rules once more, told as plainly as can be, against the rules that are played."""

import itertools

import pytest

from app.engine.chance import Chance
from app.engine.errors import IllegalMove
from app.games.atlantis import GAME
from app.games.atlantis.board import FIGURES, ITEMS
from app.games.atlantis.moves import Go, Show

LONGEST = 3
"""Cards of the chains that are tried; longer ones are not compared."""


def told(position, seat, figure, cards, bridge):
    """Where the figure comes to stand, what is to be paid and which tile is gained; None: no move."""
    tops = {space: stack[0] for space, stack in position["path"].items()}
    taken = {at for places in position["figures"].values() for at in places.values()} - {0, "home"}
    hand = list(position["hands"][seat])
    at = start = position["figures"][seat][figure]
    if at == "home":
        return None
    for number, card in enumerate(cards):
        if card not in hand or (number and at not in taken):
            return None
        hand.remove(card)
        at = min((space for space in tops if space > at and tops[space][:-1] == card), default=99)
    if at in taken:
        return None
    gaps = []
    for before, after in itertools.pairwise(sorted(tops)):
        if start <= before and after <= at and after - before > 1:
            lies = any(isinstance(b, int) and before < b < after for b in position["bridges"].values())
            gaps.append((before + 1, 0 if lies else min(int(tops[before][-1]), int(tops[after][-1]))))
    if bridge is not None:
        if seat in position["bridges"] or not dict(gaps).get(bridge):
            return None
        gaps = [gap for gap in gaps if gap[0] != bridge]
    cost = sum(toll for _, toll in gaps)
    if cost > len(hand) + sum(int(tile[-1]) for tile in position["won"][seat]):
        return None
    behind = [space for space in tops if space < at and space not in taken - {start}]
    return at, cost, tops[max(behind)] if behind else None


@pytest.mark.parametrize("number", range(6))
def test_what_is_offered_is_what_the_plain_rules_allow(number):
    secret, mind = bytes([number]) * 32, bytes([number]) * 31 + b"o"
    state = GAME.setup(GAME.colours[: 2 + number % 3], {}, Chance(secret, 0)).state
    compared = 0
    for ply in itertools.count(1):
        decisions = GAME.decisions(state)
        if not decisions:
            break
        seat = decisions[0].seat
        if ply % 5 == number % 5:
            position = GAME.dump(state)
            spaces = sorted(position["path"])
            gaps = [a + 1 for a, b in itertools.pairwise(spaces) if b - a > 1]
            held = sorted(set(position["hands"][seat]), key=ITEMS.index)
            allowed = {}
            for many in range(1, LONGEST + 1):
                for figure, cards in itertools.product(FIGURES, itertools.product(held, repeat=many)):
                    for bridge in (None, *gaps):
                        found = told(position, seat, figure, cards, bridge)
                        if found:
                            allowed[GAME.format(Go(figure, cards, bridge))] = found
            offers = {
                offer.text: (99 if offer.stops[-1] == 54 else offer.stops[-1], offer.cost, offer.gains)
                for offer in GAME.view(state, seat).offers
                if offer.kind == "go" and len(offer.stops) <= LONGEST
            }
            assert offers == allowed
            compared += len(allowed)
            if offers:
                with pytest.raises(IllegalMove):
                    GAME.apply(state, seat, Show(), Chance(secret, ply))
        move = Chance(mind, ply).pick(decisions[0].options)
        state = GAME.apply(state, seat, move, Chance(secret, ply)).state
    assert compared > 50


def test_what_is_not_offered_is_refused():
    secret = b"r" * 32
    state = GAME.setup(GAME.colours[:3], {}, Chance(secret, 0)).state
    for ply in range(1, 31):
        decision = GAME.decisions(state)[0]
        offered = set(decision.options)
        if ply % 6 == 0:
            for figure, many in itertools.product(FIGURES, (1, 2)):
                for cards in itertools.product(ITEMS, repeat=many):
                    for bridge in (None, 27, 28):
                        move = Go(figure, cards, bridge)
                        if move in offered or (
                            bridge and GAME.parse(state, decision.seat, GAME.format(move)) in offered
                        ):
                            continue
                        with pytest.raises(IllegalMove):
                            GAME.apply(state, decision.seat, move, Chance(secret, ply))
        move = Chance(b"n" * 32, ply).pick(decision.options)
        state = GAME.apply(state, decision.seat, move, Chance(secret, ply)).state

"""The server's choice of a payment loses least, in the order of the rule sheet (section 5)."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.errors import IllegalMove
from app.games.atlantis import payment
from app.games.atlantis.board import CARD, ITEMS, RANK
from app.games.atlantis.state import counted, ranked
from tests.share import examples

tiles_held = st.lists(st.sampled_from(list(RANK)), max_size=7).map(ranked)
cards_held = st.lists(st.integers(0, 2), min_size=7, max_size=7).map(tuple)


def every_payment(tiles, cards):
    for many in range(len(tiles) + 1):
        for chosen in combinations(tiles, many):
            for paid in range(sum(cards) + 1):
                yield chosen, paid


@settings(max_examples=examples(60))
@given(cost=st.integers(1, 25), tiles=tiles_held, cards=cards_held)
def test_5_no_other_payment_is_better(cost, tiles, cards):
    def lost(tried):
        chosen, paid = tried
        return sum(map(payment.worth, chosen)) + paid

    enough = [tried for tried in every_payment(tiles, cards) if lost(tried) >= cost]
    found = payment.cheapest(cost, tiles, cards)
    if not enough:
        assert found is None
        return
    chosen, paid = min(enough, key=lambda p: (lost(p), p[1], len(p[0]), [RANK[tile] for tile in p[0]]))
    assert found is not None
    assert tuple(piece for piece in found if not piece.startswith(CARD)) == chosen
    assert sum(piece.startswith(CARD) for piece in found) == paid
    payment.check(cost, found, tiles, cards)


def test_5_cards_go_one_by_one_from_the_item_held_most():
    hand = counted(["pot"] * 3 + ["flag"] * 2 + ["crown"])
    assert payment.cheapest(3, (), hand) == ("card:flag", "card:pot", "card:pot")
    assert payment.cheapest(5, (), hand) == ("card:flag", "card:flag", "card:pot", "card:pot", "card:pot")


def test_5_of_equal_payments_the_first_item_goes_and_the_low_values():
    assert payment.cheapest(3, ("flag3", "olive3"), (0,) * 7) == ("flag3",)
    assert payment.cheapest(5, ("flag2", "flag4", "pot1", "pot3"), (0,) * 7) == ("flag2", "pot3")


@pytest.mark.parametrize(
    ("pieces", "reason"),
    [
        (("flag3", "flag3"), "pay_not_held"),
        (("card:statue",), "pay_not_held"),
        (("flag3",), "pay_too_little"),
        ((), "pay_too_little"),
        (("pot5", "card:flag"), "pay_too_much"),
        (("flag3", "pot5"), "pay_too_much"),
    ],
)
def test_3_a_payment_that_does_not_fit_is_refused_with_one_that_does(pieces, reason):
    with pytest.raises(IllegalMove) as caught:
        payment.check(5, pieces, ("flag3", "pot5"), counted(["flag", "crown"]))
    assert caught.value.reason == reason
    assert caught.value.facts["would"] == ("pot5",)
    assert caught.value.facts["cost"] == 5


def test_3_nothing_is_paid_where_nothing_is_due():
    with pytest.raises(IllegalMove, match="pay_nothing_due"):
        payment.check(0, ("flag3",), ("flag3",), (0,) * 7)
    payment.check(0, (), ("flag3",), (0,) * 7)


def test_every_piece_has_its_place():
    pieces = ("card:statue", "crown4", "card:flag", "flag7")
    assert payment.in_order(pieces) == ("flag7", "crown4", "card:flag", "card:statue")
    assert len(RANK) == 7 * len(ITEMS)

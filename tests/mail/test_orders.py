"""What the letters say of standing orders: to who is next that a move was made, to their owner the rest."""

import pytest

from app.play.moves import bots, orders
from tests.mail.outbox import answer, body, name_of
from tests.play import cast


@pytest.fixture
def match(store, outbox, clock):
    """Red has bid most, and Blue's bid, still to come, opens Red's turn."""
    seated = cast.seat(store, options={"bank": "long"}, dice=b"a")
    answer(seated, "red", "bid 1")
    clock.advance(minutes=30)
    outbox.go()
    outbox.clear()
    return seated


def leave(match, seat, *lines):
    orders.leave(match.store, match.bearer(seat), match.match_id, "\n".join(lines))


def go(outbox, clock):
    bots.play_unmanned(outbox.store)
    clock.advance(minutes=30)
    outbox.go()


def plain(message):
    return " ".join(body(message).split())


def test_a_move_by_orders_is_told_to_who_is_next_like_any_other(match, outbox, clock):
    """Played at once and unseen by its owner, it still is a turn: the next player gets their letter."""
    leave(match, "red", "roll")
    answer(match, "blue", "bid 0")
    go(outbox, clock)
    (letter,) = outbox.to(name_of(match, "blue"), "your turn")
    assert "rolls a" in plain(letter)
    assert "conditional" not in plain(letter).casefold()
    assert outbox.to(name_of(match, "red")) == [], "Red need not do anything"


def test_the_owner_reads_in_their_next_letter_what_was_played_for_them(match, outbox, clock):
    leave(match, "red", "row on", "bid 2")
    answer(match, "blue", "bid 0")
    go(outbox, clock)
    (letter,) = outbox.to(name_of(match, "red"), "your turn")
    text = plain(letter)
    assert "By conditional moves: " in text
    assert text.index("By conditional moves: ") < text.index("rows to 1")
    assert "Row, or roll for the wave." in text


def test_a_list_of_which_nothing_was_possible_is_told_with_the_question(match, outbox, clock):
    leave(match, "red", "row back", "bid 2")
    answer(match, "blue", "bid 0")
    go(outbox, clock)
    (letter,) = outbox.to(name_of(match, "red"), "your turn")
    assert (
        "None of your conditional moves was possible on your turn, so they were dropped: "
        "“row back” and “bid 2”." in plain(letter)
    )
    assert "row back" in letter.get_body(("html",)).get_content()
    go(outbox, clock)
    assert len(outbox.to(name_of(match, "red"))) == 1


def test_what_was_left_over_at_the_end_of_a_turn_is_told_once(match, outbox, clock):
    leave(match, "red", "roll", "bid 2")
    answer(match, "blue", "bid 0")
    go(outbox, clock)
    assert match.player_view().to_move == ("blue",)
    for _ in range(2):  # the wave, and the bid after it, upon which Red is asked too
        answer(match, "blue")
        go(outbox, clock)
    (letter,) = outbox.to(name_of(match, "red"), "your turn")
    assert "Your turn ended before these conditional moves, so they were dropped" in plain(letter)
    outbox.clear()
    answer(match, "red", "bid 1")
    while "red" not in match.player_view().to_move:
        answer(match, "blue")
    go(outbox, clock)
    assert all("conditional moves" not in plain(letter) for letter in outbox.to(name_of(match, "red")))

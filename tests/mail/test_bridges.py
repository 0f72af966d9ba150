"""A bridge of Atlantis laid by reply, before moving or with the move, as the game was set up."""

import pytest

from app.engine import codec
from app.games import all_games
from tests.mail.correspondence import Post, settings, text_of
from tests.play import cast

PLAYED = 'SELECT state FROM "match"'


def post_of(store, tmp_path, **options):
    return Post(store, settings(tmp_path), game="atlantis", options=options)


def told(post, seat):
    """The seat's last email, in one line."""
    return " ".join(text_of(post.last(seat)).split())


def a_move(post):
    """A legal move without a bridge, for the seat to move."""
    game = all_games()["atlantis"]
    decision = game.decisions(codec.load_state(game, cast.one(post.store, PLAYED).state))[0]
    return decision.seat, game.format(decision.options[0])


@pytest.mark.usefixtures("clock")
def test_it_is_laid_before_moving_and_the_turn_goes_on(store, tmp_path):
    post = post_of(store, tmp_path, bridges="any")
    seat, move = a_move(post)
    assert "Before you move you can lay your bridge: bridge 27 (costs" in told(post, seat)
    post.reply(seat, "bridge over space 27")
    assert post.moves() == [(seat, "bridge 27")]
    assert "Played: " in told(post, seat)
    assert "27 ~~~ free" in told(post, seat)
    post.reply(seat, move)
    assert [who for who, _ in post.moves()] == [seat, seat]


@pytest.mark.usefixtures("clock")
def test_bridge_and_move_in_one_line(store, tmp_path):
    post = post_of(store, tmp_path, bridges="any")
    seat, move = a_move(post)
    post.reply(seat, f"bridge 27, {move}")
    assert post.moves() == [(seat, "bridge 27"), (seat, move)]


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(
    ("options", "line", "said"),
    [
        (
            {"bridges": "any"},
            "bridge 26",
            "You can’t lay your bridge at space 26: there’s no water there. You can lay it over space 27",
        ),
        ({"bridges": "any"}, "{move} bridge 27", "in this game you lay it before you move"),
        (
            {"bridges": "any"},
            "bridge 27, bridge 27",
            "You can’t lay your bridge again: it lies over the gap at 27",
        ),
        ({}, "bridge 27", "in this game you lay it as part of the move that crosses the gap."),
    ],
)
def test_a_bridge_that_cannot_be_laid_is_answered_with_what_would_do(store, tmp_path, options, line, said):
    post = post_of(store, tmp_path, **options)
    seat, move = a_move(post)
    post.reply(seat, line.format(move=move))
    assert said in told(post, seat)

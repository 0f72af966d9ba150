"""A game of Nim, played through by replying to emails, from an invitation to its end."""

from pathlib import Path

import pytest

from app import games
from app.play.match import replay
from tests.mail.correspondence import Post, settings, text_of
from tests.nim import NIM

ROOT = Path(__file__).parent


@pytest.fixture
def nim(monkeypatch):
    """Nim, as if its two folders lay in the server."""
    monkeypatch.setattr(games, "editions", lambda: {"nim": (NIM,)})
    return NIM


@pytest.fixture
def post(store, clock, nim, tmp_path) -> Post:  # noqa: ARG001 - must be there
    return Post(store, settings(tmp_path), game="nim")


def test_a_game_is_played_to_its_end_by_replies_alone(post):
    assert "Take any number of stones from one heap." in text_of(post.last("red"))
    for seat, line in (
        ("red", "take 1 from A"),
        ("blue", "TAKE 2 B"),
        ("red", "4 c"),
        ("blue", "take 2 A."),
        ("red", "take 1 B"),
    ):
        post.reply(seat, line)
    assert post.match.player_view().status == "running"
    refused = post.reply("blue", "take 9 B")
    answer = post.last("blue")
    assert answer["In-Reply-To"] == refused["Message-ID"]
    assert "You can\u2019t take 9 from heap B: take 1." in " ".join(text_of(answer).split())
    post.reply("blue", "take 1 B")
    post.reply("red", "take 1 C")
    over = post.match.player_view()
    assert over.status == "over"
    assert over.outcome.places == {"red": 1, "blue": 2}
    for seat in ("red", "blue"):
        assert "The last stone is taken." in text_of(post.last(seat))
    assert [move for _, move in post.moves()] == [
        "take 1 A",
        "take 2 B",
        "take 4 C",
        "take 2 A",
        "take 1 B",
        "take 1 B",
        "take 1 C",
    ]
    assert replay.check(post.store, post.match.match_id)


def test_nim_is_small():
    lines = [line for path in (ROOT / "games").rglob("*.py") for line in path.read_text().splitlines()]
    assert len(lines) < 150

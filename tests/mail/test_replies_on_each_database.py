"""A reply from the socket to its answer, on each kind of database."""

import pytest
from sqlalchemy import text

from app.mail.inbound import replies
from app.mail.inbound import store as inbox
from app.mail.inbound.store import Taken
from app.retention.sweep import sweep
from app.settings import Keep
from tests.mail.correspondence import Post, settings, text_of
from tests.play import cast


@pytest.fixture
def store_url(each_store_url: str) -> str:
    return each_store_url


@pytest.mark.usefixtures("ferry")
def test_replies_are_kept_read_played_once_and_answered(store, clock, tmp_path, monkeypatch):
    post = Post(store, settings(tmp_path))
    asked = post.last("red")
    post.reply("blue", "bid 0")
    message = post.reply("red", "bid 2\nrow on\nundo\nfly\nroll")
    assert post.moves()[1:] == [("red", "bid 2"), ("red", "row on"), ("red", "undo")]
    assert "“fly”" in " ".join(text_of(post.last("red")).split())
    assert post.hand_in(message) is Taken.KNOWN
    post.reply("red", "say Hello\nletters at once\nseen\ngames", to=asked)
    post.reply("blue", "bid 3", From="mallory@example.net")
    assert len(post.letters("blue", "did you write this")) == 1
    with monkeypatch.context() as few:
        few.setattr(replies, "MOST_AN_HOUR", 1)
        post.reply("red", "help", to=asked)
    clock.advance(seconds=1)
    monkeypatch.setattr(inbox, "MOST_AN_HOUR", 4)  # of one letter
    assert post.hand_in(post.written("red", "help", asked)) is Taken.KEPT
    assert post.hand_in(post.written("red", "help", asked)) is Taken.TOO_MANY
    post.deliver()
    statuses = [row.status for row in cast.rows(store, "SELECT status FROM incoming ORDER BY status")]
    assert statuses == ["read", "read", "read", "read", "waiting", "waiting"]
    clock.advance(hours=1, minutes=1)
    post.deliver()
    assert {row.status for row in cast.rows(store, "SELECT status FROM incoming")} == {"read"}
    clock.advance(days=40)
    sweep(store, Keep())
    with store.reading() as connection:
        assert not connection.execute(text("SELECT sum(length(raw)) FROM incoming")).scalar()

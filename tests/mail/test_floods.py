"""More mail than people write: it is put off and told, never lost, and silences nobody else."""

import pytest

from app.mail.inbound import process, replies
from app.mail.inbound import store as inbox
from app.mail.inbound.store import Taken
from tests.mail.correspondence import Post, settings, text_of
from tests.play import cast


@pytest.fixture
def store_url(each_store_url: str) -> str:
    return each_store_url


@pytest.fixture
def post(store, ferry, clock, tmp_path) -> Post:  # noqa: ARG001 - must be there
    return Post(store, settings(tmp_path))


def answers(post: Post, seat: str) -> list[str]:
    sent = [one for one in post.letters(seat) if one["Auto-Submitted"] == "auto-replied"]
    return [" ".join(text_of(one).split()) for one in sent]


def statuses(post: Post) -> list[str]:
    return [row.status for row in cast.rows(post.store, "SELECT status FROM incoming ORDER BY received_at")]


def test_a_seat_that_mails_a_hundred_an_hour_silences_nobody_and_loses_nothing(post, clock, monkeypatch):
    monkeypatch.setattr(replies, "MOST_AN_HOUR", 3)
    asked = post.letters("red")[0]
    for number in range(7):
        assert post.hand_in(post.written("red", f"note number {number}", asked)) is Taken.KEPT
        clock.advance(seconds=1)
    post.deliver()
    assert statuses(post).count("read") == 3
    post.reply("blue", "bid 0")
    assert post.moves() == [("blue", "bid 0")]
    assert len(answers(post, "blue")) == 1
    for _ in range(3):
        clock.advance(hours=1, seconds=1)
        post.deliver()
    assert set(statuses(post)) == {"read"}
    notes = cast.rows(post.store, "SELECT text FROM note ORDER BY id")
    assert [row.text for row in notes] == [f"number {number}" for number in range(7)]
    assert len(answers(post, "red")) == 7


def test_the_player_is_told_once_that_mails_are_read_later(post, caplog, monkeypatch):
    monkeypatch.setattr(replies, "MOST_AN_HOUR", 2)
    for _ in range(5):
        post.reply("red", "help", to=post.letters("red")[0])
    assert len(answers(post, "red")) == 2
    (told,) = post.letters("red", "read your emails later")
    assert "in the order they came" in " ".join(text_of(told).split())
    assert caplog.text.count("storm") == 1
    assert not cast.rows(post.store, "SELECT id FROM incoming WHERE status = 'dropped'")


def test_who_floods_with_a_stolen_token_delays_nobody(post, clock, monkeypatch):
    """Neither the owner of the address, whose own mails are counted apart, nor anybody else."""
    monkeypatch.setattr(replies, "MOST_AN_HOUR", 2)
    monkeypatch.setattr(inbox, "MOST_AN_HOUR", 4)
    asked = post.letters("red")[0]
    came = [
        post.hand_in(post.written("red", "bid 1", asked, From=f"m{number}@example.net"))
        for number in range(6)
    ]
    assert came == [Taken.KEPT] * 4 + [Taken.TOO_MANY] * 2
    clock.advance(seconds=1)
    post.reply("red", "bid 2", to=asked)
    post.reply("blue", "bid 0")
    assert sorted(post.moves()) == [("blue", "bid 0"), ("red", "bid 2")]


def test_mails_from_elsewhere_that_wait_stop_none_of_the_players_own(post, monkeypatch):
    asked = post.letters("red")[0]
    with monkeypatch.context() as trouble:
        trouble.setattr(replies, "open_message", lambda *_: 1 / 0)
        post.reply("red", "bid 1", to=asked, From="mallory@example.net")
    post.execute("UPDATE incoming SET tries = 0")
    post.reply("red", "bid 2", to=asked)
    assert post.moves() == [("red", "bid 2")]


def test_beyond_thirty_answers_a_day_one_answer_an_hour_tells_all(post, clock, monkeypatch):
    monkeypatch.setattr(replies, "MOST_ANSWERS", 3)
    asked = post.letters("red")[0]
    for _ in range(4):
        post.reply("red", "help", to=asked)
    assert len(answers(post, "red")) == 3
    post.reply("red", "bid 1", to=asked)
    post.reply("red", "note to myself", to=asked)
    post.reply("red", "hello you", to=asked)
    assert ("red", "bid 1") in post.moves()
    assert len(answers(post, "red")) == 3
    clock.advance(hours=1)
    post.deliver()
    (told,) = answers(post, "red")[3:]
    for part in ("Ferry", "Played: “bid 1”", "“note to myself”", "Your email begins with “hello you”"):
        assert part in told, part
    clock.advance(hours=1)
    post.deliver()
    assert len(answers(post, "red")) == 4, "without further mail there is no further answer"
    post.reply("red", "help", to=asked)
    clock.advance(hours=1)
    post.deliver()
    assert len(answers(post, "red")) == 5
    kinds = "kind IN ('reply', 'reply_collected')"
    assert {row.status for row in cast.rows(post.store, f"SELECT status FROM letter WHERE {kinds}")} == {
        "sent"
    }


def test_mails_from_elsewhere_beyond_the_questions_are_told_once_a_day(post, clock):
    asked = post.letters("red")[0]
    for number in range(8):
        post.reply("red", "bid 2", to=asked, From=f"m{number}@example.net")
    assert len(post.letters("red", "did you write this")) == replies.MOST_QUESTIONS
    clock.advance(days=1)
    post.deliver()
    (told,) = post.letters("red", "Your replies")
    assert "5 more emails came from addresses that aren’t yours" in " ".join(text_of(told).split())
    assert post.moves() == []


def test_a_reply_that_is_put_off_counts_as_no_try(post, clock, monkeypatch):
    monkeypatch.setattr(replies, "MOST_AN_HOUR", 1)
    post.reply("red", "help")
    for _ in range(process.TRIES + 1):
        post.reply("red", "help", to=post.letters("red")[0])
        clock.advance(minutes=1)
    assert {
        row.tries for row in cast.rows(post.store, "SELECT tries FROM incoming WHERE status = 'waiting'")
    } == {0}

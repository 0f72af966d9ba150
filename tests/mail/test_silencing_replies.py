"""Muting and blocking by reply: by the name that emails show, or by the seat, and never by a guess."""

import pytest
from sqlalchemy import text

from app.people import blocks
from tests.mail.correspondence import Post, settings, text_of


@pytest.fixture
def post(store, ferry, clock, tmp_path) -> Post:  # noqa: ARG001 - must be there
    found = Post(store, settings(tmp_path), people=("Ada", "Bo", "Cleo"))
    rename(store, "Cleo", "J. R. Lee")
    return found


def rename(store, before, after):
    with store.transaction() as connection:
        connection.execute(
            text("UPDATE player SET name = :after WHERE name = :before"), {"before": before, "after": after}
        )


def of(post, name):
    return next(seat for seat in post.match.rows if post.address(seat).startswith(name.casefold()))


def answer(post, line, seat):
    post.reply(seat, line)
    answers = [one for one in post.letters(seat) if one["Auto-Submitted"] == "auto-replied"]
    return " ".join(text_of(answers[-1]).split())


def silenced(post, seat):
    found = blocks.silenced_by(post.store, post.match.rows[seat].player_id)
    return {one.name: one.invitations for one in found}


@pytest.mark.parametrize(
    "line", ["mute Bo", "Mute: bo", "MUTE BO.", "mute \u201cBo\u201d", "- mute  Bo!", "mute <Bo>"]
)
def test_a_player_is_muted_by_name(post, line):
    ada = of(post, "Ada")
    said = answer(post, line, ada)
    assert "You\u2019ve muted Bo. Their messages and reminders no longer reach you" in said
    assert silenced(post, ada) == {"Bo": False}
    before = len(post.letters(of(post, "Bo")))
    post.deliver()
    assert len(post.letters(of(post, "Bo"))) == before, "nobody is told"


@pytest.mark.parametrize("name", ["J. R. Lee", "j.r. lee", "J. R. LEE!"])
def test_a_name_with_stops_is_whole(post, name):
    ada = of(post, "Ada")
    assert "You\u2019ve blocked J. R. Lee" in answer(post, f"block {name}", ada)
    assert silenced(post, ada) == {"J. R. Lee": True}


def test_a_seat_is_a_name_too(post):
    ada = of(post, "Ada")
    assert "You\u2019ve blocked Bo" in answer(post, f"block {of(post, 'Bo')}", ada)


@pytest.mark.parametrize("word", ["unmute", "unblock"])
def test_it_is_undone_by_name(post, word):
    ada = of(post, "Ada")
    answer(post, "block Bo", ada)
    assert "You hear from Bo again" in answer(post, f"{word} Bo", ada)
    assert silenced(post, ada) == {}
    assert "You hear from Bo again" in answer(post, f"{word} Bo", ada)


def test_who_is_blocked_stays_so_when_muted(post):
    ada = of(post, "Ada")
    answer(post, "block Bo", ada)
    assert "You\u2019ve blocked Bo" in answer(post, "mute Bo", ada)
    assert silenced(post, ada) == {"Bo": True}


@pytest.mark.parametrize("line", ["mute", "block.", "unmute", "unblock"])
def test_the_word_alone_lists(post, line):
    ada = of(post, "Ada")
    assert "You haven\u2019t muted or blocked anyone." in answer(post, line, ada)
    answer(post, "mute Bo\nblock J. R. Lee", ada)
    assert "You\u2019ve muted Bo, and blocked J. R. Lee." in answer(post, line, ada)


@pytest.mark.parametrize(
    "line", ["block the way to the ferry", "mute B", "block Ada", "mute Bo Lee", "block \u2026"]
)
def test_nobody_is_guessed(post, line):
    ada = of(post, "Ada")
    said = answer(post, line, ada)
    assert "Nobody else in this game is called" in said
    assert "You play with" in said
    assert silenced(post, ada) == {}


def test_who_is_not_silenced_and_no_player_of_the_game_is_not_found(post):
    ada = of(post, "Ada")
    answer(post, "mute Bo", ada)
    said = answer(post, "unmute Dora", ada)
    assert (
        "You haven\u2019t muted or blocked anyone called \u201cDora\u201d. You\u2019ve muted or blocked Bo."
        in said
    )


def test_two_of_one_name_are_asked_about(store, ferry, clock, tmp_path):  # noqa: ARG001 - must be there
    post = Post(store, settings(tmp_path), people=("Ada", "Bo", "Cleo"))
    rename(store, "Bo", "Kim")
    rename(store, "Cleo", "Kim")
    ada = of(post, "Ada")
    said = answer(post, "mute Kim", ada)
    assert "More than one person is called \u201cKim\u201d: Kim 1 and Kim 2" in said
    assert silenced(post, ada) == {}
    assert "You\u2019ve muted Kim 2" in answer(post, "mute Kim 2", ada)
    assert silenced(post, ada) == {"Kim": False}


def test_the_help_names_the_words(post):
    assert "\u201cmute\u201d and a player\u2019s name" in answer(post, "help", of(post, "Ada"))

"""What is said to a table, and what is kept for oneself: once, by those who sit there."""

import pytest
from sqlalchemy import text

from app.engine import codec
from app.play.match.records import NotFound, Refused, Viewer
from app.play.match.version import page_version
from app.play.moves import service
from app.play.seats import chat, notes
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy", "clock")


def said(match, seat=None):
    return [one.facts["text"] for one in match.player_view(seat).notices if one.what == "said"]


def test_what_is_said_is_heard_by_all_also_by_onlookers(store):
    match = cast.seat(store)
    assert chat.say(store, match.bearer("red"), match.match_id, "  Good\n luck!  ")
    assert (
        said(match) == said(match, "blue") == ["Good  luck!"]
    )  # a blank for the line break, and the one that was typed


def test_those_who_wait_may_talk_and_the_letter_s_link_is_enough(store):
    match = cast.seat(store)
    service.play(store, match.bearer("red"), match.question("red"), "bid 1")
    assert "red" not in match.player_view().to_move
    chat.say(store, match.bearer("red"), match.match_id, "take your time")
    chat.say(store, Viewer(token=match.token("blue")), match.match_id, "I will")
    assert said(match) == ["take your time", "I will"]


def test_after_the_end_a_table_may_go_on_talking(store):
    match = cast.seat(store)
    service.resign(store, match.bearer("red"), match.match_id)
    assert match.player_view().status == "over"
    for seat in match.rows:
        chat.say(store, match.bearer(seat), match.match_id, f"thanks, {seat}")
    assert len(said(match)) == 2


def test_strangers_say_nothing_and_note_nothing(store):
    match, other = cast.seat(store), cast.seat(store, ("Cleo", "Dan"))
    for bearer in (Viewer(), other.bearer("red"), Viewer(token="x" * 22), Viewer(token=other.token("red"))):
        with pytest.raises(NotFound):
            chat.say(store, bearer, match.match_id, "hello")
        with pytest.raises(NotFound):
            notes.note(store, bearer, match.match_id, "hello")
        with pytest.raises(NotFound):
            notes.notes(store, bearer, match.match_id)
    with pytest.raises(NotFound):
        chat.say(store, match.bearer("red"), 10**6, "hello")
    assert said(match) == []


def test_the_same_said_twice_on_one_occasion_is_said_once(store):
    match = cast.seat(store)
    red, blue = match.bearer("red"), match.bearer("blue")
    assert chat.say(store, red, match.match_id, "well", once="a")
    assert not chat.say(store, red, match.match_id, " well ", once="a")
    assert chat.say(store, red, match.match_id, "well", once="b"), "later it is said again"
    assert chat.say(store, red, match.match_id, "never mind", once="a"), "two windows silence nobody"
    assert chat.say(store, blue, match.match_id, "well", once="a"), "nor do two players"
    assert len(said(match)) == 4


@pytest.mark.parametrize(("words", "reason"), [(" \u200b\n", "text_empty"), ("x" * 1001, "text_too_long")])
def test_too_little_and_too_much_are_refused(store, words, reason):
    match = cast.seat(store)
    with pytest.raises(Refused) as caught:
        chat.say(store, match.bearer("red"), match.match_id, words)
    assert caught.value.reason == reason
    assert said(match) == []


def test_nothing_said_turns_the_line_round_or_hides(store):
    match = cast.seat(store)
    chat.say(store, match.bearer("red"), match.match_id, "a\u202eb\u2069c\x00d\u2028e \u06cc\u200c\u0645")
    assert said(match) == ["abcd e \u06cc\u200c\u0645"]


def test_a_seat_says_fifty_things_a_day_and_its_refused_one_is_not_there(store, clock):
    match = cast.seat(store)
    for n in range(50):
        chat.say(store, match.bearer("red"), match.match_id, f"{n}", once=str(n))
    with pytest.raises(Refused) as caught:
        chat.say(store, match.bearer("red"), match.match_id, "one more")
    assert caught.value.reason == "said_too_often"
    assert not chat.say(store, match.bearer("red"), match.match_id, "49", once="49"), (
        "a repeated one is no more"
    )
    chat.say(store, match.bearer("blue"), match.match_id, "my turn to talk")
    clock.advance(days=1, seconds=1)
    chat.say(store, match.bearer("red"), match.match_id, "a new day")
    assert len(said(match)) == 52


def test_notes_are_kept_changed_and_deleted_by_their_owner_alone(store):
    match = cast.seat(store)
    red, blue, number = match.bearer("red"), match.bearer("blue"), match.match_id
    assert notes.note(store, red, number, "the whale\nis near", once="a")
    assert not notes.note(store, red, number, "the whale\nis near", once="a")
    notes.note(store, red, number, "second")
    second, first = notes.notes(store, red, number)
    assert (first.text, second.text) == ("the whale\nis near", "second")
    with pytest.raises(NotFound):
        notes.change_note(store, blue, number, first.note_id, "mine now")
    notes.delete_note(store, blue, number, first.note_id)
    notes.change_note(store, red, number, first.note_id, "it is gone")
    notes.delete_note(store, red, number, second.note_id)
    notes.delete_note(store, red, number, second.note_id)
    assert [one.text for one in notes.notes(store, red, number)] == ["it is gone"]
    assert notes.notes(store, blue, number) == ()


def test_no_sight_but_the_rows_of_their_own_time_holds_a_note_and_no_glance_of_others_moves(store):
    """Lesson: what one writes to themselves goes with them; who follows on the seat starts with none."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"))
    bearers = [Viewer(), match.bearer("blue")]
    before = [page_version(store, one, match.match_id) for one in bearers]
    own = page_version(store, match.bearer("red"), match.match_id)
    notes.note(store, match.bearer("red"), match.match_id, "the secret plan")
    assert [page_version(store, one, match.match_id) for one in bearers] == before
    assert page_version(store, match.bearer("red"), match.match_id) != own
    for seat in (None, "red", "blue"):
        assert "secret plan" not in str(codec.dumps(match.player_view(seat).view)) + str(
            match.player_view(seat)
        )
    chair = match.rows["red"]
    stranger = cast.seat(store, ("Dan", "Bo")).rows
    dan = next(
        row.player_id
        for row in stranger.values()
        if cast.one(store, "SELECT name FROM player WHERE id = :i", i=row.player_id).name == "Dan"
    )
    with store.transaction() as connection:
        connection.execute(text("UPDATE chair SET until = since WHERE id = :i"), {"i": chair.id})
        connection.execute(
            text(
                """INSERT INTO chair (match_id, seat, player_id, bot, name, since, heard_ply)
                   SELECT match_id, seat, :p, false, '', since, -1 FROM chair WHERE id = :i"""
            ),
            {"i": chair.id, "p": dan},
        )
    assert notes.notes(store, Viewer(player_id=dan), match.match_id) == ()
    with pytest.raises(NotFound):
        notes.notes(store, match.bearer("red"), match.match_id)
    said_before = chat.say(store, Viewer(player_id=dan), match.match_id, "hello, I am new")
    assert said_before
    assert match.player_view().notices[-1].facts["name"] == "Dan"


def test_a_hundred_notes_are_room_enough(store):
    match = cast.seat(store)
    for n in range(100):
        notes.note(store, match.bearer("red"), match.match_id, f"{n}")
    with pytest.raises(Refused) as caught:
        notes.note(store, match.bearer("red"), match.match_id, "one more")
    assert caught.value.reason == "notes_full"
    assert len(notes.notes(store, match.bearer("red"), match.match_id)) == 100

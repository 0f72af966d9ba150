"""A line goes through the one door whole or not at all, once."""

import pytest

from app.engine.errors import IllegalMove, UnreadableMove
from app.play.match import replay
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.play.moves import service
from app.store.session import Store
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy", "clock")


def at_turn(store, **more):
    """A match in which red is to row."""
    match = cast.seat(store, **more)
    for seat in match.rows:
        service.play(store, match.bearer(seat), match.question(seat), "bid 1" if seat == "red" else "bid 0")
    return match


def everything(store):
    """All rows that a move may change."""
    return [cast.rows(store, f'SELECT * FROM "{name}"') for name in ("match", "played", "question", "letter")]


def test_a_move_is_logged_and_the_next_are_asked(store, rings):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"))
    del rings[:]
    for seat, text in (("blue", "bid 3"), ("red", "bid 1"), ("green", "BID 2.")):
        service.play(store, match.bearer(seat), match.question(seat), text)
    log = cast.rows(store, "SELECT ply, seat, move, source FROM played ORDER BY ply")
    assert [tuple(row) for row in log] == [
        (0, None, "start", "house"),
        (1, "blue", "bid 3", "web"),
        (2, "red", "bid 1", "web"),
        (3, "green", "bid 2", "web"),
    ]
    assert match.player_view().to_move == ("blue",)
    assert cast.one(store, "SELECT once FROM letter WHERE kind = 'asked' AND run = 3").once.endswith(":3")
    assert len(rings) == 1
    assert replay.check(store, match.match_id)


def test_the_same_answer_again_changes_nothing(store):
    match = at_turn(store)
    question = match.question("red")
    done = service.play(store, match.bearer("red"), question, "row on, roll")
    before = everything(store)
    for text in ("row on, roll", "  ROW ON , Roll. "):
        again = service.play(store, match.bearer("red"), question, text)
        assert again.again
        assert again.moves == done.moves == ("row on", "roll")
    assert everything(store) == before


def test_another_answer_to_a_closed_question_is_refused(store):
    match = at_turn(store)
    question = match.question("red")
    service.play(store, match.bearer("red"), question, "row on")
    before = everything(store)
    with pytest.raises(Closed) as caught:
        service.play(store, match.bearer("red"), question, "roll")
    assert caught.value.reason == "answered"
    assert everything(store) == before


def test_a_source_key_counts_once(store):
    match = at_turn(store)
    key = {"source": "letter", "source_key": "<1@example.org>"}
    service.play(store, match.bearer("red"), match.question("red"), "row on", **key)
    again = service.play(store, match.bearer("red"), match.question("red"), "row on", **key)
    assert again.again
    assert match.player_view().view.places["red"] == 1


def test_a_line_is_played_whole_each_step_with_its_own_ply(store):
    match = at_turn(store)
    done = service.play(store, match.bearer("red"), match.question("red"), "row on; row on, roll")
    assert done.moves == ("row on", "row on", "roll")
    assert done.ply == 5
    assert replay.check(store, match.match_id)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("row on, row on, row on", IllegalMove),
        ("row on, fly", UnreadableMove),
        ("row on, roll, row on", Refused),
        ("ward", IllegalMove),
        ("", UnreadableMove),
        (" ,;, ", UnreadableMove),
        ("\x00", UnreadableMove),
        ("row on," * 5000, UnreadableMove),
        ("\ud800", UnreadableMove),
    ],
)
def test_a_line_with_a_bad_step_changes_nothing(store, text, error):
    match = at_turn(store)
    question = match.question("red")
    before = everything(store)
    with pytest.raises(error):
        service.play(store, match.bearer("red"), question, text)
    assert everything(store) == before
    assert match.question("red") == question


def test_what_follows_the_end_is_refused_with_the_whole_line(store):
    match = at_turn(store)
    service.play(store, match.bearer("red"), match.question("red"), "row on, row on")
    service.play(store, match.bearer("red"), match.question("red"), "roll")
    service.play(store, match.bearer("blue"), match.question("blue"), "allow")
    service.play(store, match.bearer("red"), match.question("red"), "bid 2")
    service.play(store, match.bearer("blue"), match.question("blue"), "bid 1")
    before = everything(store)
    with pytest.raises(Refused) as caught:
        service.play(store, match.bearer("red"), match.question("red"), "row on, roll")
    assert caught.value.reason == "after_the_end"
    assert everything(store) == before
    service.play(store, match.bearer("red"), match.question("red"), "row on")
    seen = match.player_view()
    assert seen.status == "over"
    assert seen.outcome is not None
    assert seen.outcome.places == {"red": 1, "blue": 2}
    assert cast.one(store, "SELECT count(*) AS n FROM letter WHERE kind = 'over'").n == 2
    assert cast.one(store, "SELECT count(*) AS n FROM question WHERE closed_at IS NULL").n == 0


def test_nothing_may_follow_a_step_that_reveals_so_that_no_refusal_tells_what_was_revealed(store):
    match = at_turn(store)
    before = everything(store)
    for line in ("roll, row on", "roll, roll", "roll, there is no such move"):
        with pytest.raises(Refused) as caught:
            service.play(store, match.bearer("red"), match.question("red"), line)
        assert caught.value.reason == "after_a_reveal"
        assert "die" not in caught.value.facts
    assert everything(store) == before


def test_after_the_end_a_link_says_so(store):
    match = at_turn(store)
    token, question = match.token("red"), match.question("red")
    service.resign(store, match.bearer("blue"), match.match_id)
    with pytest.raises(Closed) as caught:
        service.play(store, Viewer(token=token), question, "row on")
    assert caught.value.reason == "over"


def test_a_question_that_stands_unchanged_keeps_its_name(store):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"))
    before = {seat: match.question(seat) for seat in ("blue", "green")}
    service.play(store, match.bearer("red"), match.question("red"), "bid 1")
    assert {seat: match.question(seat) for seat in ("blue", "green")} == before


def test_one_turn_is_one_run_and_one_letter(store):
    """The steps of a turn are no news to who takes them."""
    match = at_turn(store)
    token = match.token("red")
    for text in ("row on", "row back", "roll"):
        service.play(store, Viewer(token=token), match.question("red"), text)
    assert cast.one(store, "SELECT count(*) AS n FROM letter WHERE kind = 'asked' AND seat = 'red'").n <= 3


def test_each_sealed_answer_is_on_record_at_once_and_outlives_the_process(store, store_url):
    """A restart in the middle of a choice of all seats asks only those who had not chosen."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"))
    service.play(store, match.bearer("green"), match.question("green"), "bid 3")
    later = cast.Seated(Store(store_url), match.match_id)
    assert later.player_view("green").view.own_bid == 3
    assert set(later.player_view().to_move) == {"red", "blue"}
    for seat in ("red", "blue"):
        service.play(later.store, later.bearer(seat), later.question(seat), "bid 0")
    assert later.player_view().to_move == ("green",)
    later.store.engine.dispose()


def test_only_the_seat_may_answer(store):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"))
    red, blue = match.question("red"), match.question("blue")
    token = match.token("blue")
    for bearer in (Viewer(), Viewer(token="x" * 22), match.bearer("blue"), Viewer(token=token)):
        with pytest.raises(NotFound):
            service.play(store, bearer, red, "bid 1")
    for number in ("no such question", "\x00", "\ud800", "0" * 32, red + "\n", ""):
        with pytest.raises(NotFound):
            service.play(store, match.bearer("red"), number, "bid 1")
    service.play(store, Viewer(token=token), blue, "bid 1")


def test_a_token_is_of_no_use_in_another_match(store):
    match, other = cast.seat(store), cast.seat(store)
    with pytest.raises(NotFound):
        service.play(store, Viewer(token=match.token("red")), other.question("red"), "bid 1")


def test_an_old_token_answers_nothing_new(store):
    match = at_turn(store)
    token = match.token("red")
    service.play(store, Viewer(token=token), match.question("red"), "roll")
    assert match.player_view().to_move == ("blue",)
    service.play(store, match.bearer("blue"), match.question("blue"), "allow")
    with pytest.raises(NotFound):
        service.play(store, Viewer(token=token), match.question("red"), "bid 1")


def test_an_optional_answer_is_asked_of_nobody_and_spoils_nothing(store):
    match = cast.seat(store, options={"cheers": "on"})
    red = match.player_view("red")
    assert [one.decision.asks for one in red.asked] == ["bid", "cheer"]
    blue = match.question("blue")
    service.play(store, match.bearer("red"), red.asked[1].question_id, "cheer")
    assert match.question("blue") == blue
    assert [one.question_id for one in match.player_view("red").asked] == [red.asked[0].question_id]
    assert cast.one(store, "SELECT count(*) AS n FROM letter WHERE kind = 'asked'").n == 2


class TestTakingBack:
    def test_step_by_step_until_the_turn_began(self, store):
        match = at_turn(store)
        service.play(store, match.bearer("red"), match.question("red"), "row on, row on")
        for place in (1, 0):
            assert match.player_view("red").can_take_back
            service.take_back(store, match.bearer("red"), match.match_id)
            assert match.player_view().view.places["red"] == place
            assert replay.check(store, match.match_id)
        assert not match.player_view("red").can_take_back
        with pytest.raises(Closed):
            service.take_back(store, match.bearer("red"), match.match_id)
        service.play(store, match.bearer("red"), match.question("red"), "row on")
        assert replay.check(store, match.match_id)
        assert [row.move for row in cast.rows(store, "SELECT move FROM played ORDER BY ply")][-5:] == [
            *("row on", "row on", "undo", "undo", "row on")
        ]

    def test_what_each_may_see_is_as_it_was_before_the_step(self, store):
        """A step back takes back what it showed, too: no seat, and no onlooker, keeps or loses anything."""
        match = at_turn(store)
        before = {seat: match.player_view(seat).view for seat in (None, "red", "blue")}
        service.play(store, match.bearer("red"), match.question("red"), "row on")
        assert match.player_view().view != before[None]
        service.take_back(store, match.bearer("red"), match.match_id)
        assert {seat: match.player_view(seat).view for seat in (None, "red", "blue")} == before

    def test_not_what_was_revealed(self, store):
        """A card drawn or a die rolled has told something, and that cannot be unseen."""
        match = at_turn(store)
        service.play(store, match.bearer("red"), match.question("red"), "row on, roll")
        for seat in ("red", "blue"):
            with pytest.raises(Closed):
                service.take_back(store, match.bearer(seat), match.match_id)

    def test_not_when_the_turn_is_over_nor_when_another_acted(self, store):
        match = cast.seat(store, ("Ada", "Bo", "Cleo"))
        service.play(store, match.bearer("red"), match.question("red"), "bid 1")
        with pytest.raises(Closed):
            service.take_back(store, match.bearer("red"), match.match_id)
        with pytest.raises(Closed):
            service.take_back(store, match.bearer("blue"), match.match_id)

    def test_not_what_another_has_done_since(self, store):
        match = at_turn(store, options={"cheers": "on"})
        service.play(store, match.bearer("red"), match.question("red"), "row on")
        cheer = match.player_view("blue").asked[0].question_id
        service.play(store, match.bearer("blue"), cheer, "cheer")
        with pytest.raises(Closed):
            service.take_back(store, match.bearer("red"), match.match_id)
        assert match.player_view().view.places["red"] == 1

    def test_by_the_turns_own_token_and_by_nobody_else(self, store):
        match = at_turn(store)
        token = match.token("red")
        service.play(store, Viewer(token=token), match.question("red"), "row on")
        for bearer in (Viewer(), Viewer(token="y" * 22)):
            with pytest.raises(NotFound):
                service.take_back(store, bearer, match.match_id)
        service.take_back(store, Viewer(token=token), match.match_id)
        assert match.player_view().view.places["red"] == 0


class TestResigning:
    def test_a_seat_that_remains_alone_wins_at_once_and_all_hear(self, store):
        match = cast.seat(store)
        service.resign(store, match.bearer("blue"), match.match_id)
        seen = match.player_view()
        assert seen.status == "over"
        assert seen.outcome is not None
        assert (seen.outcome.reason, seen.outcome.places) == ("resigned", {"red": 1, "blue": 2})
        assert seen.secret is not None
        assert {row.seat for row in cast.rows(store, "SELECT seat FROM letter WHERE kind = 'over'")} == {
            "red",
            "blue",
        }

    def test_twice_is_once_and_the_seat_plays_no_more(self, store):
        match = cast.seat(store, ("Ada", "Bo", "Cleo"))
        question = match.question("blue")
        service.resign(store, match.bearer("blue"), match.match_id)
        assert service.resign(store, match.bearer("blue"), match.match_id).again
        with pytest.raises(Closed):
            service.play(store, match.bearer("blue"), question, "bid 1")
        assert [one.resigned for one in match.player_view().sittings] == [False, True, False]
        assert match.player_view().heard[-1].what == "resign"
        assert replay.check(store, match.match_id)

    def test_whoever_is_to_move(self, store):
        """One may give up at any time, and the others do not wait for one who will not come back."""
        match = at_turn(store, people=("Ada", "Bo", "Cleo"))
        assert match.player_view().to_move == ("red",)
        service.resign(store, match.bearer("green"), match.match_id)
        assert match.player_view().to_move == ("red",)
        assert match.player_view().sittings[2].resigned

    def test_nobody_resigns_for_another(self, store):
        match = cast.seat(store)
        for bearer in (Viewer(), Viewer(player_id=999), Viewer(token="z" * 22)):
            with pytest.raises(NotFound):
                service.resign(store, bearer, match.match_id)

    def test_it_does_not_stop_another_from_taking_back(self, store):
        match = at_turn(store, people=("Ada", "Bo", "Cleo"))
        service.play(store, match.bearer("red"), match.question("red"), "row on")
        service.resign(store, match.bearer("blue"), match.match_id)
        service.take_back(store, match.bearer("red"), match.match_id)
        assert match.player_view().view.places["red"] == 0
        assert replay.check(store, match.match_id)

"""Moves and policies given ahead: played by the house alone, for their owner's eyes alone."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import msgspec
import pytest
from sqlalchemy import text

from app.engine import codec
from app.engine.errors import UnreadableMove
from app.play.match import matches, questions, replay
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.play.moves import bots, orders, service
from app.store import sql
from app.store.tables import Chair, Player
from tests.play import cast
from tests.rows import rows_of

pytestmark = pytest.mark.usefixtures("toy", "clock")

ROUGH = b"a"
"""Dice by which the first roll is a wave."""


@pytest.fixture
def match(store):
    return cast.seat(store, ("Ada", "Bo"), options={"bank": "long"})


def play(match, seat, line):
    return service.play(match.store, match.bearer(seat), match.question(seat), line)


def leave(match, seat, *lines):
    return orders.leave(match.store, match.bearer(seat), match.match_id, "\n".join(lines))


def policy(match, seat, said, **more):
    return orders.set_policy(match.store, match.bearer(seat), match.match_id, "ward", said, **more)


def left(match, seat):
    return orders.orders(match.store, match.bearer(seat), match.match_id)


def texts(some):
    return [one.text for one in some]


def results(match, seat):
    return [(one.text, one.result) for one in reversed(left(match, seat).past)]


def letters(match, seat, kind="asked"):
    query = "SELECT run FROM letter WHERE match_id = :m AND seat = :s AND kind = :k ORDER BY run"
    return [str(row.run) for row in cast.rows(match.store, query, m=match.match_id, s=seat, k=kind)]


def by_orders(match):
    query = "SELECT seat, move FROM played WHERE match_id = :m AND source = 'orders' ORDER BY ply"
    return [(row.seat, row.move) for row in cast.rows(match.store, query, m=match.match_id)]


@pytest.mark.parametrize("each_store_url", ["postgresql"], indirect=True)  # in SQLite writers are alone
def test_a_list_left_while_another_moves_is_tried_for_the_question_that_the_move_opens(match, monkeypatch):
    """Whichever of the two is written last sees the other: each waits for the match."""
    play(match, "red", "bid 1")
    between = [lambda: leave(match, "red", "row on")]

    def slowly(run, *records, **values):
        if between:
            with ThreadPoolExecutor(1) as other:
                other.submit(between.pop()).result(20)
        return run(*records, **values)

    for name in ("_advance", "_advance_barrier"):
        one = getattr(matches, name)
        monkeypatch.setattr(one, "run", partial(slowly, one.run))
    play(match, "blue", "bid 0")
    assert between == []
    bots.play_unmanned(match.store)
    assert by_orders(match) == [("red", "row on")]


def flagged(match):
    """The seats whose chairs say that something is left there."""
    found = cast.rows(match.store, "SELECT seat FROM chair WHERE orders AND until IS NULL ORDER BY seat")
    return [row.seat for row in found]


def to_the_rowing(match, *lines):
    """Red has bid and left a list; Blue's bid opens Red's turn."""
    play(match, "red", "bid 1")
    leave(match, "red", *lines)
    play(match, "blue", "bid 0")


def wave(store, charm, *lines, said="ask"):
    """Red has rolled a wave upon Blue, who holds this charm and left that policy and list."""
    match = cast.seat(store, options={"bank": "long"}, dice=ROUGH)
    with store.transaction() as connection:  # as the deal might have been
        query, who = 'SELECT state FROM "match" WHERE id = :m', {"m": match.match_id}
        state = msgspec.json.decode(connection.execute(text(query), who).scalar_one())
        state["charms"] = ["shield", charm]
        connection.execute(
            text('UPDATE "match" SET state = :s WHERE id = :m'), {"s": codec.dumps(state), **who}
        )
    policy(match, "blue", said)
    play(match, "red", "bid 1")
    play(match, "blue", "bid 0")
    leave(match, "blue", *lines)
    play(match, "red", "roll")
    assert match.player_view().view.step == "ward"
    return match


def test_a_wish_that_is_played_moves_the_game_on_and_who_is_next_is_told(store, match, rings):
    """A move made by orders is a move: the next one gets their letter, whoever slept through it."""
    to_the_rowing(match, "row on", "row on", "roll")
    before = letters(match, "blue")
    assert rings, "the workers were told that something can be played"
    assert bots.play_unmanned(store) >= 3
    assert by_orders(match)[:3] == [("red", "row on"), ("red", "row on"), ("red", "roll")]
    assert len(letters(match, "blue")) == len(before) + 1
    assert replay.check(store, match.match_id)


def test_no_letter_asks_a_player_that_orders_answer_for_until_they_no_longer_do(store, match):
    to_the_rowing(match, "row on")
    asked = letters(match, "red")
    assert bots.play_unmanned(store) == 1
    assert match.player_view().to_move == ("red",), "one wish, one step"
    assert len(letters(match, "red")) == len(asked) + 1, "now they are asked, once"
    assert bots.play_unmanned(store) == 0
    assert flagged(match) == []
    play(match, "red", "roll")


def test_the_first_that_is_legal_is_played_whatever_stands_before_it(store, match):
    to_the_rowing(match, "row back", "bid 2", "row on")
    bots.play_unmanned(store)
    # Asked again in the same turn, the list is tried from its top: now there is a way back.
    assert by_orders(match)[:2] == [("red", "row on"), ("red", "row back")]


def test_a_list_of_which_nothing_can_be_played_is_void_and_they_are_asked_as_ever(store, match):
    """What became impossible is not played, not kept for another time, and its owner hears why."""
    to_the_rowing(match, "bid 3", "row back")
    asked = letters(match, "red")
    assert bots.play_unmanned(store) == 0
    assert by_orders(match) == []
    assert results(match, "red") == [("bid 3", "none_possible"), ("row back", "none_possible")]
    assert len(letters(match, "red")) == len(asked) + 1
    assert flagged(match) == []
    assert match.player_view("red").asked


def test_what_is_left_of_a_list_ends_with_the_turn(store):
    match = cast.seat(store, options={"bank": "long"}, dice=ROUGH)
    to_the_rowing(match, "roll", "bid 2")
    assert bots.play_unmanned(store) == 1
    assert match.player_view().to_move == ("blue",), "a wave: Red's turn is over"
    assert sorted(results(match, "red")) == [("bid 2", "turn_over"), ("roll", "played")]
    assert left(match, "red").wishes == ()
    assert flagged(match) == []


def test_wishes_for_a_turn_that_they_played_themselves_do_not_wait_for_another(store, match):
    to_the_rowing(match, "roll")
    play(match, "red", "row on")
    play(match, "red", "row on")
    assert texts(left(match, "red").wishes) == ["roll"], "while their turn goes on the list stays"
    bots.play_unmanned(store)
    assert by_orders(match) == [("red", "roll")]


def test_a_list_left_in_one_turn_is_for_the_next_question_and_survives_the_end_of_this_one(store, match):
    leave(match, "red", "row on")
    play(match, "red", "bid 1")
    assert texts(left(match, "red").wishes) == ["row on"]
    play(match, "blue", "bid 0")
    bots.play_unmanned(store)
    assert by_orders(match) == [("red", "row on")]


def test_a_step_back_is_not_played_over_at_once(store, match):
    to_the_rowing(match, "row on", "roll")
    play(match, "red", "row on")
    service.take_back(store, match.bearer("red"), match.match_id)
    assert bots.play_unmanned(store) == 0
    assert match.player_view("red").view.points == 2


def test_orders_answer_nothing_that_nobody_waits_for(store):
    match = cast.seat(store, options={"bank": "long", "cheers": "on"})
    to_the_rowing(match, "cheer", "row on")
    bots.play_unmanned(store)
    assert by_orders(match) == [("red", "row on")]
    assert ("cheer", "turn_over") not in results(match, "red")


def test_many_sweeps_at_once_play_nothing_twice(store, match):
    """Two workers find the same question; the second comes when the first has answered."""
    to_the_rowing(match, "row on", "row on", "row on")
    question = questions.named(cast.question_of(store, "red"))
    assert bots._answer(store, question) == 1
    assert bots._answer(store, question) == 0
    bots.play_unmanned(store)
    assert [move for seat, move in by_orders(match) if seat == "red"] == ["row on", "row on"]
    assert len(letters(match, "red")) == len(set(letters(match, "red")))


def test_a_worker_killed_while_it_plays_leaves_the_wish_as_it_was(store, match, monkeypatch):
    to_the_rowing(match, "row on")

    def dies(*_args, **_more):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("app.play.moves.execute.write_down", dies)
        with pytest.raises(KeyboardInterrupt):
            bots.play_unmanned(store)
    assert texts(left(match, "red").wishes) == ["row on"]
    assert by_orders(match) == []
    bots.play_unmanned(store)
    assert by_orders(match) == [("red", "row on")]


def test_a_game_that_fails_over_a_wish_or_a_policy_leaves_its_player_asked(store, match, toy, monkeypatch):
    to_the_rowing(match, "row on")
    asked = letters(match, "red")

    def broken(*_args):
        raise ZeroDivisionError

    monkeypatch.setattr(toy, "parse", broken)
    assert bots.play_unmanned(store) == 0
    assert len(letters(match, "red")) == len(asked) + 1


def test_the_log_alone_gives_the_same_game_with_orders_as_by_hand(store, match):
    """The house alone decides what orders play, from the state on record; the log shows plain moves."""
    to_the_rowing(match, "row on", "row on", "roll")
    bots.play_unmanned(store)
    assert replay.check(store, match.match_id)
    again = cast.seat(store, options={"bank": "long"})
    for seat, line in (
        ("red", "bid 1"),
        ("blue", "bid 0"),
        *((s, m) for s, m in by_orders(match) if s == "red"),
    ):
        if seat in again.player_view().to_move:
            play(again, seat, line)
    first, second = (
        [
            (row.seat, row.move, row.packed)
            for row in cast.rows(
                store,
                "SELECT seat, move, packed FROM played WHERE match_id = :m ORDER BY ply",
                m=one.match_id,
            )
        ]
        for one in (match, again)
    )
    assert first == second[: len(first)]


def test_what_is_left_is_shown_again_edited_and_taken_back(store, match):
    """A plan that is kept is there after a reload; what was taken back is gone and not played."""
    assert texts(leave(match, "red", " Row  on", "", "roll").wishes) == ["Row on", "roll"]
    assert texts(left(match, "red").wishes) == ["Row on", "roll"]
    rows = cast.one(store, "SELECT count(*) AS n FROM standingorder").n
    leave(match, "red", "Row on", "roll")
    assert cast.one(store, "SELECT count(*) AS n FROM standingorder").n == rows, "the same list is the same"
    assert texts(leave(match, "red", "roll").wishes) == ["roll"]
    policy(match, "red", "always")
    assert flagged(match) == ["red"]
    gone = orders.withdraw(store, match.bearer("red"), match.match_id)
    assert (gone.wishes, gone.policies, gone.past) == ((), (), ())
    assert orders.withdraw(store, match.bearer("red"), match.match_id) == gone
    assert flagged(match) == []
    play(match, "red", "bid 1")
    play(match, "blue", "bid 0")
    assert bots.play_unmanned(store) == 0
    assert by_orders(match) == []


def test_a_line_that_cannot_be_read_is_refused_and_the_old_list_stands(match):
    leave(match, "red", "roll")
    with pytest.raises(UnreadableMove):
        leave(match, "red", "row on", "fly away")
    with pytest.raises(Refused) as caught:
        leave(match, "red", *["row on"] * 21)
    assert caught.value.facts == {"most": 20, "given": 21}
    with pytest.raises(Refused):
        leave(match, "red", "row on " + "x" * 300)
    with pytest.raises(UnreadableMove):
        policy(match, "red", "sometimes")
    assert texts(left(match, "red").wishes) == ["roll"]
    assert texts(leave(match, "red", *["row on"] * 20).wishes) == ["row on"] * 20


def test_only_the_seat_may_leave_and_see_orders(store, match):
    leave(match, "red", "roll")
    policy(match, "red", "never")
    assert left(match, "blue") == orders.Orders()
    for nobody in (Viewer(), Viewer(player_id=999), Viewer(token="x" * 26)):
        for act in (
            lambda who: orders.orders(store, who, match.match_id),
            lambda who: orders.leave(store, who, match.match_id, "roll"),
            lambda who: orders.withdraw(store, who, match.match_id),
            lambda who: orders.set_policy(store, who, match.match_id, "ward", "never"),
        ):
            with pytest.raises(NotFound):
                act(nobody)
    letter = Viewer(token=match.token("red"))
    assert texts(orders.orders(store, letter, match.match_id).wishes) == ["roll"]
    assert texts(orders.leave(store, letter, match.match_id, "row on").wishes) == ["row on"]


@pytest.mark.parametrize("said", ["always", "never", "at least 1", "ask"])
def test_a_policy_answers_at_once_and_tells_nobody_what_is_held(store, said):
    """With the charm or without it the same is seen of the window, for as long; the answer may differ."""
    seen = {}
    for charm in ("shield", "dud"):
        match = wave(store, charm, said=said)
        letters_before = letters(match, "blue"), letters(match, "red")
        public = [
            (one.view, one.to_move, one.sittings, one.deadlines, one.notices, one.heard[-1].events)
            for one in (match.player_view(), match.player_view("red"))
        ]
        answers = bots.play_unmanned(store)
        assert answers == (0 if said == "ask" else 1)
        seen[charm] = (codec.dumps(public), letters_before, answers, len(letters(match, "blue")))
        wanted = (
            [] if said == "ask" else [("blue", "ward" if (charm, said) == ("shield", "always") else "allow")]
        )
        assert by_orders(match) == wanted
        assert texts(left(match, "blue").policies) == ([] if said == "ask" else [said]), "never voided"
    assert seen["shield"] == seen["dud"]


def test_nobody_but_their_owner_is_told_that_orders_played(store):
    match = wave(store, "dud", said="never")
    bots.play_unmanned(store)
    assert [one.by_orders for one in match.player_view("blue").heard][-1]
    for other in (match.player_view(), match.player_view("red")):
        assert not any(one.by_orders for one in other.heard)
        assert "orders" not in codec.dumps((other.heard, other.sittings, other.notices)).replace(
            "by_orders", ""
        )


def test_who_wants_to_be_asked_is_asked(match):
    policy(match, "blue", "always")
    assert policy(match, "blue", "ask").policies == ()
    assert flagged(match) == []


def test_a_window_of_reaction_spends_no_list_for_the_next_turn(store):
    match = wave(store, "dud", "bid 3", said="never")
    assert bots.play_unmanned(store) == 2
    assert by_orders(match) == [("blue", "allow"), ("blue", "bid 3")]
    match = wave(store, "dud", "bid 3")
    assert bots.play_unmanned(store) == 0
    assert texts(left(match, "blue").wishes) == ["bid 3"], "asked about the wave, not about their next turn"
    play(match, "blue", "allow")
    bots.play_unmanned(store)
    assert by_orders(match) == [("blue", "bid 3")]


def test_a_wish_may_answer_a_window_too(store):
    match = wave(store, "shield", "ward")
    bots.play_unmanned(store)
    assert by_orders(match) == [("blue", "ward")]


def test_a_policy_for_a_while_counts_before_the_lasting_one_and_ends_by_itself(store, match, clock):
    policy(match, "red", "never")
    policy(match, "red", "always", until=clock.moment.replace(day=9))
    assert left(match, "red").policy("ward").text == "always"
    clock.advance(days=30)
    assert left(match, "red").policy("ward").text == "never"
    to_the_rowing(match, "row on")
    bots.play_unmanned(store)
    assert ("always", "ended") in results(match, "red")
    assert flagged(match) == ["red"]
    assert policy(match, "red", "ask").policies == ()


def test_orders_end_with_who_resigns_and_with_the_game(store, match):
    leave(match, "red", "roll")
    policy(match, "blue", "always")
    service.resign(store, match.bearer("red"), match.match_id)
    rows = cast.rows(store, "SELECT seat, result FROM standingorder ORDER BY seat")
    assert [(row.seat, row.result) for row in rows] == [("blue", "over"), ("red", "over")]
    assert flagged(match) == []
    with pytest.raises(Closed):
        leave(match, "blue", "roll")


def test_one_who_resigned_leaves_nothing_behind(store):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"))
    leave(match, "red", "row on")
    service.resign(store, match.bearer("red"), match.match_id)
    assert flagged(match) == []
    bots.play_unmanned(store)
    assert by_orders(match) == []
    with pytest.raises(Closed):
        leave(match, "red", "roll")


def test_a_successor_gets_no_orders_of_who_sat_there_before(store, match, clock):
    """Who takes a seat over plays it themselves: nothing that was planned before is played for them."""
    to_the_rowing(match, "row on", "bid 3")
    assert bots.play_unmanned(store) == 1
    assert match.player_view("red").heard[-1].by_orders
    policy(match, "red", "always")
    clock.advance(days=1)
    with rows_of(store) as session:
        now = clock.moment
        session.get_one(Chair, match.rows["red"].id).until = now
        session.flush()
        dan = Player(address="dan@example.org", address_key="dan@example.org", name="Dan", created_at=now)
        session.add(dan)
        session.flush()
        session.add(Chair(match_id=match.match_id, seat="red", player_id=dan.id, since=now))
    dan = cast.Seated(store, match.match_id)
    assert not any(one.by_orders for one in dan.player_view("red").heard), "nor hears that there were any"
    play(dan, "red", "row on")
    assert bots.play_unmanned(store) == 0
    assert by_orders(match) == [("red", "row on")]
    assert left(dan, "red") == orders.Orders()


def test_a_line_of_a_letter_shows_sets_and_clears(store, match):
    def line(said):
        return orders.leave_by_line(store, match.bearer("red"), match.match_id, said)

    done = line("orders row on; Roll")
    assert (done.what, texts(done.orders.wishes)) == ("wishes", ["row on", "Roll"])
    done = line("ward Always")
    assert (done.what, texts(done.orders.policies)) == ("policy", ["always"])
    assert line("ORDERS ward: at least 2").orders.policy("ward").text == "at least 2"
    assert line("ward").what == "wishes", "the move of that name, without anything that a policy could say"
    done = line("orders")
    assert (done.what, texts(done.orders.wishes)) == ("shown", ["ward"])
    done = line("orders clear")
    assert (done.what, done.orders.wishes, done.orders.policies) == ("cleared", (), ())
    with pytest.raises(UnreadableMove):
        line("hello")


def test_a_move_costs_no_more_for_seats_without_orders(store, match, monkeypatch):
    """Another seat's orders cost something at its own turn's end alone."""
    sent = []
    monkeypatch.setattr(sql, "watch", sent.append)
    question = match.question("red")
    del sent[:]
    service.play(store, match.bearer("red"), question, "bid 1")
    assert len(sent) <= 5
    assert not any("standingorder" in one for one in sent)

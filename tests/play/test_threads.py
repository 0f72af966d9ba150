"""Many at once: nothing is lost, nothing is done twice."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest

from app.play.lobby import changes, invitations
from app.play.match import replay
from app.play.match.records import Closed, SiteError
from app.play.moves import bots, service
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy", "clock")


def at_once(*jobs):
    """What each job gave or raised, all started at the same moment."""
    start = Barrier(len(jobs))

    def run(job):
        start.wait()
        try:
            return job()
        except SiteError as error:
            return error

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def test_sealed_bids_of_all_seats_at_once_all_count(store):
    """No one answer overwrites another that was on its way at the same time."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo", "Dan"), options={"bank": "long"})
    for _ in range(5):
        questions = {seat: match.question(seat) for seat in match.rows}
        done = at_once(
            *(
                partial(service.play, store, match.bearer(seat), question, "bid 0")
                for seat, question in questions.items()
            )
        )
        assert [one.seat for one in done] == list(questions)
        assert sorted(one.ply for one in done) == list(
            range(min(d.ply for d in done), max(d.ply for d in done) + 1)
        )
        while (turn := match.player_view().to_move) and len(turn) == 1:
            asked = match.player_view(turn[0]).asked[0]
            text = "roll" if asked.decision.asks == "row" else "allow"
            service.play(store, match.bearer(turn[0]), asked.question_id, text)
    assert replay.check(store, match.match_id)
    log = cast.rows(store, "SELECT ply FROM played ORDER BY ply")
    assert [row.ply for row in log] == list(range(len(log)))


def test_the_same_button_in_five_windows_is_one_move(store):
    match = cast.seat(store)
    for _ in range(4):
        seat = match.player_view().to_move[0]
        asked = match.player_view(seat).asked[0]
        text = match.player_view().game.format(asked.decision.options[-1])
        before = match.player_view().ply
        done = at_once(
            *(partial(service.play, store, match.bearer(seat), asked.question_id, text) for _ in range(5))
        )
        assert [one.again for one in done].count(False) == 1
        assert match.player_view().ply == before + 1
    assert replay.check(store, match.match_id)


def test_two_windows_with_different_moves_are_one_move_and_one_refusal(store):
    match = cast.seat(store)
    for _ in range(4):
        seat = match.player_view().to_move[0]
        asked = match.player_view(seat).asked[0]
        if len(asked.decision.options) < 2:
            service.play(store, match.bearer(seat), asked.question_id, "allow")
            continue
        texts = [match.player_view().game.format(move) for move in asked.decision.options[:2]]
        done = at_once(
            *(partial(service.play, store, match.bearer(seat), asked.question_id, text) for text in texts)
        )
        assert sorted(isinstance(one, Closed) for one in done) == [False, True]
    assert replay.check(store, match.match_id)
    asked = cast.rows(store, "SELECT seat, run FROM letter WHERE kind = 'asked'")
    assert len(asked) == len(set(asked)), "who is next is written to once"


def test_a_letter_read_by_two_workers_is_one_move(store):
    match = cast.seat(store)
    question = match.question("red")
    done = at_once(
        *(
            lambda: service.play(
                store, match.bearer("red"), question, "bid 2", source="letter", source_key="<1@example.org>"
            )
            for _ in range(4)
        )
    )
    assert [one.again for one in done].count(False) == 1


def test_the_last_seats_taken_at_once_start_one_match(store):
    """However many press at once, a seat has one player, and one table makes one game."""
    people = ("Ada", "Bo", "Cleo", "Dan")
    for _ in range(3):
        match_id = cast.open_table(store, people)
        first, *others = cast.tokens(store, match_id)
        invitations.accept(store, first, "Ada", "en", "UTC", "")
        at_once(
            *(
                partial(invitations.accept, store, token, "Somebody", "en", "UTC", "word")
                for token in (*others, *others)
            )
        )
        chairs = cast.rows(store, "SELECT player_id FROM chair WHERE match_id = :id", id=match_id)
        assert len({row.player_id for row in chairs}) == len(chairs) == 4
        starts = "SELECT count(*) AS n FROM played WHERE match_id = :id AND move = 'start'"
        assert cast.one(store, starts, id=match_id).n == 1
        asked = "SELECT count(*) AS n FROM letter WHERE match_id = :id AND kind = 'asked'"
        assert cast.one(store, asked, id=match_id).n == 4


def test_the_last_guest_accepts_while_the_organiser_starts_without_them(store):
    for _ in range(3):
        match_id = cast.open_table(store, ("Ada", "Bo", "Cleo"))
        first, second, third = cast.tokens(store, match_id)
        for token in (first, second):
            invitations.accept(store, token, "Somebody", "en", "UTC", "")
        at_once(
            partial(invitations.accept, store, third, "Cleo", "en", "UTC", ""),
            partial(changes.start_with_fewer, store, cast.Viewer(token=first), match_id),
        )
        seats = cast.one(store, 'SELECT seats FROM "match" WHERE id = :id', id=match_id).seats
        chairs = cast.rows(store, "SELECT id FROM chair WHERE match_id = :id", id=match_id)
        assert seats == len(chairs) in (2, 3)


def test_two_workers_play_the_bots_once(store):
    match = cast.seat(store, ("Ada",), bots=3)
    at_once(*(lambda: bots.play_unmanned(store) for _ in range(4)))
    log = cast.rows(store, "SELECT seat FROM played WHERE source = 'bot'")
    assert len(log) == 3
    assert replay.check(store, match.match_id)

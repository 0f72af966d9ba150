"""Matches in the middle of each game, carried to the tables in which open questions are used again."""

import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from html import escape

import pytest
from sqlalchemy import text

from app.engine.chance import Chance
from app.games import rules_of
from app.play.deadlines import sweep
from app.play.match import reading, replay
from app.play.match.records import Viewer
from app.play.moves import bots, service
from app.settings import Settings
from app.store import migrate
from app.store.moments import number_of
from app.store.session import Store
from app.store.tokens import hash_of
from app.web import create_app
from tests.editions.conftest import stored_matches
from tests.play import cast
from tests.servers import fresh_database

BEFORE = "0016"
RUNNING = (2, 3)
OPEN = """SELECT match_id, seat, asks, about, run, optional, unmanned, asked_at, begun_at, allowed, due_at,
                 remind_at, late_at, announced_at, zone, reminded
          FROM question WHERE closed_at IS NULL ORDER BY match_id, seat, asks"""
A_TURN = timedelta(days=3)
BEGIN_CLOCKS = """UPDATE question SET begun_at = :now, allowed = 259200, due_at = :due
                  WHERE match_id = 2 AND closed_at IS NULL AND NOT optional"""


@pytest.fixture(params=["atlandice", "atlantis", "survive"])
def slug(request):
    return request.param


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/carried.db"
    return fresh_database(request.getfixturevalue("postgres"))


@pytest.fixture
def before(url, slug, clock) -> Iterator[Store]:
    """Two matches that run, in the tables of before, one of them with a clock."""
    stored_matches(slug, url, BEFORE)
    clock.moment = clock.moment.replace(year=2026, month=12, day=1)
    store = Store(url)
    rule = '{"kind":"per_move","per_move":259200}'
    with store.transaction() as connection:
        connection.execute(text('UPDATE "match" SET clock = :rule WHERE id = 2'), {"rule": rule})
        clocks = {"now": clock.moment, "due": clock.moment + A_TURN}
        connection.execute(
            text(BEGIN_CLOCKS), {name: at.strftime("%Y-%m-%d %H:%M:%S.%f") for name, at in clocks.items()}
        )
    yield store
    store.engine.dispose()


def what_is_open(store):
    """The open questions, with their moments as the tables of today have them."""
    return [tuple(map(today, row)) for row in cast.rows(store, OPEN)]


def today(value):
    if isinstance(value, str) and value[10:11] == " ":
        return number_of(datetime.fromisoformat(value + "+00:00"))
    return value


def site(store, tmp_path):
    settings = Settings("", "", "", "", "https://h.example", "h.example", ("k" * 32,), tmp_path)
    return create_app(settings, store).test_client()


def turn_link(store, one):
    """A link as it was made then."""
    token = secrets.token_urlsafe(16)
    with store.transaction() as connection:
        connection.execute(
            text(
                """INSERT INTO token (hash, purpose, match_id, seat, run, created_at)
                   VALUES (:hash, 'turn', :match_id, :seat, :run, '2026-11-30 09:30:00')"""
            ),
            {"hash": hash_of(token), "match_id": one.match_id, "seat": one.seat, "run": one.run},
        )
    return token


def test_what_was_open_is_open_with_its_clock_and_what_was_answered_is_not(before, url):
    was = what_is_open(before)
    assert {row[0] for row in was} == set(RUNNING)
    migrate.upgrade(url)
    assert what_is_open(before) == was
    assert cast.rows(before, "SELECT 1 FROM question WHERE closed_at IS NOT NULL") == []
    for match_id in RUNNING:
        with before.reading() as connection:
            match = reading.by_match(connection, match_id)
        assert all(any(mine.is_of(one) for mine in match.open) for one in match.decisions())
        assert len({one.name for one in match.open}) == len(match.open)
        assert all(match.ply * 100 <= one.name.number < match.ply * 100 + 100 for one in match.open)
        assert replay.check(before, match_id)


def test_back_again_the_same_is_open(before, url):
    was = what_is_open(before)
    migrate.upgrade(url)
    migrate.downgrade(url, BEFORE)
    assert what_is_open(before) == was
    migrate.upgrade(url)
    assert what_is_open(before) == was


def test_a_link_of_before_plays_on_and_a_page_of_before_keeps_what_was_typed(before, url, slug, tmp_path):
    one = next(row for row in cast.rows(before, "SELECT * FROM question WHERE closed_at IS NULL"))
    closed = cast.rows(before, "SELECT * FROM question WHERE answer IS NOT NULL AND match_id = :m", m=2)[-1]
    link, old = turn_link(before, one), turn_link(before, closed)
    migrate.upgrade(url)
    browser = site(before, tmp_path)
    match = cast.Seated(before, one.match_id)
    asked = match.player_view(one.seat).asked[0]
    move = asked.decision.options[0] if asked.decision.options else asked.decision.default
    line = rules_of(slug, 1).format(move)
    ply = match.player_view().ply
    refused = browser.post(f"/t/{link}", data={"question": one.id, "answer": line})
    assert refused.status_code == 422
    assert "this site was updated after you opened the page" in refused.text
    assert escape(line) in refused.text
    assert match.player_view().ply == ply
    assert "is over" in browser.get(f"/t/{old}").text
    late = browser.post(f"/t/{old}", data={"question": closed.id, "answer": line})
    assert late.status_code == 409
    assert "this turn has already been answered" in late.text
    assert match.player_view().ply == ply
    played = browser.post(f"/t/{link}", data={"question": asked.question_id, "answer": line})
    assert played.status_code == 303
    assert match.player_view().ply == ply + 1
    again = service.play(before, Viewer(token=link), asked.question_id, line)
    assert again.again


def test_the_clock_of_before_runs_out(before, url, clock):
    seats = {row.seat for row in cast.rows(before, OPEN) if row.match_id == 2 and row.begun_at is not None}
    assert seats
    migrate.upgrade(url)
    match = cast.Seated(before, 2)
    ply = match.player_view().ply
    sweep.tick(before)
    assert match.player_view().ply == ply
    clock.advance(days=3, minutes=1)
    sweep.sweep(before)
    clocked = cast.rows(before, "SELECT seat FROM played WHERE match_id = 2 AND source = 'clock'")
    assert {row.seat for row in clocked} >= seats


def test_the_matches_are_played_to_their_end(before, url, slug):
    migrate.upgrade(url)
    game = rules_of(slug, 1)
    for match_id in RUNNING:
        match = cast.Seated(before, match_id)
        for turn in range(1500):
            bots.play_unmanned(before)
            seen = match.player_view()
            if seen.status == "over":
                break
            seat = seen.to_move[0]
            mine = match.player_view(seat)
            asked = next(one for one in mine.asked if not one.decision.optional)
            if turn % 5 == 2 and mine.can_take_back:
                service.take_back(before, match.bearer(seat), match_id)
                continue
            move = game.bot(mine.view, asked.decision, Chance(b"on", turn))
            service.play(before, match.bearer(seat), asked.question_id, game.format(move))
        assert match.player_view().status == "over"
        assert replay.check(before, match_id)
        assert cast.rows(before, "SELECT 1 FROM question WHERE match_id = :m", m=match_id) == []

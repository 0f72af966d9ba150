"""Open and finished games in lists, seats taken without an invitation, and rematches: on both databases."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from app.clock import now
from app.people import profiles
from app.play.clock.rules import Rule
from app.play.lobby import invitations, joining, rematch
from app.play.lobby.create import Opening, create_match
from app.play.match import notices
from app.play.match.records import Closed, NotFound, SiteError
from app.play.moves import service
from app.play.views import open_games
from app.play.views.punctuality import punctuality
from app.store.session import Store
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy", "clock")
DAY = 86400


def listed(store, seats=2, name="Ada", **opening):
    match_id = create_match(
        store, "ferry", seats, {}, cast.ADDRESSES[name], [], opening=Opening(**opening or {"listed": True})
    )
    invitations.accept(store, cast.tokens(store, match_id)[0], name, "en", "UTC", "")
    return match_id


def over(store, people=("Ada", "Bo"), **more):
    match = cast.seat(store, people, **more)
    for seat in list(match.rows)[1:]:
        service.resign(store, match.bearer(seat), match.match_id)
    return match


def test_open_games_are_listed_while_a_seat_is_free(store, clock):
    first = listed(store)
    clock.advance(minutes=1)
    second = listed(store, 3)
    listed(store, shared=True)
    found = open_games.open_games(store, 9)
    assert [(one.match_id, one.free, one.joined, one.host) for one in found] == [
        (second, 2, 1, "Ada"),
        (first, 1, 1, "Ada"),
    ]
    assert [one.match_id for one in open_games.open_games(store, 9, before=found[0].created_at)] == [first]
    assert open_games.open_games(store, 9, slug="chess") == []
    assert open_games.open_games(store, 9, but=1) == []
    clock.advance(days=31)
    assert open_games.open_games(store, 9) == []


def test_one_of_many_gets_the_last_seat(store, store_url):
    for name in ("Bo", "Cleo", "Dan"):
        cast.seat(store, ("Ada", name))
    match_id = listed(store)
    players = {row.name: row.id for row in cast.rows(store, "SELECT id, name FROM player")}

    def join(name):
        mine = Store(store_url)
        try:
            return joining.join(mine, players[name], match_id).status
        except SiteError as error:
            return type(error)
        finally:
            mine.engine.dispose()

    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(join, ("Bo", "Cleo", "Dan")))
    assert found.count("running") == 1
    assert set(found) <= {"running", NotFound, Closed}
    assert len(cast.rows(store, "SELECT id FROM chair WHERE match_id = :m", m=match_id)) == 2


def test_two_presses_at_once_are_one_rematch(store, store_url):
    match = over(store)

    def press(player_id):
        mine = Store(store_url)
        try:
            return rematch.rematch(mine, match.match_id, player_id)
        finally:
            mine.engine.dispose()

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(press, (1, 2)))
    assert found[0] == found[1]
    (row,) = cast.rows(store, 'SELECT id, status FROM "match" WHERE again_of = :m', m=match.match_id)
    assert (row.id, row.status) == (found[0], "running")


def test_finished_games_by_game_seats_and_player(store):
    two, three = over(store).match_id, over(store, ("Ada", "Bo", "Cleo")).match_id
    cast.seat(store)

    def found(**more):
        return {line.match_id for line in open_games.finished_games(store, 9, **more)}

    assert found() == found(slug="ferry") == found(player_id=1) == {two, three}
    assert found(seats=2) == found(slug="ferry", seats=2) == {two}
    cleo = cast.one(store, "SELECT id FROM player WHERE name = 'Cleo'").id
    assert found(player_id=cleo) == found(seats=3, player_id=1, slug="ferry") == {three}
    assert found(slug="chess") == found(seats=9) == found(player_id=99) == set()
    assert len(open_games.finished_games(store, 1)) == 1


def test_punctuality_counts_games_with_a_limit(store):
    over(store)
    over(store, rule=Rule("per_move", per_move=DAY))
    assert punctuality(store, 1).games == 1
    assert (punctuality(store, 1).late, punctuality(store, 1).lost) == (0, 0)


def test_punctuality_counts_nothing_that_a_successor_on_the_seat_missed(store, clock):
    match = over(store, rule=Rule("per_move", per_move=DAY))
    seat = cast.one(store, "SELECT seat FROM chair WHERE player_id = 1").seat
    for late, left in ((1, False), (0, True)):
        with store.transaction() as connection:
            if left:
                connection.execute(text("UPDATE chair SET until = :now WHERE player_id = 1"), {"now": now()})
                connection.execute(text("DELETE FROM notice WHERE what = 'timed_out'"))
            clock.advance(hours=1)
            notices.tell(connection, now(), match.match_id, "timed_out", seat=seat)
        assert punctuality(store, 1).late == late


def test_a_profile_shows_what_was_chosen_and_nothing_else(store):
    cast.seat(store)
    assert profiles.profile(store, 1) == profiles.Profile(1, "Ada", frozenset())
    profiles.choose(store, 1, frozenset({"games", "nonsense"}))
    assert profiles.profile(store, 1) == profiles.Profile(1, "Ada", frozenset({"games"}))
    assert profiles.profile(store, 99) is None

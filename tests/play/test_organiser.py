"""What the organiser of a running match may do, and who hears of it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import text

from app.play.clock.rules import Rule
from app.play.deadlines import absences
from app.play.match import reading, replay, vacancies
from app.play.match.locking import keys
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.play.moves import service
from app.play.seats import organiser
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy")

DAY = 86400
A_DAY = timedelta(days=1)
THREE_DAYS = Rule("per_move", per_move=3 * DAY, grace=DAY, then="replace")


def seat_of(match, name):
    return next(seat for seat in match.rows if match.player_view().name(seat) == name)


def due(match, seat):
    return next(one for one in match.player_view().deadlines if one.seat == seat)


def marks(match, seat=None):
    return " ".join(one.mark for one in match.player_view().deadlines if seat in (None, one.seat))


def told(match):
    return [(one.what, one.seat, one.by_seat) for one in match.player_view().notices]


def news(match):
    return {
        row.name
        for row in cast.rows(
            match.store,
            "SELECT p.name FROM letter l JOIN player p ON p.id = l.player_id WHERE l.kind = 'news'",
        )
    }


def refused(reason, do, *more, **named):
    with pytest.raises((Refused, Closed)) as caught:
        do(*more, **named)
    assert caught.value.reason == reason
    return caught.value


def test_six_identical_extensions_are_one(store, clock):
    """Time does not pile up because a button was pressed six times."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    clock.advance(days=1)
    ada, bo = match.bearer(seat_of(match, "Ada")), seat_of(match, "Bo")
    seen = marks(match, bo)

    def press(_):
        return organiser.extend(store, ada, match.match_id, 2, bo, seen=seen)

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(press, range(6))) == [False] * 5 + [True]
    assert due(match, bo).left == timedelta(days=4)
    assert told(match) == [("extended", bo, seat_of(match, "Ada"))]
    assert news(match) == {"Bo"}


def test_time_given_while_a_move_is_made_is_not_lost(store, clock, monkeypatch):
    """A move that was read before is read again, so that its turn keeps the later deadline."""
    if store.engine.dialect.name == "sqlite":
        return  # every writer is alone there
    match = cast.seat(store, rule=THREE_DAYS)
    for seat in ("red", "blue"):
        service.play(store, match.bearer(seat), match.question(seat), "bid 1" if seat == "red" else "bid 0")
    clock.advance(days=1)
    ada = match.bearer(seat_of(match, "Ada"))
    seen, read, reads = marks(match, "red"), reading.by_question, []

    def slowly(*more):
        found = read(*more)
        reads.append(found)
        if len(reads) == 1:
            organiser.extend(store, ada, match.match_id, 5, "red", seen=seen)
        return found

    monkeypatch.setattr(reading, "by_question", slowly)
    service.play(store, match.bearer("red"), match.question("red"), "row on")
    assert len(reads) == 2
    assert due(match, "red").left == timedelta(days=7)


def test_a_second_extension_is_made_from_a_page_that_shows_the_first(store, clock):
    del clock
    match = cast.seat(store, rule=THREE_DAYS)
    ada, bo = match.bearer(seat_of(match, "Ada")), seat_of(match, "Bo")
    seen = marks(match, bo)
    organiser.extend(store, ada, match.match_id, 2, bo, seen=seen)
    refused("moved_on", organiser.extend, store, ada, match.match_id, 3, bo, seen=seen)
    organiser.extend(store, ada, match.match_id, 2, bo, seen=marks(match, bo))
    assert due(match, bo).left == timedelta(days=7)


def test_everybody_can_be_given_more_time(store, clock):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    clock.advance(days=1)
    ada = match.bearer(seat_of(match, "Ada"))
    organiser.extend(store, ada, match.match_id, 30, seen=marks(match))
    assert {one.left for one in match.player_view().deadlines} == {timedelta(days=32)}
    assert news(match) == {"Bo", "Cleo"}


def test_a_seat_that_looks_for_somebody_else_is_given_no_time(store, clock):
    """Their time is over: they hear of none that they cannot use, and the log says of none."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    ada, bo = match.bearer(seat_of(match, "Ada")), seat_of(match, "Bo")
    cleo = seat_of(match, "Cleo")
    organiser.extend(store, ada, match.match_id, 2, cleo, seen=marks(match, cleo))
    clock.advance(days=3)
    organiser.open_silent_seat(store, ada, match.match_id, bo)
    before = told(match)
    refused("no_clock_runs", organiser.extend, store, ada, match.match_id, 2, bo, seen=marks(match, bo))
    assert told(match) == before
    with store.transaction() as connection:
        connection.execute(text("DELETE FROM letter"))
    organiser.extend(store, ada, match.match_id, 2, seen=marks(match))
    assert news(match) == {"Cleo"}
    assert bo not in {one.seat for one in match.player_view().deadlines}


def test_who_was_late_is_so_no_longer(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    clock.advance(days=3, hours=1)
    with store.transaction() as connection:
        connection.exec_driver_sql("UPDATE question SET late_at = due_at")
    bo = seat_of(match, "Bo")
    assert due(match, bo).late
    organiser.extend(store, match.bearer(seat_of(match, "Ada")), match.match_id, 1, bo, seen=marks(match, bo))
    assert not due(match, bo).late
    assert due(match, bo).due_at == clock.moment + timedelta(days=1)


@pytest.mark.parametrize("days", [0, -1, 31, 10**9])
def test_an_extension_has_its_limits(store, clock, days):
    del clock
    match = cast.seat(store, rule=THREE_DAYS)
    ada = match.bearer(seat_of(match, "Ada"))
    refused("extend_days", organiser.extend, store, ada, match.match_id, days, seen=marks(match))


def test_without_a_clock_there_is_nothing_to_extend(store, clock):
    del clock
    match = cast.seat(store)
    ada = match.bearer(seat_of(match, "Ada"))
    refused("no_clock_runs", organiser.extend, store, ada, match.match_id, 1, seen="")


def test_only_the_organiser_has_the_keys(store, clock):
    del clock
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    bo = match.bearer(seat_of(match, "Bo"))
    refused("not_organiser", organiser.extend, store, bo, match.match_id, 1, seen=marks(match))
    refused("not_organiser", organiser.call_off, store, bo, match.match_id)
    refused("not_organiser", organiser.open_silent_seat, store, bo, match.match_id, seat_of(match, "Cleo"))
    refused("not_organiser", organiser.hand_over, store, bo, match.match_id, seat_of(match, "Bo"))
    for stranger in (Viewer(), Viewer(player_id=999)):
        with pytest.raises(NotFound):
            organiser.call_off(store, stranger, match.match_id)


def test_a_turn_letter_of_the_organiser_is_enough(store, clock):
    del clock
    match = cast.seat(store, rule=THREE_DAYS)
    ada = seat_of(match, "Ada")
    token = Viewer(token=match.token(ada))
    assert organiser.extend(store, token, match.match_id, 1, ada, seen=marks(match, ada))


def test_a_game_that_is_called_off_ends_for_everybody_without_a_result(store, clock):
    """All are told, also those it happens to without having asked for it."""
    del clock
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    ada = match.bearer(seat_of(match, "Ada"))
    assert organiser.call_off(store, ada, match.match_id)
    assert not organiser.call_off(store, ada, match.match_id)
    seen = match.player_view()
    assert (seen.status, seen.outcome.reason, seen.outcome.places) == ("over", "called_off", {})
    assert seen.to_move == ()
    assert seen.secret
    assert len(cast.rows(store, "SELECT id FROM letter WHERE kind = 'over'")) == 3
    assert told(match) == [("called_off", None, seat_of(match, "Ada"))]
    assert replay.check(store, match.match_id)


def test_a_silent_seat_is_opened_not_before_its_time(store, clock):
    """Nobody loses their seat to impatience, and everybody reads who opened it."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    ada, bo = match.bearer(seat_of(match, "Ada")), seat_of(match, "Bo")
    clock.advance(days=2, hours=23)
    refused("not_late", organiser.open_silent_seat, store, ada, match.match_id, bo)
    clock.advance(hours=1)
    assert organiser.open_silent_seat(store, ada, match.match_id, bo)
    assert not organiser.open_silent_seat(store, ada, match.match_id, bo)
    assert told(match) == [("seat_open", bo, seat_of(match, "Ada"))]
    assert news(match) == {"Bo", "Cleo"}


def test_without_a_clock_a_seat_is_silent_after_a_week(store, clock):
    match = cast.seat(store)
    ada, bo = match.bearer(seat_of(match, "Ada")), seat_of(match, "Bo")
    clock.advance(days=6, hours=23)
    assert (
        refused("not_silent", organiser.open_silent_seat, store, ada, match.match_id, bo).facts["days"] == 7
    )
    clock.advance(hours=1)
    assert organiser.open_silent_seat(store, ada, match.match_id, bo)


def test_who_is_away_is_not_silent_though_there_is_no_clock(store, clock):
    """The week begins to count where their absence ends."""
    match = cast.seat(store)
    ada, bo = match.bearer(seat_of(match, "Ada")), seat_of(match, "Bo")
    clock.advance(days=2)
    away = absences.enter(store, match.rows[bo].player_id, clock.now().date(), clock.now().date() + 9 * A_DAY)
    clock.advance(days=9)
    refused("not_silent", organiser.open_silent_seat, store, ada, match.match_id, bo)
    clock.moment = away.until + timedelta(days=4, hours=23)
    refused("not_silent", organiser.open_silent_seat, store, ada, match.match_id, bo)
    clock.advance(hours=1)
    assert organiser.open_silent_seat(store, ada, match.match_id, bo)


def test_who_is_not_asked_is_not_silent(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    ada, bo = match.bearer(seat_of(match, "Ada")), seat_of(match, "Bo")
    service.play(store, match.bearer(bo), match.question(bo), "bid 1")
    clock.advance(days=5)
    refused("not_late", organiser.open_silent_seat, store, ada, match.match_id, bo)


def test_seats_without_a_silent_person_are_not_opened(store, clock):
    match = cast.seat(store, ("Ada", "Bo"), bots=1, rule=THREE_DAYS)
    ada, bo = match.bearer(seat_of(match, "Ada")), seat_of(match, "Bo")
    bot = next(seat for seat, row in match.rows.items() if row.bot)
    clock.advance(days=4)
    refused("nobodys_seat", organiser.open_silent_seat, store, ada, match.match_id, bot)
    refused("own_seat", organiser.open_silent_seat, store, ada, match.match_id, seat_of(match, "Ada"))
    service.resign(store, match.bearer(bo), match.match_id)
    refused("nobodys_seat", organiser.open_silent_seat, store, ada, match.match_id, bo)


def test_the_table_is_handed_to_another_player(store, clock):
    del clock
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    ada, bo = match.bearer(seat_of(match, "Ada")), seat_of(match, "Bo")
    assert organiser.hand_over(store, ada, match.match_id, bo)
    assert not organiser.hand_over(store, ada, match.match_id, bo)
    assert match.player_view().keys == bo
    assert told(match) == [("organiser", bo, seat_of(match, "Ada"))]
    assert news(match) == {"Bo"}
    refused("not_organiser", organiser.call_off, store, ada, match.match_id)
    refused("nobodys_seat", organiser.hand_over, store, match.bearer(bo), match.match_id, "nowhere")


def test_the_keys_pass_on_when_the_organiser_leaves_or_keeps_silent(store, clock):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    ada = seat_of(match, "Ada")
    order = list(match.player_view().game.colours[:3])
    following = order[(order.index(ada) + 1) % 3]

    def standing():
        with store.reading() as connection:
            return reading.by_match(connection, match.match_id)

    with store.transaction() as connection:
        vacancies.open_seat(connection, clock.moment, standing(), ada)
    assert keys(standing()) == following
    vacancies.come_back(store, match.bearer(ada), match.match_id)
    assert keys(standing()) == ada
    service.resign(store, match.bearer(ada), match.match_id)
    assert keys(standing()) == following

"""A seat whose player keeps silent, who may take it, and what becomes of both."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import text

from app.play.clock.rules import Rule
from app.play.lobby import expiry
from app.play.lobby.links import ask_links
from app.play.match import reading, replay, vacancies
from app.play.match.records import Closed, NotFound, Viewer
from app.play.moves import service
from app.play.seats import offers, takeover
from app.play.views.player_view import player_view_by_token
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy")

DAY = 86400
THREE_DAYS = Rule("per_move", per_move=3 * DAY, grace=DAY, then="replace")


def open_seat(match, seat, now, by_seat=None):
    with match.store.transaction() as connection:
        standing = reading.by_match(connection, match.match_id)
        return vacancies.open_seat(connection, now, standing, seat, by_seat)


def told(match):
    return [(one.what, one.seat) for one in match.player_view().notices]


def news(match):
    return {
        (row.seat, row.once.split(":")[3])
        for row in cast.rows(match.store, "SELECT seat, once FROM letter WHERE kind = 'news'")
    }


def due(match, seat):
    return next(one for one in match.player_view().deadlines if one.seat == seat)


def test_a_seat_is_opened_once_and_the_whole_table_hears_of_it(store, clock):
    """The player it happens to is told, and not only the others; who did it knows."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    seat, other = bos(match), next(seat for seat in match.rows if match.player_view().name(seat) == "Cleo")
    assert open_seat(match, seat, clock.moment, other)
    assert not open_seat(match, seat, clock.moment, other)
    assert told(match) == [("seat_open", seat)]
    organiser = next(seat for seat in match.rows if match.player_view().name(seat) == "Ada")
    assert news(match) == {(seat, "seat_open"), (organiser, "seat_open")}


def test_whose_time_ran_out_has_one_letter_of_it(store, clock):
    """One event is one letter: that their seat is open, the letter says that tells them of their time.

    The others hear of it, whoever has the organiser's keys; but nobody who has left the game.
    """
    match = cast.seat(store, ("Ada", "Bo", "Cleo", "Dan"), rule=THREE_DAYS)
    of = {match.player_view().name(seat): seat for seat in match.rows}
    service.resign(store, match.bearer(of["Dan"]), match.match_id)
    open_seat(match, of["Bo"], clock.moment)
    assert news(match) == {(of["Ada"], "seat_open"), (of["Cleo"], "seat_open")}


@pytest.mark.parametrize("dice", [b"a", b"b", b"c"])
def test_the_table_does_not_fall_to_who_takes_the_organisers_seat(store, clock, dice):
    """Wherever the organiser sat; the dice decide."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS, dice=dice)
    seat = next(seat for seat in match.rows if match.player_view().name(seat) == "Ada")
    open_seat(match, seat, clock.moment)
    heir = match.player_view().keys
    assert heir != seat
    offers.request_offer(store, match.match_id, seat, "dan@example.org")
    found = cast.one(store, "SELECT id FROM invitation WHERE address = 'dan@example.org'")
    with store.transaction() as connection:
        connection.execute(text("UPDATE \"match\" SET seat_giver = 'anybody'"))
    take(match, cast.invitation_token(store, found.id))
    assert match.player_view().keys == heir
    assert (heir, "seat_taken") in news(match)


def test_who_acts_before_their_seat_is_taken_has_it_back(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    clock.advance(days=2, hours=23, minutes=50)
    open_seat(match, "red", clock.moment)
    clock.advance(minutes=1)
    service.play(store, match.bearer("red"), match.question("red"), "bid 1")
    assert told(match) == [("seat_open", "red"), ("seat_back", "red")]
    assert match.player_view().sittings[0].open_since is None


def test_who_says_that_they_are_back_has_their_seat_and_the_time_of_a_full_move(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    clock.advance(days=2, hours=23, minutes=50)
    open_seat(match, "red", clock.moment)
    assert vacancies.come_back(store, match.bearer("red"), match.match_id)
    assert not vacancies.come_back(store, match.bearer("red"), match.match_id)
    assert due(match, "red").due_at == clock.moment + timedelta(days=3)
    assert due(match, "blue").left == timedelta(minutes=10)
    with pytest.raises(NotFound):
        vacancies.come_back(store, Viewer(), match.match_id)


def test_an_answer_that_is_refused_leaves_the_seat_open(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    open_seat(match, "red", clock.moment)
    with pytest.raises(Exception, match="bid"):
        service.play(store, match.bearer("red"), match.question("red"), "bid 77")
    assert told(match) == [("seat_open", "red")]


def test_nobody_comes_back_to_a_game_that_is_over(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    open_seat(match, "red", clock.moment)
    service.resign(store, match.bearer("blue"), match.match_id)
    with pytest.raises(Closed) as caught:
        vacancies.come_back(store, match.bearer("red"), match.match_id)
    assert caught.value.reason == "over"


def offered(match, seat, address="dan@example.org"):
    """The token that the letter to this address would carry."""
    organiser = next(one for one in match.rows if match.player_view().name(one) == "Ada")
    offers.offer(match.store, match.bearer(organiser), match.match_id, seat, address)
    found = cast.one(
        match.store,
        "SELECT id FROM invitation WHERE match_id = :m AND address = :a",
        m=match.match_id,
        a=address,
    )
    return cast.invitation_token(match.store, found.id)


def bos(match):
    return next(seat for seat in match.rows if match.player_view().name(seat) == "Bo")


def take(match, token, name="Dan"):
    return takeover.take(match.store, token, name, "en", "Europe/Vienna")


def letters(match, name):
    """What Dan, say, is written, oldest first."""
    return [
        row.kind
        for row in cast.rows(
            match.store,
            """SELECT l.kind FROM letter l JOIN player p ON p.id = l.player_id
               WHERE p.name = :name AND l.match_id = :m ORDER BY l.created_at, l.kind""",
            name=name,
            m=match.match_id,
        )
    ]


def test_who_takes_a_seat_is_asked_and_who_had_it_is_told(store, clock):
    """The newcomer learns that it is their turn; the old player, that it is theirs no more."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    seat = bos(match)
    open_seat(match, seat, clock.moment)
    clock.advance(hours=1)
    take(match, offered(match, seat))
    assert letters(match, "Dan") == ["asked"]
    assert letters(match, "Bo")[-1] == "replaced"
    assert told(match)[-1] == ("seat_taken", seat)
    assert match.player_view().name(seat) == "Dan"
    assert replay.check(store, match.match_id)


def test_ten_minutes_before_the_deadline_a_newcomer_gets_a_full_move(store, clock):
    """Nobody takes a seat over only to run out of time on it."""
    match = cast.seat(store, rule=THREE_DAYS)
    seat = bos(match)
    clock.advance(days=2, hours=23, minutes=50)
    open_seat(match, seat, clock.moment)
    take(match, offered(match, seat))
    assert due(match, seat).due_at == clock.moment + timedelta(days=3)


def test_with_a_bank_a_newcomer_has_at_least_a_full_move_in_it(store, clock):
    rule = Rule("bank", bank=10 * DAY, increment=2 * DAY, cap=10 * DAY, then="replace")
    match = cast.seat(store, rule=rule)
    seat = bos(match)
    clock.advance(days=9, hours=23)
    open_seat(match, seat, clock.moment)
    take(match, offered(match, seat))
    assert due(match, seat).left == timedelta(days=2)


def test_the_links_of_who_was_replaced_show_and_do_nothing(store, clock):
    """A link belongs to the time of a player on a seat, and ends with it."""
    match = cast.seat(store, rule=THREE_DAYS)
    seat = bos(match)
    token, question = match.token(seat), match.question(seat)
    open_seat(match, seat, clock.moment)
    take(match, offered(match, seat))
    for bearer in (Viewer(token=token), match.bearer(seat)):
        with pytest.raises(NotFound):
            service.play(store, bearer, question, "bid 1")
        with pytest.raises(NotFound):
            service.resign(store, bearer, match.match_id)
    seen = player_view_by_token(store, token)
    assert seen.stale
    assert seen.seat is None


def test_the_newcomer_does_not_see_what_was_kept_by_the_one_before(store, clock):
    """Notes belong to the time on the seat; orders left for later are closed with it."""
    match = cast.seat(store, rule=THREE_DAYS)
    seat = bos(match)
    old = match.rows[seat].id
    with store.transaction() as connection:
        connection.execute(
            text("INSERT INTO note (chair_id, text, at) VALUES (:c, 'mine alone', :at)"),
            {"c": old, "at": clock.moment},
        )
        connection.execute(
            text(
                """INSERT INTO standingorder (match_id, chair_id, seat, kind, name, place, text, created_at,
                                              result)
                   VALUES (:m, :c, :s, 'wish', '', 0, 'bid 3', :at, '')"""
            ),
            {"m": match.match_id, "c": old, "s": seat, "at": clock.moment},
        )
        connection.execute(
            text("UPDATE question SET unmanned = :yes WHERE seat = :s"), {"s": seat, "yes": True}
        )
    open_seat(match, seat, clock.moment)
    take(match, offered(match, seat))
    new = cast.one(store, "SELECT id, orders FROM chair WHERE seat = :s AND until IS NULL", s=seat)
    assert new.id != old
    assert not new.orders
    assert cast.rows(store, "SELECT id FROM note WHERE chair_id = :c", c=new.id) == []
    (order,) = cast.rows(store, "SELECT closed_at, result FROM standingorder")
    assert order.closed_at is not None
    assert order.result == "replaced"
    assert not any(row.unmanned for row in cast.rows(store, "SELECT unmanned FROM question"))


def test_everybody_who_ever_sat_there_hears_the_result_once(store, clock):
    """Who lost the seat on the way is told how it ended, too."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    seat = bos(match)
    open_seat(match, seat, clock.moment)
    take(match, offered(match, seat))
    for name in ("Ada", "Cleo"):
        player = cast.one(store, "SELECT id FROM player WHERE name = :n", n=name).id
        service.resign(store, Viewer(player_id=player), match.match_id)
    over = cast.rows(store, "SELECT player_id FROM letter WHERE kind = 'over'")
    assert len(over) == len({row.player_id for row in over}) == 4


def test_twenty_who_take_one_seat_at_the_same_moment(store, clock):
    """One seat, one game: the first has it, and the others hear that it is closed."""
    match = cast.seat(store, rule=THREE_DAYS)
    seat = bos(match)
    open_seat(match, seat, clock.moment)
    tokens = [offered(match, seat, f"guest{n}@example.org") for n in range(20)]

    def try_it(pair):
        try:
            return take(match, pair[1], f"Guest {pair[0]}").player_id
        except Closed as error:
            return error.reason

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(try_it, enumerate(tokens)))
    assert found.count("seat_closed") == 19
    chairs = cast.rows(store, "SELECT player_id, until FROM chair WHERE seat = :s ORDER BY id", s=seat)
    assert [chair.until is None for chair in chairs] == [False, True]
    assert len(cast.rows(store, "SELECT id FROM player")) == 3


def test_taking_twice_is_taking_once(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    seat = bos(match)
    open_seat(match, seat, clock.moment)
    token = offered(match, seat)
    assert take(match, token) == take(match, token)
    assert letters(match, "Dan") == ["asked"]
    assert told(match).count(("seat_taken", seat)) == 1


def test_an_offer_ends_when_the_player_is_back(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    seat = bos(match)
    open_seat(match, seat, clock.moment)
    token = offered(match, seat)
    vacancies.come_back(store, match.bearer(seat), match.match_id)
    with pytest.raises(Closed) as caught:
        take(match, token)
    assert caught.value.reason == "seat_closed"


def test_an_offer_ends_after_a_time(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    seat = bos(match)
    open_seat(match, seat, clock.moment)
    token = offered(match, seat)
    clock.advance(days=15)
    for _ in range(2):  # before the sweep and after it
        with pytest.raises(Closed) as caught:
            take(match, token)
        assert caught.value.reason == "offer_expired"
        expiry.remind_and_expire(store)
    assert offers.offer_by_token(store, token).status == "expired"
    assert cast.rows(store, "SELECT 1 FROM letter WHERE kind = 'expired'") == []
    with pytest.raises(Closed) as caught:
        offers.decline(store, token)
    assert caught.value.reason == "offer_expired"


@pytest.mark.parametrize("swept", [False, True])
def test_who_let_an_offer_end_can_be_asked_again(store, clock, swept):
    match = cast.seat(store, rule=THREE_DAYS)
    seat = bos(match)
    open_seat(match, seat, clock.moment)
    offered(match, seat)
    clock.advance(days=15)
    if swept:
        expiry.remind_and_expire(store)
    token = offered(match, seat)
    assert offers.offer_by_token(store, token).stands
    assert take(match, token).seat == seat


def test_who_does_not_answer_an_offer_is_reminded_once(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    seat = bos(match)
    open_seat(match, seat, clock.moment)
    offered(match, seat)
    clock.advance(days=3)
    for _ in range(2):
        expiry.remind_and_expire(store)
        clock.advance(hours=2)
    sent = cast.rows(store, "SELECT offer FROM letter WHERE kind = 'seat_offer' ORDER BY created_at")
    assert [row.offer for row in sent] == [None, "reminder"]


def test_nobody_plays_two_seats(store, clock):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    seat = bos(match)
    open_seat(match, seat, clock.moment)
    before = cast.rows(store, "SELECT id FROM letter")
    host = next(one for one in match.rows if match.player_view().name(one) == "Ada")
    offers.offer(store, match.bearer(host), match.match_id, seat, "CLEO@example.org")
    assert cast.rows(store, "SELECT id FROM letter") == before
    offers.request_offer(store, match.match_id, seat, "cleo@example.org")
    assert cast.rows(store, "SELECT id FROM letter") == before


def test_who_was_replaced_can_take_an_open_seat_again(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    seat = bos(match)
    open_seat(match, seat, clock.moment)
    take(match, offered(match, seat))
    open_seat(match, seat, clock.moment)
    take(match, offered(match, seat, "bo@example.org"), "Bo")
    assert match.player_view().name(seat) == "Bo"
    assert letters(match, "Bo").count("asked") == 2


def test_anybody_may_ask_for_an_open_seat_by_letter(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    seat = bos(match)
    with pytest.raises(Closed) as caught:
        offers.request_offer(store, match.match_id, seat, "eve@example.org")
    assert caught.value.reason == "seat_closed"
    open_seat(match, seat, clock.moment)
    for _ in range(3):
        offers.request_offer(store, match.match_id, seat, "eve@example.org")
    sent = cast.rows(store, "SELECT invitation_id, offer FROM letter WHERE kind = 'seat_offer'")
    assert [row.offer for row in sent] == ["own_wish"]


def test_an_offer_can_be_declined(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    seat = bos(match)
    open_seat(match, seat, clock.moment)
    token = offered(match, seat)
    assert offers.decline(store, token) == offers.decline(store, token)
    with pytest.raises(Closed) as caught:
        take(match, token)
    assert caught.value.reason == "declined"


def test_who_lost_the_letter_about_a_seat_has_it_sent_again(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    seat = bos(match)
    open_seat(match, seat, clock.moment)
    token = offered(match, seat)
    clock.advance(hours=1)
    ask_links(store, "dan@example.org")
    assert len(cast.rows(store, "SELECT id FROM letter WHERE kind = 'links' AND invitation_id > 0")) == 1
    take(match, token)
    clock.advance(hours=1)
    ask_links(store, "dan@example.org")
    assert len(cast.rows(store, "SELECT id FROM letter WHERE kind = 'links' AND invitation_id > 0")) == 1

"""Letters about a seat that passes on, and of a game that was called off."""

from sqlalchemy import text

from app.mail.core.letter import Dropped
from app.play.clock.rules import Rule
from app.play.deadlines import pauses
from app.play.lobby.expiry import remind_and_expire
from app.play.match import reading, vacancies
from app.play.match.records import Viewer
from app.play.moves import service
from app.play.seats import offers, organiser, takeover
from app.play.views.player_view import player_view, player_view_by_token
from tests.mail.outbox import compose
from tests.mail.test_letters import desk, html_of, links, settings, text_of

__all__ = ["desk", "settings"]

THREE_DAYS = Rule("per_move", per_move=3 * 86400, then="replace")


def opened(desk, clock):
    """A match whose seat of Bo is open, that seat, and who asks as Ada."""
    match_id = desk.start(rule=THREE_DAYS)
    seen = player_view(desk.store, match_id)
    seat = next(one.seat for one in seen.sittings if one.name == "Bo")
    with desk.store.transaction() as connection:
        standing = reading.by_match(connection, match_id)
        vacancies.open_seat(connection, clock.moment, standing, seat)
        ada = next(place.player_id for place in standing.holders if place.name == "Ada")
    return match_id, seat, Viewer(player_id=ada)


def to_anybody(desk):
    """The game was started so that anybody may take an open seat."""
    with desk.store.transaction() as connection:
        connection.execute(text("UPDATE \"match\" SET seat_giver = 'anybody'"))


def test_the_offer_of_a_seat_says_who_asks_and_whereto(desk, clock):
    match_id, seat, ada = opened(desk, clock)
    offers.offer(desk.store, ada, match_id, seat, "dan@example.org")
    letter = desk.write("seat_offer")
    assert letter.recipient == "dan@example.org"
    for part in (text_of(letter.message), html_of(letter.message)):
        assert "Ada asks you to take over a seat in Ferry" in part
        assert seat in part
    (link,) = links(letter.message, "/i/")
    taken = takeover.take(desk.store, link.rsplit("/", 1)[1], "Dan", "en", "UTC")
    assert taken.seat == seat


def test_who_asked_for_a_seat_themselves_is_not_told_that_somebody_invites_them(desk, clock):
    match_id, seat, _ = opened(desk, clock)
    offers.request_offer(desk.store, match_id, seat, "dan@example.org")
    written = text_of(desk.write("seat_offer").message)
    assert "asks you" not in written
    assert "asked for it" in written


def test_the_reminder_of_an_offer_says_that_it_is_one(desk, clock):
    match_id, seat, _ = opened(desk, clock)
    offers.request_offer(desk.store, match_id, seat, "dan@example.org")
    clock.advance(days=3)
    remind_and_expire(desk.store)
    first, again = (
        text_of(compose(desk.store, desk.settings, one).message) for one in desk.waiting("seat_offer")
    )
    assert "it’s still open" not in first
    assert "it’s still open" in again
    assert "asks you" not in again


def test_an_offer_that_is_no_longer_true_is_not_sent(desk, clock):
    match_id, seat, ada = opened(desk, clock)
    offers.offer(desk.store, ada, match_id, seat, "dan@example.org")
    with desk.store.transaction() as connection:
        vacancies.close_opening(connection, clock.moment, reading.by_match(connection, match_id), seat)
    (letter_id,) = desk.waiting("seat_offer")
    assert compose(desk.store, desk.settings, letter_id) == Dropped("withdrawn")


def test_the_newcomer_reads_the_game_so_far_and_the_old_player_a_farewell(desk, clock):
    match_id, seat, ada = opened(desk, clock)
    offers.offer(desk.store, ada, match_id, seat, "dan@example.org")
    (link,) = links(desk.write("seat_offer").message, "/i/")
    takeover.take(desk.store, link.rsplit("/", 1)[1], "Dan", "en", "UTC")
    asked = desk.write("asked", "dan@example.org")
    assert "your turn" in asked.message["Subject"]
    assert links(asked.message, "/t/")
    farewell = desk.write("replaced", "bo@example.org")
    assert f"Dan now plays {seat}" in text_of(farewell.message)
    assert not links(farewell.message, "/t/")


def test_a_letter_names_for_what_happened_who_sat_there_then(desk, clock):
    """Nobody takes over with a seat what its player before did or left undone."""
    match_id, seat, _ = opened(desk, clock)
    offers.request_offer(desk.store, match_id, seat, "dan@example.org")
    to_anybody(desk)
    (link,) = links(desk.write("seat_offer").message, "/i/")
    clock.advance(hours=1)
    takeover.take(desk.store, link.rsplit("/", 1)[1], "Dan", "en", "UTC")
    written = compose(desk.store, desk.settings, desk.waiting("news", "ada@example.org")[-1])
    assert not isinstance(written, Dropped)
    written = " ".join(text_of(written.message).split())
    assert f"The seat of Bo ({seat}) is open" in written
    assert f"Dan ({seat}) has taken over Bo’s seat." in written


def test_who_takes_over_in_the_middle_of_a_turn_is_asked_for_the_rest_of_it(desk, clock):
    """A turn begun by somebody else is the newcomer's all the same, with a letter and a link of their own."""
    match_id = desk.start(rule=THREE_DAYS)
    seats = {one.seat: one.name for one in player_view(desk.store, match_id).sittings}
    with desk.store.reading() as connection:
        standing = reading.by_match(connection, match_id)
        players = {place.seat: Viewer(player_id=place.player_id) for place in standing.holders}

    def play(seat, line):
        question = player_view(desk.store, match_id, players[seat]).asked[0].question_id
        service.play(desk.store, players[seat], question, line)

    for number, seat in enumerate(seats):
        play(seat, f"bid {3 - number}")
    (seat,) = player_view(desk.store, match_id).to_move
    play(seat, "row on")
    with desk.store.transaction() as connection:
        vacancies.open_seat(connection, clock.moment, reading.by_match(connection, match_id), seat)
    offers.request_offer(desk.store, match_id, seat, "dan@example.org")
    to_anybody(desk)
    (link,) = links(desk.write("seat_offer").message, "/i/")
    takeover.take(desk.store, link.rsplit("/", 1)[1], "Dan", "en", "UTC")
    (board,) = {one for one in links(desk.write("asked", "dan@example.org").message, "/t/") if "?" not in one}
    mine = player_view_by_token(desk.store, board.rsplit("/", 1)[1])
    assert mine.seat == seat
    assert mine.asked


def test_the_old_players_turn_letter_is_not_sent_after_they_were_replaced(desk, clock):
    match_id, seat, ada = opened(desk, clock)
    offers.offer(desk.store, ada, match_id, seat, "dan@example.org")
    (link,) = links(desk.write("seat_offer").message, "/i/")
    before = desk.waiting("asked", "bo@example.org")
    takeover.take(desk.store, link.rsplit("/", 1)[1], "Dan", "en", "UTC")
    assert [compose(desk.store, desk.settings, one) for one in before] == [Dropped("replaced")]


def test_a_game_that_was_called_off_is_told_without_a_ranking(desk, clock):
    match_id, _, ada = opened(desk, clock)
    organiser.call_off(desk.store, ada, match_id)
    for address in ("ada@example.org", "bo@example.org", "cleo@example.org"):
        letter = desk.write("over", address)
        for part in (text_of(letter.message), html_of(letter.message)):
            assert "was called off before the end" in part
            assert "result" not in part


def test_who_is_asked_for_a_pause_finds_where_to_agree(desk):
    match_id = desk.start(rule=THREE_DAYS)
    ada = next(one.seat for one in player_view(desk.store, match_id).sittings if one.name == "Ada")
    with desk.store.reading() as connection:
        bearer = Viewer(player_id=reading.by_match(connection, match_id).holder(ada).player_id)
    pauses.request(desk.store, bearer, match_id)
    letter = desk.write("news", "bo@example.org").message
    for part in (text_of(letter), html_of(letter)):
        assert "would like to pause" in part
        assert f"/m/{match_id}/table" in part

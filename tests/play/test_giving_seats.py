"""An open seat is given by the organiser, by the others where the organiser is gone, or to anybody."""

import pytest
from sqlalchemy import text

from app.play.clock.rules import Rule
from app.play.deadlines import outages, sweep
from app.play.lobby.create import create_match
from app.play.match import vacancies
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.play.moves import service
from app.play.seats import offers, requests, takeover
from tests.play import cast
from tests.play.test_one_law import run
from tests.play.test_organiser import seat_of, told

pytestmark = pytest.mark.usefixtures("toy")

DAY = 86400
RULE = Rule("per_move", per_move=DAY, then="replace")
PEOPLE = ("Ada", "Bo", "Cleo")


def opened(store, clock, gone, people=PEOPLE, giver="host"):
    """A game of Ada, the host, and others, in which the seats of some have opened."""
    match = cast.seat(store, people, rule=RULE)
    with store.transaction() as connection:
        connection.execute(text('UPDATE "match" SET seat_giver = :giver'), {"giver": giver})
    for seat in match.rows:
        if match.player_view().name(seat) not in gone:
            service.play(store, match.bearer(seat), match.question(seat), "bid 0")
    clock.advance(days=1, minutes=1)
    sweep.tick(store)
    seats = {match.player_view().name(one.seat): one.seat for one in match.player_view().sittings}
    assert {one.seat for one in match.player_view().sittings if one.open_since} == {
        seats[one] for one in gone
    }
    return match


def asks(store, match, seat, address="dan@example.org", name="Dan"):
    """A person finds the open seat on the public page, and asks for it from the email."""
    offers.request_offer(store, match.match_id, seat, address)
    row = cast.one(store, "SELECT id FROM invitation WHERE address_key = :key", key=address)
    token = cast.invitation_token(store, row.id)
    return token, takeover.take(store, token, name, "en", "UTC").status


def listed(match, name):
    return [one.name for one in match.player_view(seat_of(match, name)).requests]


def decide(match, name, agree=True):
    seat = seat_of(match, name)
    (request, *_) = cast.rows(match.store, "SELECT id FROM invitation WHERE status = 'asked' ORDER BY id")
    return requests.decide(match.store, match.bearer(seat), match.match_id, request.id, agree=agree)


def letters(store, kind):
    return [
        (row.name, row.consequence)
        for row in cast.rows(
            store,
            """SELECT p.name, l.consequence FROM letter l JOIN player p ON p.id = l.player_id
               WHERE l.kind = :kind""",
            kind=kind,
        )
    ]


def holds(match, seat):
    return match.player_view().name(seat)


def test_a_stranger_gets_no_seat_alone(store, clock):
    """Also not an opponent by a second address: the hidden hand stays hidden until the host agrees."""
    match = opened(store, clock, ("Bo",))
    bo = seat_of(match, "Bo")
    token, status = asks(store, match, bo)
    assert status == "asked"
    assert holds(match, bo) == "Bo"
    assert takeover.take(store, token, "Dan", "en", "UTC").status == "asked"
    dan = cast.one(store, "SELECT id FROM player WHERE name = 'Dan'").id
    with pytest.raises(NotFound):
        service.play(store, Viewer(player_id=dan), match.question(seat_of(match, "Bo")), "bid 0")
    assert match.player_view().requests == ()
    assert (listed(match, "Ada"), listed(match, "Cleo"), listed(match, "Bo")) == (["Dan"], [], [])
    assert ("seat_asked", bo, None) in told(match)
    news = cast.rows(
        store,
        "SELECT p.name FROM letter l JOIN player p ON p.id = l.player_id WHERE l.once LIKE '%seat_asked%'",
    )
    assert [row.name for row in news] == ["Ada"]
    with pytest.raises(Refused):
        decide(match, "Cleo")
    assert decide(match, "Ada") == "given"
    assert holds(match, bo) == "Dan"
    assert letters(store, "seat_answer") == []


def test_the_host_declines_and_the_person_who_asked_is_told(store, clock):
    match = opened(store, clock, ("Bo",))
    bo = seat_of(match, "Bo")
    token, _ = asks(store, match, bo)
    assert decide(match, "Ada", agree=False) == "refused"
    assert holds(match, bo) == "Bo"
    assert letters(store, "seat_answer") == [("Dan", "refused")]
    with pytest.raises(Closed):
        takeover.take(store, token, "Dan", "en", "UTC")
    assert listed(match, "Ada") == []


def test_an_offer_of_the_host_takes_the_seat(store, clock):
    match = opened(store, clock, ("Bo",))
    bo = seat_of(match, "Bo")
    offers.offer(store, match.bearer(seat_of(match, "Ada")), match.match_id, bo, "dan@example.org")
    token = cast.invitation_token(store, cast.one(store, "SELECT max(id) AS id FROM invitation").id)
    assert takeover.take(store, token, "Dan", "en", "UTC").status == "accepted"
    assert holds(match, bo) == "Dan"


@pytest.mark.parametrize("offered_first", [True, False])
def test_an_own_wish_beside_an_offer_of_the_host_is_the_hosts(store, clock, offered_first):
    match = opened(store, clock, ("Bo",))
    bo, ada = seat_of(match, "Bo"), match.bearer(seat_of(match, "Ada"))
    steps = [
        lambda: offers.offer(store, ada, match.match_id, bo, "dan@example.org"),
        lambda: offers.request_offer(store, match.match_id, bo, "dan@example.org"),
    ]
    for step in steps if offered_first else steps[::-1]:
        step()
    token = cast.invitation_token(store, cast.one(store, "SELECT max(id) AS id FROM invitation").id)
    assert takeover.take(store, token, "Dan", "en", "UTC").status == "accepted"


def test_a_game_that_was_started_so_gives_a_seat_to_anybody(store, clock):
    match = opened(store, clock, ("Bo",), giver="anybody")
    bo = seat_of(match, "Bo")
    assert asks(store, match, bo)[1] == "accepted"
    assert holds(match, bo) == "Dan"


def test_it_is_chosen_at_the_start(store):
    match_id = create_match(
        store, "ferry", 2, {}, "ada@example.org", ["bo@example.org"], seat_giver="anybody"
    )
    other = create_match(store, "ferry", 2, {}, "ada@example.org", ["cleo@example.org"], seat_giver="x")
    rows = {row.id: row.seat_giver for row in cast.rows(store, 'SELECT id, seat_giver FROM "match"')}
    assert rows == {match_id: "anybody", other: "host"}


def test_where_the_host_is_gone_for_seven_days_a_majority_of_the_others_decides(store, clock):
    match = opened(store, clock, ("Ada",), ("Ada", "Bo", "Cleo"))
    ada = seat_of(match, "Ada")
    assert asks(store, match, ada)[1] == "asked"
    assert listed(match, "Bo") == listed(match, "Cleo") == []
    with pytest.raises(Refused):
        decide(match, "Bo")
    run(store, clock, 6.75)
    assert listed(match, "Bo") == []
    run(store, clock, 0.5)
    requests.look_after(store)
    assert listed(match, "Bo") == listed(match, "Cleo") == ["Dan"]
    assert ("seat_vote", ada, None) in told(match)
    assert decide(match, "Bo") == "voted"
    assert decide(match, "Bo") == "voted"
    assert holds(match, ada) == "Ada"
    (shown,) = match.player_view(seat_of(match, "Bo")).requests
    assert (shown.by_vote, shown.mine, shown.yes, shown.no, shown.voters) == (True, True, 1, 0, 2)
    assert decide(match, "Cleo") == "given"
    assert holds(match, ada) == "Dan"


def test_a_majority_against_declines(store, clock):
    match = opened(store, clock, ("Ada",))
    asks(store, match, seat_of(match, "Ada"))
    run(store, clock, 7.25)
    assert decide(match, "Bo", agree=False) == "refused"
    assert letters(store, "seat_answer") == [("Dan", "refused")]


def test_seven_days_of_the_host_stand_still_with_the_site(store, clock):
    match = opened(store, clock, ("Ada",))
    asks(store, match, seat_of(match, "Ada"))
    outages.freeze(store)
    run(store, clock, 20)
    requests.look_after(store)
    outages.thaw(store)
    assert listed(match, "Bo") == []
    assert letters(store, "seat_answer") == []
    run(store, clock, 7.25)
    assert listed(match, "Bo") == ["Dan"]


def test_a_host_who_leaves_a_request_unanswered_for_seven_days_is_joined_by_the_others(store, clock):
    match = opened(store, clock, ("Bo",), ("Ada", "Bo", "Cleo"))
    bo = seat_of(match, "Bo")
    asks(store, match, bo)
    with store.transaction() as connection:  # nobody else's time matters here
        connection.execute(text("UPDATE question SET due_at = NULL, begun_at = NULL"))
    run(store, clock, 7.25)
    requests.look_after(store)
    assert listed(match, "Ada") == listed(match, "Cleo") == ["Dan"]
    assert decide(match, "Cleo") == "given"
    assert holds(match, bo) == "Dan"


def test_a_host_without_a_seat_leaves_it_to_the_others_at_once(store, clock):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=RULE)
    for name in ("Ada", "Cleo"):
        seat = seat_of(match, name)
        service.play(store, match.bearer(seat), match.question(seat), "bid 0")
    service.resign(store, match.bearer(seat_of(match, "Ada")), match.match_id)
    clock.advance(days=1, minutes=1)
    sweep.tick(store)
    bo = seat_of(match, "Bo")
    asks(store, match, bo)
    assert listed(match, "Cleo") == ["Dan"]
    assert decide(match, "Cleo") == "given"
    assert holds(match, bo) == "Dan"


def test_the_next_in_turn_gives_the_hosts_seat_to_no_friend_alone(store, clock):
    """The tools of a host who is gone pass to one player; the seat needs a majority all the same."""
    match = opened(store, clock, ("Ada",))
    ada, keys = seat_of(match, "Ada"), match.player_view().keys
    offers.offer(store, match.bearer(keys), match.match_id, ada, "dan@example.org")
    token = cast.invitation_token(store, cast.one(store, "SELECT max(id) AS id FROM invitation").id)
    assert takeover.take(store, token, "Dan", "en", "UTC").status == "asked"
    run(store, clock, 7.25)
    other = next(name for name in ("Bo", "Cleo") if seat_of(match, name) != keys)
    assert decide(match, other) == "given"
    assert holds(match, ada) == "Dan"


def test_requests_expire_by_the_law_of_all_clocks(store, clock):
    match = opened(store, clock, ("Bo",))
    bo = seat_of(match, "Bo")
    with store.transaction() as connection:
        connection.execute(text("UPDATE question SET due_at = NULL, begun_at = NULL"))
    asks(store, match, bo)
    for _ in range(27):
        run(store, clock, 0.5)
        requests.look_after(store)
    assert letters(store, "seat_answer") == []
    outages.freeze(store)
    run(store, clock, 5)
    requests.look_after(store)
    outages.thaw(store)
    assert letters(store, "seat_answer") == []
    run(store, clock, 0.75)
    news = cast.one(store, 'SELECT news FROM "match"').news
    requests.look_after(store)
    requests.look_after(store)
    assert letters(store, "seat_answer") == [("Dan", "expired")]
    assert cast.one(store, 'SELECT news FROM "match"').news > news, "kept pages no longer show the request"
    assert holds(match, bo) == "Bo"
    gone = cast.one(store, "SELECT id FROM invitation WHERE status = 'expired'").id
    ada = match.bearer(seat_of(match, "Ada"))
    with pytest.raises(Closed):
        requests.decide(store, ada, match.match_id, gone, agree=True)


@pytest.mark.parametrize("how", ["back", "another", "over"])
def test_who_asked_is_told_when_the_seat_is_gone(store, clock, how):
    match = opened(store, clock, ("Bo",))
    bo = seat_of(match, "Bo")
    asks(store, match, bo)
    if how == "back":
        vacancies.come_back(store, match.bearer(bo), match.match_id)
    elif how == "another":
        asks(store, match, bo, "eve@example.org", "Eve")
        ada = match.bearer(seat_of(match, "Ada"))
        eve = cast.one(store, "SELECT id FROM invitation WHERE address_key = 'eve@example.org'").id
        requests.decide(store, ada, match.match_id, eve, agree=True)
        assert holds(match, bo) == "Eve"
    else:
        with store.transaction() as connection:
            connection.execute(text("UPDATE \"match\" SET status = 'over', ended_at = started_at"))
        run(store, clock, 1)
        requests.look_after(store)
    assert letters(store, "seat_answer") == [("Dan", "over" if how == "over" else "closed")]


def test_an_offer_from_before_the_law_goes_by_it(store, clock):
    """A link of an own wish that is still unanswered asks; one of the host takes the seat."""
    match = opened(store, clock, ("Bo",))
    bo = seat_of(match, "Bo")
    offers.request_offer(store, match.match_id, bo, "dan@example.org")
    token = cast.invitation_token(store, cast.one(store, "SELECT max(id) AS id FROM invitation").id)
    assert takeover.take(store, token, "Dan", "en", "UTC").status == "asked"
    with store.transaction() as connection:
        connection.execute(text("UPDATE invitation SET status = 'invited', given = (1 = 1) WHERE seat <> ''"))
    assert takeover.take(store, token, "Dan", "en", "UTC").status == "accepted"


def test_votes_for_a_request_are_none_for_the_next_one(store, clock):
    """Dan was given a seat by the others. Who then asks for another seat is asked about anew."""
    match = opened(store, clock, ("Ada", "Bo"))
    ada, bo = seat_of(match, "Ada"), seat_of(match, "Bo")
    run(store, clock, 8)
    asks(store, match, bo)
    assert decide(match, "Cleo") == "given"
    with store.transaction() as connection:
        connection.execute(
            text("UPDATE chair SET until = since WHERE seat = :s AND until IS NULL AND match_id = :m"),
            {"s": bo, "m": match.match_id},
        )
        connection.execute(
            text("UPDATE chair SET until = NULL WHERE match_id = :m AND seat = :s AND player_id = :p"),
            {"s": bo, "m": match.match_id, "p": match.rows[bo].player_id},
        )
    assert holds(match, bo) == "Bo"
    assert asks(store, match, ada)[1] == "asked"
    assert cast.one(store, "SELECT votes FROM invitation WHERE status = 'asked'").votes == "{}"


def test_many_calls_for_votes_are_listed_and_few_are_emailed(store, clock):
    match = opened(store, clock, ("Ada",), ("Ada", "Bo", "Cleo"))
    ada = seat_of(match, "Ada")
    for n in range(offers.MOST_OFFERS):
        asks(store, match, ada, f"dan{n}@example.net", f"Dan {n}")
    before = cast.rows(store, "SELECT id FROM letter WHERE kind = 'news'")
    run(store, clock, 7.25)
    requests.look_after(store)
    after = cast.rows(store, "SELECT id FROM letter WHERE kind = 'news'")
    assert len(after) - len(before) == requests.MOST_TOLD * 2  # to Bo and to Cleo
    assert len(listed(match, "Bo")) == offers.MOST_OFFERS
    assert told(match).count(("seat_vote", ada, None)) == offers.MOST_OFFERS


def test_many_requests_are_listed_and_few_are_emailed(store, clock):
    """Whoever owns a domain has many addresses; the host decides about all of them on the page."""
    match = opened(store, clock, ("Bo",))
    bo = seat_of(match, "Bo")
    before = cast.rows(store, "SELECT id FROM letter WHERE kind = 'news'")
    for n in range(offers.MOST_OFFERS):
        assert asks(store, match, bo, f"dan{n}@example.net", f"Dan {n}")[1] == "asked"
    after = cast.rows(store, "SELECT id FROM letter WHERE kind = 'news'")
    assert len(after) - len(before) == requests.MOST_TOLD
    assert len(listed(match, "Ada")) == offers.MOST_OFFERS
    with pytest.raises(Refused, match="too_often"):
        asks(store, match, bo, "eve@example.net", "Eve")

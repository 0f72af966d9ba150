"""One law for all clocks: zones, extensions, reminders, pauses, invitations and offers of seats."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import text

from app.play.clock.rules import Rule
from app.play.deadlines import absences, outages, pauses, sweep
from app.play.lobby import expiry, invitations
from app.play.match import presence
from app.play.match.records import Closed, Refused
from app.play.moves import service
from app.play.seats import offers, organiser, takeover
from app.store import heartbeat
from tests.play import cast
from tests.play.test_organiser import due, marks, seat_of, told

pytestmark = pytest.mark.usefixtures("toy")

DAY = 86400
BERLIN = "Europe/Berlin"
TEN_DAYS = Rule("per_move", per_move=10 * DAY, grace=2 * DAY)


def local(text, zone=BERLIN):
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def set_zone(store, zone):
    with store.transaction() as connection:
        connection.execute(text("UPDATE player SET zone = :zone"), {"zone": zone})


def berlin_match(store, clock, begins, rule, people=("Ada", "Bo")):
    """A match with turns that began at that moment in Berlin."""
    clock.moment = begins - timedelta(hours=1)
    match = cast.seat(store, people, rule=rule)
    set_zone(store, BERLIN)
    clock.moment = begins
    for seat in ("red", "blue"):
        service.play(store, match.bearer(seat), match.question(seat), "bid 0")
    return match


def run(store, clock, days, step=6):
    """Let days go by, with the sweeps of a server that is alive."""
    for _ in range(int(days * 24 / step)):
        clock.advance(hours=step)
        with store.transaction() as connection:
            heartbeat.beat(connection, "tick", clock.moment)
        sweep.tick(store)
        expiry.remind_and_expire(store)


def reminders(store):
    return [
        row.once for row in cast.rows(store, "SELECT once FROM letter WHERE kind = 'reminder' ORDER BY once")
    ]


def sent(store):
    """Reminders count as sent, so that they hold back no other."""
    with store.transaction() as connection:
        connection.execute(text("UPDATE letter SET status = 'sent' WHERE kind = 'reminder'"))


@pytest.mark.parametrize(
    ("begins", "ends"),
    [("2026-03-27T20:00", "2026-03-30T20:00"), ("2026-10-23T20:00", "2026-10-26T20:00")],
)
@pytest.mark.parametrize("kind", ["per_move", "bank", "grace", "extension", "replacement"])
def test_three_days_from_friday_evening_end_on_monday_evening(store, clock, begins, ends, kind):
    """Whichever clock counts them, over the change of the clocks."""
    begins, ends = local(begins), local(ends)
    three = 3 * DAY
    rules = {
        "bank": Rule("bank", bank=three, increment=DAY, cap=three),
        "grace": Rule("per_move", per_move=3600 * 12, grace=three),
        "extension": Rule("per_move", per_move=3600 * 36),
        "replacement": Rule("per_move", per_move=three, then="replace"),
    }
    if kind == "replacement":
        match = berlin_match(store, clock, begins - timedelta(days=5), rules[kind], ("Ada", "Bo", "Cleo"))
    else:
        match = berlin_match(store, clock, begins, rules.get(kind, Rule("per_move", per_move=three)))
    (seat,) = {
        one.seat for one in match.player_view().deadlines if not one.late and one.left > timedelta()
    } & {one.seat for one in match.player_view().deadlines} or {None}
    if kind == "grace":
        clock.moment = due(match, seat).due_at
        until = clock.moment + timedelta(days=3)
        sweep.sweep(store)
        clock_back = until.astimezone(ZoneInfo(BERLIN)).utcoffset()
        before = clock.moment.astimezone(ZoneInfo(BERLIN)).utcoffset()
        assert due(match, seat).due_at == until - (clock_back - before)
        return
    if kind == "extension":
        ada = match.bearer(seat_of(match, "Ada"))
        organiser.extend(store, ada, match.match_id, 1, seat, seen=marks(match, seat))
        ends -= timedelta(hours=12)
    if kind == "replacement":
        clock.moment = begins
        sweep.sweep(store)
        open_ = next(one.seat for one in match.player_view().sittings if one.open_since)
        token = _offer(store, match, open_, "dan@example.org")
        takeover.take(store, token, "Dan", "en", BERLIN)
        seat = open_
    assert due(match, seat).due_at == ends


def _offer(store, match, seat, address):
    host = match.bearer(match.player_view().keys)
    offers.offer(store, host, match.match_id, seat, address)
    return cast.invitation_token(store, cast.one(store, "SELECT max(id) AS id FROM invitation").id)


@pytest.mark.parametrize("off", [(), (5, 6), (0,), (2, 3)])
@pytest.mark.parametrize(
    "zones",
    [("Pacific/Honolulu", "Asia/Tokyo"), ("Pacific/Kiritimati",), ("Asia/Kathmandu", "America/New_York")],
)
def test_zone_there_and_back_is_the_same_deadline(store, clock, off, zones):
    clock.moment = datetime(2026, 3, 5, 17, 30, tzinfo=UTC)
    match = cast.seat(store, rule=Rule("per_move", per_move=4 * DAY, off=off))
    before = [(one.seat, one.due_at) for one in match.player_view().deadlines]
    people = {row.player_id for row in match.rows.values()}
    for zone in (*zones, "Europe/Lisbon"):
        set_zone(store, zone)
        for player_id in people:
            presence.changed(store, player_id)
        assert [(one.seat, one.due_at) for one in match.player_view().deadlines] == before
    clock.advance(days=1)
    assert [(one.seat, one.due_at) for one in match.player_view().deadlines] == before


def test_extensions_come_to_thirty_days_a_game(store):
    match = cast.seat(store, ("Ada", "Bo"), rule=TEN_DAYS)
    ada, bo = match.bearer(seat_of(match, "Ada")), seat_of(match, "Bo")
    for days in (20, 9):
        organiser.extend(store, ada, match.match_id, days, bo, seen=marks(match, bo))
    for days, seat in ((2, bo), (2, None), (2, seat_of(match, "Ada")), (30, bo)):
        with pytest.raises(Refused) as refused:
            organiser.extend(store, ada, match.match_id, days, seat, seen=marks(match, seat))
        assert refused.value.facts == {"most": 30, "left": 1}
    organiser.extend(store, ada, match.match_id, 1, seen=marks(match))
    service.play(store, match.bearer(bo), match.question(bo), "bid 0")
    with pytest.raises(Refused) as refused:
        organiser.extend(store, ada, match.match_id, 1, seen=marks(match))
    assert (refused.value.reason, refused.value.facts["left"]) == ("extend_days", 0)
    assert match.player_view().extended == 30


@pytest.mark.parametrize(
    "what", ["extension", "pause", "absence", "absence_cancelled", "outage", "zone", "freeze"]
)
def test_no_reminder_comes_twice(store, clock, what):
    """Whatever moves the deadline after half of the time: the other reminder comes, not the first again."""
    match = cast.seat(store, ("Ada", "Bo"), rule=TEN_DAYS)
    ada, bo = match.bearer(seat_of(match, "Ada")), seat_of(match, "Bo")
    service.play(store, ada, match.question(seat_of(match, "Ada")), "bid 0")
    run(store, clock, 5.25)
    assert len(reminders(store)) == 1
    sent(store)
    player = match.rows[bo].player_id
    if what == "extension":
        organiser.extend(store, ada, match.match_id, 10, bo, seen=marks(match, bo))
    elif what == "pause":
        for name in ("Ada", "Bo"):
            pauses.request(store, match.bearer(seat_of(match, name)), match.match_id)
        run(store, clock, 15)
        pauses.resume(store, ada, match.match_id)
    elif what in ("absence", "absence_cancelled"):
        today = clock.moment.date()
        absence = absences.enter(store, player, today, today + timedelta(days=9))
        if what == "absence_cancelled":
            run(store, clock, 2)
            absences.cancel(store, player, absence.absence_id)
    elif what == "outage":
        clock.advance(days=8)
        sweep.tick(store)
    elif what == "freeze":
        outages.freeze(store)
        run(store, clock, 8)
        outages.thaw(store)
    else:
        set_zone(store, "Pacific/Honolulu")
        presence.changed(store, player)
    left = due(match, bo).due_at or clock.moment + timedelta(days=20)
    while clock.moment < left - timedelta(hours=6):
        run(store, clock, 0.25)
    assert len(reminders(store)) == 2, reminders(store)


def test_a_new_player_of_the_seat_is_reminded_anew(store, clock):
    rule = Rule("per_move", per_move=10 * DAY, then="replace")
    match = cast.seat(store, ("Ada", "Bo"), rule=rule)
    ada, bo = match.bearer(seat_of(match, "Ada")), seat_of(match, "Bo")
    service.play(store, ada, match.question(seat_of(match, "Ada")), "bid 0")
    run(store, clock, 10.25)
    assert len(reminders(store)) in (1, 2)
    sent(store)
    already = len(reminders(store))
    takeover.take(store, _offer(store, match, bo, "dan@example.org"), "Dan", "en", "UTC")
    run(store, clock, 5.25)
    assert len(reminders(store)) == already + 1


def paused(store, match):
    for name in ("Ada", "Bo"):
        pauses.request(store, match.bearer(seat_of(match, name)), match.match_id)
    assert match.player_view().paused


def kinds(match):
    return [what for what, *_ in told(match) if what in ("paused", "still_paused", "pause_ended", "resumed")]


def test_a_pause_asks_every_three_weeks_and_ends_after_ninety_days(store, clock):
    match = cast.seat(store, rule=TEN_DAYS)
    paused(store, match)
    begun = clock.moment
    left = [one.left for one in match.player_view().deadlines]
    run(store, clock, 20.75)
    assert kinds(match) == ["paused"]
    run(store, clock, 0.5)
    assert kinds(match) == ["paused", "still_paused"]
    run(store, clock, 63)
    assert kinds(match) == ["paused", *["still_paused"] * 4]
    assert match.player_view().pause_ends == begun + timedelta(days=90)
    letters = cast.rows(store, "SELECT once FROM letter WHERE kind = 'news' AND once LIKE '%still_paused%'")
    assert len(letters) == 4 * 2
    run(store, clock, 5.25)
    assert match.player_view().paused
    run(store, clock, 1)
    assert kinds(match)[-1] == "pause_ended"
    assert not match.player_view().paused
    assert [one.left for one in match.player_view().deadlines] == pytest.approx(left, abs=timedelta(days=1))
    run(store, clock, 40)
    assert kinds(match).count("still_paused") == 4
    assert kinds(match).count("pause_ended") == 1


@pytest.mark.parametrize("what", ["freeze", "outage"])
def test_a_pause_stands_still_with_the_site(store, clock, what):
    match = cast.seat(store, rule=TEN_DAYS)
    sweep.tick(store)
    paused(store, match)
    begun = clock.moment
    if what == "freeze":
        outages.freeze(store)
        run(store, clock, 30)
        outages.thaw(store)
    else:
        clock.advance(days=30)
        sweep.tick(store)
    assert kinds(match) == ["paused"]
    run(store, clock, 20)
    assert kinds(match) == ["paused"]
    run(store, clock, 1.5)
    assert kinds(match) == ["paused", "still_paused"]
    ends = match.player_view().pause_ends
    assert begun + timedelta(days=120) <= ends <= begun + timedelta(days=120, minutes=10)


def test_a_pause_from_before_the_law_is_asked_about_before_it_ends(store, clock):
    match = cast.seat(store, rule=TEN_DAYS)
    paused(store, match)
    clock.advance(days=260)
    with store.transaction() as connection:
        connection.execute(text('UPDATE "match" SET pause_look_at = started_at, pause_asked_at = NULL'))
    sweep.sweep(store)
    assert kinds(match) == ["paused", "still_paused"]
    assert match.player_view().pause_ends == clock.moment + timedelta(days=6)
    run(store, clock, 5.75)
    assert match.player_view().paused
    run(store, clock, 0.5)
    assert not match.player_view().paused


@pytest.mark.parametrize("what", ["freeze", "outage", "outage_going_on"])
def test_invitations_and_offers_stand_still_with_the_site(store, clock, what):
    match = cast.seat(store, rule=Rule("per_move", per_move=DAY, then="replace"))
    ada = seat_of(match, "Ada")
    service.play(store, match.bearer(ada), match.question(ada), "bid 0")
    sweep.tick(store)
    run(store, clock, 1.25)
    seat = next(one.seat for one in match.player_view().sittings if one.open_since)
    offered = _offer(store, match, seat, "dan@example.org")
    waiting = cast.open_table(store, ("Ada", "Cleo"))
    first, second = cast.tokens(store, waiting)
    invitations.accept(store, first, "Ada", "en", "Europe/Lisbon", "")
    sent_before = len(cast.rows(store, "SELECT id FROM letter WHERE kind = 'invitation_reminder'"))
    if what == "freeze":
        outages.freeze(store)
        run(store, clock, 30)
        outages.thaw(store)
    else:
        clock.advance(days=30)
        if what == "outage":
            sweep.tick(store)
    expiry.remind_and_expire(store)
    assert len(cast.rows(store, "SELECT id FROM letter WHERE kind = 'invitation_reminder'")) == sent_before
    assert offers.offer_by_token(store, offered).stands
    if what != "outage_going_on":
        run(store, clock, 13)
        assert offers.offer_by_token(store, offered).stands
        run(store, clock, 1.5)
        assert not offers.offer_by_token(store, offered).stands
        with pytest.raises(Closed):
            invitations.accept(store, second, "Cleo", "en", "UTC", "")
    else:
        takeover.take(store, offered, "Dan", "en", "UTC")
        assert invitations.accept(store, second, "Cleo", "en", "UTC", "").status == "running"


@pytest.mark.parametrize(
    ("begins", "ends"),
    [("2026-03-20T20:00", "2026-04-03T20:00"), ("2026-10-16T20:00", "2026-10-30T20:00")],
)
def test_the_fourteen_days_of_an_invitation_are_days_of_its_guest(store, clock, begins, ends):
    cast.seat(store, ("Ada", "Bo"))
    set_zone(store, BERLIN)
    clock.moment = local(begins)
    first, second = cast.tokens(store, cast.open_table(store, ("Ada", "Bo")))
    invitations.accept(store, first, "Ada", "en", BERLIN, "")
    clock.moment = local(ends) - timedelta(minutes=1)
    expiry.remind_and_expire(store)
    status = "SELECT status FROM invitation ORDER BY id DESC LIMIT 1"
    assert cast.one(store, status).status == "invited"
    clock.advance(minutes=1)
    expiry.remind_and_expire(store)
    assert cast.one(store, status).status == "expired"
    with pytest.raises(Closed):
        invitations.accept(store, second, "Bo", "en", BERLIN, "")

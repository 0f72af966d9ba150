"""A table from its opening to its start: who gets which letter, and who may do what."""

from collections import Counter
from datetime import UTC, datetime

import pytest
from sqlalchemy import insert

from app.engine.errors import BadOptions
from app.play.clock.rules import Rule
from app.play.lobby import changes, expiry, invitations
from app.play.lobby.create import create_match
from app.play.lobby.snapshot import lobby_by_token, lobby_of
from app.play.match import lifetimes
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.play.moves import service
from app.play.views.player_view import player_view
from app.store.tables import Invitation
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy", "clock")

ME = ("Ada", "en", "Europe/Lisbon", "")


def letters(store, *kinds) -> Counter:
    """How many of each kind were asked for."""
    found = cast.rows(store, "SELECT kind FROM letter")
    return Counter(row.kind for row in found if not kinds or row.kind in kinds)


def confirmed(store, people=("Ada", "Bo", "Cleo"), **more):
    """A table whose organiser has confirmed, its number and the tokens."""
    match_id = cast.open_table(store, people, **more)
    tokens = cast.tokens(store, match_id)
    invitations.accept(store, tokens[0], *ME)
    return match_id, tokens


def open_with(store, organiser="ada@example.org", others=("bo@example.org",), **more):
    values = {"game": "ferry", "seats": 2, "options": {}} | more
    return create_match(
        store, values.pop("game"), values.pop("seats"), values.pop("options"), organiser, others, **values
    )


class TestOpening:
    def test_only_the_organiser_hears_until_they_confirm(self, store, rings):
        match_id = cast.open_table(store, ("Ada", "Bo", "Cleo"))
        assert letters(store) == {"confirm": 1}
        assert len(rings) == 1
        first, second, _ = cast.tokens(store, match_id)
        with pytest.raises(Closed):
            invitations.accept(store, second, "Bo", "en", "UTC", "")
        invitations.accept(store, first, *ME)
        assert letters(store) == {"confirm": 1, "invited": 2}

    @pytest.mark.parametrize(
        ("others", "more", "reason"),
        [
            (("bo@example.org", "BO@example.org"), {"seats": 3}, "twice"),
            (("Ada@Example.org",), {}, "own_address"),
            (("bo@example.org", "cleo@example.org"), {}, "too_many"),
            (("bo@example.org",), {"seats": 3}, "too_few"),
            (("bo@example.org",), {"seats": 3, "bots": -1}, "too_few"),
            (("bo at example.org",), {}, "address"),
            (("bo@example.org\nBcc: x@example.org",), {}, "address"),
            (("bo@",), {}, "address"),
            (("<bo@localhost>",), {}, "address"),
            (("b" * 300 + "@example.org",), {}, "address"),
            (("bo@example.org",), {"game": "chess"}, "game"),
        ],
    )
    def test_a_table_that_cannot_be_is_refused_with_the_reason(self, store, others, more, reason):
        with pytest.raises(Refused) as caught:
            open_with(store, others=others, **more)
        assert caught.value.reason == reason
        assert cast.rows(store, 'SELECT id FROM "match"') == []
        assert letters(store) == {}

    def test_options_and_seats_are_the_games_to_refuse(self, store):
        for more in ({"options": {"bank": "golden"}}, {"options": {"no": "on"}}, {"seats": 9}):
            with pytest.raises(BadOptions):
                open_with(store, **more)

    def test_nobody_can_be_flooded_with_confirmations(self, store, clock):
        for number in range(5):
            open_with(store, others=(f"b{number}@example.org",))
        with pytest.raises(Refused) as caught:
            open_with(store)
        assert caught.value.reason == "too_often"
        clock.advance(hours=2)
        open_with(store)

    def test_every_table_has_its_own_secret_and_shows_what_binds_the_house_to_it(self, store):
        first, second = (lobby_by_token(store, cast.tokens(store, open_with(store))[0]) for _ in range(2))
        assert len(first.commitment) == 64
        assert first.commitment != second.commitment


class TestAnswering:
    def test_a_table_that_fills_starts_and_everybody_hears_once(self, store):
        match_id, tokens = confirmed(store)
        invitations.accept(store, tokens[1], "Bo", "en", "Asia/Tokyo", "rain")
        assert letters(store, "answered") == {"answered": 1}
        table = invitations.accept(store, tokens[2], "Cleo", "en", "UTC", "sun")
        assert table.status == "running"
        assert letters(store) == {"confirm": 1, "invited": 2, "answered": 1, "asked": 3}
        assert sorted(player_view(store, match_id).words) == ["", "rain", "sun"]

    def test_accepting_again_changes_nothing(self, store):
        _, tokens = confirmed(store)
        for _ in range(2):
            table = invitations.accept(store, tokens[1], "Bo", "en", "UTC", "rain")
            assert table.mine is not None
            assert table.mine.status == "accepted"
        assert letters(store, "answered") == {"answered": 1}
        invitations.accept(store, tokens[0], "Eve", "en", "UTC", "")
        assert letters(store, "invited") == {"invited": 2}

    @pytest.mark.parametrize(
        ("values", "reason"),
        [
            (("x" * 300, "en", "UTC", ""), "name_too_long"),
            (("\n\u202e ", "en", "UTC", ""), "name_empty"),
            (("Bo", "tlh", "UTC", ""), "language"),
            (("Bo", "en", "Mars/Olympus", ""), "zone"),
            (("Bo", "en", "../../etc/passwd", ""), "zone"),
            (("Bo", "en", "UTC", "w" * 300), "word_too_long"),
            (("Bo", "en", "UTC", "win at https://evil.example/x"), "word_link"),
            (("Bo", "en", "UTC", "evil.example"), "word_link"),
        ],
    )
    def test_what_cannot_be_kept_is_refused_and_the_invitation_stands(self, store, values, reason):
        _, tokens = confirmed(store)
        with pytest.raises(Refused) as caught:
            invitations.accept(store, tokens[1], *values)
        assert caught.value.reason == reason
        assert lobby_by_token(store, tokens[1]).mine.status == "invited"

    def test_declining_is_told_to_the_organiser_and_can_follow_an_acceptance(self, store):
        _match_id, tokens = confirmed(store)
        invitations.accept(store, tokens[1], "Bo", "en", "UTC", "")
        for _ in range(2):
            assert invitations.decline(store, tokens[1]).mine.status == "declined"
        assert letters(store, "answered") == {"answered": 2}
        with pytest.raises(Closed) as caught:
            invitations.accept(store, tokens[1], "Bo", "en", "UTC", "")
        assert caught.value.reason == "declined"
        invitations.accept(store, tokens[2], "Cleo", "en", "UTC", "")
        assert lobby_by_token(store, tokens[0]).status == "open"

    def test_after_the_start_nobody_declines(self, store):
        _match_id, tokens = confirmed(store, ("Ada", "Bo"))
        invitations.accept(store, tokens[1], "Bo", "en", "UTC", "")
        with pytest.raises(Closed):
            invitations.decline(store, tokens[1])
        assert lobby_by_token(store, tokens[1]).status == "running"

    def test_the_organisers_no_calls_the_table_off(self, store):
        match_id = cast.open_table(store)
        first, second = cast.tokens(store, match_id)
        assert invitations.decline(store, first).status == "called_off"
        assert letters(store) == {"confirm": 1}, "nobody else had heard of it"
        for token in (first, second):
            with pytest.raises(Closed):
                invitations.accept(store, token, *ME)

    def test_a_person_is_one_player_however_the_address_is_written(self, store):
        for address in ("bo@example.org", "BO@Example.ORG"):
            tokens = cast.tokens(store, open_with(store, others=(address,)))
            invitations.accept(store, tokens[0], *ME)
            invitations.accept(store, tokens[1], "Bo", "en", "UTC", "")
        assert cast.one(store, "SELECT count(*) AS n FROM player").n == 2

    def test_a_forged_token_opens_nothing(self, store):
        _match_id, tokens = confirmed(store)
        for token in (tokens[0][:-1], "", "\x00", "x" * 22):
            for act in (
                lambda token=token: lobby_by_token(store, token),
                lambda token=token: invitations.accept(store, token, *ME),
                lambda token=token: invitations.decline(store, token),
            ):
                with pytest.raises(NotFound):
                    act()

    def test_a_table_with_bots_starts_as_soon_as_its_people_are_there(self, store):
        match_id, _ = confirmed(store, ("Ada",), bots=2)
        seen = player_view(store, match_id)
        assert seen.demo
        assert sorted(one.bot for one in seen.sittings) == [False, True, True]
        assert letters(store) == {"confirm": 1, "asked": 1}


class TestSecrecy:
    def test_addresses_are_the_organisers_alone(self, store):
        match_id, tokens = confirmed(store)
        invitations.accept(store, tokens[1], "Bo", "en", "UTC", "secret word")
        mine = lobby_by_token(store, tokens[0])
        assert [guest.name for guest in mine.guests] == ["Ada", "Bo", "cleo@example.org"]
        for token in tokens[1:]:
            theirs = repr(lobby_by_token(store, token))
            assert "@" not in theirs
            assert "secret word" not in theirs
        bo = cast.one(store, "SELECT id FROM player WHERE name = 'Bo'").id
        assert "@" not in repr(lobby_of(store, match_id, bo))
        assert "secret word" not in repr(mine)

    def test_who_does_not_belong_to_a_table_does_not_see_it(self, store):
        match_id, _ = confirmed(store)
        _, others = confirmed(store, ("Dan", "Bo"))
        dan = cast.one(store, "SELECT id FROM player WHERE address_key = 'dan@example.org'").id
        with pytest.raises(NotFound):
            lobby_of(store, match_id, dan)
        with pytest.raises(NotFound):
            changes.call_off(store, Viewer(token=others[0]), match_id)

    @pytest.mark.parametrize("number", [0, -1, 999, 2**31, 2**70])
    def test_numbers_that_are_none_find_nothing(self, store, number):
        _, tokens = confirmed(store)
        who = Viewer(token=tokens[0])
        for act in (
            lambda: changes.withdraw(store, who, number),
            lambda: changes.call_off(store, who, number),
            lambda: lobby_of(store, number, 1),
        ):
            with pytest.raises(NotFound):
                act()

    def test_only_the_organiser_organises(self, store):
        match_id, tokens = confirmed(store)
        invitations.accept(store, tokens[1], "Bo", "en", "UTC", "")
        bo = cast.one(store, "SELECT id FROM player WHERE name = 'Bo'").id
        guest = lobby_by_token(store, tokens[2]).mine.invitation_id
        for who in (Viewer(token=tokens[1]), Viewer(player_id=bo), Viewer()):
            for act in (
                lambda who=who: changes.withdraw(store, who, guest),
                lambda who=who: changes.send_again(store, who, guest),
                lambda who=who: changes.replace(store, who, guest, "dan@example.org"),
                lambda who=who: changes.start_with_fewer(store, who, match_id),
                lambda who=who: changes.call_off(store, who, match_id),
            ):
                with pytest.raises(NotFound):
                    act()


class TestOrganising:
    @pytest.fixture(params=["token", "signed in"])
    def table(self, store, request):
        match_id, tokens = confirmed(store)
        who = Viewer(token=tokens[0]) if request.param == "token" else Viewer(player_id=1)
        guests = [guest.invitation_id for guest in lobby_by_token(store, tokens[0]).guests]
        return match_id, tokens, who, guests

    def test_sending_again_once_an_hour(self, store, clock, table):
        _, _, who, guests = table
        changes.send_again(store, who, guests[1])
        with pytest.raises(Refused):
            changes.send_again(store, who, guests[1])
        clock.advance(hours=1)
        changes.send_again(store, who, guests[1])
        assert letters(store, "invited") == {"invited": 4}

    def test_a_withdrawn_invitation_is_told_and_worth_nothing(self, store, table):
        _, tokens, who, guests = table
        changes.withdraw(store, who, guests[1])
        assert letters(store, "withdrawn") == {"withdrawn": 1}
        for act in (
            lambda: invitations.accept(store, tokens[1], "Bo", "en", "UTC", ""),
            lambda: changes.withdraw(store, who, guests[1]),
            lambda: changes.send_again(store, who, guests[1]),
        ):
            with pytest.raises(Closed):
                act()

    def test_one_who_accepted_is_not_withdrawn_nor_replaced(self, store, table):
        _, tokens, who, guests = table
        invitations.accept(store, tokens[1], "Bo", "en", "UTC", "")
        with pytest.raises(Closed):
            changes.withdraw(store, who, guests[1])
        with pytest.raises(Closed):
            changes.replace(store, who, guests[1], "dan@example.org")

    def test_another_in_the_place_of_one_who_declined(self, store, table):
        _match_id, tokens, who, guests = table
        invitations.decline(store, tokens[1])
        invitations.accept(store, tokens[2], "Cleo", "en", "UTC", "")
        after = changes.replace(store, who, guests[1], "dan@example.org")
        assert [guest.status for guest in after.guests] == ["accepted", "declined", "accepted", "invited"]
        with pytest.raises(Refused) as caught:
            changes.replace(store, who, guests[1], "eve@example.org")
        assert caught.value.reason == "too_many"
        dan = cast.invitation_token(store, after.guests[3].invitation_id)
        assert invitations.accept(store, dan, "Dan", "en", "UTC", "").status == "running"

    def test_one_whose_invitation_was_withdrawn_or_ran_out_can_be_asked_anew(self, store, clock, table):
        _, tokens, who, guests = table
        changes.withdraw(store, who, guests[1])
        after = changes.replace(store, who, guests[1], "bo@example.org")
        assert [guest.status for guest in after.guests] == ["accepted", "invited", "invited"]
        with pytest.raises(Refused):
            changes.replace(store, who, guests[2], "bo@example.org")
        clock.advance(days=14)
        expiry.remind_and_expire(store)
        again = changes.replace(store, who, guests[1], "cleo@example.org")
        assert [guest.status for guest in again.guests] == ["accepted", "expired", "invited"]
        assert letters(store, "invited") == {"invited": 4}
        assert invitations.accept(store, tokens[2], "Cleo", "en", "UTC", "").mine.status == "accepted"

    @pytest.mark.parametrize(
        ("address", "reason"),
        [("Cleo@example.org", "twice"), ("ada@example.org", "own_address"), ("nobody", "address")],
    )
    def test_a_replacement_must_be_somebody_new(self, store, table, address, reason):
        _, _, who, guests = table
        with pytest.raises(Refused) as caught:
            changes.replace(store, who, guests[1], address)
        assert caught.value.reason == reason

    def test_starting_with_fewer(self, store, table):
        match_id, tokens, who, _ = table
        with pytest.raises(Refused) as caught:
            changes.start_with_fewer(store, who, match_id)
        assert caught.value.reason == "too_few"
        invitations.accept(store, tokens[1], "Bo", "en", "UTC", "")
        table = changes.start_with_fewer(store, who, match_id)
        assert (table.status, table.seats) == ("running", 2)
        assert len(player_view(store, match_id).sittings) == 2
        assert letters(store, "withdrawn", "asked") == {"withdrawn": 1, "asked": 2}
        with pytest.raises(Closed):
            changes.start_with_fewer(store, who, match_id)
        with pytest.raises(Closed):
            changes.call_off(store, who, match_id)

    def test_calling_off_tells_all_who_were_asked(self, store, table):
        match_id, tokens, who, guests = table
        invitations.accept(store, tokens[1], "Bo", "en", "UTC", "")
        assert changes.call_off(store, who, match_id).status == "called_off"
        assert letters(store, "called_off") == {"called_off": 2}
        with pytest.raises(Closed):
            invitations.accept(store, tokens[2], "Cleo", "en", "UTC", "")
        with pytest.raises(Closed):
            changes.send_again(store, who, guests[2])


class TestTending:
    def test_reminded_after_three_days_once_and_ended_after_fourteen(self, store, clock):
        _match_id, tokens = confirmed(store)
        invitations.accept(store, tokens[1], "Bo", "en", "UTC", "")
        clock.advance(days=2, hours=23)
        assert expiry.remind_and_expire(store) == 0
        clock.advance(hours=1)
        assert expiry.remind_and_expire(store) == 1
        assert expiry.remind_and_expire(store) == 0
        clock.advance(days=11)
        assert expiry.remind_and_expire(store) == 1
        assert expiry.remind_and_expire(store) == 0
        assert letters(store, "invitation_reminder", "expired") == {"invitation_reminder": 1, "expired": 1}
        assert cast.one(store, "SELECT player_id FROM letter WHERE kind = 'expired'").player_id == 1
        with pytest.raises(Closed) as caught:
            invitations.accept(store, tokens[2], "Cleo", "en", "UTC", "")
        assert caught.value.reason == "expired"

    def test_thousands_that_are_due_at_once_are_reminded_and_ended(self, store, clock):
        """One statement with all their letters is more than PostgreSQL takes."""
        match_id, _ = confirmed(store)
        at, ends = clock.now(), clock.now() + lifetimes.LIFETIME
        with store.transaction() as connection:
            connection.execute(
                insert(Invitation),
                [
                    {
                        "match_id": match_id,
                        "address": f"{n}@x.example",
                        "address_key": f"{n}@x.example",
                        "status": "invited",
                        "invited_at": at,
                        "expires_at": ends,
                    }
                    for n in range(6000)
                ],
            )
        clock.advance(days=3)
        assert expiry.remind_and_expire(store) == 6002
        clock.advance(days=11)
        assert expiry.remind_and_expire(store) == 6002
        assert expiry.remind_and_expire(store) == 0

    def test_the_fourteen_days_begin_with_the_letter(self, store, clock):
        match_id = cast.open_table(store)
        clock.advance(days=10)
        first, second = cast.tokens(store, match_id)
        invitations.accept(store, first, *ME)
        clock.advance(days=10)
        expiry.remind_and_expire(store)
        assert invitations.accept(store, second, "Bo", "en", "UTC", "").status == "running"

    def test_a_table_that_was_never_confirmed_ends_in_silence(self, store, clock):
        cast.open_table(store)
        clock.advance(days=15)
        expiry.remind_and_expire(store)
        assert letters(store) == {"confirm": 1}
        assert cast.one(store, 'SELECT status FROM "match"').status == "called_off"

    def test_an_invitation_that_ends_while_it_is_accepted_gives_no_seat(self, store, monkeypatch):
        _, tokens = confirmed(store, ("Ada", "Bo"))
        sane = invitations.people.keep

        def slowly(connection, *values):
            connection.exec_driver_sql("UPDATE invitation SET status = 'expired' WHERE NOT organiser")
            return sane(connection, *values)

        monkeypatch.setattr(invitations.people, "keep", slowly)
        with pytest.raises(Closed):
            invitations.accept(store, tokens[1], "Bo", "en", "UTC", "")
        assert cast.one(store, 'SELECT status FROM "match"').status == "open"

    def test_nobody_is_reminded_of_a_match_that_runs_or_was_called_off(self, store, clock):
        match_id, tokens = confirmed(store)
        changes.call_off(store, Viewer(token=tokens[0]), match_id)
        clock.advance(days=20)
        assert expiry.remind_and_expire(store) == 0


def test_another_zone_given_on_accepting_is_kept_to_by_the_clocks_that_begin(store, clock):
    """Weekdays off begin later in a zone farther west. A clock that runs keeps the zone that it began in."""
    clock.moment = datetime(2026, 3, 6, 9, 30, tzinfo=UTC)
    rule = Rule("per_move", per_move=20 * 3600, off=(5, 6))
    match = cast.seat(store, rule=rule)
    row = "SELECT due_at FROM question WHERE seat = :seat AND closed_at IS NULL"
    ada = next(seat for seat in ("red", "blue") if match.player_view().name(seat) == "Ada")
    before = cast.one(store, row, seat=ada).due_at
    table = cast.open_table(store)
    invitations.accept(store, cast.tokens(store, table)[0], "Ada", "en", "America/Los_Angeles", "")
    assert cast.one(store, row, seat=ada).due_at == before
    clock.advance(minutes=5)
    for seat in sorted(match.rows, key=lambda seat: seat != ada):  # the other's turn goes on
        service.play(store, match.bearer(seat), match.question(seat), "bid 1")
    latest = "SELECT max(asked_at) FROM question WHERE closed_at IS NULL"
    asked = cast.rows(
        store, f"SELECT zone, seat FROM question WHERE closed_at IS NULL AND asked_at = ({latest})"
    )
    assert {one.zone for one in asked if one.seat == ada} <= {"America/Los_Angeles"}
    assert {one.zone for one in asked if one.seat != ada} <= {"Europe/Lisbon"}

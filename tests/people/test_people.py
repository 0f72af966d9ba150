"""Players come back by mail alone, and nobody learns who is one."""

from datetime import timedelta

import pytest

from app.mail.letters.people import GOOD_FOR
from app.people import fresh_links, keys
from app.people import service as people
from app.people.errors import NotFound, Refused
from app.play.lobby import invitations
from app.play.lobby.links import ask_links
from app.play.match import links
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy", "clock")


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada \n Lovelace\t", "Ada Lovelace"),
        ("Ada\r\nBcc: eve", "Ada Bcc: eve"),
        ("<b>Ada</b>", "<b>Ada</b>"),
        ("\u202eadA\u2066", "adA"),
        ("A\u0000d\u0007a\ufeff", "Ada"),
        ("\u0622\u062f\u0627\u200c\u062c\u0627\u0646", "\u0622\u062f\u0627\u200c\u062c\u0627\u0646"),
        ("Cafe\u0301", "Caf\u00e9"),
        ("李 小龍", "李 小龍"),
        ("x" * 40, "x" * 40),
        ("\ud800Ada", "Ada"),
    ],
)
def test_names_are_made_fit_for_a_line(typed, kept):
    assert people.clean_name(typed) == kept


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "name_empty"),
        (" \n\u202e\u200b", "name_empty"),
        ("\u200d", "name_empty"),
        ("x" * 300, "name_too_long"),
    ],
)
def test_names_that_are_none_are_refused(typed, reason):
    with pytest.raises(Refused) as caught:
        people.clean_name(typed)
    assert caught.value.reason == reason


def test_addresses_have_one_key_for_all_spellings():
    address, key = people.check_address("  Bo.Diddley+games@Example.ORG ")
    assert address == "Bo.Diddley+games@example.org"
    assert key == "bo.diddley+games@example.org"
    assert people.check_address("bo@bücher.example.org")[0] == "bo@xn--bcher-kva.example.org"


@pytest.mark.parametrize(
    "typed",
    [
        *("", "bo", "bo@", "@example.org", "bo@localhost", "bo@example..org", "Bo <bo@localhost>"),
        *("a@example.org, b@example.org", "bo@example.org\r\nBcc: c@example.org", "bo@[127.0.0.1]"),
        *("bo\u202e@example.org", "bo@example.org\x00", "\ud800@example.org", "bo@" + "x" * 300 + ".org"),
    ],
)
def test_what_is_no_address_is_refused(typed):
    with pytest.raises(Refused) as caught:
        people.check_address(typed)
    assert caught.value.reason == "address"


def asked_for(store):
    kinds = cast.rows(store, "SELECT kind, player_id, invitation_id FROM letter ORDER BY kind")
    return [row.kind for row in kinds if row.kind in ("links", "sign_in", "invited", "confirm")]


class TestLinksAgain:
    def test_one_email_in_ten_minutes_to_a_player(self, store, clock):
        cast.seat(store)
        before = asked_for(store)
        for _ in range(3):
            assert ask_links(store, "ADA@example.org") is None
        assert asked_for(store) == sorted([*before, "links"])
        clock.advance(minutes=9, seconds=59)
        ask_links(store, "ada@example.org")
        assert asked_for(store) == sorted([*before, "links"])
        clock.advance(seconds=1)
        ask_links(store, "ada@example.org")
        assert asked_for(store) == sorted([*before, "links", "links"])

    def test_five_a_day_by_the_form_and_the_players_own_requests_apart(self, store, clock):
        match = cast.seat(store)
        seat = next(one for one in match.rows if match.rows[one].player_id == 1)
        token = match.token(seat)
        for _ in range(20):
            ask_links(store, "ada@example.org")
            clock.advance(minutes=15)
        assert asked_for(store).count("links") == 5
        people.ask_links_by_turn(store, token)
        assert asked_for(store).count("links") == 6
        clock.advance(minutes=10)
        ask_links(store, "ada@example.org", by=1)
        assert asked_for(store).count("links") == 7
        people.ask_sign_in(store, "ada@example.org")
        assert "sign_in" in asked_for(store)
        clock.advance(hours=24)
        ask_links(store, "ada@example.org")
        assert asked_for(store).count("links") == 8

    def test_nothing_to_a_stranger_and_the_same_answer(self, store, rings):
        cast.seat(store)
        before = asked_for(store)
        del rings[:]
        assert ask_links(store, "stranger@example.org") is None
        assert people.ask_sign_in(store, "stranger@example.org") is None
        assert asked_for(store) == before
        assert len(rings) == 2, "the workers are woken, as for an address that is known"

    def test_all_unanswered_invitations_come_again_in_one_email(self, store, clock):
        made = [cast.open_table(store), cast.open_table(store)]
        ask_links(store, "bo@example.org")
        assert asked_for(store) == ["confirm"] * 2, "before the host confirmed, nothing goes to strangers"
        ask_links(store, "ada@example.org")
        assert asked_for(store) == ["confirm", "confirm", "links"]
        for match_id in made:
            invitations.accept(store, cast.tokens(store, match_id)[0], "Ada", "en", "UTC", "")
        for _ in range(20):
            ask_links(store, "bo@example.org")
            clock.advance(minutes=10)
        assert asked_for(store) == sorted(["confirm", "confirm", "invited", "invited", *["links"] * 6])

    def test_signing_in_is_never_closed_by_those_who_ask_often(self, store, clock):
        """After five it comes every four hours, so ten in a day; the link of each is good for six."""
        cast.seat(store)
        for _ in range(24 * 12):
            people.ask_sign_in(store, "ada@example.org")
            clock.advance(minutes=5)
        found = cast.rows(store, "SELECT created_at FROM letter WHERE kind = 'sign_in' ORDER BY created_at")
        assert len(found) == 10
        assert fresh_links.SLOWLY < GOOD_FOR

    def test_the_owner_who_used_the_last_link_gets_the_next_as_ever(self, store, clock):
        cast.seat(store)
        for _ in range(60):
            people.ask_sign_in(store, "ada@example.org")
            clock.advance(minutes=1)
        count = "SELECT count(*) AS n FROM letter WHERE kind = 'sign_in'"
        assert cast.one(store, count).n == 5
        with store.transaction() as connection:
            until = clock.now() + timedelta(hours=6)
            token = links.mint(connection, "sign_in", player_id=1, expires_at=until)
        people.ask_sign_in(store, "ada@example.org")
        assert cast.one(store, count).n == 5
        people.sign_in(store, token)
        people.ask_sign_in(store, "ada@example.org")
        assert cast.one(store, count).n == 6
        clock.advance(minutes=20)
        people.ask_sign_in(store, "ada@example.org")
        assert cast.one(store, count).n == 6, "one sign-in lets one email through"


class TestSigningIn:
    @pytest.fixture
    def token(self, store, clock):
        cast.seat(store)
        with store.transaction() as connection:
            return links.mint(connection, "sign_in", player_id=1, expires_at=clock.now() + timedelta(hours=1))

    def test_a_token_signs_in_once(self, store, token):
        person = people.sign_in(store, token)
        assert (person.id, person.address, person.zone) == (1, "ada@example.org", "Europe/Lisbon")
        with pytest.raises(NotFound):
            people.sign_in(store, token)

    def test_not_after_its_time(self, store, clock, token):
        clock.advance(hours=1)
        with pytest.raises(NotFound):
            people.sign_in(store, token)

    def test_no_other_token_signs_in(self, store, token):
        invitation = cast.tokens(store, 1)[0]
        for wrong in (invitation, token[:-1], "", "\ud800"):
            with pytest.raises(NotFound):
                people.sign_in(store, wrong)

    def test_at_most_one_letter_in_ten_minutes(self, store, clock):
        cast.seat(store)
        for _ in range(3):
            people.ask_sign_in(store, "ada@example.org")
        assert asked_for(store).count("sign_in") == 1
        clock.advance(minutes=10)
        people.ask_sign_in(store, "ada@example.org")
        assert asked_for(store).count("sign_in") == 2

    def test_a_browser_is_signed_in_until_it_is_signed_out(self, store, clock):
        cast.seat(store)
        first, second = (keys.begin(store, 1) for _ in range(2))
        assert people.signed_in(store, first).name == "Ada"
        keys.end(store, first)
        assert people.signed_in(store, first) is None
        assert people.signed_in(store, second).name == "Ada"
        clock.advance(days=366)
        assert people.signed_in(store, second) is None

    def test_a_browser_that_may_play_a_seat_is_not_signed_in(self, store):
        cast.seat(store)
        key = keys.begin(store, 1, 1)
        assert people.signed_in(store, key) is None
        assert keys.chair_of(store, key) == 1
        keys.end_all(store, 1)
        assert keys.chair_of(store, key) is None


def test_a_player_changes_what_they_are_called(store):
    cast.seat(store)
    person = people.update(store, 1, " Ada\nL. ", "en", "Asia/Tehran")
    assert person == people.player(store, 1)
    assert (person.name, person.zone) == ("Ada L.", "Asia/Tehran")
    wrong = (("", "en", "UTC"), ("Ada", "xx", "UTC"), ("Ada", "en", "Nowhere"), ("Ada", "en", "Factory"))
    for values in wrong:
        with pytest.raises(Refused):
            people.update(store, 1, *values)
    with pytest.raises(NotFound):
        people.update(store, 99, "Ada", "en", "UTC")
    assert people.player(store, 99) is None

"""Emails to people who don't play here yet are in the language in which they were asked for."""

import pytest

from app import clock
from app.play.lobby import invitations, joining
from app.play.lobby.create import Opening, create_match
from app.play.match import vacancies
from app.play.match.reading import by_match
from app.play.seats import offers
from tests.mail.outbox import Outbox
from tests.play import cast

LANGUAGES = ("en", "fa", "ja")


def languages(outbox: Outbox) -> list[tuple[str, str]]:
    """Names and languages of all emails so far."""
    outbox.go()
    found = [(to.partition("@")[0], str(message["Content-Language"])) for _, to, message in outbox.sent]
    outbox.clear()
    return sorted(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_starts_a_game_confirms_it_in_the_language_of_the_page(outbox, language):
    create_match(outbox.store, "ferry", 2, {}, "ada@example.org", ["bo@example.org"], language=language)
    assert languages(outbox) == [("ada", language)]


def test_guests_are_invited_in_the_organisers_language(outbox):
    match_id = create_match(
        outbox.store, "ferry", 2, {}, "ada@example.org", ["bo@example.org"], language="fa"
    )
    (own, _) = cast.tokens(outbox.store, match_id)
    outbox.clear()
    languages(outbox)
    invitations.accept(outbox.store, own, "Ada", "ja", "UTC", "")
    assert languages(outbox) == [("bo", "ja")]


def test_who_asks_to_join_or_for_a_seat_gets_the_email_in_the_language_of_the_page(outbox):
    opening = Opening(listed=True)
    match_id = create_match(outbox.store, "ferry", 3, {}, "ada@example.org", [], opening=opening)
    invitations.accept(outbox.store, cast.tokens(outbox.store, match_id)[0], "Ada", "ja", "UTC", "")
    languages(outbox)
    joining.ask_to_join(outbox.store, "bo@example.org", match_id, language="zh-Hans")
    assert languages(outbox) == [("bo", "zh-Hans")]
    match = cast.seat(outbox.store, ("Ada", "Bo"))
    with outbox.store.transaction() as connection:
        standing = by_match(connection, match.match_id)
        assert standing is not None
        vacancies.open_seat(connection, clock.now(), standing, "blue")
    languages(outbox)
    offers.request_offer(outbox.store, match.match_id, "blue", "dan@example.org", language="zh-Hant")
    assert languages(outbox) == [("dan", "zh-Hant")]


def test_players_get_their_own_language_and_a_language_that_is_gone_is_english(outbox):
    match = cast.seat(outbox.store, ("Ada", "Bo"))
    languages(outbox)
    outbox.write("UPDATE player SET language = 'fa' WHERE name = 'Ada'")
    for address, language in (("ada@example.org", "ja"), ("new@example.org", "xx")):
        create_match(outbox.store, "ferry", 2, {}, address, ["bo@example.org"], language=language)
    assert languages(outbox) == [("ada", "fa"), ("new", "en")]
    assert match.match_id

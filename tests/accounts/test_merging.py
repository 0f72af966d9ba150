"""Two accounts of one person become one."""

import pytest

from app.accounts import merging, persons
from app.people import bars, blocks, former
from app.people import service as people
from app.people.errors import NotFound
from app.play.deadlines import absences
from app.play.moves import service
from app.store import audit
from tests.accounts.person import NOTED, places, seat_of, settle
from tests.mail.outbox import body
from tests.play import cast


def merge(outbox, old="ada@example.org", new="dan@example.org"):
    return merging.merge(outbox.store, old, new)


@pytest.fixture
def two(outbox, clock):
    """Ada plays with Bo and Cleo, and has a second account as Dan, who plays with Bo."""
    seated, ada, seat = settle(outbox, clock)
    second = cast.seat(outbox.store, ("Dan", "Bo"), dice=b"b")
    outbox.go()
    outbox.clear()
    return seated, seat, ada, outbox.player("Dan"), second


def test_games_go_on_under_the_second_name(outbox, two):
    seated, seat, _, dan, _ = two
    merge(outbox)
    assert seated.player_view().name(seat) == "Dan"
    token = cast.Seated(outbox.store, seated.match_id)
    assert token.rows[seat].player_id == dan
    done = service.play(outbox.store, token.bearer(seat), token.question(seat), "bid 1")
    assert done.moves == ("bid 1",)


def test_links_and_notes_go_along(outbox, two):
    seated, seat, _, dan, _ = two
    token = seated.token(seat)
    merge(outbox)
    assert outbox.rows("SELECT c.player_id FROM note n JOIN chair c ON c.id = n.chair_id")[0][0] == dan
    assert places(outbox.store, NOTED) == {"note.text"}
    fresh = cast.Seated(outbox.store, seated.match_id)
    assert service.play(outbox.store, cast.Viewer(token=token), fresh.question(seat), "bid 1").moves


def test_nothing_names_the_first_account_but_its_last_days(outbox, two):
    _, _, ada, dan, _ = two
    merge(outbox)
    found = places(outbox.store, "ada@")
    assert found <= {
        *("formeraddress.address", "formeraddress.address_key", "letter.to_address", "letter.sent_to"),
        *("suppressed.address_key", "unasked.mailbox"),
    }
    tables = ("chair", "token", "letter", "login", "preference", "invitation", "absence", "apikey")
    left = {
        one: outbox.rows(f"SELECT count(*) FROM {one} WHERE player_id = :p", p=ada)[0][0] for one in tables
    }
    assert set(left.values()) == {0}
    assert outbox.rows('SELECT organiser_id FROM "match" WHERE id = 1')[0][0] == dan


def test_blocks_are_the_stricter_of_both(outbox, two, clock):
    _, _, _, dan, _ = two
    bo = outbox.player("Bo")
    with outbox.store.transaction() as connection:
        blocks.silence(connection, clock.now(), bo, dan, invitations=False)
        blocks.silence(connection, clock.now(), bo, outbox.player("Ada"), invitations=True)
    # both belong to no game together but Bo's, so that Bo is not asked
    merge(outbox)
    with outbox.store.reading() as connection:
        assert blocks.blocks(connection, dan, bo)
        assert blocks.blocks(connection, bo, dan)


def test_both_addresses_are_told_and_the_first_signs_in_for_some_days(outbox, two, clock):
    _, _, _, dan, _ = two
    merge(outbox)
    outbox.go()
    for name in ("Ada", "Dan"):
        (told,) = outbox.to(name, "Your two accounts are one now")
        assert "ada@example.org" in body(told)
    with outbox.store.reading() as connection:
        assert people.player_with_key(connection, "ada@example.org") == dan
    clock.advance(days=former.LASTS.days + 1)
    with outbox.store.reading() as connection:
        assert people.player_with_key(connection, "ada@example.org") is None


@pytest.mark.usefixtures("two")
def test_two_places_in_one_game_are_refused(outbox):
    with pytest.raises(merging.CannotMerge, match="#1"):
        merge(outbox, "ada@example.org", "cleo@example.org")
    assert outbox.player("Ada")


def test_two_places_in_a_finished_game_are_refused_too(outbox, two):
    seated, seat, *_ = two
    for one in (seat, next(one for one in seated.rows if one != seat)):
        service.resign(outbox.store, seated.bearer(one), 1)
    with pytest.raises(merging.CannotMerge, match="#1"):
        merge(outbox, "ada@example.org", "cleo@example.org")


def test_who_is_away_barred_or_the_same_is_not_merged(outbox, two, clock):
    _, _, ada, _, _ = two
    with pytest.raises(merging.CannotMerge, match="one account"):
        merge(outbox, "ada@example.org", "Ada@Example.org")
    with outbox.store.transaction() as connection:
        bars.put(connection, clock.now(), "dan@example.org", "")
    with pytest.raises(merging.CannotMerge, match="barred"):
        merge(outbox)
    with outbox.store.transaction() as connection:
        bars.lift(connection, "dan@example.org")
    today = clock.now().date()
    absences.enter(outbox.store, ada, today, today)
    with pytest.raises(merging.CannotMerge, match="away"):
        merge(outbox)


@pytest.mark.usefixtures("two")
def test_nobody_is_merged_with_nobody(outbox):
    with pytest.raises(NotFound):
        merge(outbox, "nobody@example.org")


def test_the_act_is_kept_without_addresses(outbox, two):
    _, _, ada, dan, _ = two
    merge(outbox)
    with outbox.store.reading() as connection:
        (act,) = audit.latest(connection, 9)
        assert persons.by_id(connection, ada).gone_at is not None
    assert (act.act, act.about) == ("people merge", f"player {ada} into player {dan}")
    assert seat_of(cast.Seated(outbox.store, 1), dan)

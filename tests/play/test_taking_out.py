"""A host takes a guest out of a game before it begins; the guest is told once, and their link is over."""

import pytest

from app.play.lobby import changes, invitations
from app.play.lobby.snapshot import lobby_by_token, lobby_of
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.play.views import lists
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy", "clock")
HOST = Viewer(player_id=1)


@pytest.fixture
def table(store, toy, clock):
    """Ada's game: Bo has accepted, Cleo has not. The match and the tokens."""
    del toy, clock
    match_id = cast.open_table(store, ("Ada", "Bo", "Cleo"))
    tokens = cast.tokens(store, match_id)
    invitations.accept(store, tokens[0], "Ada", "en", "UTC", "")
    invitations.accept(store, tokens[1], "Bo", "en", "UTC", "")
    return match_id, tokens


def told(store):
    return len(cast.rows(store, "SELECT id FROM letter WHERE kind = 'withdrawn'"))


def invitation_of(store, name):
    address = cast.ADDRESSES[name]
    return cast.one(store, "SELECT id FROM invitation WHERE address_key = :a", a=address).id


def test_a_guest_who_accepted_is_taken_out_and_told_once(store, table):
    match_id, (_, bo, cleo) = table
    for _ in range(2):
        view = changes.take_out(store, HOST, invitation_of(store, "Bo"))
    assert [guest.status for guest in view.guests] == ["accepted", "withdrawn", "invited"]
    assert told(store) == 1
    with pytest.raises(Closed, match="withdrawn"):
        invitations.accept(store, bo, "Bo", "en", "UTC", "")
    assert [guest.status for guest in lobby_by_token(store, bo).guests] == ["withdrawn"]
    assert lists.player_lines(store, 2) == ()
    invitations.accept(store, cleo, "Cleo", "en", "UTC", "")
    assert lobby_of(store, match_id, 1).status == "open", "a seat is free again"


def test_the_seat_can_be_given_to_another_and_the_game_begins_without_them(store, table):
    match_id, (_, _, cleo) = table
    changes.take_out(store, HOST, invitation_of(store, "Bo"))
    changes.replace(store, HOST, invitation_of(store, "Bo"), "dan@example.org")
    invitations.accept(store, cleo, "Cleo", "en", "UTC", "")
    dan = cast.invitation_token(store, invitation_of(store, "Dan"))
    assert invitations.accept(store, dan, "Dan", "en", "UTC", "").status == "running"
    found = cast.rows(store, "SELECT player_id FROM chair WHERE match_id = :m", m=match_id)
    assert 2 not in {row.player_id for row in found}


@pytest.mark.usefixtures("table")
def test_invited_anew_and_taken_out_again_they_are_not_told_again(store, clock):
    changes.take_out(store, HOST, invitation_of(store, "Bo"))
    clock.advance(hours=1)
    changes.replace(store, HOST, invitation_of(store, "Bo"), cast.ADDRESSES["Bo"])
    changes.withdraw(store, HOST, invitation_of(store, "Bo"))
    assert told(store) == 1


@pytest.mark.parametrize("who", ["a guest", "an onlooker"])
def test_only_the_host_can(store, table, who):
    _, tokens = table
    viewer = Viewer(token=tokens[2]) if who == "a guest" else Viewer(player_id=2)
    if who == "an onlooker":
        viewer = Viewer(player_id=99)
    with pytest.raises(NotFound):
        changes.take_out(store, viewer, invitation_of(store, "Bo"))
    with pytest.raises(NotFound):
        changes.take_out(store, HOST, invitation_of(store, "Ada"))


def test_nobody_is_taken_out_of_a_game_that_has_begun(store):
    cast.seat(store)
    with pytest.raises(Closed, match="started"):
        changes.take_out(store, HOST, invitation_of(store, "Bo"))


@pytest.mark.usefixtures("table")
def test_an_invitation_is_sent_again_twice_a_day(store, clock):
    for _ in range(2):
        clock.advance(hours=1)
        changes.send_again(store, HOST, invitation_of(store, "Cleo"))
    clock.advance(hours=1)
    with pytest.raises(Refused, match="sent_again_enough"):
        changes.send_again(store, HOST, invitation_of(store, "Cleo"))
    clock.advance(days=1)
    changes.send_again(store, HOST, invitation_of(store, "Cleo"))

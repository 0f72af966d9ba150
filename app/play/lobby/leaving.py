"""A person leaves every game before its start, and every seat of a running one that is offered or asked for.

It is done when an account is deleted, and when the operator bars somebody.
"""

from datetime import datetime

from app import clock
from app.play.lobby.invitations import answered_letter, call_off_unstarted
from app.play.lobby.snapshot import OPEN, unstarted
from app.play.match import notices, open_invitations
from app.play.match.open_invitations import Open
from app.play.match.records import NotFound
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.outbox import enqueue
from app.store.session import Store


def leave_all(store: Store, player_id: int | None, key: str) -> int:
    """Decline and withdraw everything of a player and an address; returns how many games that was.

    Games that they host are called off, and their guests told; hosts are told of a guest who leaves. Each is
    a transaction of its own.
    """
    with store.reading() as connection:
        found = open_invitations.open_of(connection, player_id, key)
    for one in found:
        with store.transaction() as connection:
            hold_match(connection, one.match_id)
            leave(connection, clock.now(), one)
    return len({one.match_id for one in found})


def leave(connection: Connection, now: datetime, one: Open) -> None:
    """Decline one invitation, or withdraw a request; the match must be held."""
    if one.seat:
        if open_invitations.leave(connection, now, one.id):
            notices.touch(connection, one.match_id)  # the players' pages show the request
        return
    try:
        snapshot = unstarted(connection, one.match_id)
    except NotFound:
        return
    if snapshot.status not in OPEN:
        return
    if one.organiser:
        call_off_unstarted(connection, snapshot, now)
    if open_invitations.leave(connection, now, one.id) and not one.organiser:
        enqueue(connection, now, answered_letter(snapshot, one.id, "declined"))

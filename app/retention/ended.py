"""Rows that go with a match: step by step after its end, or with the match if it never began."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec

from app.mail.core import inbox, old_letters
from app.people import confirmations, preferences, reports, webhooks
from app.play.match import chairs, invitations, matches, notices
from app.play.moves import wishes
from app.play.seats import what_if
from app.retention.kept import REPLIES
from app.settings import Keep
from app.store import tokens
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.session import Store
from app.store.sql import Clash

log = logging.getLogger(__name__)

Part = Callable[[Connection, int, int], int]
"""Does its part for a match, so many rows at most, and returns how many."""


def _rest(connection: Connection, match_id: int) -> None:
    invitations.delete_unaccepted(connection, match_id)
    preferences.delete_of_match(connection, chairs.players_of(connection, match_id), match_id)


def _nothing(_connection: Connection, _match_id: int) -> None:
    pass


class Step(msgspec.Struct, frozen=True):
    """One of the steps in which an ended match gets smaller."""

    after: Callable[[Keep], timedelta]
    parts: tuple[Part, ...]
    rest: Callable[[Connection, int], None] = _nothing
    """The little that is done in the last transaction."""


STEPS = (
    Step(lambda _: REPLIES, (tokens.shrink,)),
    Step(
        lambda keep: timedelta(days=keep.links),
        (
            tokens.delete_of_match,
            old_letters.shrink_of_match,
            wishes.delete_of_match,
            what_if.delete_of_match,
            webhooks.delete_of_match,
        ),
        _rest,
    ),
    Step(lambda keep: timedelta(days=keep.letters), (old_letters.delete_of_match,)),
)
"""`match.tidied` is the number of those that are done."""
_PARTED: tuple[Part, ...] = (tokens.part_from_match, old_letters.part_from_match)


def tidy(store: Store, keep: Keep, now: datetime, rows: int, rounds: int) -> int:
    """Bring ended matches further, in so many transactions of so many rows at most; returns how many."""
    done = 0
    for number, step in enumerate(STEPS):
        with store.reading() as connection:
            found = matches.untidied(connection, number, now - step.after(keep), rounds)
        for match_id in found:
            finished = False
            while not finished and done < rounds:
                finished = _advance(store, match_id, number, rows)
                done += 1
    return done


def delete_dead(store: Store, keep: Keep, now: datetime, rows: int, rounds: int) -> int:
    """Delete matches that were called off before their start, as `tidy` does it; returns how many steps."""
    done = 0
    with store.reading() as connection:
        found = matches.dead(connection, now - timedelta(days=keep.unplayed), rounds)
    for match_id in found:
        finished = False
        while not finished and done < rounds:
            finished = _delete(store, match_id, rows)
            done += 1
    return done


def _advance(store: Store, match_id: int, number: int, rows: int) -> bool:
    """One transaction of a step. True: the step is done."""
    step = STEPS[number]
    with store.transaction() as connection:
        if any(part(connection, match_id, rows) for part in step.parts):
            return False
        step.rest(connection, match_id)
        matches.tidied(connection, match_id, number + 1)
    return True


def _delete(store: Store, match_id: int, rows: int) -> bool:
    """One transaction of the deletion. True: the match is gone, or something unknown is about it."""
    with store.transaction() as connection:
        if any(part(connection, match_id, rows) for part in _PARTED):
            return False
    try:
        with store.transaction() as connection:
            hold_match(connection, match_id)
            inbox.part_from_match(connection, match_id)
            reports.part_from_match(connection, match_id)
            confirmations.delete_of_match(connection, match_id)
            notices.delete_of_match(connection, match_id)
            invitations.delete_all(connection, match_id)
            matches.delete(connection, match_id)
    except Clash:
        log.exception("match %d never began, and can't be deleted", match_id)
        with store.transaction() as connection:
            matches.tidied(connection, match_id, len(STEPS))
    return True

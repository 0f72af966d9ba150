"""Create a match that waits for its organiser's confirmation.

The organiser confirms by email before anybody else is written to: typing an address is not enough to have
the server write to strangers.
"""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from app import clock, games
from app.engine import codec
from app.people import service as people
from app.play.clock.rules import Rule, check_rule
from app.play.lobby.invitations import LIFETIME, insert_invitation
from app.play.match.records import Refused
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.statement import Statement, stored

MAX_UNCONFIRMED = 5
"""Unconfirmed matches of one organiser in an hour."""

_insert_match = Statement(
    """INSERT INTO "match" (game, edition, options, seats, bots, demo, status, secret, clock, words, state,
                            ply, barrier_state, barrier_ply, created_at)
       VALUES (?, ?, ?, ?, ?, ?, 'unconfirmed', ?, ?, '[]', '', 0, '', 0, ?)""",
    after="RETURNING id",
)
_recent_unconfirmed = Statement(
    """SELECT count(*) FROM invitation i JOIN "match" m ON m.id = i.match_id
       WHERE i.address_key = ? AND i.organiser AND i.invited_at > ? AND m.status = 'unconfirmed'"""
)


def create_match(
    store: Store,
    game: str,
    seats: int,
    options: Mapping[str, str],
    organiser_address: str,
    other_addresses: Sequence[str],
    *,
    bots: int = 0,
    rule: Rule | None = None,
) -> int:
    """The id of a new match. Its organiser is sent an email with a link to confirm it.

    Every player gets an invitation; the others' are sent after the confirmation. `rule` is the time limit;
    None is no time limit. Raises BadOptions and Refused: "game", "address", "twice", "himself", "too_many",
    "too_few", "too_often" and the reasons of `check_rule`.
    """
    if game not in games.all_games():
        raise Refused("game", game=game[:40])
    rules = games.all_games()[game]
    filled = rules.complete_options(seats, options)
    organiser, key = people.check_address(organiser_address)
    others: dict[str, str] = {}
    for text in other_addresses:
        address, other = people.check_address(text)
        if other == key:
            raise Refused("himself", address=address)
        if other in others:
            raise Refused("twice", address=address)
        others[other] = address
    free = seats - 1 - bots
    if bots < 0 or len(others) != free:
        raise Refused("too_many" if len(others) > free else "too_few", free=max(free, 0), given=len(others))
    clocks = codec.dumps(check_rule(rule or Rule()))
    now = clock.now()
    with store.transaction() as connection:
        at, ends = stored(connection, now), stored(connection, now + LIFETIME)
        check_rate(connection, key, now)
        text = codec.dumps(dict(filled))
        values = (game, rules.edition, text, seats, bots, bool(bots), secrets.token_bytes(32), clocks, at)
        match_id = int(_insert_match.fetch(connection, *values)[0][0])
        own_id = insert_invitation.fetch(connection, match_id, organiser, key, True, "invited", at, ends)[0][
            0
        ]
        insert_invitation.write(
            connection,
            [(match_id, address, other, False, "waiting", None, None) for other, address in others.items()],
        )
        once = f"confirm:{own_id}"
        enqueue(
            connection, now, LetterRequest(kind="confirm", once=once, match_id=match_id, invitation_id=own_id)
        )
    return match_id


def check_rate(connection: Connection, key: str, now: datetime) -> None:
    """Raises Refused("too_often") if the address has too many unconfirmed matches from the last hour."""
    since = stored(connection, now - timedelta(hours=1))
    if _recent_unconfirmed.fetch(connection, key, since)[0][0] >= MAX_UNCONFIRMED:
        raise Refused("too_often", most=MAX_UNCONFIRMED)

"""Old letters of the outbox: what they were about goes first, then the line that their player sees."""

from datetime import datetime

from app.store.connection import Connection
from app.store.sql import Command, Query

GONE = "-"
"""Stands for the address of a letter of which only the line is left that its player sees."""
_DETAILS = f"""by_seat = NULL, consequence = NULL, guest_id = NULL, offer = NULL, due_match_id = NULL,
               digest_at = NULL, absence_id = NULL, incoming_id = NULL, confirmation_id = NULL,
               former_id = NULL, invitation_id = NULL, to_ply = NULL, to_notice = NULL, sent_to = '{GONE}',
               held_until = NULL, text_at = NULL,
               reason = CASE WHEN status = 'waiting' THEN 'over' ELSE reason END,
               status = CASE WHEN status = 'waiting' THEN 'dropped' ELSE status END"""
_UNSEEN = "(player_id IS NULL OR to_address IS NOT NULL)"
_delete_unseen_of_match = Command(
    f"""DELETE FROM letter WHERE id IN (SELECT id FROM letter
            WHERE match_id = :match_id AND {_UNSEEN} LIMIT :most)"""  # noqa: S608 - constants
)
_shrink_of_match = Command(
    f"""UPDATE letter SET {_DETAILS} WHERE id IN (SELECT id FROM letter
            WHERE match_id = :match_id AND sent_to <> '{GONE}' LIMIT :most)"""  # noqa: S608 - constants
)
_delete_of_match = Command(
    "DELETE FROM letter WHERE id IN (SELECT id FROM letter WHERE match_id = :match_id LIMIT :most)"
)
_part = Command(
    """UPDATE letter
       SET to_address = CASE WHEN player_id IS NOT NULL THEN to_address ELSE COALESCE(to_address, (
               SELECT i.address FROM invitation i WHERE i.id = letter.invitation_id)) END,
           match_id = NULL, invitation_id = NULL, guest_id = NULL
       WHERE id IN (SELECT id FROM letter WHERE match_id = :match_id LIMIT :most)"""
)
_ALONE = "match_id IS NULL AND status <> 'waiting'"
_alone = Query(
    datetime,
    f"""SELECT created_at FROM letter
        WHERE {_ALONE} AND created_at >= :since AND created_at < :before AND sent_to <> '{GONE}'
        ORDER BY created_at LIMIT :most""",  # noqa: S608 - constants
)
_delete_unseen_alone = Command(
    f"DELETE FROM letter WHERE {_ALONE} AND created_at BETWEEN :first AND :last AND {_UNSEEN}"  # noqa: S608
)
_shrink_alone = Command(
    f"UPDATE letter SET {_DETAILS} WHERE {_ALONE} AND created_at BETWEEN :first AND :last"  # noqa: S608
)
_delete_alone = Command(
    f"""DELETE FROM letter WHERE id IN (SELECT id FROM letter
            WHERE {_ALONE} AND created_at < :before ORDER BY created_at LIMIT :most)"""  # noqa: S608
)


def shrink_of_match(connection: Connection, match_id: int, most: int) -> int:
    """Of letters of a match that is long over leave the line that a player sees; returns how many changed.

    Those that no player sees go, and what still waited is dropped.
    """
    return _delete_unseen_of_match.run(connection, match_id=match_id, most=most) + _shrink_of_match.run(
        connection, match_id=match_id, most=most
    )


def delete_of_match(connection: Connection, match_id: int, most: int) -> int:
    """Delete letters of a match; returns how many."""
    return _delete_of_match.run(connection, match_id=match_id, most=most)


def part_from_match(connection: Connection, match_id: int, most: int) -> int:
    """Let letters be about no match, because theirs is to be deleted; returns how many changed.

    Guests can still unsubscribe by them.
    """
    return _part.run(connection, match_id=match_id, most=most)


def shrink_alone(
    connection: Connection, since: datetime, before: datetime, most: int
) -> tuple[int, datetime | None]:
    """As `shrink_of_match`, for about so many letters of no match that were enqueued between two moments.

    Returns how many were found, and the moment of the last.
    """
    found = _alone.all(connection, since=since, before=before, most=most)
    if not found:
        return 0, None
    span = {"first": found[0], "last": found[-1]}
    _delete_unseen_alone.run(connection, **span)
    _shrink_alone.run(connection, **span)
    return len(found), found[-1]


def forget_alone(connection: Connection, before: datetime, most: int) -> int:
    """Delete letters of no match that were enqueued before a moment; returns how many."""
    return _delete_alone.run(connection, before=before, most=most)

"""One law for all clocks, the dice that a match was drawn with, and requests for open seats."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def added() -> dict[str, tuple[sa.Column[Any], ...]]:
    """Columns, each with what the rows that are there get."""
    return {
        "match": (
            sa.Column("dice", sa.Integer(), nullable=False, server_default=sa.text("1")),
            sa.Column("seat_giver", AutoString(), nullable=False, server_default="host"),
            sa.Column("extended", sa.Integer(), nullable=False, server_default=sa.text("0")),
            sa.Column("pause_asked_at", UTCDateTime(), nullable=True),
            sa.Column("pause_look_at", UTCDateTime(), nullable=True),
        ),
        "question": (
            sa.Column("zone", AutoString(), nullable=False, server_default=""),
            sa.Column("reminded", AutoString(), nullable=False, server_default=""),
        ),
        "chair": (sa.Column("credited", sa.Float(), nullable=False, server_default=sa.text("0")),),
        "invitation": (
            sa.Column("given", sa.Boolean(), nullable=False, server_default=sa.false()),
            sa.Column("votes", sa.Text(), nullable=False, server_default="{}"),
        ),
    }


def upgrade() -> None:
    for table, columns in added().items():
        for column in columns:
            op.add_column(table, column)
    op.create_index(
        "match_pause_look",
        "match",
        ["pause_look_at"],
        sqlite_where=sa.text("pause_look_at IS NOT NULL"),
        postgresql_where=sa.text("pause_look_at IS NOT NULL"),
    )
    _keep_zones()
    _mark_given_offers()
    _count_extensions()
    _look_at_pauses()


def _keep_zones() -> None:
    """A turn that runs keeps the time zone that its player has now."""
    op.execute(
        """UPDATE question SET zone = COALESCE(
               (SELECT p.zone FROM chair c JOIN player p ON p.id = c.player_id
                WHERE c.match_id = question.match_id AND c.seat = question.seat AND c.until IS NULL), '')
           WHERE closed_at IS NULL AND begun_at IS NOT NULL"""
    )


def _mark_given_offers() -> None:
    """An offer that nobody but its recipient asked for was the organiser's."""
    op.execute(
        """UPDATE invitation SET given = (1 = 1)
           WHERE seat <> '' AND EXISTS (
               SELECT 1 FROM letter l WHERE l.invitation_id = invitation.id AND l.kind = 'seat_offer'
                                        AND l.offer IS NULL)"""
    )


def _count_extensions() -> None:
    connection = op.get_bind()
    notice = sa.table("notice", sa.column("match_id"), sa.column("what"), sa.column("facts"))
    match = sa.table("match", sa.column("id"), sa.column("extended"))
    days: dict[int, int] = {}
    rows = sa.select(notice.c.match_id, notice.c.facts).where(notice.c.what == "extended")
    for row in connection.execute(rows):
        days[row.match_id] = days.get(row.match_id, 0) + int(json.loads(row.facts).get("days", 0))
    for match_id, given in days.items():
        connection.execute(sa.update(match).where(match.c.id == match_id).values(extended=given))


def _look_at_pauses() -> None:
    """Every match that may be paused is looked at by the first sweep, which works out when to ask."""
    op.execute(
        """UPDATE "match" SET pause_look_at = started_at
           WHERE status = 'running' AND stops LIKE '%null%'"""
    )


def downgrade() -> None:
    op.drop_index("match_pause_look", table_name="match")
    for table, columns in added().items():
        for column in columns:
            op.execute(f'ALTER TABLE "{table}" DROP COLUMN {column.name}')

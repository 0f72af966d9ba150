"""Clocks, absences, standing orders, preferences, the public log of the house, and mail that comes in."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = (
    "incoming",
    "suppressed",
    "preference",
    "absence",
    "standingorder",
    "note",
    "notice",
    "house",
)
DUE = {"question_due": "due_at", "question_remind": "remind_at"}


def only(where: str) -> dict[str, Any]:
    return {"sqlite_where": sa.text(where), "postgresql_where": sa.text(where)}


def number(name: str, default: int) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False, server_default=sa.text(str(default)))


def switch(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false())


def words(name: str, default: str = "") -> sa.Column[str]:
    return sa.Column(name, AutoString(), nullable=False, server_default=default)


def text(name: str, default: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False, server_default=default)


def moment(name: str, *, nullable: bool = True) -> sa.Column[Any]:
    return sa.Column(name, UTCDateTime(), nullable=nullable)


def drop(table: str, column: str) -> None:
    """Alembic would make SQLite's table anew for this, and forget how its rows lie."""
    op.execute(f'ALTER TABLE "{table}" DROP COLUMN {column}')


def added() -> dict[str, tuple[sa.Column[Any], ...]]:
    """Columns, each with what the rows that are there get."""
    return {
        "player": (
            number("feed_epoch", 0),
            text("away", "[]"),
            words("reminders"),
            number("digest_hour", 8),
            sa.Column("quiet_from", sa.Integer(), nullable=True),
            sa.Column("quiet_to", sa.Integer(), nullable=True),
            moment("seen_at"),
        ),
        "match": (text("clock", "{}"), text("stops", "[]"), number("news", 0)),
        "invitation": (words("seat"),),
        "chair": (
            switch("lost"),
            number("heard_notice", 0),
            sa.Column("bank", sa.Float(), nullable=True),
            number("noted", 0),
            switch("orders"),
            moment("open_since"),
            moment("pause_wanted_at"),
            moment("nudged_at"),
            moment("seen_at"),
        ),
        "question": (
            moment("begun_at"),
            sa.Column("allowed", sa.Float(), nullable=True),
            moment("remind_at"),
            moment("late_at"),
            moment("announced_at"),
        ),
        "letter": (sa.Column("to_notice", sa.Integer(), nullable=True), words("sent_to")),
    }


def upgrade() -> None:
    for table, columns in added().items():
        for column in columns:
            op.add_column(table, column)
    drop("question", "reminded_at")
    for name, at in DUE.items():
        op.create_index(name, "question", [at], **only(f"closed_at IS NULL AND {at} IS NOT NULL"))
    op.create_table(
        "house",
        sa.Column("id", sa.Integer(), nullable=False),
        text("stops", "[]"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.execute("INSERT INTO house (id, stops) VALUES (1, '[]')")
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("what", AutoString(), nullable=False),
        sa.Column("seat", AutoString(), nullable=True),
        sa.Column("by_seat", AutoString(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("once", AutoString(), nullable=True),
        moment("at", nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("once"),
    )
    op.create_index("ix_notice_match_id", "notice", ["match_id"])
    op.create_table(
        "note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("chair_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("once", AutoString(), nullable=True),
        moment("at", nullable=False),
        sa.ForeignKeyConstraint(["chair_id"], ["chair.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("once"),
    )
    op.create_index("ix_note_chair_id", "note", ["chair_id"])
    op.create_table(
        "standingorder",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("chair_id", sa.Integer(), nullable=False),
        sa.Column("seat", AutoString(), nullable=False),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        moment("until"),
        moment("created_at", nullable=False),
        number("ply", 0),
        moment("closed_at"),
        sa.Column("closed_ply", sa.Integer(), nullable=True),
        sa.Column("result", AutoString(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["chair_id"], ["chair.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_standingorder_chair_id", "standingorder", ["chair_id"])
    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        moment("begins", nullable=False),
        moment("ends", nullable=False),
        moment("created_at", nullable=False),
        moment("cancelled_at"),
        moment("used_until"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_absence_player_id", "absence", ["player_id"])
    op.create_table(
        "preference",
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("event", AutoString(), nullable=False),
        sa.Column("choice", AutoString(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("player_id", "match_id", "event"),
    )
    op.create_table(
        "suppressed",
        sa.Column("address_key", AutoString(), nullable=False),
        sa.Column("reason", AutoString(), nullable=False),
        sa.Column("letter_id", AutoString(), nullable=True),
        moment("at", nullable=False),
        sa.PrimaryKeyConstraint("address_key"),
    )
    op.create_table(
        "incoming",
        sa.Column("id", AutoString(), nullable=False),
        sa.Column("key", AutoString(), nullable=False),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("source", AutoString(), nullable=False),
        sa.Column("recipient", AutoString(), nullable=False),
        sa.Column("token_hash", AutoString(), nullable=False),
        sa.Column("letter_id", AutoString(), nullable=True),
        sa.Column("sender", AutoString(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("status", AutoString(), nullable=False),
        sa.Column("reason", AutoString(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("results", sa.Text(), nullable=False),
        moment("received_at", nullable=False),
        moment("held_until"),
        sa.Column("tries", sa.Integer(), nullable=False),
        moment("read_at"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_index("incoming_waiting", "incoming", ["received_at"], **only("status = 'waiting'"))
    op.create_index("ix_incoming_player_id", "incoming", ["player_id"])
    op.create_index("ix_incoming_token_hash", "incoming", ["token_hash"])


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)
    for name in DUE:
        op.drop_index(name, "question")
    op.add_column("question", moment("reminded_at"))
    for table, columns in added().items():
        for column in columns:
            drop(table, column.name)

"""Addresses at which players have other programs told, and what they are to be told."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None
beside = True
"""Whether the version before may run beside this one."""


def upgrade() -> None:
    op.create_table(
        "webhook",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("format", AutoString(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("hash", AutoString(), nullable=False),
        sa.Column("secret", AutoString(), nullable=False),
        sa.Column("events", AutoString(), nullable=False),
        sa.Column("status", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("tested_at", UTCDateTime(), nullable=True),
        sa.Column("held_until", UTCDateTime(), nullable=True),
        sa.Column("rests_until", UTCDateTime(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failing_since", UTCDateTime(), nullable=True),
        sa.Column("error", AutoString(), nullable=False),
        sa.Column("sent_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("player_id", "match_id", "hash"),
    )
    op.create_index("ix_webhook_match_id", "webhook", ["match_id"])
    fails = sa.text("failing_since IS NOT NULL")
    op.create_index("webhook_fails", "webhook", ["failing_since"], sqlite_where=fails, postgresql_where=fails)
    op.create_table(
        "hookpost",
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        sa.Column("occasion", AutoString(), nullable=False),
        sa.Column("event", AutoString(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", AutoString(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("invitation_id", sa.Integer(), nullable=False),
        sa.Column("status", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhook.id"]),
        sa.PrimaryKeyConstraint("webhook_id", "occasion"),
    )
    op.create_index("ix_hookpost_created_at", "hookpost", ["created_at"])
    waits = sa.text("status = 'waiting'")
    op.create_index("hookpost_waits", "hookpost", ["due_at"], sqlite_where=waits, postgresql_where=waits)


def downgrade() -> None:
    op.drop_table("hookpost")
    op.drop_table("webhook")

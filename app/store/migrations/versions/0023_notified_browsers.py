"""Browsers that players have notified of their turns, what they were notified of, and watched pages."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "subscription",
        sa.Column("hash", AutoString(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("session", AutoString(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", AutoString(), nullable=False),
        sa.Column("auth", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("rests_until", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("hash"),
    )
    for column in ("player_id", "session", "created_at"):
        op.create_index(f"ix_subscription_{column}", "subscription", [column])
    op.create_table(
        "push",
        sa.Column("letter_id", AutoString(), nullable=False),
        sa.Column("subscription", AutoString(), nullable=False),
        sa.Column("status", AutoString(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("letter_id", "subscription"),
    )
    op.create_index("ix_push_created_at", "push", ["created_at"])
    waits = sa.text("status = 'waiting'")
    op.create_index("push_waits", "push", ["due_at"], sqlite_where=waits, postgresql_where=waits)
    op.add_column("chair", sa.Column("watched_at", UTCDateTime(), nullable=True))


def downgrade() -> None:
    op.drop_column("chair", "watched_at")
    op.drop_table("push")
    op.drop_table("subscription")

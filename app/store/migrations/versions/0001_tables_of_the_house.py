"""The tables of the house, as they were first."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def only(where: str) -> dict[str, Any]:
    return {"sqlite_where": sa.text(where), "postgresql_where": sa.text(where)}


def upgrade() -> None:
    op.create_table(
        "heartbeat",
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", AutoString(), nullable=False),
        sa.Column("address_key", AutoString(), nullable=False),
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("language", AutoString(), nullable=False),
        sa.Column("zone", AutoString(), nullable=False),
        sa.Column("session_epoch", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("address_key"),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", AutoString(), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("status", AutoString(), nullable=False),
        sa.Column("organiser_id", sa.Integer(), nullable=True),
        sa.Column("demo", sa.Boolean(), nullable=False),
        sa.Column("bots", sa.Integer(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=True),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("barrier_state", sa.Text(), nullable=False),
        sa.Column("barrier_ply", sa.Integer(), nullable=False),
        sa.Column("barrier_seat", AutoString(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("started_at", UTCDateTime(), nullable=True),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["organiser_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("match_lately", "match", ["status", "ended_at", "started_at"])

    op.create_table(
        "chair",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", AutoString(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.Column("until", UTCDateTime(), nullable=True),
        sa.Column("resigned_at", UTCDateTime(), nullable=True),
        sa.Column("heard_ply", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("chair_taken", "chair", ["match_id", "seat"], unique=True, **only("until IS NULL"))
    op.create_index(op.f("ix_chair_player_id"), "chair", ["player_id"])

    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("address", AutoString(), nullable=False),
        sa.Column("address_key", AutoString(), nullable=False),
        sa.Column("organiser", sa.Boolean(), nullable=False),
        sa.Column("status", AutoString(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("word", AutoString(), nullable=False),
        sa.Column("invited_at", UTCDateTime(), nullable=True),
        sa.Column("reminded_at", UTCDateTime(), nullable=True),
        sa.Column("answered_at", UTCDateTime(), nullable=True),
        sa.Column("expires_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "address_key"),
    )
    op.create_index(op.f("ix_invitation_address_key"), "invitation", ["address_key"])
    op.create_index(op.f("ix_invitation_expires_at"), "invitation", ["expires_at"])
    op.create_index(op.f("ix_invitation_match_id"), "invitation", ["match_id"])
    op.create_index(op.f("ix_invitation_player_id"), "invitation", ["player_id"])

    op.create_table(
        "played",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", AutoString(), nullable=True),
        sa.Column("move", sa.Text(), nullable=False),
        sa.Column("source", AutoString(), nullable=False),
        sa.Column("source_key", AutoString(), nullable=True),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("match_id", "ply"),
        sqlite_with_rowid=False,
    )
    op.create_index("played_key", "played", ["source_key"], unique=True, **only("source_key IS NOT NULL"))

    op.create_table(
        "question",
        sa.Column("id", AutoString(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", AutoString(), nullable=False),
        sa.Column("asks", AutoString(), nullable=False),
        sa.Column("about", AutoString(), nullable=False),
        sa.Column("fingerprint", AutoString(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("optional", sa.Boolean(), nullable=False),
        sa.Column("unmanned", sa.Boolean(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("asked_at", UTCDateTime(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=True),
        sa.Column("reminded_at", UTCDateTime(), nullable=True),
        sa.Column("closed_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
        sqlite_with_rowid=False,
    )
    op.create_index("question_open", "question", ["match_id"], **only("closed_at IS NULL"))
    op.create_index("question_unmanned", "question", ["asked_at"], **only("closed_at IS NULL AND unmanned"))

    op.create_table(
        "letter",
        sa.Column("id", AutoString(), nullable=False),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("once", AutoString(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("seat", AutoString(), nullable=True),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("invitation_id", sa.Integer(), nullable=True),
        sa.Column("about", AutoString(), nullable=False),
        sa.Column("status", AutoString(), nullable=False),
        sa.Column("reason", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.Column("held_until", UTCDateTime(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("sent_at", UTCDateTime(), nullable=True),
        sa.Column("to_ply", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["invitation_id"], ["invitation.id"]),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("once"),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_letter_match_id"), "letter", ["match_id"])
    op.create_index(op.f("ix_letter_player_id"), "letter", ["player_id"])
    op.create_index("letter_waiting", "letter", ["due_at"], **only("status = 'waiting'"))

    op.create_table(
        "token",
        sa.Column("hash", AutoString(), nullable=False),
        sa.Column("purpose", AutoString(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("invitation_id", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("seat", AutoString(), nullable=True),
        sa.Column("run", sa.Integer(), nullable=True),
        sa.Column("letter_id", AutoString(), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("expires_at", UTCDateTime(), nullable=True),
        sa.Column("used_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["invitation_id"], ["invitation.id"]),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("hash"),
    )


def downgrade() -> None:
    op.drop_table("token")

    op.drop_table("letter")

    op.drop_table("question")

    op.drop_table("played")

    op.drop_table("invitation")

    op.drop_table("chair")

    op.drop_table("match")
    op.drop_table("player")
    op.drop_table("heartbeat")

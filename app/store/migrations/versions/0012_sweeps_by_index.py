"""Sweeps of invitations and mails read only what they are for, however many rows there are."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

INDEXES = (
    ("invitation_expires", "invitation", ["expires_at"], "status = 'invited'"),
    ("invitation_reminds", "invitation", ["invited_at"], "status = 'invited' AND reminded_at IS NULL"),
    ("incoming_kept", "incoming", ["received_at"], "status IN ('read', 'dropped') AND length(raw) > 0"),
    ("incoming_in_order", "incoming", ["player_id", "received_at"], "status = 'waiting'"),
)


def upgrade() -> None:
    for name, table, columns, where in INDEXES:
        rows = sa.text(where)
        op.create_index(name, table, columns, sqlite_where=rows, postgresql_where=rows)
    op.drop_index("ix_invitation_expires_at", "invitation")


def downgrade() -> None:
    op.create_index("ix_invitation_expires_at", "invitation", ["expires_at"])
    for name, table, _, _ in INDEXES:
        op.drop_index(name, table)

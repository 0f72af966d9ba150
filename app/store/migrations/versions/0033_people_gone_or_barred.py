"""When an account was deleted, and the addresses and domains that the operator bars."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None
beside = True
"""Whether the version before may run beside this one."""


def upgrade() -> None:
    op.add_column("player", sa.Column("gone_at", UTCDateTime(), nullable=True))
    op.create_table(
        "bar",
        sa.Column("key", AutoString(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )


def downgrade() -> None:
    op.drop_table("bar")
    op.drop_column("player", "gone_at")

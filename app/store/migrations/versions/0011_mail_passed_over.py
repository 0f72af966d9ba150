"""Mail in the mailbox that belongs to no address here: the operator can see it."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "passedover",
        sa.Column("id", AutoString(), nullable=False),
        sa.Column("reason", AutoString(), nullable=False),
        sa.Column("source", AutoString(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.Column("received_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("passed_over_at", "passedover", ["received_at"])


def downgrade() -> None:
    op.drop_table("passedover")

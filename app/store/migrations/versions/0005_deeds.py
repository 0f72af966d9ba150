"""Forms that acted: the key of each, so that sending one again repeats nothing."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "deed",
        sa.Column("key", AutoString(), nullable=False),
        sa.Column("result", AutoString(), nullable=False, server_default=""),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index("deed_at", "deed", ["at"])


def downgrade() -> None:
    op.drop_table("deed")

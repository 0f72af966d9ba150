"""What players imagine: lines played on in thought, for one player's time on a seat."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "whatif",
        sa.Column("chair_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("deal", sa.Integer(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["chair_id"], ["chair.id"]),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("chair_id"),
    )
    op.create_index("ix_whatif_match_id", "whatif", ["match_id"])


def downgrade() -> None:
    op.drop_table("whatif")

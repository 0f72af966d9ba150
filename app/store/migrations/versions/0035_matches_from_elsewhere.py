"""Matches moved to another server, and matches from files whose seats have an order of their own."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None
beside = True
"""Whether the version before may run beside this one: both come by commands of this one alone."""


def upgrade() -> None:
    op.add_column("match", sa.Column("turn_order", AutoString(), nullable=False, server_default=""))
    where = sa.text("status = 'moved'")
    op.create_index("match_moved", "match", ["id"], sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    op.drop_index("match_moved", "match")
    op.drop_column("match", "turn_order")

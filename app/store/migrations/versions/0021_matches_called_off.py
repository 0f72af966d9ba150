"""Matches that were called off are found by an index, however many ended otherwise."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    rows = sa.text("status = 'called_off'")
    op.create_index("match_called_off", "match", ["ended_at"], sqlite_where=rows, postgresql_where=rows)


def downgrade() -> None:
    op.drop_index("match_called_off", "match")

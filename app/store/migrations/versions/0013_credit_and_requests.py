"""Until when time was given back to a player, and requests for seats that wait, by index."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("chair", sa.Column("credited_until", UTCDateTime(), nullable=True))
    where = sa.text("status = 'asked'")
    op.create_index(
        "invitation_asked", "invitation", ["expires_at"], sqlite_where=where, postgresql_where=where
    )


def downgrade() -> None:
    op.drop_index("invitation_asked", table_name="invitation")
    op.execute('ALTER TABLE "chair" DROP COLUMN credited_until')

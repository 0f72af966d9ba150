"""Games that the operator hid, mails that were dealt with, players who are operators, and who did an act."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

MOMENTS = (("player", "operator_since"), ("incoming", "dealt_at"), ("passedover", "dealt_at"))


def upgrade() -> None:
    op.add_column("match", sa.Column("hidden", AutoString(), nullable=False, server_default=""))
    op.add_column("audit", sa.Column("by_id", sa.Integer(), nullable=True))
    for table, name in MOMENTS:
        op.add_column(table, sa.Column(name, UTCDateTime(), nullable=True))


def downgrade() -> None:
    for table, name in (("match", "hidden"), ("audit", "by_id"), *MOMENTS):
        op.execute(f'ALTER TABLE "{table}" DROP COLUMN {name}')

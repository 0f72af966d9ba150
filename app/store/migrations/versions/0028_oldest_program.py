"""The oldest tables whose program may use these, for programs that don't know the newest migrations."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None
beside = True
"""Whether the version before may run beside this one."""


def upgrade() -> None:
    op.add_column("house", sa.Column("oldest", AutoString(), nullable=False, server_default=""))


def downgrade() -> None:
    op.execute("ALTER TABLE house DROP COLUMN oldest")

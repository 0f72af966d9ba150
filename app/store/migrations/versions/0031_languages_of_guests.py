"""The language in which somebody asked for an invitation, for those whom the server doesn't know yet."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None
beside = True
"""Whether the version before may run beside this one."""


def upgrade() -> None:
    op.add_column("invitation", sa.Column("language", AutoString(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("invitation", "language")

"""Private, hidden and unconfirmed matches are found by index: the operator lists matches by state."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None
beside = True
"""Whether the version before may run beside this one."""

INDEXES = (
    ("match_unlisted", ["status", "id"], "private"),
    ("match_hidden", ["id"], "hidden <> ''"),
    ("match_unconfirmed", ["id"], "status = 'unconfirmed'"),
)


def upgrade() -> None:
    for name, columns, condition in INDEXES:
        where = sa.text(condition)
        op.create_index(name, "match", columns, sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    for name, *_ in INDEXES:
        op.drop_index(name, "match")

"""Whether a reply's From is its player, and the reply tokens of a letter, found by the letter."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("incoming", sa.Column("own", sa.Boolean(), nullable=False, server_default=sa.false()))
    where = sa.text("purpose = 'reply'")
    op.create_index("token_reply", "token", ["letter_id"], sqlite_where=where, postgresql_where=where)
    where = sa.text("status IN ('failed', 'dropped')")
    op.create_index(
        "incoming_passed_over", "incoming", ["received_at"], sqlite_where=where, postgresql_where=where
    )


def downgrade() -> None:
    op.drop_index("incoming_passed_over", "incoming")
    op.drop_index("token_reply", "token")
    op.execute("ALTER TABLE incoming DROP COLUMN own")

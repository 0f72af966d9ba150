"""What the mail server said last, since when a letter is stuck by no fault of its reader's, and refusals."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

LETTER = ("stuck_since", "text_at", "failed_at")


def upgrade() -> None:
    for name in LETTER:
        op.add_column("letter", sa.Column(name, UTCDateTime(), nullable=True))
    op.add_column("letter", sa.Column("repeats", sa.Integer(), nullable=False, server_default=sa.text("0")))
    where = sa.text("status = 'failed'")
    op.create_index("letter_failed", "letter", ["failed_at"], sqlite_where=where, postgresql_where=where)
    where = sa.text("repeats > 0")
    op.create_index("letter_repeated", "letter", ["created_at"], sqlite_where=where, postgresql_where=where)
    op.create_table(
        "relay",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("said_at", UTCDateTime(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=True),
        sa.Column("rests_until", UTCDateTime(), nullable=True),
        sa.Column("taken_at", UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.execute("INSERT INTO relay (id, said, kind, failures) VALUES (1, '', '', 0)")
    op.create_table(
        "unreached",
        sa.Column("address_key", AutoString(), nullable=False),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("by_notice", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("address_key"),
    )


def downgrade() -> None:
    op.drop_table("unreached")
    op.drop_table("relay")
    op.drop_index("letter_repeated", "letter")
    op.drop_index("letter_failed", "letter")
    for name in (*LETTER, "repeats"):
        op.execute(f"ALTER TABLE letter DROP COLUMN {name}")

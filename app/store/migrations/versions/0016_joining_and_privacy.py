"""Games that anybody may join, private ones, rematches; pictures of boards; what a player's page shows."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

OVER = "status = 'over' AND NOT private"
INDEXES = (
    ("match_public", ["status", "ended_at", "started_at"], "NOT private", False),
    ("match_over_game", ["game", "ended_at"], OVER, False),
    ("match_over_seats", ["seats", "ended_at"], OVER, False),
    ("match_over_both", ["game", "seats", "ended_at"], OVER, False),
    ("match_joinable", ["created_at"], "joinable AND status = 'open'", False),
    ("match_again", ["again_of"], "again_of IS NOT NULL", True),
)
COLUMNS = (
    ("match", "private", sa.Boolean, sa.false()),
    ("match", "joinable", sa.Boolean, sa.false()),
    ("match", "share", sa.Integer, sa.text("0")),
    ("invitation", "known", AutoString, ""),
    ("invitation", "joins", sa.Boolean, sa.false()),
    ("player", "shows", AutoString, ""),
)


def upgrade() -> None:
    for table, name, kind, default in COLUMNS:
        op.add_column(table, sa.Column(name, kind(), nullable=False, server_default=default))
    op.add_column("match", sa.Column("again_of", sa.Integer(), nullable=True))
    for name, columns, condition, unique in INDEXES:
        where = sa.text(condition)
        op.create_index(name, "match", columns, unique=unique, sqlite_where=where, postgresql_where=where)
    op.drop_index("match_lately", "match")
    op.create_table(
        "picture",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("png", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "ply"),
    )
    op.create_index("ix_picture_made_at", "picture", ["made_at"])


def downgrade() -> None:
    op.drop_table("picture")
    op.create_index("match_lately", "match", ["status", "ended_at", "started_at"])
    for name, *_ in INDEXES:
        op.drop_index(name, "match")
    op.execute('ALTER TABLE "match" DROP COLUMN again_of')
    for table, name, *_ in COLUMNS:
        op.execute(f'ALTER TABLE "{table}" DROP COLUMN {name}')

"""Lists of games are read by indexes of their own: one of all made them look for rare games row by row."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

OVER = "status = 'over' AND NOT private"
BEFORE = (
    ("match_public", ["status", "ended_at", "started_at"], "NOT private"),
    ("match_joinable", ["created_at"], "joinable AND status = 'open'"),
)
AFTER = (
    ("match_running", ["started_at"], "status = 'running' AND NOT private"),
    ("match_over", ["ended_at"], OVER),
    ("match_joinable", ["joinable", "created_at"], "joinable = TRUE AND status = 'open'"),
    ("match_joinable_game", ["game", "created_at"], "joinable AND status = 'open'"),
)


def upgrade() -> None:
    _change(BEFORE, AFTER)


def downgrade() -> None:
    _change(AFTER, BEFORE)


def _change(
    away: tuple[tuple[str, list[str], str], ...], new: tuple[tuple[str, list[str], str], ...]
) -> None:
    for name, _, _ in away:
        op.drop_index(name, "match")
    for name, columns, condition in new:
        where = sa.text(condition)
        op.create_index(name, "match", columns, sqlite_where=where, postgresql_where=where)

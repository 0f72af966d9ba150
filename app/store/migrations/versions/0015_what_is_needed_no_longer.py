"""What is no longer needed is found by indexes, so that it can go in small steps."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

INDEXES = (
    ("match_untidied", "match", ["tidied", "ended_at"], "ended_at IS NOT NULL AND tidied < 3"),
    ("match_open", "match", ["created_at"], "status = 'open'"),
    ("token_match", "token", ["match_id"], "match_id IS NOT NULL"),
    ("token_invitation", "token", ["invitation_id"], "invitation_id IS NOT NULL"),
    ("token_player", "token", ["player_id"], "player_id IS NOT NULL"),
    ("token_alone", "token", ["created_at"], "match_id IS NULL"),
    ("letter_alone", "letter", ["created_at"], "match_id IS NULL"),
    ("incoming_done", "incoming", ["received_at"], "status <> 'waiting'"),
    ("incoming_match", "incoming", ["match_id"], "match_id IS NOT NULL"),
    ("confirmation_match", "confirmation", ["match_id"], "match_id IS NOT NULL"),
    ("report_closed", "report", ["closed_at"], "closed_at IS NOT NULL"),
    ("report_match", "report", ["match_id"], "match_id IS NOT NULL"),
    ("ix_login_created_at", "login", ["created_at"], ""),
    ("ix_confirmation_created_at", "confirmation", ["created_at"], ""),
    ("ix_formeraddress_until", "formeraddress", ["until"], ""),
    ("ix_absence_ends", "absence", ["ends"], ""),
    ("ix_chair_match_id", "chair", ["match_id"], ""),
    ("ix_standingorder_match_id", "standingorder", ["match_id"], ""),
)
KEPT = "incoming_kept"
KEPT_BEFORE = "status IN ('read', 'dropped') AND length(raw) > 0"
KEPT_AFTER = "status <> 'waiting' AND length(raw) > 0"


def upgrade() -> None:
    op.add_column("match", sa.Column("tidied", sa.Integer(), nullable=False, server_default=sa.text("0")))
    for name, table, columns, where in INDEXES:
        _index(name, table, columns, where)
    op.drop_index(KEPT, "incoming")
    _index(KEPT, "incoming", ["received_at"], KEPT_AFTER)


def downgrade() -> None:
    op.drop_index(KEPT, "incoming")
    _index(KEPT, "incoming", ["received_at"], KEPT_BEFORE)
    for name, table, _, _ in INDEXES:
        op.drop_index(name, table)
    op.drop_column("match", "tidied")


def _index(name: str, table: str, columns: list[str], where: str) -> None:
    rows = sa.text(where) if where else None
    op.create_index(name, table, columns, sqlite_where=rows, postgresql_where=rows)

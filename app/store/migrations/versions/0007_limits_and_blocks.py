"""What limits are counted by: mailboxes of invitations, letters to strangers; blocks and reports.

Names that a mail program would turn into a link are written apart, because they head letters to strangers.
"""

import re
import unicodedata

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

MANY = 1000
"""Rows of one round."""
DOTS = str.maketrans(dict.fromkeys("\u3002\uff61\uff0e\u2024\ufe52", "."))
GLUED = re.compile(r"\.(?=\S)|[:/@](?=\S)")
LINKED = re.compile(r"\.[^\W\d_]\w|://|@\w|\d\.\d{1,3}\.\d")


def upgrade() -> None:
    op.add_column("invitation", sa.Column("mailbox", AutoString(), nullable=False, server_default=""))
    _fill()
    op.create_index("ix_invitation_mailbox", "invitation", ["mailbox"])
    where = sa.text("status = 'waiting'")
    op.create_index(
        "invitation_waiting", "invitation", ["match_id"], sqlite_where=where, postgresql_where=where
    )
    where = sa.text("invitation_id IS NOT NULL")
    op.create_index(
        "letter_invitation", "letter", ["invitation_id"], sqlite_where=where, postgresql_where=where
    )
    op.create_table(
        "unasked",
        sa.Column("letter_id", AutoString(), nullable=False),
        sa.Column("mailbox", AutoString(), nullable=False),
        sa.Column("domain", AutoString(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("letter_id"),
    )
    op.create_index("unasked_mailbox", "unasked", ["mailbox", "at"])
    op.create_index("unasked_domain", "unasked", ["domain", "at"])
    op.create_index("ix_unasked_at", "unasked", ["at"])
    op.create_table(
        "block",
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("other_id", sa.Integer(), nullable=False),
        sa.Column("invitations", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.ForeignKeyConstraint(["other_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("player_id", "other_id"),
    )
    op.create_index("ix_block_other_id", "block", ["other_id"])
    op.create_table(
        "report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("by_id", sa.Integer(), nullable=False),
        sa.Column("about_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("closed_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["by_id"], ["player.id"]),
        sa.ForeignKeyConstraint(["about_id"], ["player.id"]),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_report_by_id", "report", ["by_id"])
    _write_names_apart()


def downgrade() -> None:
    for table in ("report", "block", "unasked"):
        op.drop_table(table)
    op.drop_index("letter_invitation", "letter")
    op.drop_index("invitation_waiting", "invitation")
    op.drop_index("ix_invitation_mailbox", "invitation")
    op.execute("ALTER TABLE invitation DROP COLUMN mailbox")


def mailbox(key: str) -> str:
    """The address key without a tag, as it was folded when this migration was written."""
    local, _, domain = key.rpartition("@")
    local = local.split("+", 1)[0] or local
    if domain in ("gmail.com", "googlemail.com"):
        local, domain = local.replace(".", ""), "gmail.com"
    return f"{local}@{domain}"


def apart(name: str) -> str:
    """The name with a blank behind each mark that would join its words to an address."""
    return " ".join(GLUED.sub(lambda found: f"{found.group()} ", name.translate(DOTS)).split())


def _fill() -> None:
    invitation = sa.table("invitation", *(sa.column(one) for one in ("id", "address_key", "mailbox")))
    connection = op.get_bind()
    found = connection.execute(sa.select(invitation.c.id, invitation.c.address_key)).all()
    rows = [{"key": row.id, "folded": mailbox(row.address_key)} for row in found]
    change = (
        sa.update(invitation)
        .where(invitation.c.id == sa.bindparam("key"))
        .values(mailbox=sa.bindparam("folded"))
    )
    for at in range(0, len(rows), MANY):
        connection.execute(change, rows[at : at + MANY])


def _write_names_apart() -> None:
    player = sa.table("player", sa.column("id"), sa.column("name"))
    connection = op.get_bind()
    for row in connection.execute(sa.select(player)).all():
        if LINKED.search(unicodedata.normalize("NFKC", row.name).translate(DOTS)):
            change = sa.update(player).where(player.c.id == row.id).values(name=apart(row.name))
            connection.execute(change)

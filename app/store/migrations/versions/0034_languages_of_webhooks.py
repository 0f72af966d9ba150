"""The language of a webhook, and what its page shows of its address, which is sealed from here on."""

from urllib.parse import urlsplit

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None
beside = True
"""Whether the version before may run beside this one."""


def upgrade() -> None:
    op.add_column("webhook", sa.Column("language", AutoString(), nullable=False, server_default=""))
    op.add_column("webhook", sa.Column("label", sa.Text(), nullable=False, server_default=""))
    connection = op.get_bind()
    found = connection.execute(sa.text("SELECT id, url FROM webhook")).all()
    for one in found:
        values = {"id": one.id, "label": _label(one.url)}
        connection.execute(sa.text("UPDATE webhook SET label = :label WHERE id = :id"), values)


def downgrade() -> None:
    op.drop_column("webhook", "label")
    op.drop_column("webhook", "language")


def _label(url: str) -> str:
    """The address without what is secret in it."""
    try:
        return f"{urlsplit(url).netloc}/…{url[-4:]}"
    except ValueError:
        return "…"

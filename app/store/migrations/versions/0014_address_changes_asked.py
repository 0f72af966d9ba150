"""Changes of address that were asked for before requests were rows: their links go on working."""

import json
from datetime import timedelta

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

LASTS = timedelta(days=1)

letter = sa.table(
    "letter",
    sa.column("id", AutoString()),
    sa.column("kind", AutoString()),
    sa.column("player_id", sa.Integer()),
    sa.column("to_address", AutoString()),
    sa.column("confirmation_id", sa.Integer()),
    sa.column("created_at", UTCDateTime()),
)
token = sa.table(
    "token",
    sa.column("purpose", AutoString()),
    sa.column("letter_id", AutoString()),
    sa.column("expires_at", UTCDateTime()),
    sa.column("used_at", UTCDateTime()),
)
confirmation = sa.table(
    "confirmation",
    sa.column("id", sa.Integer()),
    sa.column("player_id", sa.Integer()),
    sa.column("what", AutoString()),
    sa.column("facts", sa.Text()),
    sa.column("created_at", UTCDateTime()),
    sa.column("expires_at", UTCDateTime()),
    sa.column("done_at", UTCDateTime()),
)


def upgrade() -> None:
    connection = op.get_bind()
    asked = connection.execute(
        sa.select(letter)
        .where(
            letter.c.kind == "address", letter.c.confirmation_id.is_(None), letter.c.to_address.isnot(None)
        )
        .where(letter.c.player_id.isnot(None))
        .order_by(letter.c.created_at)
    ).all()
    for one in asked:
        link = connection.execute(
            sa.select(token.c.expires_at, token.c.used_at)
            .where(token.c.purpose == "address", token.c.letter_id == one.id)
            .order_by(token.c.expires_at.desc())
        ).first()
        number = connection.execute(
            sa.insert(confirmation)
            .values(
                player_id=one.player_id,
                what="address",
                facts=json.dumps({"address": one.to_address}),
                created_at=one.created_at,
                expires_at=(link.expires_at if link else None) or one.created_at + LASTS,
                done_at=link.used_at if link else None,
            )
            .returning(confirmation.c.id)
        ).scalar_one()
        connection.execute(sa.update(letter).where(letter.c.id == one.id).values(confirmation_id=number))


def downgrade() -> None:
    """The letters say it all themselves."""

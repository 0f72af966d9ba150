"""The events of a ply in few bytes. Those of earlier plies stay as they are."""

import zlib
from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

GAMES = Path(__file__).parents[3] / "games"
MANY = 1000
"""Rows unpacked at a time."""

played = sa.table(
    "played",
    sa.column("match_id", sa.Integer()),
    sa.column("ply", sa.Integer()),
    sa.column("told", sa.Text()),
    sa.column("packed", sa.LargeBinary()),
)
match = sa.table("match", sa.column("id", sa.Integer()), sa.column("game", sa.String()))


def upgrade() -> None:
    op.add_column("played", sa.Column("packed", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    """Unpack them again."""
    connection = op.get_bind()
    packed = (
        sa.select(played.c.match_id, played.c.ply, played.c.packed, match.c.game)
        .join(match, match.c.id == played.c.match_id)
        .where(played.c.packed.is_not(None))
        .limit(MANY)
    )
    while rows := connection.execute(packed).all():
        for row in rows:
            connection.execute(
                sa.update(played)
                .where(played.c.match_id == row.match_id, played.c.ply == row.ply)
                .values(told=_unpacked(row.game, bytes(row.packed)), packed=None)
            )
    op.execute("ALTER TABLE played DROP COLUMN packed")


def _unpacked(game: str, packed: bytes) -> str:
    sample = (GAMES / game / f"told_{packed[0]}.txt").read_bytes() if packed[0] else b""
    return zlib.decompressobj(-13, sample).decompress(packed[1:]).decode()

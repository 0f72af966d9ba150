"""Tokens by the bytes of their hash, in the order of their making; one for a turn's link and its replies."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

COLUMNS = """purpose, match_id, invitation_id, player_id, seat, run, letter_id, created_at, expires_at,
             used_at, ended_at"""
REPLY = "purpose = 'reply'"
LETTER = "purpose IN ('reply', 'turn') AND letter_id IS NOT NULL"
SOME = {
    "token_match": ("match_id", "match_id IS NOT NULL"),
    "token_invitation": ("invitation_id", "invitation_id IS NOT NULL"),
    "token_player": ("player_id", "player_id IS NOT NULL"),
    "token_alone": ("created_at", "match_id IS NULL"),
}


def upgrade() -> None:
    """A turn's link had no need of its letter; from now on it says that replies come by the same row."""
    op.drop_index("token_reply", "token")
    if op.get_bind().dialect.name == "sqlite":
        _make_again(sa.LargeBinary(), "bytes_of(hash)", by_key=False)
    else:
        op.execute("ALTER TABLE token ALTER COLUMN hash TYPE BYTEA USING decode(hash, 'hex')")
    op.execute("UPDATE token SET letter_id = NULL WHERE purpose = 'turn'")
    _index("token_letter", "letter_id", LETTER)


def downgrade() -> None:
    """Of a row with a link and an address for replies the address goes on; the link was unknown before."""
    op.drop_index("token_letter", "token")
    op.execute("UPDATE token SET purpose = 'reply' WHERE purpose = 'turn' AND letter_id IS NOT NULL")
    if op.get_bind().dialect.name == "sqlite":
        _make_again(AutoString(), "lower(hex(hash))", by_key=True)
    else:
        op.execute("ALTER TABLE token ALTER COLUMN hash TYPE VARCHAR USING encode(hash, 'hex')")
    _index("token_reply", "letter_id", REPLY)


def _make_again(kind: sa.LargeBinary | AutoString, how: str, *, by_key: bool) -> None:
    """Copy the table of SQLite to one with another kind of hash."""
    connection = op.get_bind()
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.create_function("bytes_of", 1, bytes.fromhex, deterministic=True)
    for name in SOME:
        op.drop_index(name, "token")
    op.rename_table("token", "token_before")
    op.create_table(
        "token",
        sa.Column("hash", kind, nullable=False),
        sa.Column("purpose", AutoString(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("invitation_id", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("seat", AutoString(), nullable=True),
        sa.Column("run", sa.Integer(), nullable=True),
        sa.Column("letter_id", AutoString(), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("expires_at", UTCDateTime(), nullable=True),
        sa.Column("used_at", UTCDateTime(), nullable=True),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["invitation_id"], ["invitation.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("hash"),
        sqlite_with_rowid=not by_key,
    )
    op.execute(
        f"""INSERT INTO token (hash, {COLUMNS})
            SELECT {how}, {COLUMNS} FROM token_before ORDER BY created_at"""  # noqa: S608 - constants
    )
    op.drop_table("token_before")
    for name, (column, where) in SOME.items():
        _index(name, column, where)


def _index(name: str, column: str, where: str) -> None:
    rows = sa.text(where)
    op.create_index(name, "token", [column], sqlite_where=rows, postgresql_where=rows)

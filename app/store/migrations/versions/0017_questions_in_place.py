"""Open questions in rows that are used again; what was answered stands in the log alone."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

KEPT = """match_id, seat, asks, about, run, optional, unmanned, asked_at, begun_at, allowed, due_at,
          remind_at, late_at, announced_at, zone, reminded"""
TIMED = """status = 'running' AND substr(clock, 1, 14) <> '{"kind":"none"'"""
LOOK = "CASE WHEN due_at < remind_at OR remind_at IS NULL THEN due_at ELSE remind_at END"
EARLIER = (
    ("question_open", ["match_id"], "closed_at IS NULL"),
    ("question_due", ["due_at"], "closed_at IS NULL AND due_at IS NOT NULL"),
    ("question_remind", ["remind_at"], "closed_at IS NULL AND remind_at IS NOT NULL"),
    ("question_unmanned", ["asked_at"], "closed_at IS NULL AND unmanned"),
)


def upgrade() -> None:
    """Open questions are carried over. Each is numbered by the ply of its match, below all later ones."""
    op.add_column("played", sa.Column("answers", sa.BigInteger(), nullable=True))
    op.add_column("played", sa.Column("typed", AutoString(), nullable=True))
    op.create_index(
        "match_timed", "match", ["started_at"], sqlite_where=sa.text(TIMED), postgresql_where=sa.text(TIMED)
    )
    op.execute(
        f"""CREATE TEMPORARY TABLE open_question AS
            SELECT {_of("q")}, m.ply * 100
                       + row_number() OVER (PARTITION BY q.match_id ORDER BY q.optional, q.id) - 1 AS number,
                   row_number() OVER (PARTITION BY q.match_id, q.seat ORDER BY q.optional, q.id) - 1 AS place
            FROM question q JOIN "match" m ON m.id = q.match_id AND m.status = 'running'
            WHERE q.closed_at IS NULL"""  # noqa: S608 - constants
    )
    op.drop_table("question")
    op.create_table(
        "question",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", AutoString(), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        *_columns(),
        sa.Column(
            "look_at",
            UTCDateTime(),
            sa.Computed(LOOK, persisted=True),
            nullable=True,
        ),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("match_id", "seat", "place"),
        sqlite_with_rowid=False,
    )
    _index("question_look", ["look_at"], "closed_at IS NULL AND look_at IS NOT NULL")
    _index("question_unmanned", ["asked_at"], "closed_at IS NULL AND unmanned")
    op.execute(f"INSERT INTO question ({KEPT}, number, place) SELECT * FROM open_question")  # noqa: S608
    op.execute("DROP TABLE open_question")


def downgrade() -> None:
    """Only what is open goes back, under other names: pages that are open must be loaded again."""
    op.execute(
        f"""CREATE TEMPORARY TABLE open_question AS
            SELECT {KEPT}, match_id || '.' || number AS id, '' AS fingerprint
            FROM question WHERE closed_at IS NULL"""  # noqa: S608 - constants
    )
    op.drop_table("question")
    op.create_table(
        "question",
        sa.Column("id", AutoString(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", AutoString(), nullable=False),
        sa.Column("fingerprint", AutoString(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        *_columns(),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
        sqlite_with_rowid=False,
    )
    for name, columns, where in EARLIER:
        _index(name, columns, where)
    op.execute(f"INSERT INTO question ({KEPT}, id, fingerprint) SELECT * FROM open_question")  # noqa: S608
    op.execute("DROP TABLE open_question")
    op.drop_index("match_timed", "match")
    for column in ("answers", "typed"):
        op.execute(f"ALTER TABLE played DROP COLUMN {column}")


def _columns() -> tuple[sa.Column[object], ...]:
    """The columns that questions have before and after."""
    return (
        sa.Column("asks", AutoString(), nullable=False),
        sa.Column("about", AutoString(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("optional", sa.Boolean(), nullable=False),
        sa.Column("unmanned", sa.Boolean(), nullable=False),
        sa.Column("asked_at", UTCDateTime(), nullable=False),
        sa.Column("begun_at", UTCDateTime(), nullable=True),
        sa.Column("allowed", sa.Float(), nullable=True),
        sa.Column("due_at", UTCDateTime(), nullable=True),
        sa.Column("remind_at", UTCDateTime(), nullable=True),
        sa.Column("late_at", UTCDateTime(), nullable=True),
        sa.Column("announced_at", UTCDateTime(), nullable=True),
        sa.Column("zone", AutoString(), nullable=False, server_default=""),
        sa.Column("reminded", AutoString(), nullable=False, server_default=""),
        sa.Column("closed_at", UTCDateTime(), nullable=True),
    )


def _of(table: str) -> str:
    return ", ".join(f"{table}.{column.strip()}" for column in KEPT.split(","))


def _index(name: str, columns: list[str], where: str) -> None:
    rows = sa.text(where)
    op.create_index(name, "question", columns, sqlite_where=rows, postgresql_where=rows)

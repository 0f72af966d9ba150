"""Typed columns for what a letter is about, in place of one text with a meaning for each kind."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

MANY = 1000
"""Rows of one round."""


def columns() -> tuple[sa.Column[Any], ...]:
    return (
        sa.Column("run", sa.Integer(), nullable=True),
        sa.Column("by_seat", AutoString(), nullable=True),
        sa.Column("consequence", AutoString(), nullable=True),
        sa.Column("guest_id", sa.Integer(), nullable=True),
        sa.Column("offer", AutoString(), nullable=True),
        sa.Column("due_match_id", sa.Integer(), nullable=True),
        sa.Column("digest_at", UTCDateTime(), nullable=True),
        sa.Column("absence_id", sa.Integer(), nullable=True),
        sa.Column("to_address", AutoString(), nullable=True),
        sa.Column("incoming_id", AutoString(), nullable=True),
    )


OFFERS = {"himself": "own_wish", "still": "reminder"}


def _number(name: str) -> Callable[[str], dict[str, Any]]:
    return lambda about: {name: int(about)}


def _text(name: str) -> Callable[[str], dict[str, Any]]:
    return lambda about: {name: about}


def _run_and(name: str) -> Callable[[str], dict[str, Any]]:
    def read(about: str) -> dict[str, Any]:
        run, _, more = about.partition(" ")
        return {"run": int(run), name: more or None}

    return read


READERS: dict[str, Callable[[str], dict[str, Any]]] = {
    "asked": _number("run"),
    "late": _run_and("consequence"),
    "timed_out": _run_and("consequence"),
    "nudge": _run_and("by_seat"),
    "answered": _number("guest_id"),
    "expired": _number("guest_id"),
    "seat_offer": lambda about: {"offer": OFFERS[about]},
    "reminder": _number("due_match_id"),
    "digest": lambda about: {"digest_at": datetime.fromisoformat(about).astimezone(UTC)},
    "away": _number("absence_id"),
    "address": _text("to_address"),
    "address_changed": _text("to_address"),
    "reply": _text("incoming_id"),
    "reply_confirm": _text("incoming_id"),
}
"""How each kind wrote its occasion; the text of the other kinds was read by nothing."""


def _back(row: Any) -> str:
    """The text again."""
    offers = {new: old for old, new in OFFERS.items()}
    if row.run is not None:
        return " ".join(str(one) for one in (row.run, row.consequence or row.by_seat) if one is not None)
    if row.digest_at is not None:
        return str(row.digest_at.isoformat(timespec="minutes"))
    known = (row.guest_id, row.due_match_id, row.absence_id, row.to_address, row.incoming_id)
    return next((str(one) for one in known if one is not None), offers.get(row.offer, ""))


def _letters(*names: str) -> Any:
    typed = {column.name: column.type for column in columns()}
    made = (sa.column(name, typed.get(name, AutoString())) for name in ("id", "kind", "about", *names))
    return sa.table("letter", *made)


def upgrade() -> None:
    for column in columns():
        op.add_column("letter", column)
    names = [column.name for column in columns()]
    letter = _letters(*names)
    connection = op.get_bind()
    found = connection.execute(
        sa.select(letter.c.id, letter.c.kind, letter.c.about).where(
            letter.c.kind.in_(READERS), letter.c.about != ""
        )
    ).all()
    nothing = dict.fromkeys(names)
    rows = [nothing | READERS[row.kind](row.about) | {"key": row.id} for row in found]
    _write(connection, letter, rows, names)
    op.execute("ALTER TABLE letter DROP COLUMN about")


def downgrade() -> None:
    op.add_column("letter", sa.Column("about", AutoString(), nullable=False, server_default=""))
    names = [column.name for column in columns()]
    letter = _letters(*names)
    connection = op.get_bind()
    found = connection.execute(sa.select(letter)).all()
    _write(connection, letter, [{"key": row.id, "about": _back(row)} for row in found], ["about"])
    for name in names:
        op.execute(f"ALTER TABLE letter DROP COLUMN {name}")


def _write(connection: sa.Connection, letter: Any, rows: list[dict[str, Any]], names: list[str]) -> None:
    values: dict[str, Any] = {name: sa.bindparam(name) for name in names}
    for at in range(0, len(rows), MANY):
        connection.execute(
            sa.update(letter).where(letter.c.id == sa.bindparam("key")).values(values), rows[at : at + MANY]
        )

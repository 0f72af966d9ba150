"""Sessions, confirmations and former addresses as rows; links that ended; addresses keyed by A-labels.

Keys of addresses were casefolded as a whole, which made one key of straße.de and strasse.de. Now the domain
of a key is the one that is written in DNS.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

import idna
import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "login",
        sa.Column("hash", AutoString(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("chair_id", sa.Integer(), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.ForeignKeyConstraint(["chair_id"], ["chair.id"]),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index(op.f("ix_login_player_id"), "login", ["player_id"])
    op.create_table(
        "confirmation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("what", AutoString(), nullable=False),
        sa.Column("facts", sa.Text(), server_default="{}", nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("expires_at", UTCDateTime(), nullable=False),
        sa.Column("done_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_confirmation_player_id"), "confirmation", ["player_id"])
    op.create_table(
        "formeraddress",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("address", AutoString(), nullable=False),
        sa.Column("address_key", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("until", UTCDateTime(), nullable=False),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_formeraddress_player_id"), "formeraddress", ["player_id"])
    op.create_index(op.f("ix_formeraddress_address_key"), "formeraddress", ["address_key"])
    op.add_column("token", sa.Column("ended_at", UTCDateTime(), nullable=True))
    op.add_column("letter", sa.Column("confirmation_id", sa.Integer(), nullable=True))
    op.add_column("letter", sa.Column("former_id", sa.Integer(), nullable=True))
    _rekey(op.get_bind(), _key, _of_labels)


def downgrade() -> None:
    _rekey(op.get_bind(), _key_before, _before_labels)
    for table, column in (("letter", "former_id"), ("letter", "confirmation_id"), ("token", "ended_at")):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    for table in ("formeraddress", "confirmation", "login"):
        op.drop_table(table)


def _of_labels(domain: str) -> str:
    """The domain as DNS has it; as it was where no DNS could have it."""
    try:
        return idna.encode(domain, uts46=True, transitional=False).decode()
    except (idna.IDNAError, UnicodeError):
        return domain.casefold()


def _before_labels(domain: str) -> str:
    try:
        return idna.decode(domain).casefold()
    except (idna.IDNAError, UnicodeError):
        return domain.casefold()


def _key(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local.casefold()}@{_of_labels(domain)}"


def _key_before(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local.casefold()}@{_before_labels(domain)}"


def _table(name: str, *columns: str) -> Any:
    numbers = ("player_id", "invitation_id", "match_id") if name == "letter" else ("id", "match_id")
    kinds: dict[str, Any] = dict.fromkeys(numbers, sa.Integer()) | dict.fromkeys(
        ("seen_at", "since", "at"), UTCDateTime()
    )
    kinds |= {"times": sa.Integer(), "by_notice": sa.Boolean()}
    return sa.table(name, *(sa.column(one, kinds.get(one, AutoString())) for one in columns))


def _rekey(connection: sa.Connection, key_of: Callable[[str], str], domain_of: Callable[[str], str]) -> None:
    """Write the keys of players, invitations, refused addresses and sent emails anew."""
    player = _table("player", "id", "address", "address_key", "seen_at")
    invitation = _table("invitation", "id", "match_id", "address", "address_key")
    letter = _table("letter", "id", "player_id", "invitation_id", "sent_to")
    never = datetime.min.replace(tzinfo=UTC)
    players = sorted(
        connection.execute(sa.select(player)), key=lambda row: row.seen_at or never, reverse=True
    )
    invitations = list(connection.execute(sa.select(invitation).order_by(invitation.c.id)))
    moved = _write(connection, player, ((row, "") for row in players), key_of)
    asked = _write(connection, invitation, ((row, row.match_id) for row in invitations), key_of)
    for owner, rows in (("player_id", moved), ("invitation_id", asked)):
        for number, (before, after) in rows.items():
            connection.execute(
                sa.update(letter)
                .where(letter.c[owner] == number, letter.c.sent_to == before)
                .values(sent_to=after)
            )
    mailbox = _table("invitation", "id", "mailbox")
    for row in connection.execute(sa.select(mailbox)).all():
        if row.id not in asked:
            continue
        folded = f"{row.mailbox.rpartition('@')[0]}@{asked[row.id][1].partition('#')[0].rpartition('@')[2]}"
        connection.execute(sa.update(mailbox).where(mailbox.c.id == row.id).values(mailbox=folded))
    kept = {key_of(row.address) for row in (*players, *invitations)}
    changed = (*asked.values(), *moved.values())
    refused = _table("suppressed", "address_key", "reason", "letter_id", "at")
    unreached = _table("unreached", "address_key", "kind", "said", "since", "at", "times", "by_notice")
    for table in (refused, unreached):
        _rekey_facts(connection, table, changed, kept, domain_of)


def _write(
    connection: sa.Connection, table: Any, rows: Iterable[tuple[Any, Any]], key_of: Callable[[str], str]
) -> dict[int, tuple[str, str]]:
    """Write the keys; returns the old and the new one of each row that has another now, by its number.

    Of two rows that would have one key the first keeps it. The other gets a key that no address has: its
    games go on by the links and the address that it has, and nobody signs in to it by accident.
    """
    taken: set[tuple[Any, str]] = set()
    changed: dict[int, tuple[str, str]] = {}
    for row, within in rows:
        key = key_of(row.address)
        if (within, key) in taken:
            key = f"{key}#{row.id}"
        taken.add((within, key))
        if key != row.address_key:
            changed[row.id] = (row.address_key, key)
    for spelling in ("moving {}", None):  # in two steps: a new key may be another row's old one
        for number, (_, key) in changed.items():
            value = spelling.format(number) if spelling else key
            connection.execute(sa.update(table).where(table.c.id == number).values(address_key=value))
    return changed


def _rekey_facts(
    connection: sa.Connection,
    table: Any,
    changed: Iterable[tuple[str, str]],
    kept: set[str],
    domain_of: Callable[[str], str],
) -> None:
    """What is known of addresses: of one key it is kept for every address that it stood for."""
    heirs: dict[str, set[str]] = {}
    for before, key in changed:
        heirs.setdefault(before, set()).add(key)
    rows = list(connection.execute(sa.select(table)))
    written: dict[str, dict[str, Any]] = {}
    for row in rows:
        key, blank, match = row.address_key.partition(" ")
        local, _, domain = key.rpartition("@")
        own = f"{local}@{domain_of(domain)}"
        after = heirs.get(key, set()) | ({own} if key not in heirs or own in kept else set())
        if getattr(row, "reason", "") == "unwanted":
            after.add(own)
        for one in after:
            written.setdefault(f"{one}{blank}{match}", row._asdict())
    if set(written) != {row.address_key for row in rows}:
        connection.execute(sa.delete(table))
        connection.execute(
            sa.insert(table), [{**values, "address_key": key} for key, values in written.items()]
        )

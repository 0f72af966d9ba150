"""The letters of `sent/` and their database, brought from the schema they were written at to today's."""

import base64
import json
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import Engine, MetaData, func, select

from app.store import migrate
from app.store.session import connect

FOLDER = Path(__file__).parent / "sent"
INDEX: dict[str, Any] = json.loads((FOLDER / "index.json").read_text())
AT = datetime.fromisoformat(INDEX["at"])
LETTERS: dict[str, dict[str, Any]] = {
    one["file"].removesuffix(".eml"): one | {"name": one["file"].removesuffix(".eml")}
    for one in INDEX["letters"]
}


def message(name: str) -> EmailMessage:
    """A letter as it was sent, such as `asked-1`."""
    read = message_from_bytes((FOLDER / "letters" / f"{name}.eml").read_bytes(), policy=policy.default)
    assert isinstance(read, EmailMessage)
    return read


def stored_rows() -> dict[str, list[dict[str, Any]]]:
    """The rows of each table, as `rows.json` has them."""
    tables: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "rows.json").read_text())
    return tables


def at_0002(url: str) -> Engine:
    """The database as it was: an engine on it."""
    engine = connect(url)
    with engine.begin() as connection:
        command.upgrade(migrate.configuration(connection), "0002")
    described = MetaData()
    described.reflect(engine)
    with engine.begin() as connection:
        for table in described.sorted_tables:
            if rows := stored_rows().get(table.name, []):
                connection.execute(table.delete())
                connection.execute(table.insert(), [_typed(table, row) for row in rows])
            if engine.dialect.name == "postgresql" and "id" in table.c and table.c.id.type.python_type is int:
                last = connection.execute(select(func.coalesce(func.max(table.c.id), 1))).scalar_one()
                connection.exec_driver_sql(
                    f"SELECT setval(pg_get_serial_sequence('\"{table.name}\"', 'id'), {last})"
                )
    return engine


def migrated(url: str) -> None:
    """The same, with the tables of today."""
    at_0002(url).dispose()
    migrate.upgrade(url)


def _typed(table: Any, row: dict[str, Any]) -> dict[str, Any]:
    return {name: _value(table.c[name].type, value) for name, value in row.items()}


def _value(kind: Any, value: Any) -> Any:
    if isinstance(value, dict):
        return base64.b64decode(value["bytes"])
    if kind.python_type is datetime and value is not None:
        moment = datetime.fromisoformat(value)
        return moment if moment.tzinfo else datetime.fromisoformat(value + "+00:00")
    return bool(value) if kind.python_type is bool else value

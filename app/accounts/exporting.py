"""Everything about a person as one JSON document."""

from typing import Any
from urllib.parse import urlsplit

import msgspec

from app import clock
from app.accounts import persons
from app.accounts.exported import EXPORTED, Notified, Received
from app.mail.inbound.dead_letters import masked
from app.people.errors import NotFound
from app.store.session import Store
from app.words.someone import named


def export(store: Store, player_id: int) -> bytes:
    """The document: a list for each table, and the reasons for tables that are left out.

    It is read at one moment. Raises NotFound: there is no such player, or the account was deleted.
    """
    told: dict[str, Any] = {}
    with store.reading() as connection:
        person = persons.by_id(connection, player_id)
        if person is None or person.gone_at is not None:
            raise NotFound("player")
        values = {"player_id": person.id, "key": person.key}
        for table, query in EXPORTED.items():
            if not isinstance(query, str):
                rows = query.all(connection, **{name: values[name] for name in query.names})
                told[table] = [_plain(row) for row in rows]
    left_out = {table: why for table, why in EXPORTED.items() if isinstance(why, str)}
    document = {"service": "Tidepost", "made_at": clock.now(), **told, "left_out": left_out}
    text = msgspec.json.format(msgspec.json.encode(document), indent=2).decode()
    return f"{named(text, lambda: 'Someone')}\n".encode()


def _plain(row: Any) -> Any:
    """A row without what would open or reach something."""
    if isinstance(row, Notified):
        return msgspec.structs.replace(row, endpoint=urlsplit(row.endpoint).hostname or "")
    if isinstance(row, Received):
        text = masked(row.raw.decode("utf-8", "backslashreplace"))
        return {**msgspec.structs.asdict(row), "raw": text}
    return row

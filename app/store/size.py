"""How much room the database takes."""

from app.store.session import Store

_SIZES = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}


def size(store: Store) -> int:
    """Bytes of the database, with its indexes; without SQLite's log of what was written last."""
    with store.reading() as connection:
        return int(connection.exec_driver_sql(_SIZES[connection.dialect.name]).scalar_one())

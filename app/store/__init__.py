"""The database: tables, statements, transactions, migrations."""

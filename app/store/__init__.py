"""The database: tables, transactions, migrations. Imports nothing of the house."""

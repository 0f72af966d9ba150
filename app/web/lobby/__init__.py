"""The lobby, tables before they start, and the rules pages."""

"""Copies of the database and the keys, bringing them back, and moving to another database."""

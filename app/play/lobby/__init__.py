"""A match before its start: create it, invite players, change it, start it."""

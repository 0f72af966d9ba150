"""Matches: everything that happens to a match happens here, whether by page, email or clock."""

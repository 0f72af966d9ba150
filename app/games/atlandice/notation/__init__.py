"""Moves as text and text as moves (section 7)."""

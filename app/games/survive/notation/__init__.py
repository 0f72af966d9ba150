"""Moves as text (rules, section 7): `split` a line, `parse` each step, `format` a move."""

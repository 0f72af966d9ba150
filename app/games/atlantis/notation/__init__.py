"""The notation: reading lines, splitting them into moves, writing moves (rule sheet, section 5)."""

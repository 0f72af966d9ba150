"""Boards as SVG, text and PNG."""

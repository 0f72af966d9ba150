"""Tidepost: board games by letter."""

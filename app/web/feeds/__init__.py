"""Atom feeds and calendars."""

"""Incoming mail: kept first, then read."""

"""Signing in, and what players set for themselves."""

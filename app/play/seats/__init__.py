"""Seats of a running match: offers and what the organiser may do."""

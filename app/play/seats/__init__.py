"""Seats of a running match: offers and takeovers, the organiser's powers, chat, private notes."""

"""Moves: played, taken back, given ahead, made by bots."""

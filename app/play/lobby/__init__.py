"""A match before it starts: opening, invitations, start."""

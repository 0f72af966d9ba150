"""Letters that were not delivered."""

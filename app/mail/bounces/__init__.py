"""Letters that come back."""

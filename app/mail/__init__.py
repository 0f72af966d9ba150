"""Letters: written late, sent once."""

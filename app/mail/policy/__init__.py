"""Whether and when a letter may go."""

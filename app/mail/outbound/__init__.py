"""Letters out: composed late, sent once."""

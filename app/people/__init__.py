"""Players: addresses, names, languages, time zones, email settings, and signing in by email."""

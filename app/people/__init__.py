"""Players: their address, name, language and time zone, and signing in by mail."""

"""The contract between a game's rules and the server."""

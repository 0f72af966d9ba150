"""The contract of a game: what the rules promise to the house, and nothing about the house."""

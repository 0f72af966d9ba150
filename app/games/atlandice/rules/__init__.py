"""The rules of Atlandice, a module for each part of a game."""

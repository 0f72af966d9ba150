"""Survive: Escape from Atlantis, and how it is played here."""

from app.engine.game import Game
from app.games.survive.game import Survive

GAME: Game = Survive()

"""Nim, the example of `app/games/README.md`: two folders, and nothing else knows of it.

`games/nim` would lie in `app/games`, `templates/games/nim` in `templates/games`.
"""

from pathlib import Path

from app.engine.game import Game
from app.games import all_games, editions
from tests.nim.games.nim import GAME as NIM

TEMPLATES = Path(__file__).parent / "templates"
EARLIER = {f"{slug}.{game.edition}": game for slug, (_, *earlier) in editions().items() for game in earlier}
"""Older editions keep the contract too: matches are still played by them."""
GAMES: dict[str, Game] = {**all_games(), NIM.slug: NIM, **EARLIER}
"""All games that the contract is tested with."""


def editions_of(slug: str) -> tuple[Game, ...]:
    """All editions of a game, newest first."""
    return editions().get(slug, (GAMES[slug],))


__all__ = ["EARLIER", "GAMES", "NIM", "TEMPLATES", "editions_of"]

"""Print the stored names of a game's editions: what its `stored_names.json` should hold.

Once matches were played by an edition, names are added there but never removed.
"""

import json
import sys

from app.engine.game import Game
from tests.editions.names import stored_names
from tests.nim import GAMES, editions_of


def text_of(editions: tuple[Game, ...]) -> str:
    """One line for each tag."""
    kept = []
    for game in sorted(editions, key=lambda one: one.edition):
        tags = [
            f"  {json.dumps(tag)}: {json.dumps(list(fields))}" for tag, fields in stored_names(game).items()
        ]
        kept.append(f" {json.dumps(str(game.edition))}: {{\n" + ",\n".join(tags) + "\n }")
    return "{\n" + ",\n".join(kept) + "\n}\n"


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in GAMES:
        sys.exit(f"python -m tests.editions SLUG, with one of: {', '.join(GAMES)}")
    sys.stdout.write(text_of(editions_of(sys.argv[1])))

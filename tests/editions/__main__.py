"""Print the stored names of all editions: what `names.json` should hold. Names are added, never removed."""

import json
import sys

from app.games import editions
from tests.editions.names import stored_names


def main() -> None:
    """One line for each tag."""
    lines = []
    for slug, games in editions().items():
        kept = []
        for game in sorted(games, key=lambda one: one.edition):
            tags = [
                f"   {json.dumps(tag)}: {json.dumps(list(fields))}"
                for tag, fields in stored_names(game).items()
            ]
            kept.append(f"  {json.dumps(str(game.edition))}: {{\n" + ",\n".join(tags) + "\n  }")
        lines.append(f" {json.dumps(slug)}: {{\n" + ",\n".join(kept) + "\n }")
    sys.stdout.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()

"""The tags and field names by which a game's records are stored."""

from typing import Any

from msgspec import inspect

from app.engine.game import Game

Names = dict[str, dict[str, bool]]
"""For each tag its stored fields, and whether they are required."""


def stored_names(game: Game) -> Names:
    """All that a stored state, event or question of the game may contain."""
    found: Names = {}

    def walk(one: Any) -> None:
        if isinstance(one, inspect.StructType):
            if isinstance(one.tag, str):
                if one.tag in found:
                    return
                found[one.tag] = {field.encode_name: field.required for field in one.fields}
            for field in one.fields:
                walk(field.type)
        elif isinstance(one, inspect.UnionType):
            for member in one.types:
                walk(member)
        elif isinstance(one, inspect.DictType):
            walk(one.value_type)
        elif isinstance(one, inspect.VarTupleType):
            walk(one.item_type)
        elif isinstance(one, inspect.TupleType):
            for member in one.item_types:
                walk(member)

    for kind in (game.state_type, *game.event_types, *game.move_types):
        walk(inspect.type_info(kind))
    return dict(sorted(found.items()))

"""The public page of a player: the name, and the parts that the player has chosen to show beside it."""

import msgspec

from app.store.session import Store
from app.store.sql import Command, Query

GAMES, PUNCTUALITY = "games", "punctuality"
PARTS = (GAMES, PUNCTUALITY)
"""The parts that a player can choose: games with results, and how often deadlines were kept."""


class Profile(msgspec.Struct, frozen=True):
    """A player as their public page shows them."""

    id: int
    name: str
    shows: frozenset[str]
    gone: bool = False
    """The account was deleted."""


class _Row(msgspec.Struct, frozen=True):
    id: int
    name: str
    shows: str
    gone: bool


_of = Query(_Row, "SELECT id, name, shows, gone_at IS NOT NULL AS gone FROM player WHERE id = :player_id")
_choose = Command("UPDATE player SET shows = :shows WHERE id = :player_id")


def profile(store: Store, player_id: int) -> Profile | None:
    """The player's public profile, or None."""
    with store.reading() as connection:
        row = _of.first(connection, player_id=player_id)
    return Profile(row.id, row.name, frozenset(row.shows.split()) & set(PARTS), row.gone) if row else None


def choose(store: Store, player_id: int, parts: frozenset[str]) -> None:
    """Keep which of PARTS the player's page shows."""
    with store.transaction() as connection:
        _choose.run(connection, player_id=player_id, shows=" ".join(one for one in PARTS if one in parts))

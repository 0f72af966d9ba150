"""The fate of each table's rows when two accounts of one person become one: statements, or why none.

`old` is the account that ends, `new` the one that stays. `tests/test_house.py` finds a table that is missing.
"""

from collections.abc import Mapping

from app.store.sql import Command

Joined = tuple[Command, ...] | str
"""The statements, or the reason for which the rows stay as they are."""

_PLACES = """SELECT match_id FROM chair WHERE player_id = :old
             UNION SELECT match_id FROM invitation WHERE player_id = :old"""
_GAMES = "SELECT match_id FROM chair WHERE player_id = :new"


def _moves(table: str) -> Command:
    return Command(f"UPDATE {table} SET player_id = :new WHERE player_id = :old")  # noqa: S608 - constants


_organises = Command(
    f'UPDATE "match" SET organiser_id = :new WHERE organiser_id = :old AND id IN ({_PLACES})'  # noqa: S608
)
_touch = Command(f'UPDATE "match" SET news = news + 1 WHERE id IN ({_GAMES})')  # noqa: S608 - constants
_invites = Command(
    """UPDATE invitation SET player_id = :new, address = :address, address_key = :key, mailbox = :mailbox
       WHERE player_id = :old OR address_key = :old_key"""
)
_choices = Command(
    """UPDATE preference SET player_id = :new
       WHERE player_id = :old AND match_id <> 0"""
)
_own_blocks = Command(
    """UPDATE block SET player_id = :new
       WHERE player_id = :old AND other_id <> :new
         AND other_id NOT IN (SELECT b.other_id FROM block b WHERE b.player_id = :new)"""
)
_strict = Command(
    """UPDATE block SET invitations = TRUE
       WHERE other_id = :new AND NOT invitations AND player_id IN (
           SELECT b.player_id FROM block b WHERE b.other_id = :old AND b.invitations)"""
)
_blocks_by_others = Command(
    """UPDATE block SET other_id = :new
       WHERE other_id = :old AND player_id <> :new
         AND player_id NOT IN (SELECT b.player_id FROM block b WHERE b.other_id = :new)"""
)

JOINED: Mapping[str, Joined] = {
    "match": (_organises,),
    "question": "by seat; a clock keeps the time zone in which it began",
    "chair": (_moves("chair"), _touch),
    "played": "by seat",
    "notice": "by seat",
    "note": "by the time on a seat",
    "whatif": "by the time on a seat",
    "standingorder": "by the time on a seat",
    "invitation": (_invites,),
    "token": (_moves("token"),),
    "letter": (_moves("letter"),),
    "incoming": (_moves("incoming"),),
    "push": "by letter and browser",
    "login": (Command("DELETE FROM login WHERE player_id = :old"),),
    "subscription": (Command("DELETE FROM subscription WHERE player_id = :old"),),
    "webhook": (
        Command(
            """UPDATE webhook SET player_id = :new
               WHERE player_id = :old AND NOT EXISTS (
                   SELECT 1 FROM webhook w WHERE w.player_id = :new AND w.match_id = webhook.match_id
                                             AND w.hash = webhook.hash)"""
        ),
        Command("DELETE FROM hookpost WHERE webhook_id IN (SELECT id FROM webhook WHERE player_id = :old)"),
        Command("DELETE FROM webhook WHERE player_id = :old"),
    ),
    "hookpost": "by webhook",
    "apikey": (Command("DELETE FROM apikey WHERE player_id = :old"),),
    "confirmation": (
        Command(
            """UPDATE confirmation SET player_id = :new,
                                       expires_at = CASE WHEN expires_at > :now THEN :now ELSE expires_at END
               WHERE player_id = :old"""
        ),
    ),
    "formeraddress": (_moves("formeraddress"),),
    "absence": (_moves("absence"),),
    "preference": (_choices, Command("DELETE FROM preference WHERE player_id = :old")),
    "block": (
        _own_blocks,
        _strict,
        _blocks_by_others,
        Command("DELETE FROM block WHERE player_id = :old"),
        Command("DELETE FROM block WHERE other_id = :old"),
    ),
    "report": (
        Command("UPDATE report SET by_id = :new WHERE by_id = :old"),
        Command("UPDATE report SET about_id = :new WHERE about_id = :old"),
    ),
    "suppressed": "by address: who stopped emails to one address did so for that address",
    "unreached": "by address",
    "unasked": "by mailbox, for a few days",
    "bar": "nobody who is barred is merged",
    "player": (
        Command(
            """UPDATE player SET address = '', address_key = '@gone' || CAST(id AS TEXT), name = :someone,
                                 away = '[]', shows = '', feed_epoch = feed_epoch + 1, gone_at = :now,
                                 operator_since = NULL
               WHERE id = :old"""
        ),
    ),
    "passedover": "emails that belong to nobody here",
    "audit": "the operator's acts stay as they were done",
    "picture": "a board, without names",
    "house": "nothing about people",
    "heartbeat": "nothing about people",
    "relay": "nothing about people",
    "deed": "a hash of a form",
    "counter": "a hash that names nobody",
}
"""By table, in the order in which it is done."""

"""All that happens to a table before it starts, in one place to import from."""

from app.play.lobby.before_start import call_off, replace, send_again, start_with_fewer, withdraw
from app.play.lobby.opening import accept, decline, open_table, tend_invitations
from app.play.lobby.tables import invited_player, table_by_token, table_of

__all__ = [
    "accept",
    "call_off",
    "decline",
    "invited_player",
    "open_table",
    "replace",
    "send_again",
    "start_with_fewer",
    "table_by_token",
    "table_of",
    "tend_invitations",
    "withdraw",
]

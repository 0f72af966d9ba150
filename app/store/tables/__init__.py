"""The tables. They only define: rows are read and written by statements (`app.store.sql`).

Moments are aware and in UTC. Statuses and kinds are plain text, so that a migration can read them.
"""

from app.store.tables.house import Audit, Counter, Deed, Heartbeat, House, Picture
from app.store.tables.log import Notice, Played, Question
from app.store.tables.matches import Chair, Invitation, Match, Note, StandingOrder
from app.store.tables.people import (
    Absence,
    ApiKey,
    Block,
    Confirmation,
    FormerAddress,
    Login,
    Player,
    Preference,
    Report,
    Subscription,
    Suppressed,
    Unreached,
    Webhook,
)
from app.store.tables.post import HookPost, Incoming, Letter, PassedOver, Push, Relay, Token

__all__ = [
    "Absence",
    "ApiKey",
    "Audit",
    "Block",
    "Chair",
    "Confirmation",
    "Counter",
    "Deed",
    "FormerAddress",
    "Heartbeat",
    "HookPost",
    "House",
    "Incoming",
    "Invitation",
    "Letter",
    "Login",
    "Match",
    "Note",
    "Notice",
    "PassedOver",
    "Picture",
    "Played",
    "Player",
    "Preference",
    "Push",
    "Question",
    "Relay",
    "Report",
    "StandingOrder",
    "Subscription",
    "Suppressed",
    "Token",
    "Unasked",
    "Unreached",
    "Webhook",
]

"""The owner of each table: the modules that write it, and those that may read it beside them, each with why.

Everybody else asks the owner. `tests/store/test_owners.py` checks every statement against this map.
"""

import msgspec


class Owned(msgspec.Struct, frozen=True):
    """A table's writers and readers. A package stands for all of its modules."""

    writers: tuple[str, ...]
    """They read it too."""
    readers: dict[str, str] = {}
    """Each with the reason for which it does not ask the owner."""


_LOCK = "locks the row before anything is read"
_SNAPSHOT = "the snapshot of a match is one select"
_VERSION = "what a page depends on is one small select"
_STRANGERS = "counts the open invitations that a mailbox was written to about"
_LOBBY = "a game before its start is one select"
_OFFER = "the offer that a link leads to is one select"
_LISTS = "lists of many matches are one select"
_ZONE = "when an invitation ends depends on the zone of its guest"
_COMPANY = "the people of a match with their names are one select"
_AGAIN = "a finished match with the addresses of its people is one select"
_LETTERS = "what a letter needs to know of a match is one select"

OWNERS = {
    "match": Owned(
        ("app.play.match.matches", "app.play.match.brought"),
        {
            "app.mail.policy.strangers": _STRANGERS,
            "app.play.match.reading": _SNAPSHOT,
            "app.play.match.version": _VERSION,
            "app.play.match.notices": "writes a notice with the ply of its match",
            "app.play.match.replay": "replays a match from its log, without what is open",
            "app.play.match.invitations": "whether an invitation can be answered depends on the match",
            "app.play.match.open_invitations": "whether an invitation stands depends on the match",
            "app.play.match.join_requests": "whether a game is listed depends on the match",
            "app.play.match.chairs": "finds the seats of a player in running matches",
            "app.play.lobby.snapshot": _LOBBY,
            "app.play.seats.offers": _OFFER,
            "app.play.views.lists": _LISTS,
            "app.play.views.punctuality": _LISTS,
            "app.play.lobby.rematch": _AGAIN,
            "app.play.views.mine": _LISTS,
            "app.play.views.register": _LISTS,
            "app.play.views.open_games": _LISTS,
            "app.play.views.letter_facts": _LETTERS,
            "app.play.views.pending": _LISTS,
            "app.play.views.feeds": _LISTS,
            "app.store.locks": _LOCK,
        },
    ),
    "chair": Owned(
        ("app.play.match.chairs",),
        {
            "app.play.match.company": _COMPANY,
            "app.play.match.reading": _SNAPSHOT,
            "app.play.match.version": _VERSION,
            "app.play.match.log": "sees in the insert that another writer left orders meanwhile",
            "app.play.views.lists": _LISTS,
            "app.play.views.punctuality": _LISTS,
            "app.play.lobby.rematch": _AGAIN,
            "app.play.views.mine": _LISTS,
            "app.play.views.open_games": _LISTS,
            "app.play.views.letter_facts": _LETTERS,
            "app.play.views.pending": _LISTS,
            "app.play.views.feeds": _LISTS,
        },
    ),
    "question": Owned(
        ("app.play.match.questions",),
        {
            "app.play.match.reading": _SNAPSHOT,
            "app.play.match.version": _VERSION,
            "app.play.match.chairs": "finds the matches in which a clock runs for a player",
            "app.play.views.lists": _LISTS,
            "app.play.views.mine": _LISTS,
            "app.play.views.open_games": _LISTS,
            "app.play.views.letter_facts": _LETTERS,
            "app.play.views.pending": _LISTS,
            "app.store.outbox": "reopens the letters of turns that still wait by one update",
        },
    ),
    "played": Owned(("app.play.match.log",), {"app.play.views.letter_facts": _LETTERS}),
    "notice": Owned(("app.play.match.notices",), {"app.play.views.punctuality": _LISTS}),
    "invitation": Owned(
        (
            "app.play.match.invitations",
            "app.play.match.open_invitations",
            "app.play.match.seat_requests",
            "app.play.match.join_requests",
        ),
        {
            "app.mail.policy.strangers": _STRANGERS,
            "app.play.match.company": _COMPANY,
            "app.play.lobby.snapshot": _LOBBY,
            "app.play.seats.offers": _OFFER,
            "app.play.views.lists": _LISTS,
            "app.play.views.mine": _LISTS,
            "app.play.views.open_games": _LISTS,
            "app.play.views.letter_facts": _LETTERS,
            "app.store.tokens": "ends the tokens of a player's invitations",
            "app.store.outbox": "counts the offers of seats that were asked for in a mailbox's name",
            "app.mail.core.old_letters": "keeps where an invitation went when its match is deleted",
            "app.play.match.matches": "whether a match still waits for anybody is one select",
        },
    ),
    "standingorder": Owned(("app.play.moves.wishes",)),
    "note": Owned(("app.play.seats.notes",)),
    "whatif": Owned(("app.play.seats.what_if",)),
    "house": Owned(
        ("app.store.standstills", "app.store.versions"),
        {
            "app.play.match.reading": _SNAPSHOT,
            "app.play.match.version": _VERSION,
            "app.play.views.pending": _LISTS,
        },
    ),
    "picture": Owned(("app.play.match.pictures",)),
    "counter": Owned(("app.store.counters",)),
    "heartbeat": Owned(("app.store.heartbeat",)),
    "deed": Owned(("app.store.deeds",)),
    "token": Owned(
        ("app.store.tokens",),
        {
            "app.play.match.reading": _SNAPSHOT,
            "app.play.match.version": _VERSION,
            "app.play.seats.offers": _OFFER,
        },
    ),
    "player": Owned(
        ("app.people",),
        {
            "app.mail.policy.strangers": _STRANGERS,
            "app.play.match.reading": _SNAPSHOT,
            "app.play.lobby.snapshot": _LOBBY,
            "app.play.match.version": _VERSION,
            "app.play.match.invitations": "counts the invitations to people who are no players",
            "app.play.match.company": _COMPANY,
            "app.play.views.lists": _LISTS,
            "app.play.lobby.rematch": _AGAIN,
            "app.play.views.mine": _LISTS,
            "app.play.views.open_games": _LISTS,
            "app.play.views.letter_facts": _LETTERS,
            "app.play.views.pending": _LISTS,
            "app.play.views.feeds": _LISTS,
            "app.store.locks": _LOCK,
            "app.store.tokens": "ends the tokens of invitations to a player's address",
            "app.play.match.seat_requests": "who asks for a seat, by name, is one select",
            "app.play.seats.offers": _ZONE,
        },
    ),
    "login": Owned(
        ("app.people.logins",),
        {
            "app.people.service": "the player of a browser is one select",
            "app.people.operators": "how fresh a session is decides on the role",
        },
    ),
    "apikey": Owned(("app.people.api_keys",)),
    "subscription": Owned(
        ("app.people.subscriptions",),
        {"app.mail.core.pushes": "asks for a notification of each browser of a player by one insert"},
    ),
    "push": Owned(("app.mail.core.pushes",)),
    "webhook": Owned(("app.people.webhooks", "app.people.hook_posts", "app.people.hook_seals")),
    "hookpost": Owned(("app.people.webhooks", "app.people.hook_posts")),
    "confirmation": Owned(("app.people.confirmations",)),
    "formeraddress": Owned(("app.people.former",)),
    "absence": Owned(("app.people.absences",)),
    "preference": Owned(("app.people.preferences",)),
    "suppressed": Owned(
        ("app.people.suppression",),
        {
            "app.play.match.version": _VERSION,
            "app.people.service": "a player with the note that letters bounce is one select",
        },
    ),
    "unreached": Owned(
        ("app.people.reach",),
        {
            "app.play.match.version": _VERSION,
            "app.people.service": "a player with the note that letters don't arrive is one select",
        },
    ),
    "audit": Owned(("app.store.audit",)),
    "relay": Owned(("app.mail.core.relay",)),
    "bar": Owned(("app.people.bars",)),
    "block": Owned(("app.people.blocks",)),
    "report": Owned(("app.people.reports",)),
    "unasked": Owned(("app.mail.policy.strangers",)),
    "letter": Owned(
        ("app.store.outbox", "app.mail.core.outbox", "app.mail.core.old_letters"),
        {
            "app.mail.policy.strangers": _STRANGERS,
            "app.play.match.invitations": "counts the emails by which a host invites one mailbox",
            "app.play.match.matches": "a match goes when no email about it waits",
        },
    ),
    "incoming": Owned(("app.mail.core.inbox",)),
    "passedover": Owned(("app.mail.core.passed_over",)),
}

ACCOUNTS = "app.accounts"
"""A person's rows are handed out, moved and emptied in all tables at once: it may read and write all."""

TOOLS = ("app.rehearsal", "app.bench")
"""They audit a whole database, or fill one to measure with: they may read everything."""

TOOL_WRITES = {
    "app.rehearsal.tables": ("match", "fixes the secret, so that a rehearsal can be repeated"),
    "app.rehearsal.correspondents": ("player", "gives each player other reminders"),
    "app.bench.growth": ("match", "counts the plies that it adds to a log"),
    "app.bench.letters": ("letter", "drops what an earlier round left"),
}
"""The tables that tools write, each with the reason; none of these runs on a site."""

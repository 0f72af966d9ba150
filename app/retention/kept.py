"""The one list of what is kept and for how long, table by table. The sweep does what it says."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

import msgspec

from app.mail.core import inbound_address, inbox, old_letters, passed_over, pushes
from app.mail.policy import strangers
from app.people import absences, confirmations, former, hook_posts, logins, reports, subscriptions
from app.settings import Keep
from app.store import counters, deeds, tokens
from app.store.connection import Connection

Act = Callable[[Connection, datetime, int], int]
"""Deletes what is older than a moment, so many rows at most, and returns how many."""

REPLIES = inbound_address.LASTING
"""How long after its end a match takes replies."""


class Goes(msgspec.Struct, frozen=True):
    """Something that goes when it is old enough."""

    what: str
    after: str | timedelta
    """The setting of `Keep`, or a span that is fixed."""
    since: str
    """From when its age is counted."""
    act: Act | None = None
    """None: it goes with its match, by `app.retention.ended`, or by a step of its own."""

    def span(self, keep: Keep) -> timedelta:
        """How long it is kept."""
        return self.after if isinstance(self.after, timedelta) else timedelta(days=getattr(keep, self.after))

    def line(self, keep: Keep) -> str:
        """Its row of the table in the README."""
        setting = f"`TIDEPOST_KEEP_{self.after.upper()}_DAYS`" if isinstance(self.after, str) else ""
        return f"| {self.what} | {self.span(keep).days} days after {self.since} | {setting} |"


class Stays(msgspec.Struct, frozen=True):
    """Something that never goes by itself."""

    what: str
    why: str


_DEAD = Goes("games that never began", "unplayed", "they were called off")
_LAPSES = Goes("games before their start to which nobody is invited any more", "unplayed", "the last answer")
_WITH_MATCH = "the end of their game"
_LINE = "but for the line that their player sees"
_LOG = Stays("the log of each game, with its messages", "it is the game")

KEPT: Mapping[str, tuple[Goes | Stays, ...]] = {
    "match": (Stays("each game that began", "it can be replayed and checked"), _LAPSES, _DEAD),
    "played": (_LOG,),
    "notice": (_LOG, _DEAD),
    "chair": (Stays("who played in each game", "it belongs to its log"),),
    "note": (Stays("private notes", "their player wrote them, and can delete them"),),
    "whatif": (Goes("what players imagine of a running game", "links", _WITH_MATCH),),
    "question": (Stays("what each running game asks", "it goes when the game ends"),),
    "standingorder": (Goes("conditional moves", "links", _WITH_MATCH),),
    "invitation": (
        Stays("accepted invitations", "their players are named in the game"),
        Goes("invitations and requests for seats that came to nothing", "links", _WITH_MATCH),
        _DEAD,
    ),
    "preference": (
        Stays("email settings", "their player chose them"),
        Goes("email settings for one game", "links", _WITH_MATCH),
    ),
    "letter": (
        Goes(f"the facts of emails about a game, {_LINE}", "links", _WITH_MATCH),
        Goes(f"the facts of other emails, {_LINE}", "links", "they were asked for"),
        Goes("the line of an email about a game", "letters", _WITH_MATCH),
        Goes("the line of another email", "letters", "it was asked for", old_letters.forget_alone),
    ),
    "token": (
        Goes("reply addresses of a game, and of its links all but hash, game and seat", REPLIES, _WITH_MATCH),
        Goes("links of a game", "links", _WITH_MATCH),
        Goes("other links", "links", "they were made", tokens.forget),
    ),
    "incoming": (
        Goes("the text of emails that came in", "mails", "they came", inbox.empty),
        Goes("what became of emails that came in", "links", "they came", inbox.forget),
    ),
    "passedover": (Goes("emails that belong to nothing here", "mails", "they came", passed_over.forget),),
    "player": (Stays("players", "they delete their account themselves"),),
    "login": (Goes("signed-in browsers", logins.LONGEST, "they signed in", logins.forget),),
    "apikey": (Stays("keys for programs", "their player made them, and can end them"),),
    "subscription": (
        Goes("browsers that are notified", logins.LONGEST, "they were turned on", subscriptions.forget),
    ),
    "push": (Goes("which browsers were notified", pushes.KEPT, "their turn began", pushes.forget),),
    "webhook": (
        Stays("webhooks of players", "their player set them, and can remove them"),
        Goes("webhooks of a game", "links", _WITH_MATCH),
    ),
    "hookpost": (Goes("what webhooks told", hook_posts.KEPT, "it was to be told", hook_posts.forget),),
    "confirmation": (
        Goes("requests that an email asks to confirm", "links", "they were made", confirmations.forget),
    ),
    "formeraddress": (
        Goes("a former email address", timedelta(days=30), "it signed in last", former.forget),
    ),
    "absence": (Goes("absences", timedelta(days=731), "their end", absences.forget),),
    "suppressed": (Stays("addresses that want no emails, or refuse them", "they are left alone"),),
    "unreached": (Stays("addresses that emails don't reach", "it goes when one arrives"),),
    "bar": (Stays("barred addresses and domains", "the operator lifts bars"),),
    "block": (Stays("the people a player muted or blocked", "their player chose it, and can undo it"),),
    "report": (Goes("reports of people", "links", "the operator settled them", reports.forget),),
    "picture": (Stays("pictures of boards", "the newest few, and each can be made again"),),
    "audit": (Stays("what operators did", "it is the record of the house"),),
    "relay": (Stays("how the mail server behaved last", "one row"),),
    "unasked": (
        Goes("which addresses got emails unasked", strangers.KEPT, "they were sent", strangers.forget_old),
    ),
    "house": (Stays("when all clocks stood still", "clocks are computed from it"),),
    "heartbeat": (Stays("when the sweeps ran last", "a few rows"),),
    "deed": (Goes("keys of forms that acted", deeds.KEPT, "they acted", deeds.forget),),
    "counter": (
        Goes("counters of tries, which name nobody", timedelta(), "their while is over", counters.forget),
    ),
}

FILES = (Goes("emails in the mail catcher of `serve`", "mails", "they were caught"),)
"""Kept in files: `app.catcher` deletes it."""


def goes() -> tuple[Goes, ...]:
    """All that goes, each once."""
    rows = (one for rows in (*KEPT.values(), FILES) for one in rows)
    return tuple(dict.fromkeys(one for one in rows if isinstance(one, Goes)))


def stays() -> tuple[Stays, ...]:
    """All that stays, each once."""
    return tuple(dict.fromkeys(one for rows in KEPT.values() for one in rows if isinstance(one, Stays)))

"""Webhooks tell the news of emails: each letter asks them to, whatever its reader chose for emails."""

from app import clock
from app.mail.core.letter import LetterRow
from app.mail.core.recipients import addressee
from app.mail.letters.kinds import KINDS
from app.mail.policy.decide import is_barred, is_silenced
from app.people import hook_posts
from app.people.hook_posts import Occasion
from app.store.connection import Connection
from app.store.session import Store

EVENTS = {
    "asked": "turn",
    "started": "started",
    "joined": "started",
    "over": "over",
    "invited": "invitation",
}
"""The event of each kind of letter. Messages ask by themselves: few players want emails of them."""
PUBLIC = frozenset({"turn", "over"})
"""Events that hooks of a game tell too."""


def ask(store: Store, letter: LetterRow) -> None:
    """Have the webhooks of a letter's reader and of its match tell what it tells, if there are any."""
    event = EVENTS.get(letter.kind)
    if event is None or letter.resent:
        return
    with store.looking() as connection:
        player_id = letter.player_id or _guest(connection, letter)
        if not hook_posts.wanted(connection, player_id, letter.match_id):
            return
        to = addressee(connection, letter)
        stopped = is_silenced(connection, letter, to) or is_barred(connection, letter, KINDS[letter.kind], to)
    what = Occasion(
        event=event,
        occasion=_named(event, letter),
        match_id=letter.match_id or 0,
        seat=letter.seat or "",
        run=letter.turn or 0,
        invitation_id=letter.invitation_id or 0,
    )
    with store.statements() as connection:
        if player_id is not None and not stopped:
            hook_posts.ask(connection, clock.now(), what, player_id)
        if letter.match_id is not None and event in PUBLIC:
            hook_posts.ask_of_match(connection, clock.now(), what)


def _guest(connection: Connection, letter: LetterRow) -> int | None:
    """The player who plays under the address of an invitation, if anybody does."""
    player = addressee(connection, letter).player
    return player.player_id if player is not None else None


def _named(event: str, letter: LetterRow) -> str:
    if event == "turn":
        return f"turn:{letter.match_id}:{letter.seat}:{letter.turn}"
    return f"{event}:{letter.invitation_id if event == 'invitation' else letter.match_id}"

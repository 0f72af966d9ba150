"""A player's letters as the player sees them, with what became of each, and having one sent again."""

from datetime import datetime, timedelta

import msgspec

from app import clock
from app.mail.core import old_letters, outbox
from app.mail.core.letter import AGAIN, LetterRow
from app.mail.letters.kinds import KINDS
from app.people.errors import NotFound, Refused
from app.play.views import letter_facts
from app.play.views.letter_facts import SeatTurn
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store

MOST = 15
"""Letters on a page."""
TWICE = timedelta(hours=1)
"""The time within which one letter is sent again at most once."""


class Line(msgspec.Struct, frozen=True):
    """A letter in the list."""

    id: str
    kind: str
    match_id: int | None
    game: str | None
    """Its slug."""
    status: str
    reason: str
    asked_at: datetime
    due_at: datetime
    sent_at: datetime | None
    still_true: bool

    @property
    def again(self) -> bool:
        """It can be sent again."""
        return KINDS[self.kind].resendable and self.status != "waiting" and self.still_true


def latest(store: Store, player_id: int, match_id: int = 0, page: int = 0) -> tuple[Line, ...]:
    """The player's letters of a page, the newest first; of one match, or (0) of all.

    One more than the page has room for says that there is another page.
    """
    with store.reading() as connection:
        letters = outbox.latest(connection, player_id, match_id, MOST + 1, page * MOST)
        turns = letter_facts.waiting_turns(connection, player_id)
        numbers = {one.match_id for one in letters if one.match_id is not None}
        games = {one.match_id: one.game for one in letter_facts.games_of(connection, player_id)}
        for number in numbers - games.keys():  # it has not started
            games[number] = letter_facts.label(connection, number).game
    return tuple(
        Line(
            one.id,
            one.kind,
            one.match_id,
            games[one.match_id] if one.match_id is not None else None,
            one.status,
            one.reason,
            one.created_at,
            one.due_at,
            one.sent_at,
            still_true=_is_true(one, turns),
        )
        for one in letters
    )


def is_about(store: Store, letter_id: str, player_id: int, match_id: int) -> bool:
    """Whether the letter went to this player and is about this match."""
    with store.reading() as connection:
        letter = outbox.letter(connection, letter_id)
    about = None if letter is None or letter.to_address is not None else (letter.player_id, letter.match_id)
    return about == (player_id, match_id)


def send_again(store: Store, player_id: int, letter_id: str) -> None:
    """Have a letter sent again: the same board, with links that last as long as the first ones.

    It goes now, whatever the player's settings. Raises NotFound, Refused("sent_no_more" or "sent_lately").
    """
    now = clock.now()
    with store.transaction() as connection:
        letter = outbox.letter(connection, letter_id)
        if letter is None or letter.player_id != player_id or letter.status == "waiting":
            raise NotFound("letter")
        if not KINDS[letter.kind].resendable:
            raise NotFound("letter")
        if not _is_true(letter, letter_facts.waiting_turns(connection, player_id)):
            raise Refused("sent_no_more")
        again = f"{AGAIN}{letter.first_id}:"
        last = outbox.last_sent_again(connection, player_id, again)
        if last is not None and now - last < TWICE:
            raise Refused("sent_lately")
        enqueue(
            connection,
            now,
            LetterRequest(
                kind=letter.kind,
                once=f"{again}{now:%Y%m%d%H%M}",
                match_id=letter.match_id,
                seat=letter.seat,
                player_id=letter.player_id,
                invitation_id=letter.invitation_id,
                turn=letter.turn,
            ),
        )


def _is_true(letter: LetterRow, turns: frozenset[SeatTurn]) -> bool:
    """Whether it still holds: a letter that asks for a turn does while the match waits for that.

    One of which only the line is left can't be sent again.
    """
    if letter.sent_to == old_letters.GONE:
        return False
    if letter.kind != "asked":
        return True
    return letter.seat_turn in turns

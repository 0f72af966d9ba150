"""Which letters a player wants, and when: for each kind of event, in all his matches and in single ones.

Leaving a list is kept apart from the choices, so that coming back finds them as they were.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from app import clock
from app.people.errors import NotFound, Refused
from app.store.session import Store, wake_after_commit
from app.store.statement import Statement, Wire, stored

CHOICES: Mapping[str, tuple[str, ...]] = {
    "turn": ("quiet", "at_once", "digest", "reminders", "none"),
    "reminder": ("at_once", "none"),
    "news": ("at_once", "digest", "none"),
    "chat": ("none", "at_once", "digest"),
    "started": ("at_once", "digest", "none"),
    "over": ("at_once", "digest", "none"),
}
"""For each event what may be chosen, what holds without a choice first."""
UNCHOSEN = ("time_up", "digest", "invitation", "table", "account")
"""Events of whose letters one can only leave the list."""
ALL = 0
"""In place of a match: all of them."""
LEFT = "left"
"""The event under which it is kept that somebody left a list; with `:event` behind it, that of one event."""
LONGEST_REMINDERS = 80
HELD = ("quiet_minutes", "settling", "quiet_hours", "digest")
"""Why a letter waits, where that is its reader's wish."""


class Wishes(msgspec.Struct, frozen=True):
    """All that a player has chosen."""

    digest_hour: int
    quiet_from: int | None
    quiet_to: int | None
    reminders: str
    chosen: dict[int, dict[str, str]]
    """By match and event; under ALL what holds for all."""

    def choice(self, event: str, match_id: int = ALL) -> str:
        """What holds for an event there."""
        return chosen(self.chosen, event, match_id)

    def kept(self, event: str) -> str:
        """What he chose for an event in all his matches, though another choice or a list left outdoes it."""
        return self.chosen.get(ALL, {}).get(event) or CHOICES[event][0]

    def left(self, match_id: int = ALL) -> bool:
        """Whether he has left the match's letters, or all of them."""
        return LEFT in self.chosen.get(match_id, {})

    @property
    def kinds_left(self) -> tuple[str, ...]:
        """The events of whose letters he has left the list."""
        general = self.chosen.get(ALL, {})
        return tuple(event for event in (*CHOICES, *UNCHOSEN) if f"{LEFT}:{event}" in general)

    def own(self, match_id: int) -> dict[str, str]:
        """What was chosen for the match alone."""
        return {event: choice for event, choice in self.chosen.get(match_id, {}).items() if event in CHOICES}


_habits = Statement("SELECT digest_hour, quiet_from, quiet_to, reminders FROM player WHERE id = ?")
_all = Statement("SELECT match_id, event, choice FROM preference WHERE player_id = ?")
_some = Statement("SELECT match_id, event, choice FROM preference WHERE player_id = ? AND match_id IN (0, ?)")
_put = Statement(
    "INSERT INTO preference (player_id, match_id, event, choice) VALUES (?, ?, ?, ?)",
    after="ON CONFLICT (player_id, match_id, event) DO UPDATE SET choice = excluded.choice",
)
_forget = Statement("DELETE FROM preference WHERE player_id = ? AND match_id = ? AND event = ?")
_keep_habits = Statement(
    "UPDATE player SET digest_hour = ?, quiet_from = ?, quiet_to = ?, reminders = ? WHERE id = ?"
)
_let_go = Statement(
    f"""UPDATE letter SET due_at = ?, reason = ''
        WHERE player_id = ? AND status = 'waiting' AND reason IN {HELD}"""  # noqa: S608 - constants
)
_ask_again = Statement(
    """UPDATE letter SET status = 'waiting', due_at = ?, reason = ''
       WHERE player_id = ? AND kind = 'asked' AND status = 'dropped'
         AND reason IN ('by_choice', 'left', 'suppressed')
         AND EXISTS (SELECT 1 FROM question q WHERE q.match_id = letter.match_id AND q.seat = letter.seat
                     AND q.closed_at IS NULL AND NOT q.optional AND q.run = letter.run)"""
)


def wishes(store: Store, player_id: int) -> Wishes:
    """What the player has chosen. Raises NotFound."""
    with store.reading() as connection:
        habits = _habits.fetch(connection, player_id)
        rows = _all.fetch(connection, player_id)
    if not habits:
        raise NotFound("player")
    digest_hour, quiet_from, quiet_to, reminders = habits[0]
    return Wishes(digest_hour, quiet_from, quiet_to, reminders, _by_match(rows))


def choice_of(connection: Wire, player_id: int, match_id: int | None, event: str) -> str:
    """What holds for a letter to the player: one of CHOICES, or `left`. No match: what holds for all."""
    return chosen(_by_match(_some.fetch(connection, player_id, match_id or ALL)), event, match_id or ALL)


def chosen(choices: Mapping[int, Mapping[str, str]], event: str, match_id: int = ALL) -> str:
    """As `choice_of`, among choices that were read before."""
    general = choices.get(ALL, {})
    own = choices.get(match_id, {}) if match_id != ALL else {}
    left = f"{LEFT}:{event}" in general or LEFT in own
    if left or (LEFT in general and event != "account"):
        return LEFT
    if event in ("reminder", "time_up") and chosen(choices, "turn", match_id) == "none":
        return "none"
    return own.get(event) or general.get(event) or CHOICES.get(event, ("at_once",))[0]


def choose(store: Store, player_id: int, match_id: int, choices: Mapping[str, str]) -> None:
    """Keep the choices for a match, or for ALL; an empty one stands for what holds otherwise.

    Who chooses has come back to what he had left. Letters that wait are judged anew. Raises Refused.
    """
    check_choices(choices, match_id)
    with store.transaction() as connection:
        for event, choice in choices.items():
            if choice:
                _put.run(connection, player_id, match_id, event, choice)
            else:
                _forget.run(connection, player_id, match_id, event)
            _forget.run(connection, player_id, ALL, f"{LEFT}:{event}")
        _forget.run(connection, player_id, match_id, LEFT)
        judge_anew(connection, player_id)


def check_choices(choices: Mapping[str, str], match_id: int = ALL) -> None:
    """Raises Refused("choice")."""
    for event, choice in choices.items():
        if choice not in CHOICES.get(event, ()) and (choice or match_id == ALL):
            raise Refused("choice", event=event[:40], choice=choice[:40])


def keep_habits(
    store: Store, player_id: int, digest_hour: int, quiet: tuple[int, int] | None, reminders: str
) -> None:
    """Keep the hours of the player's day, and when he is reminded. Raises Refused("hour" or "quiet_hours").

    `reminders` must have been checked by whoever knows the clocks.
    """
    for hour in (digest_hour, *(quiet or ())):
        if not 0 <= hour <= 23:
            raise Refused("hour", hour=hour)
    if quiet is not None and quiet[0] == quiet[1]:
        raise Refused("quiet_hours", hour=quiet[0])
    begins, ends = quiet or (None, None)
    with store.transaction() as connection:
        _keep_habits.run(connection, digest_hour, begins, ends, reminders[:LONGEST_REMINDERS], player_id)
        judge_anew(connection, player_id)


def judge_anew(connection: Wire, player_id: int) -> None:
    """Have every letter that the player's wishes keep waiting judged again, now that they are others.

    Also the last turn letter of a seat that is still waited for, where it was never to be sent.
    """
    now = stored(connection, clock.now())
    if _let_go.run(connection, now, player_id) + _ask_again.run(connection, now, player_id):
        wake_after_commit(connection)


def leave(connection: Wire, player_id: int, match_id: int = ALL, event: str = "") -> None:
    """No more letters about that match, of that kind, or (without either) at all. Twice is once."""
    _put.run(connection, player_id, match_id, f"{LEFT}:{event}" if event else LEFT, "none")


def come_back(connection: Wire, player_id: int, match_id: int = ALL, event: str = "") -> None:
    """Undo `leave`: what was chosen before holds again."""
    _forget.run(connection, player_id, match_id, f"{LEFT}:{event}" if event else LEFT)
    judge_anew(connection, player_id)


def return_to(store: Store, player_id: int, match_id: int) -> None:
    """Come back to the letters of a match, or (ALL) to everything that was left."""
    with store.transaction() as connection:
        come_back(connection, player_id, match_id)
        if match_id == ALL:
            for event in (*CHOICES, *UNCHOSEN):
                come_back(connection, player_id, ALL, event)


def has_left(connection: Wire, player_id: int, match_id: int = ALL, event: str = "") -> bool:
    """Whether `leave` holds."""
    rows = _by_match(_some.fetch(connection, player_id, match_id)).get(match_id, {})
    return (f"{LEFT}:{event}" if event else LEFT) in rows


def _by_match(rows: Sequence[Any]) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {}
    for match_id, event, choice in rows:
        found.setdefault(match_id, {})[event] = choice
    return found

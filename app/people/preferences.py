"""Email settings of players: for each kind of event, for all matches and for single ones.

Unsubscribing is stored apart from the choices, so that they hold again after resubscribing.
"""

from collections.abc import Iterable, Mapping

import msgspec

from app import clock
from app.graphemes import cut
from app.people.errors import NotFound, Refused
from app.store.connection import Connection
from app.store.outbox import reconsider
from app.store.session import Store
from app.store.sql import Command, Query

CHOICES: Mapping[str, tuple[str, ...]] = {
    "turn": ("quiet", "at_once", "digest", "reminders", "none"),
    "reminder": ("at_once", "none"),
    "news": ("at_once", "digest", "none"),
    "chat": ("none", "at_once", "digest"),
    "started": ("at_once", "digest", "none"),
    "over": ("at_once", "digest", "none"),
}
"""The choices for each event, the default first."""
UNCHOSEN = ("time_up", "digest", "invitation", "table", "account")
"""Events without choices: players can only unsubscribe from their letters."""
ALL = 0
"""Stands for all matches in place of a match id."""
LEFT = "left"
"""The event under which unsubscribing is stored; `left:<event>` for one event. Also the choice then."""
LONGEST_REMINDERS = 80


class EmailSettings(msgspec.Struct, frozen=True):
    """All email settings of a player."""

    digest_hour: int
    quiet_from: int | None
    quiet_to: int | None
    reminders: str
    chosen: dict[int, dict[str, str]]
    """Choices by match id and event; those for all matches under ALL."""

    def choice(self, event: str, match_id: int = ALL) -> str:
        """The effective choice for an event of a match: one of CHOICES, or LEFT."""
        return effective(self.chosen, event, match_id)

    def kept(self, event: str) -> str:
        """The stored choice for an event of all matches, even where another setting overrides it."""
        return self.chosen.get(ALL, {}).get(event) or CHOICES[event][0]

    def left(self, match_id: int = ALL) -> bool:
        """Whether the player unsubscribed from the match, or from everything."""
        return LEFT in self.chosen.get(match_id, {})

    @property
    def kinds_left(self) -> tuple[str, ...]:
        """The events that the player unsubscribed from."""
        general = self.chosen.get(ALL, {})
        return tuple(event for event in (*CHOICES, *UNCHOSEN) if f"{LEFT}:{event}" in general)

    def own(self, match_id: int) -> dict[str, str]:
        """The choices for this match alone."""
        return {event: choice for event, choice in self.chosen.get(match_id, {}).items() if event in CHOICES}


class _Schedule(msgspec.Struct, frozen=True):
    digest_hour: int
    quiet_from: int | None
    quiet_to: int | None
    reminders: str


class _Choice(msgspec.Struct, frozen=True):
    match_id: int
    event: str
    choice: str


_schedule = Query(
    _Schedule, "SELECT digest_hour, quiet_from, quiet_to, reminders FROM player WHERE id = :player_id"
)
_all = Query(_Choice, "SELECT match_id, event, choice FROM preference WHERE player_id = :player_id")
_some = Query(
    _Choice,
    """SELECT match_id, event, choice FROM preference
       WHERE player_id = :player_id AND match_id IN (0, :match_id)""",
)
_put = Command(
    """INSERT INTO preference (player_id, match_id, event, choice)
       VALUES (:player_id, :match_id, :event, :choice)
       ON CONFLICT (player_id, match_id, event) DO UPDATE SET choice = excluded.choice"""
)
_delete = Command(
    "DELETE FROM preference WHERE player_id = :player_id AND match_id = :match_id AND event = :event"
)
_delete_of_match = Command(
    "DELETE FROM preference WHERE player_id = :player_id AND match_id = :match_id AND match_id <> 0"
)
_save_schedule = Command(
    """UPDATE player SET digest_hour = :digest_hour, quiet_from = :quiet_from, quiet_to = :quiet_to,
                         reminders = :reminders
       WHERE id = :player_id"""
)


def settings_of(store: Store, player_id: int) -> EmailSettings:
    """The player's email settings. Raises NotFound."""
    with store.reading() as connection:
        schedule = _schedule.first(connection, player_id=player_id)
        choices = _all.all(connection, player_id=player_id)
    if schedule is None:
        raise NotFound("player")
    return EmailSettings(**msgspec.structs.asdict(schedule), chosen=_by_match(choices))


def choice_of(connection: Connection, player_id: int, match_id: int | None, event: str) -> str:
    """The effective choice for an event of a match, or of none: one of CHOICES, or LEFT."""
    match_id = match_id or ALL
    choices = _some.all(connection, player_id=player_id, match_id=match_id)
    return effective(_by_match(choices), event, match_id)


def wants_reminder(connection: Connection, player_id: int, match_id: int) -> bool:
    """Whether the player wants to be reminded of a match."""
    return choice_of(connection, player_id, match_id, "reminder") == "at_once"


def effective(choices: Mapping[int, Mapping[str, str]], event: str, match_id: int = ALL) -> str:
    """The effective choice for an event, from all stored choices by match and event."""
    general = choices.get(ALL, {})
    own = choices.get(match_id, {}) if match_id != ALL else {}
    if event == "account":  # signing in, links again: what a reader asks for always comes
        return "at_once"
    if f"{LEFT}:{event}" in general or LEFT in own or LEFT in general:
        return LEFT
    if event in ("reminder", "time_up") and effective(choices, "turn", match_id) == "none":
        return "none"
    return own.get(event) or general.get(event) or CHOICES.get(event, ("at_once",))[0]


def choose(store: Store, player_id: int, match_id: int, choices: Mapping[str, str]) -> None:
    """Save choices for a match, or for ALL. An empty choice restores the default.

    This also resubscribes to the match and to the events. Waiting letters are decided anew. Raises Refused.
    """
    check_choices(choices, match_id)
    with store.transaction() as connection:
        for event, choice in choices.items():
            if choice:
                _put.run(connection, player_id=player_id, match_id=match_id, event=event, choice=choice)
            else:
                _delete.run(connection, player_id=player_id, match_id=match_id, event=event)
            _delete.run(connection, player_id=player_id, match_id=ALL, event=f"{LEFT}:{event}")
        _delete.run(connection, player_id=player_id, match_id=match_id, event=LEFT)
        reconsider(connection, clock.now(), player_id)


def check_choices(choices: Mapping[str, str], match_id: int = ALL) -> None:
    """Raises Refused("choice")."""
    for event, choice in choices.items():
        if choice not in CHOICES.get(event, ()) and (choice or match_id == ALL):
            raise Refused("choice", event=cut(event, 40), choice=cut(choice, 40))


def save_schedule(
    store: Store, player_id: int, digest_hour: int, quiet: tuple[int, int] | None, reminders: str
) -> None:
    """Save the digest hour, the quiet hours and the reminders. Raises Refused("hour" or "quiet_hours").

    The caller must have checked `reminders` by the rules of clocks.
    """
    for hour in (digest_hour, *(quiet or ())):
        if not 0 <= hour <= 23:
            raise Refused("hour", hour=hour)
    if quiet is not None and quiet[0] == quiet[1]:
        raise Refused("quiet_hours", hour=quiet[0])
    begins, ends = quiet or (None, None)
    schedule = _Schedule(digest_hour, begins, ends, reminders[:LONGEST_REMINDERS])
    with store.transaction() as connection:
        _save_schedule.run(connection, schedule, player_id=player_id)
        reconsider(connection, clock.now(), player_id)


def unsubscribe(connection: Connection, player_id: int, match_id: int = ALL, event: str = "") -> None:
    """Stop the letters about a match, of an event, or all. Twice is once."""
    _put.run(connection, player_id=player_id, match_id=match_id, event=_left(event), choice="none")


def resubscribe(connection: Connection, player_id: int, match_id: int = ALL, event: str = "") -> None:
    """Undo `unsubscribe`: the earlier choices hold again."""
    _delete.run(connection, player_id=player_id, match_id=match_id, event=_left(event))
    reconsider(connection, clock.now(), player_id)


def resubscribe_fully(store: Store, player_id: int, match_id: int) -> None:
    """Undo `unsubscribe` for a match; for ALL, undo every one but those for single matches."""
    with store.transaction() as connection:
        resubscribe(connection, player_id, match_id)
        if match_id == ALL:
            for event in (*CHOICES, *UNCHOSEN):
                resubscribe(connection, player_id, ALL, event)


def is_unsubscribed(connection: Connection, player_id: int, match_id: int = ALL, event: str = "") -> bool:
    """Whether exactly this `unsubscribe` holds."""
    choices = _some.all(connection, player_id=player_id, match_id=match_id)
    return any((one.match_id, one.event) == (match_id, _left(event)) for one in choices)


def delete_of_match(connection: Connection, player_ids: Iterable[int], match_id: int) -> None:
    """Delete the choices of players for a match that sends no more letters."""
    for player_id in player_ids:
        _delete_of_match.run(connection, player_id=player_id, match_id=match_id)


def _left(event: str) -> str:
    return f"{LEFT}:{event}" if event else LEFT


def _by_match(choices: Iterable[_Choice]) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {}
    for one in choices:
        found.setdefault(one.match_id, {})[one.event] = one.choice
    return found

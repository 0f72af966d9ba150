"""A reply in records: who writes, what each line is to do, and what became of it."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

import msgspec

from app import narrate
from app.mail.core.context import MailContext
from app.play.match.records import Closed, Viewer

DONE, REFUSED, UNTRIED, TOLD = "done", "refused", "untried", "told"


class Authority(msgspec.Struct, frozen=True):
    """Who writes, and what the letter was about that he answers."""

    player_id: int
    match_id: int | None
    run: int | None
    """The run of questions in which it asked him; None: in none."""
    letter_id: str | None
    address_key: str
    language: str
    zone: str
    may_resign: bool = False
    """The letter asked whether he really wants to."""
    read_before: datetime | None = None
    """When the mail came, where somebody has begun to carry it out and died; else None."""

    @property
    def bearer(self) -> Viewer:
        """He himself: what he may do hangs on his seats and not on the letter."""
        return Viewer(player_id=self.player_id)


class Result(msgspec.Struct, frozen=True):
    """What became of one line."""

    line: str
    outcome: str
    """done, refused, untried, told."""
    said: str = ""
    """Why not, or what is to be told; in the writer's language."""


class Report(msgspec.Struct, frozen=True):
    """What became of a whole mail."""

    results: tuple[Result, ...] = ()
    shows: tuple[str, ...] = ()
    """What its answer must show: help, board, legal, games; and `resign` where it asks back."""
    unread: str = ""
    """Where the reading ended."""
    why: str = ""
    """Why that is no move; in the writer's language."""
    left: tuple[str, ...] = ()
    """Commands that stand where they may not have been meant."""
    reason: str = ""
    """Why there was no line to carry out."""
    message_id: str = ""
    sender: str = ""
    """Whose mail it was, where it was not the player's own address."""


class Call(msgspec.Struct, frozen=True):
    """One line to carry out."""

    desk: MailContext
    authority: Authority
    argument: str
    """What stands behind the first word, as it was typed."""
    line: str
    key: str
    """Of this line of this mail: what is done under it once is not done again."""

    def say(self, name: str, *facts: object) -> str:
        """A phrase of the letters in the writer's language."""
        return narrate.say(narrate.LETTERS, self.authority.language, name, *facts)

    def house(self, name: str, *facts: object) -> str:
        """A phrase of the house in the writer's language."""
        return narrate.say(narrate.SITE, self.authority.language, name, *facts)

    @property
    def match_id(self) -> int:
        """The match of the letter. Raises Closed where it is about none."""
        if self.authority.match_id is None:
            raise Closed("no_match")
        return self.authority.match_id


Command: TypeAlias = Callable[[Call], Result]

"""A command of a reply: the writer's authority, and one line to carry out."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

import msgspec

from app import narrate
from app.mail.core.context import MailContext
from app.mail.core.report import Result
from app.play.match.records import Closed, Viewer


class Authority(msgspec.Struct, frozen=True):
    """The writer of a reply, and the subject of the letter that it answers."""

    player_id: int
    match_id: int | None
    turn: int | None
    """The turn that the letter asked for; None: it asked for none."""
    letter_id: str | None
    address_key: str
    language: str
    zone: str
    may_resign: bool = False
    """The letter asked the player to confirm their resignation."""
    read_before: datetime | None = None
    """When the mail came, if a worker began to carry it out and died; else None."""
    ended: bool = False
    """The player ended this reply address: nothing that comes by it is carried out."""
    began: bool = False
    """It was ended after this mail came and a worker had begun it, so perhaps by this mail itself."""

    @property
    def viewer(self) -> Viewer:
        """The player: their rights depend on their seats and not on the letter."""
        return Viewer(player_id=self.player_id)


class Call(msgspec.Struct, frozen=True):
    """One line to carry out."""

    mailer: MailContext
    authority: Authority
    argument: str
    """The text after the first word, as it was typed."""
    line: str
    key: str
    """Of this line of this mail: a command is carried out once under it."""

    def say(self, name: str, *facts: object) -> str:
        """A phrase of the letters in the writer's language."""
        return narrate.say(narrate.LETTERS, self.authority.language, name, *facts)

    def site(self, name: str, *facts: object) -> str:
        """A phrase of the site in the writer's language."""
        return narrate.say(narrate.SITE, self.authority.language, name, *facts)

    @property
    def match_id(self) -> int:
        """The match of the letter. Raises Closed if it is about none."""
        if self.authority.match_id is None:
            raise Closed("no_match")
        return self.authority.match_id


Command: TypeAlias = Callable[[Call], Result]

"""The context of a letter that is being written: its row, its reader, and the page that a writer fills."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from app import narrate, words
from app.mail.core.letter import LetterRow, Reached
from app.play.match import links
from app.settings import Settings
from app.store import tokens
from app.store.session import Store
from app.store.tokens import NewToken
from app.words.isolation import LRI, PDI


class LetterContext(msgspec.Struct, frozen=True):
    """A letter's row and its reader."""

    letter: LetterRow
    address: str
    address_key: str
    name: str
    """The reader's; empty where it is not known."""
    language: str
    zone: str

    def __repr__(self) -> str:
        return f"<LetterContext {self.letter.id} {self.letter.kind}>"

    @property
    def direction(self) -> str:
        """The direction of the reader's writing: ltr or rtl."""
        return words.direction(self.language)

    def say(self, name: str, *facts: Any, **more: Any) -> str:
        """A phrase of the letters in the reader's language."""
        return narrate.say(narrate.LETTERS, self.language, name, *facts, **more)

    def site(self, name: str, *facts: Any) -> str:
        """A phrase of the site in the reader's language."""
        return narrate.say(narrate.SITE, self.language, name, *facts)

    @property
    def formats(self) -> words.Formats:
        """Dates, numbers, lists and durations as the reader's language writes them."""
        return words.formats(self.language)

    def isolated(self, notation: str) -> str:
        """Notation that keeps its order within a text that runs the other way."""
        turned = self.direction == "rtl" and not notation.startswith(LRI)
        return f"{LRI}{notation}{PDI}" if turned else notation

    def local(self, moment: datetime) -> datetime:
        """The moment on the reader's clock."""
        return moment.astimezone(ZoneInfo(self.zone))


class MailContext(msgspec.Struct, frozen=True):
    """The store and the settings that writers work with, and the links that they make."""

    store: Store
    settings: Settings
    made: list[tuple[str, NewToken]] = msgspec.field(default_factory=list)
    """The tokens of the letter and their rows, which are written when it goes out."""

    def link(self, path: str) -> str:
        """The full address of a path."""
        return self.settings.url + path

    def turn_link(self, context: LetterContext, match_id: int, seat: str | None, turn: int) -> str:
        """A new link to the reader's own board, good for this turn."""
        what = {"match_id": match_id, "seat": seat, "run": turn, "player_id": context.letter.player_id}
        return self._link("turn", what)

    def fresh_link(self, context: LetterContext, purpose: str, **what: Any) -> str:
        """A link that acts, by a token minted for this letter and stored nowhere else."""
        return self._link(purpose, what | {"letter_id": context.letter.id})

    def reply_token(self, context: LetterContext, **what: Any) -> str:
        """A token for replies: the one that the letter's link to the same turn brings, or a new one."""
        for n, (token, row) in enumerate(self.made):
            if row.purpose == "turn" and all(getattr(row, name) == value for name, value in what.items()):
                self.made[n] = token, msgspec.structs.replace(row, letter_id=context.letter.id)
                return tokens.reply_of(token)
        token, row = links.make("reply", letter_id=context.letter.id, **what)
        self.made.append((token, row))
        return token

    def _link(self, purpose: str, what: dict[str, Any]) -> str:
        token, row = links.make(purpose, **what)
        self.made.append((token, row))
        return self.link(links.path(purpose, token))


class Page(msgspec.Struct, frozen=True):
    """The result of a writer: the facts for the kind's templates."""

    facts: dict[str, Any]
    heading: str
    """Above the letter, and the name of its list: the match, or the site."""
    picture: bytes | None = None
    to_ply: int | None = None
    to_notice: int | None = None
    reached: tuple[Reached, ...] = ()
    """For a letter about several matches: how far it tells of each."""
    gathered: tuple[str, ...] = ()
    """The ids of the letters that it replaces."""
    reply_to: str = ""
    """The address for replies; empty if it can't be replied to."""
    answers: str | None = None
    """The Message-ID of the mail that it answers, perhaps empty; None: it answers none."""

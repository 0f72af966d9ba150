"""What a letter is about and for whom, read from its row; and the page that a writer fills for it."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import Connection, select
from sqlmodel import col

from app import narrate
from app.mail.core.letter import Reached
from app.people.address import ASKED, CHANGED
from app.people.checks import check_address
from app.play.match import links
from app.settings import Settings
from app.store.session import Store
from app.store.tables import Invitation, Letter, Player

TO_ABOUT = frozenset({ASKED, CHANGED})
"""Kinds that go to an address of the player which is not yet, or no longer, his."""
UNKNOWN: dict[str, Any] = {"name": "", "language": narrate.FALLBACK, "zone": "UTC"}
RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})


class LetterContext(msgspec.Struct, frozen=True):
    """A letter's row and its reader."""

    letter_id: str
    kind: str
    match_id: int | None
    seat: str | None
    player_id: int | None
    invitation_id: int | None
    run: int | None
    by_seat: str | None
    consequence: str | None
    guest_id: int | None
    offer: str | None
    digest_at: datetime | None
    absence_id: int | None
    to_address: str | None
    incoming_id: str | None
    address: str
    name: str
    """The reader's; empty where nobody has told us yet."""
    language: str
    zone: str
    address_key: str = ""

    def __repr__(self) -> str:
        return f"<Errand {self.letter_id} {self.kind}>"

    @property
    def direction(self) -> str:
        """Which way the reader's language runs."""
        return "rtl" if self.language.split("-")[0] in RIGHT_TO_LEFT else "ltr"

    def say(self, name: str, *facts: Any, **more: Any) -> str:
        """A phrase of the letters in the reader's language."""
        return narrate.say(narrate.LETTERS, self.language, name, *facts, **more)

    def house(self, name: str, *facts: Any) -> str:
        """A phrase of the house in the reader's language."""
        return narrate.say(narrate.SITE, self.language, name, *facts)

    def isolated(self, notation: str) -> str:
        """Notation that keeps its order within a text that runs the other way."""
        return f"\u2066{notation}\u2069" if self.direction == "rtl" else notation

    def local(self, moment: datetime) -> datetime:
        """The moment on the reader's clock."""
        return moment.astimezone(ZoneInfo(self.zone))


class MailContext(msgspec.Struct, frozen=True):
    """What a writer works with."""

    store: Store
    settings: Settings

    def link(self, path: str) -> str:
        """The full address of a path."""
        return self.settings.url + path

    def turn_link(self, errand: LetterContext, match_id: int, seat: str | None, run: int) -> str:
        """A fresh link to the reader's own board, good for this run of questions."""
        what = {"match_id": match_id, "seat": seat, "run": run, "player_id": errand.player_id}
        return self.fresh_link(errand, "turn", **what)

    def fresh_link(self, errand: LetterContext, purpose: str, **what: Any) -> str:
        """A link that acts, by a token made for this letter. It stands nowhere but in the letter."""
        with self.store.transaction() as connection:
            token = links.mint(connection, purpose, letter_id=errand.letter_id, **what)
        return self.link(links.path(purpose, token))


class Page(msgspec.Struct, frozen=True):
    """What a writer gives: the facts for the kind's templates."""

    facts: dict[str, Any]
    heading: str
    """Above the letter, and the name of its list: the match, or the house."""
    picture: bytes | None = None
    to_ply: int | None = None
    to_notice: int | None = None
    reached: tuple[Reached, ...] = ()
    """Where it tells of several matches: how far of each."""
    gathered: tuple[str, ...] = ()
    """The letters in whose place it goes."""
    reply_to: str = ""
    """The address at which its reader can answer; empty where he cannot."""
    answers: str | None = None
    """The id of his mail that it answers, maybe empty; None: it answers none."""


def read(connection: Connection, letter_id: str) -> LetterContext:
    """The errand of a letter. Its reader is the player, else who was invited. Raises NoResultFound."""
    letter = connection.execute(
        select(
            col(Letter.id),
            col(Letter.kind),
            col(Letter.match_id),
            col(Letter.seat),
            col(Letter.player_id),
            col(Letter.invitation_id),
            col(Letter.run),
            col(Letter.by_seat),
            col(Letter.consequence),
            col(Letter.guest_id),
            col(Letter.offer),
            col(Letter.digest_at),
            col(Letter.absence_id),
            col(Letter.to_address),
            col(Letter.incoming_id),
        ).where(col(Letter.id) == letter_id)
    ).one()
    address = key = None
    if letter.player_id is None:
        address, key = connection.execute(
            select(col(Invitation.address), col(Invitation.address_key)).where(
                col(Invitation.id) == letter.invitation_id
            )
        ).one()
    known = col(Player.id) == letter.player_id if key is None else col(Player.address_key) == key
    player = connection.execute(
        select(
            col(Player.address),
            col(Player.address_key),
            col(Player.name),
            col(Player.language),
            col(Player.zone),
        ).where(known)
    ).one_or_none()
    row = dict(letter._mapping)  # noqa: SLF001 - public in all but its name
    row["letter_id"] = row.pop("id")
    if player is None:
        return LetterContext(**row, address=address or "", address_key=key or "", **UNKNOWN)
    if letter.kind in TO_ABOUT:
        own, own_key = check_address(letter.to_address)
    else:
        own, own_key = address or player.address, player.address_key
    told: dict[str, Any] = {"name": player.name, "language": player.language, "zone": player.zone}
    return LetterContext(**row, address=own, address_key=own_key, **told)

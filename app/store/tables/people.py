"""Players, their settings and absences."""

from datetime import datetime

from sqlalchemy import Column, LargeBinary, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from app.store.tables.shapes import EMPTY, OFF, ZERO, some


class Player(SQLModel, table=True):
    """A person who confirmed an address by the link of an email."""

    id: int | None = Field(default=None, primary_key=True)
    address: str
    address_key: str = Field(unique=True)
    """The same for all spellings of one address: two spellings are one person."""
    name: str
    language: str = "en"
    zone: str = "UTC"
    session_epoch: int = 0
    """Not read any more: `Login` has the sessions."""
    feed_epoch: int = Field(default=0, sa_column_kwargs=ZERO)
    """Rises when the player's feeds get new addresses."""
    away: str = Field(default="[]", sa_column=Column(Text, nullable=False, server_default="[]"))
    """JSON: the stops of the player's clocks by absences that are not over. `Absence` has all of them."""
    reminders: str = Field(default="", sa_column_kwargs=EMPTY)
    """When the player is reminded, such as `50% 24h`; empty: the default."""
    digest_hour: int = Field(default=8, sa_column_kwargs={"server_default": text("8")})
    quiet_from: int | None = None
    quiet_to: int | None = None
    """Hours of the player's day between which emails that can wait are held back."""
    seen_at: datetime | None = None
    """When the player last signed in, or marked everything as seen."""
    shows: str = Field(default="", sa_column_kwargs=EMPTY)
    """Parts of the player's public page beside the name, such as `games punctuality`."""
    operator_since: datetime | None = None
    """Since when the player may use the operator's page; None: they may not."""
    created_at: datetime
    gone_at: datetime | None = None
    """When the account was deleted. The row stays for the games: it names nobody any more."""


class Login(SQLModel, table=True):
    """A browser that is signed in, or that played by a turn's link. Deleting the row signs it out."""

    hash: str = Field(primary_key=True)
    """SHA-256 in hex of the key in the browser's cookie."""
    player_id: int = Field(foreign_key="player.id", index=True)
    chair_id: int | None = Field(default=None, foreign_key="chair.id")
    """The only seat that it may play; None: it is signed in."""
    created_at: datetime = Field(index=True)


class ApiKey(SQLModel, table=True):
    """A key by which a program acts for a player. Deleting the row ends it."""

    id: int | None = Field(default=None, primary_key=True)
    hash: bytes = Field(sa_column=Column(LargeBinary, nullable=False, unique=True))
    """SHA-256 of the key, which is shown once and kept nowhere."""
    player_id: int = Field(foreign_key="player.id", index=True)
    name: str
    """As its player calls it."""
    scopes: str
    """Its rights, such as `read play`."""
    created_at: datetime
    used_at: datetime | None = None
    """When it was used last, to the hour."""


class Subscription(SQLModel, table=True):
    """A browser that a player has notified of their turns."""

    hash: str = Field(primary_key=True)
    """SHA-256 in hex of the endpoint."""
    player_id: int = Field(foreign_key="player.id", index=True)
    session: str = Field(index=True)
    """The hash of the session in which it was turned on: signing out there ends it."""
    endpoint: str = Field(sa_column=Column(Text, nullable=False))
    """The address at the browser's push service. Who knows it can try to reach the browser."""
    p256dh: str
    auth: str
    """The browser's public key and its secret, by which only the browser can read what is sent."""
    created_at: datetime = Field(index=True)
    failures: int = 0
    """In a row."""
    rests_until: datetime | None = None
    """Until then nothing is sent there."""


class Webhook(SQLModel, table=True):
    """An address at which a player, or the host of a game, has another program told."""

    __table_args__ = (
        UniqueConstraint("player_id", "match_id", "hash"),
        some("webhook_fails", "failing_since", where="failing_since IS NOT NULL"),
    )

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id")
    """The player whose turns it tells, or the host who set it for the game."""
    match_id: int = Field(default=0, index=True)
    """The game whose public news it tells; 0: it tells what its player is told."""
    format: str
    """discord, slack, json."""
    language: str = ""
    """That it speaks; empty, of an earlier version: its player's."""
    url: str = Field(sa_column=Column(Text, nullable=False))
    """A secret, because who knows it can post there: sealed by a secret key of the server."""
    label: str = Field(default="", sa_column=Column(Text, nullable=False))
    """The address without its secret part; empty, of an earlier version: not yet worked out."""
    hash: str
    """SHA-256 in hex of the address."""
    secret: str
    """The key that signs posts in plain JSON, sealed; empty for the other formats."""
    events: str
    """Words with a blank before and behind each."""
    status: str
    """new (no test has arrived yet), on, off (it failed for too long)."""
    created_at: datetime
    tested_at: datetime | None = None
    """When a test was last asked for."""
    held_until: datetime | None = None
    """The end of the lease of the worker that sends there."""
    rests_until: datetime | None = None
    """Until then nothing is sent there."""
    failures: int = 0
    """In a row."""
    failing_since: datetime | None = None
    error: str = ""
    """The last failure: a status of HTTP, or a word; empty once a post has arrived."""
    sent_at: datetime | None = None
    """When the last post arrived."""


class Confirmation(SQLModel, table=True):
    """A request that is carried out once its player has confirmed it by the link of an email."""

    __table_args__ = (some("confirmation_match", "match_id", where="match_id IS NOT NULL"),)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    match_id: int | None = Field(default=None, foreign_key="match.id")
    what: str
    """address, resign, away, letters, delete and others."""
    facts: str = Field(default="{}", sa_column=Column(Text, nullable=False, server_default="{}"))
    """JSON: the request as it was typed."""
    created_at: datetime = Field(index=True)
    expires_at: datetime
    done_at: datetime | None = None


class FormerAddress(SQLModel, table=True):
    """The address that a player had before. For some days it still signs in and can undo the change."""

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    address: str
    address_key: str = Field(index=True)
    created_at: datetime
    until: datetime = Field(index=True)
    ended_at: datetime | None = None
    """When the change was undone."""


class Absence(SQLModel, table=True):
    """Days on which a player is away and their clocks stand still."""

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    begins: datetime
    ends: datetime = Field(index=True)
    created_at: datetime
    cancelled_at: datetime | None = None
    used_until: datetime | None = None
    """Until when its days count as used though it was cancelled: a deadline keeps them."""


class Preference(SQLModel, table=True):
    """A player's choice for a kind of event, in one match or (0) in all."""

    player_id: int = Field(foreign_key="player.id", primary_key=True)
    match_id: int = Field(default=0, primary_key=True)
    event: str = Field(primary_key=True)
    choice: str


class Suppressed(SQLModel, table=True):
    """An address that gets no email: emails came back, or its owner wants none."""

    address_key: str = Field(primary_key=True)
    reason: str
    """bounced, unwanted."""
    letter_id: str | None = None
    at: datetime


class Unreached(SQLModel, table=True):
    """An address whose letters are refused for good, by no word about the mailbox: they go on being tried."""

    address_key: str = Field(primary_key=True)
    kind: str
    """us, policy, full."""
    said: str = Field(sa_column=Column(Text, nullable=False))
    """The last refusal, addresses masked."""
    since: datetime
    at: datetime
    times: int
    """In a row."""
    by_notice: bool
    """The last refusal came as a notice, after the mail server had taken the letter."""


class Block(SQLModel, table=True):
    """A person that a player has muted or blocked. The other is never told."""

    player_id: int = Field(foreign_key="player.id", primary_key=True)
    other_id: int = Field(foreign_key="player.id", primary_key=True, index=True)
    invitations: bool = Field(default=False, sa_column_kwargs=OFF)
    """They can't invite the player either; else only their nudges and messages are muted."""
    at: datetime


class Bar(SQLModel, table=True):
    """An address or a domain that the operator bars: its owners sign in no more and begin nothing new."""

    key: str = Field(primary_key=True)
    """The mailbox of an address, or `@` and a domain, as A-labels."""
    why: str = Field(default="", sa_column=Column(Text, nullable=False))
    at: datetime


class Report(SQLModel, table=True):
    """A person reported to the operator by a player."""

    __table_args__ = (
        some("report_closed", "closed_at", where="closed_at IS NOT NULL"),
        some("report_match", "match_id", where="match_id IS NOT NULL"),
    )

    id: int | None = Field(default=None, primary_key=True)
    by_id: int = Field(foreign_key="player.id", index=True)
    about_id: int = Field(foreign_key="player.id")
    match_id: int | None = Field(default=None, foreign_key="match.id")
    text: str = Field(sa_column=Column(Text, nullable=False))
    at: datetime
    closed_at: datetime | None = None
    """When the operator settled it."""

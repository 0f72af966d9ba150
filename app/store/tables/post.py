"""Emails out, mail in, and the tokens of links."""

from datetime import datetime

from sqlalchemy import Column, Index, LargeBinary, Text, false, text
from sqlmodel import Field, SQLModel

from app.store.tables.shapes import EMPTY, ZERO, some


class Token(SQLModel, table=True):
    """The right that a link in a letter gives. The token itself is never stored."""

    __table_args__ = (
        some("token_letter", "letter_id", where="purpose IN ('reply', 'turn') AND letter_id IS NOT NULL"),
        some("token_match", "match_id", where="match_id IS NOT NULL"),
        some("token_invitation", "invitation_id", where="invitation_id IS NOT NULL"),
        some("token_player", "player_id", where="player_id IS NOT NULL"),
        some("token_alone", "created_at", where="match_id IS NULL"),
    )

    hash: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))
    """SHA-256 of the token; of a turn's that of the token for replies that it brings."""
    purpose: str
    """turn, invitation, sign_in, reply, address, confirm, undo, again."""
    match_id: int | None = Field(default=None, foreign_key="match.id")
    invitation_id: int | None = Field(default=None, foreign_key="invitation.id")
    player_id: int | None = Field(default=None, foreign_key="player.id")
    seat: str | None = None
    run: int | None = None
    letter_id: str | None = None
    """The letter that carries it. A turn's token has one if its address for replies was given too."""
    created_at: datetime
    expires_at: datetime | None = None
    used_at: datetime | None = None
    ended_at: datetime | None = None
    """When its player ended all links. It is kept, so that what still comes by it can be answered."""


class Letter(SQLModel, table=True):
    """The outbox. A row says what the letter is about; its text is written when it is sent."""

    __table_args__ = (
        Index(
            "letter_waiting",
            "due_at",
            sqlite_where=text("status = 'waiting'"),
            postgresql_where=text("status = 'waiting'"),
        ),
        Index(
            "letter_failed",
            "failed_at",
            sqlite_where=text("status = 'failed'"),
            postgresql_where=text("status = 'failed'"),
        ),
        Index(
            "letter_repeated",
            "created_at",
            sqlite_where=text("repeats > 0"),
            postgresql_where=text("repeats > 0"),
        ),
        Index(
            "letter_invitation",
            "invitation_id",
            sqlite_where=text("invitation_id IS NOT NULL"),
            postgresql_where=text("invitation_id IS NOT NULL"),
        ),
        some("letter_alone", "created_at", where="match_id IS NULL"),
    )

    id: str = Field(primary_key=True)
    kind: str
    """The folder under templates/mail that writes it."""
    once: str = Field(unique=True)
    """Recipient, occasion and kind: the same letter is never asked for twice."""
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)
    seat: str | None = None
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    invitation_id: int | None = Field(default=None, foreign_key="invitation.id")
    run: int | None = None
    """The turn that it asks for."""
    by_seat: str | None = None
    """The seat whose player nudges."""
    consequence: str | None = None
    """The result of a missed deadline, as the clock's rule names it."""
    guest_id: int | None = None
    """The invitation whose answer or end it tells."""
    offer: str | None = None
    """Why a seat is offered: own_wish, reminder; None: the organiser asks."""
    due_match_id: int | None = None
    """The match for which a reminder is due; it tells of all."""
    digest_at: datetime | None = None
    """The moment of a digest."""
    absence_id: int | None = None
    to_address: str | None = None
    """The address it goes to where that is not the player's: a new one, or the one before."""
    incoming_id: str | None = None
    """The mail that it answers."""
    confirmation_id: int | None = None
    """The request that its link confirms."""
    former_id: int | None = None
    """The former address that its link restores."""
    status: str = "waiting"
    """waiting, sent, dropped (no longer true), failed, unknown (lost after the last dot)."""
    reason: str = ""
    """Why it was dropped or failed, as a word for the player's page."""
    created_at: datetime
    due_at: datetime
    held_until: datetime | None = None
    """A worker has it until then."""
    tries: int = 0
    sent_at: datetime | None = None
    sent_to: str = Field(default="", sa_column_kwargs=EMPTY)
    """The key of the address that it went to."""
    to_ply: int | None = None
    """The last ply it told of."""
    to_notice: int | None = None
    """The last notice that it told of."""
    stuck_since: datetime | None = None
    """Since when it can't be delivered for a reason that is not its reader's."""
    text_at: datetime | None = None
    """A worker began to hand over its text then, and what became of it is not recorded yet."""
    repeats: int = Field(default=0, sa_column_kwargs=ZERO)
    """How often it was tried again though the mail server may have taken it."""
    failed_at: datetime | None = None


class Relay(SQLModel, table=True):
    """The mail server of TIDEPOST_SMTP_URL, as it behaved last. One row, made by the migration."""

    id: int = Field(default=1, primary_key=True)
    said: str = Field(default="", sa_column=Column(Text, nullable=False))
    """Its last words of trouble, addresses masked; they stay when it works again."""
    kind: str = ""
    """connection, relay, us, policy."""
    said_at: datetime | None = None
    failures: int = 0
    """In a row."""
    since: datetime | None = None
    """Of the first of them; None: it works."""
    rests_until: datetime | None = None
    """No letter is handed to it before."""
    taken_at: datetime | None = None
    """When it last took a letter, give or take a minute."""


class Unasked(SQLModel, table=True):
    """A letter that was sent to an address that nobody has confirmed, for counting. Kept for a few days."""

    __table_args__ = (Index("unasked_mailbox", "mailbox", "at"), Index("unasked_domain", "domain", "at"))

    letter_id: str = Field(primary_key=True)
    mailbox: str
    """The address key without tags."""
    domain: str
    at: datetime = Field(index=True)


class Incoming(SQLModel, table=True):
    """A mail as it came. It is kept before its sender is told that we have it, and read afterwards."""

    __table_args__ = (
        Index(
            "incoming_waiting",
            "received_at",
            sqlite_where=text("status = 'waiting'"),
            postgresql_where=text("status = 'waiting'"),
        ),
        Index(
            "incoming_passed_over",
            "received_at",
            sqlite_where=text("status IN ('failed', 'dropped')"),
            postgresql_where=text("status IN ('failed', 'dropped')"),
        ),
        some("incoming_kept", "received_at", where="status <> 'waiting' AND length(raw) > 0"),
        some("incoming_done", "received_at", where="status <> 'waiting'"),
        some("incoming_match", "match_id", where="match_id IS NOT NULL"),
        Index(
            "incoming_in_order",
            "player_id",
            "received_at",
            sqlite_where=text("status = 'waiting'"),
            postgresql_where=text("status = 'waiting'"),
        ),
    )

    id: str = Field(primary_key=True)
    key: str = Field(unique=True)
    """Its address here and its message id, hashed: the same mail is kept once."""
    kind: str = "reply"
    """reply, bounce, leave, probe: what its address here is for."""
    source: str
    """listener, imap, stdin."""
    recipient: str
    """Its address here, the token masked."""
    token_hash: str = Field(default="", index=True)
    """SHA-256 in hex of the token in its address."""
    letter_id: str | None = None
    """The letter whose address it is."""
    sender: str = ""
    """Of the envelope: `<>` for none, empty if unknown."""
    own: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether its From was the address of the player who replies by this address."""
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    status: str = "waiting"
    """waiting, read, dropped, failed."""
    reason: str = ""
    """Why it was dropped or failed."""
    error: str = Field(default="", sa_column=Column(Text, nullable=False))
    """For the operator."""
    match_id: int | None = Field(default=None, foreign_key="match.id")
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    results: str = Field(default="[]", sa_column=Column(Text, nullable=False))
    """JSON: the results of its lines."""
    received_at: datetime
    held_until: datetime | None = None
    tries: int = 0
    read_at: datetime | None = None
    dealt_at: datetime | None = None
    """When the operator took it off the list of mails that were not carried out."""


class PassedOver(SQLModel, table=True):
    """A mail that belongs to no address here, or is too large. It is only listed."""

    __table_args__ = (Index("passed_over_at", "received_at"),)

    id: str = Field(primary_key=True)
    """A hash of its beginning: a mail that is seen twice is listed once."""
    reason: str
    """no_token, unknown_sender, too_big, unkept."""
    source: str
    size: int
    """Bytes."""
    head: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    """Its headers."""
    received_at: datetime
    dealt_at: datetime | None = None
    """When the operator took it off that list."""


class Push(SQLModel, table=True):
    """A notification to a browser that it is its player's turn."""

    __table_args__ = (some("push_waits", "due_at", where="status = 'waiting'"),)

    letter_id: str = Field(primary_key=True)
    """The letter that asks for the turn."""
    subscription: str = Field(primary_key=True)
    """The hash of the browser's endpoint."""
    status: str
    """waiting, taken (it is being sent, or was perhaps), sent, failed, over (the turn was)."""
    tries: int
    created_at: datetime = Field(index=True)
    due_at: datetime


class HookPost(SQLModel, table=True):
    """Something that a webhook is to tell: a row of its outbox."""

    __table_args__ = (some("hookpost_waits", "due_at", where="status = 'waiting'"),)

    webhook_id: int = Field(primary_key=True, foreign_key="webhook.id")
    occasion: str = Field(primary_key=True)
    """The same is told once."""
    event: str
    """turn, started, over, chat, invitation, test."""
    match_id: int = 0
    """0: it is about none."""
    seat: str = ""
    """The seat whose turn it is."""
    run: int = 0
    """Of the turn."""
    invitation_id: int = 0
    status: str
    """waiting, sent, dropped (it is no longer true), failed (given up)."""
    created_at: datetime = Field(index=True)
    due_at: datetime

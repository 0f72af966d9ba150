"""Mail that came in is read: each is held by one worker, judged, carried out and answered once.

A worker that dies in between holds a mail until its lease ends; then another reads it again. What the first
one did is known by the mail's key and is not done twice; the answer is asked for once.
"""

import logging
import random
import traceback
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, exists, not_, or_, select, update
from sqlalchemy import func as sql
from sqlalchemy.orm import aliased
from sqlmodel import col

from app import clock
from app.mail.bounces import dsn
from app.mail.core import inbound_address, signed_addresses
from app.mail.core.context import MailContext
from app.mail.inbound import dispatch
from app.mail.inbound.reading import House, Message, Unreadable, open_message, read
from app.mail.letters.results import UNTRIED, Authority, Report, Result
from app.mail.letters.system_commands import RESIGN
from app.mail.policy import unsubscribe
from app.settings import Settings
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.statement import Statement
from app.store.tables import Incoming, Letter

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=2)
TRIES = 5
"""After which a mail is left to the operator."""
BUSY = timedelta(seconds=5)
"""For which one round goes on."""
BUNDLE = 20
MOST_ANSWERS = 30
"""To one player a day."""
MOST_QUESTIONS = 3
"""To one player a day, whether he wrote from an address that is not his."""
MOST_AN_HOUR = 100
"""Replies about one match that are carried out; more are no people's."""
ANSWERS = ("reply", "reply_confirm")

_authority = Statement(
    """SELECT p.id, t.match_id, t.run, t.letter_id, p.address_key, p.language, p.zone
       FROM token t JOIN player p ON p.id = t.player_id WHERE t.hash = ? AND t.purpose = 'reply'"""
)
_asked_back = Statement(
    """SELECT i.results FROM letter l JOIN incoming i ON i.id = l.incoming_id
       WHERE l.id = ? AND l.kind = 'reply'"""
)
_report = msgspec.json.Decoder(Report)


class Mail(msgspec.Struct, frozen=True):
    """A mail as it is kept."""

    id: str
    key: str
    kind: str
    token_hash: str
    letter_id: str | None
    sender: str
    raw: bytes
    tries: int
    received_at: datetime


class Silence(Exception):  # noqa: N818 - what becomes of a mail
    """Nothing is done and nothing is said. `reason` is for the operator."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Given(Exception):  # noqa: N818 - what becomes of a mail
    """It cannot be read, now or ever."""


def waiting(store: Store, most: int = BUNDLE) -> list[str]:
    """The ids of mails to read now, the oldest first."""
    with store.reading() as connection:
        rows = select(col(Incoming.id)).where(_free()).order_by(col(Incoming.received_at)).limit(most)
        return list(connection.execute(rows).scalars())


def run_batch(store: Store, settings: Settings) -> bool:
    """Read what waits until nothing does, or the round has lasted for BUSY; whether mails are left."""
    end = clock.now() + BUSY
    while bundle := waiting(store):
        if len(bundle) == BUNDLE:
            random.shuffle(bundle)
        for incoming_id in bundle:
            if clock.now() >= end:
                return True
            take_up(store, settings, incoming_id)
    return False


def take_up(store: Store, settings: Settings, incoming_id: str) -> str:
    """Read one mail if nobody else has it; its status now, or `held` where it was not ours to read."""
    mail = _hold(store, incoming_id)
    if mail is None:
        return "held"
    try:
        return _read(MailContext(store, settings), mail)
    except Silence as silence:
        return _settle(store, mail, "dropped", reason=silence.reason)
    except Given as given:
        return _settle(store, mail, "failed", reason="unreadable", error=str(given))
    except Exception:  # one bad mail must stop neither the others nor be tried for ever
        log.exception("mail %s cannot be read", mail.id)
        error = traceback.format_exc(limit=-8)
        if mail.tries >= TRIES:
            return _settle(store, mail, "failed", reason="error", error=error)
        return _settle(store, mail, "waiting", error=error, held_until=clock.now() + LEASE)


def _free() -> ColumnElement[bool]:
    """Of mails that wait, that nobody has, and before which no other of the same player must be read.

    What he writes in two mails he means in that order. One that failed once keeps the others no longer.
    """
    earlier, now = aliased(Incoming), clock.now()
    before = or_(
        col(earlier.received_at) < col(Incoming.received_at),
        and_(col(earlier.received_at) == col(Incoming.received_at), col(earlier.id) < col(Incoming.id)),
    )
    blocked = exists().where(
        col(earlier.player_id) == col(Incoming.player_id),
        col(earlier.status) == "waiting",
        col(earlier.tries) <= 1,
        before,
    )
    held = col(Incoming.held_until)
    return and_(col(Incoming.status) == "waiting", or_(held.is_(None), held < now), not_(blocked))


def _hold(store: Store, incoming_id: str) -> Mail | None:
    now = clock.now()
    with store.transaction() as connection:
        row = connection.execute(
            update(Incoming)
            .where(col(Incoming.id) == incoming_id, _free())
            .values(held_until=now + LEASE, tries=Incoming.tries + 1)
            .returning(
                col(Incoming.id),
                col(Incoming.key),
                col(Incoming.kind),
                col(Incoming.token_hash),
                col(Incoming.letter_id),
                col(Incoming.sender),
                col(Incoming.raw),
                col(Incoming.tries),
                col(Incoming.received_at),
            )
        ).one_or_none()
    return Mail(**row._asdict()) if row is not None else None


def _settle(store: Store, mail: Mail, status: str, *wanted: LetterRequest, **values: object) -> str:
    """Write what became of the mail and ask for its answer, unless that is settled already."""
    now = clock.now()
    values = {"held_until": None, "read_at": now} | values
    with store.transaction() as connection:
        settled = connection.execute(
            update(Incoming)
            .where(col(Incoming.id) == mail.id, col(Incoming.status) == "waiting")
            .values(status=status, **values)
        )
        if settled.rowcount:
            enqueue(connection, now, *wanted)
    return status


def _read(desk: MailContext, mail: Mail) -> str:
    """What the mail's address is for. Raises Silence, Given."""
    return READERS[mail.kind](desk, mail)


def _reply(desk: MailContext, mail: Mail) -> str:
    authority = _authorised(desk, mail)
    house = House(desk.settings.mail_domain, sites=(urlsplit(desk.settings.url).hostname or "",))
    message = open_message(mail.raw, house, mail.sender or None)
    if isinstance(message, Unreadable):
        raise Given(f"{message.reason}: {message.error}")
    if message.kind != "reply":
        raise Silence(f"{message.kind}: {message.why}")
    _no_storm(desk, authority)
    reply = read(message, dispatch.recogniser(desk, authority), house)
    if message.seems_automatic and not reply.lines:
        raise Silence("automatic: subject")
    if message.sender != authority.address_key:
        return _from_elsewhere(desk, mail, authority, message, reply.lines)
    report = dispatch.carry_out(desk, authority, reply.lines, mail.key)
    stopped = reply.rest.partition("\n")[0]
    why = dispatch.unreadable(desk, authority, stopped) if stopped and not reply.lines else ""
    report = msgspec.structs.replace(
        report,
        why=why,
        unread=dispatch.shortened(stopped),
        left=dispatch.possible(desk, authority, reply.left)[: dispatch.MOST_LEFT],
        reason=reply.reason,
        message_id=message.message_id,
    )
    return _answer(desk, mail, authority, report, "reply")


def _from_elsewhere(
    desk: MailContext, mail: Mail, authority: Authority, message: Message, lines: tuple[str, ...]
) -> str:
    """Play nothing; ask the owner of the token, at his own address."""
    if not lines:
        raise Silence("elsewhere: no command")
    results = tuple(Result(dispatch.shortened(line), UNTRIED) for line in lines)
    report = Report(results, sender=message.sender)
    return _answer(desk, mail, authority, report, "reply_confirm")


def _answer(desk: MailContext, mail: Mail, authority: Authority, report: Report, kind: str) -> str:
    wanted = LetterRequest(
        kind=kind,
        once=f"{kind}:{mail.id}",
        match_id=authority.match_id,
        seat=dispatch.seat_of(desk, authority),
        player_id=authority.player_id,
        incoming_id=mail.id,
    )
    with desk.store.reading() as connection:
        answers = _lately(connection, authority.player_id, ANSWERS)
        questions = _lately(connection, authority.player_id, ("reply_confirm",))
    silent = answers >= MOST_ANSWERS or (kind == "reply_confirm" and questions >= MOST_QUESTIONS)
    return _settle(
        desk.store,
        mail,
        "read",
        *(() if silent else (wanted,)),
        reason="too_many_answers" if silent else "",
        player_id=authority.player_id,
        match_id=authority.match_id,
        results=msgspec.json.encode(report).decode(),
    )


def _authorised(desk: MailContext, mail: Mail) -> Authority:
    with desk.store.reading() as connection:
        for row in _authority.fetch(connection, mail.token_hash):
            authority = Authority(*row)
            asked = _asked_back.fetch(connection, authority.letter_id or "")
            may_resign = any(RESIGN in _report.decode(results).shows for (results,) in asked)
            before = mail.received_at if mail.tries > 1 else None
            return msgspec.structs.replace(authority, may_resign=may_resign, read_before=before)
    raise Silence("unknown")


def _lately(connection: Connection, player_id: int, kinds: tuple[str, ...]) -> int:
    """How many letters of these kinds the player was to get within a day."""
    counted = select(sql.count()).where(
        col(Letter.player_id) == player_id,
        col(Letter.kind).in_(kinds),
        col(Letter.created_at) > clock.now() - timedelta(days=1),
    )
    return int(connection.execute(counted).scalar() or 0)


def _no_storm(desk: MailContext, authority: Authority) -> None:
    """Raises Silence where more mails come about one match than people write."""
    if authority.match_id is None:
        return
    reason = f"storm: match {authority.match_id}"
    lately = select(sql.count()).where(col(Incoming.read_at) > clock.now() - timedelta(hours=1))
    with desk.store.reading() as connection:
        read = lately.where(col(Incoming.match_id) == authority.match_id, col(Incoming.status) == "read")
        if (connection.execute(read).scalar() or 0) < MOST_AN_HOUR:
            return
        if not connection.execute(lately.where(col(Incoming.reason) == reason)).scalar():
            log.error("%s: more than %d replies within an hour", reason, MOST_AN_HOUR)
    raise Silence(reason)


def _bounce(desk: MailContext, mail: Mail) -> str:
    """A letter of ours that came back, or what machines say to its sender."""
    what = dsn.bounced(desk.store, desk.settings, _local_part(desk, mail), mail.raw)
    if what != "bounced":
        raise Silence(what)
    return _settle(desk.store, mail, "read", reason=what)


def _leave(desk: MailContext, mail: Mail) -> str:
    """Somebody wants no more letters like that one."""
    if not unsubscribe.unsubscribe_by_mail(desk.store, desk.settings, _local_part(desk, mail)):
        raise Silence("unknown")
    return _settle(desk.store, mail, "read", reason="left")


def _local_part(desk: MailContext, mail: Mail) -> str:
    """That of the address to which it came, which is not kept."""
    mark = inbound_address.MARKS[mail.kind]
    return f"{mark}+{signed_addresses.signed(desk.settings, mark, mail.letter_id or '')}"


READERS = {inbound_address.REPLY: _reply, inbound_address.BOUNCE: _bounce, inbound_address.LEAVE: _leave}
"""By what the address was for."""

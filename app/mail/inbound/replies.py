"""Replies: the writer's authority, the lines that are carried out, and the answer."""

import logging
from datetime import timedelta
from urllib.parse import urlsplit

import msgspec

from app import clock
from app.mail.core import inbox, outbox
from app.mail.core.context import MailContext
from app.mail.core.inbox import Mail, Settled
from app.mail.core.report import RESIGN, UNTRIED, Report, Result
from app.mail.inbound import dispatch
from app.mail.inbound.command import Authority
from app.mail.inbound.position import Position
from app.mail.inbound.reading import Message, OwnNames, Reply, open_message, read
from app.mail.inbound.reading import Unreadable as NoMessage
from app.people import recipients
from app.store import tokens
from app.store.connection import Connection
from app.store.outbox import LetterRequest
from app.store.tokens import Token

log = logging.getLogger(__name__)

ANSWER, QUESTION, ENDED = "reply", "reply_confirm", "reply_ended"
"""The kinds of letters that answer mail; a question asks whether the player wrote from another address."""
MOST_ANSWERS = 30
"""Answers and questions to one player a day."""
MOST_QUESTIONS = 3
"""Questions to one player a day."""
MOST_AN_HOUR = 100
"""Replies about one match that are carried out; people don't write more."""
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


class Outcome(msgspec.Struct, frozen=True):
    """The result of reading a mail, and the letter that answers it, if any."""

    settled: Settled
    answer: LetterRequest | None = None


class Ignored(Exception):  # noqa: N818 - what becomes of a mail
    """The mail is dropped without an answer. `reason` is for the operator."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreadable(Exception):  # noqa: N818 - what becomes of a mail
    """The mail cannot be read, now or later."""


def read_reply(mailer: MailContext, mail: Mail) -> Outcome:
    """Carry out a player's reply and answer it. Raises Ignored, Unreadable."""
    authority = _authority(mailer, mail)
    own = OwnNames(
        mailer.settings.mail_domain,
        sites=(urlsplit(mailer.settings.url).hostname or "",),
        verifier=mailer.settings.authserv_id,
    )
    message = open_message(mail.raw, own, mail.sender or None)
    if isinstance(message, NoMessage):
        raise Unreadable(f"{message.reason}: {message.error}")
    if message.kind != "reply":
        raise Ignored(f"{message.kind}: {message.why}")
    _check_rate(mailer, authority)
    position = Position(mailer, authority)
    reply = read(message, dispatch.recogniser(position), own)
    if message.seems_automatic and not reply.lines:
        raise Ignored("automatic: subject")
    if authority.ended:
        return _ended(mailer, mail, authority, position, message, reply)
    if message.unproven or message.sender != authority.address_key:
        report = _from_elsewhere(message, reply)
        return _answered(mailer, mail, authority, position, report, QUESTION)
    report = dispatch.carry_out(mailer, authority, position, reply.lines, mail.key)
    stopped = reply.rest.partition("\n")[0]
    why = dispatch.unreadable(authority, position, stopped) if stopped and not reply.lines else ""
    report = msgspec.structs.replace(
        report,
        why=why,
        unread=dispatch.shortened(stopped),
        left=dispatch.possible(position, reply.left)[: dispatch.MOST_LEFT],
        reason=reply.reason,
        message_id=message.message_id,
    )
    return _answered(mailer, mail, authority, position, report, ANSWER)


def _from_elsewhere(message: Message, reply: Reply) -> Report:
    """The report on mail from another address: nothing is carried out, and the player is asked about it.

    Mail that claims to be from the player's address, and is not from there, counts as that too.
    """
    results = _untried(reply)
    if not results:
        raise Ignored("elsewhere: no command")
    return Report(results, sender=message.sender, unproven=message.unproven)


def _untried(reply: Reply) -> tuple[Result, ...]:
    """The lines of a reply, none of which is carried out."""
    return tuple(Result(dispatch.shortened(line), UNTRIED) for line in reply.lines)


def _ended(
    mailer: MailContext,
    mail: Mail,
    authority: Authority,
    position: Position,
    message: Message,
    reply: Reply,
) -> Outcome:
    """Nothing is carried out: the player ended this reply address, and is emailed a fresh link."""
    kept = _untried(reply) or (Result(dispatch.shortened(reply.rest.partition("\n")[0]), UNTRIED),)
    report = Report(kept, message_id=message.message_id, sender=message.sender)
    return _answered(mailer, mail, authority, position, report, ENDED)


def _answered(
    mailer: MailContext, mail: Mail, authority: Authority, position: Position, report: Report, kind: str
) -> Outcome:
    letter = LetterRequest(
        kind=kind,
        once=f"{kind}:{mail.id}",
        match_id=authority.match_id,
        seat=position.seat,
        player_id=authority.player_id,
        incoming_id=mail.id,
    )
    since = clock.now() - DAY
    with mailer.store.reading() as connection:
        answers = outbox.count_since(connection, authority.player_id, (ANSWER, QUESTION, ENDED), since)
        questions = outbox.count_since(connection, authority.player_id, (QUESTION,), since)
    silent = answers >= MOST_ANSWERS or (kind == QUESTION and questions >= MOST_QUESTIONS)
    settled = Settled(
        status="read",
        reason="too_many_answers" if silent else "",
        player_id=authority.player_id,
        match_id=authority.match_id,
        results=msgspec.json.encode(report).decode(),
    )
    return Outcome(settled, None if silent else letter)


def _authority(mailer: MailContext, mail: Mail) -> Authority:
    with mailer.store.reading() as connection:
        token = tokens.find_hash(connection, mail.token_hash, "reply")
        if token is None or token.player_id is None:
            raise Ignored("unknown")
        player = recipients.by_id(connection, token.player_id)
        return Authority(
            token.player_id,
            token.match_id,
            token.run,
            token.letter_id,
            player.address_key,
            player.language,
            player.zone,
            may_resign=_asked_back(connection, token.letter_id),
            read_before=mail.received_at if mail.tries > 1 else None,
            ended=_has_ended(token, mail),
        )


def _has_ended(token: Token, mail: Mail) -> bool:
    """Whether the player ended this reply address, and not by this mail, which a worker that died began."""
    if token.ended_at is None:
        return False
    return mail.tries == 1 or token.ended_at < mail.received_at


def _asked_back(connection: Connection, letter_id: str | None) -> bool:
    """Whether the letter was the answer to `resign`, which asks the player to confirm it."""
    letter = outbox.letter(connection, letter_id) if letter_id is not None else None
    if letter is None or letter.kind != ANSWER or letter.incoming_id is None:
        return False
    return RESIGN in inbox.report(connection, letter.incoming_id).shows


def _check_rate(mailer: MailContext, authority: Authority) -> None:
    """Raises Ignored if more mails come about one match than people write."""
    if authority.match_id is None:
        return
    reason, since = f"storm: match {authority.match_id}", clock.now() - HOUR
    with mailer.store.reading() as connection:
        if inbox.count_read(connection, authority.match_id, since) < MOST_AN_HOUR:
            return
        if not inbox.count_dropped(connection, reason, since):
            log.error("%s: more than %d replies within an hour", reason, MOST_AN_HOUR)
    raise Ignored(reason)

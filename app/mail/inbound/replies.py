"""Replies: the writer's authority, the lines that are carried out, and the answer."""

import logging
from datetime import timedelta
from urllib.parse import urlsplit

import msgspec

from app import clock
from app.mail.core import inbound_address, inbox, outbox
from app.mail.core.context import MailContext
from app.mail.core.inbox import Mail, Settled
from app.mail.core.report import RESIGN, UNTRIED, Report, Result
from app.mail.inbound import dispatch
from app.mail.inbound.command import Authority
from app.mail.inbound.position import Position
from app.mail.inbound.reading import Message, OwnNames, Reply, open_message, read, rejoined
from app.mail.inbound.reading import Unreadable as NoMessage
from app.mail.inbound.reading.opening import kind_by_head
from app.mail.inbound.store import sender_of
from app.people import bars, recipients
from app.people.checks import check_address
from app.people.errors import Refused
from app.people.mailboxes import is_nowhere
from app.play.match import chairs
from app.store import tokens
from app.store.connection import Connection
from app.store.outbox import LetterRequest

log = logging.getLogger(__name__)

ANSWER, QUESTION, ENDED = "reply", "reply_confirm", "reply_ended"
"""The kinds of letters that answer mail; a question asks whether the player wrote from another address."""
COLLECTED, PUT_OFF = "reply_collected", "reply_put_off"
"""One that answers the mails of an hour; one that says that mails wait."""
MOST_ANSWERS = 30
"""Answers and questions to one player a day. Later replies have one answer an hour together."""
MOST_QUESTIONS = 3
"""Questions to one player a day. Later mails from elsewhere have one answer a day together."""
MOST_AN_HOUR = 100
"""A player's replies that are carried out; people don't write more. The others are read later."""
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


ABSENCE = ("away", "back")
"""The words that an automatic answer may begin with too."""


class Outcome(msgspec.Struct, frozen=True):
    """The result of reading a mail, and the letter that answers it, if any."""

    settled: Settled
    answer: LetterRequest | None = None


class Ignored(Exception):  # noqa: N818 - what becomes of a mail
    """The mail is dropped without an answer. `reason` is for the operator."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_reply(mailer: MailContext, mail: Mail) -> Outcome:
    """Carry out a player's reply and answer it. Raises Ignored."""
    authority = _authority(mailer, mail)
    own = OwnNames(
        mailer.settings.mail_domain,
        sites=(urlsplit(mailer.settings.url).hostname or "",),
        verifier=mailer.settings.authserv_id,
    )
    message = open_message(mail.raw, own, mail.sender or None)
    if isinstance(message, NoMessage):
        return _unreadable(mailer, mail, authority, message, own)
    if message.kind != "reply":
        raise Ignored(f"{message.kind}: {message.why}")
    theirs = _is_players(message, authority)
    if theirs and (later := _put_off(mailer, authority)) is not None:
        return later
    position = Position(mailer, authority)
    is_command = dispatch.recogniser(position)
    reply = rejoined(read(message, is_command, own, mailer.settings.mail_banners), is_command)
    if message.seems_automatic and all(dispatch.first_word(line)[0] in ABSENCE for line in reply.lines):
        raise Ignored("automatic: subject")
    if (turned := _turned_away(mailer, authority, message)) is not None:
        return turned
    if authority.ended and not (authority.began and any(dispatch.ends_all(line) for line in reply.lines)):
        return _ended(mailer, mail, authority, position, message, reply)
    if not theirs:
        report = _from_elsewhere(message, reply)
        return _answered(mailer, mail, authority, position, report, QUESTION)
    if message.sealed and not reply.lines:
        report = Report(trouble=f"sealed_{message.sealed}", message_id=message.message_id)
        sealed = Settled(status="dropped", reason=f"sealed: {message.sealed}")
        return _answered(mailer, mail, authority, position, report, ANSWER, sealed)
    report = dispatch.carry_out(mailer, authority, position, reply.lines, mail.key, message.garbled)
    stopped = reply.rest.partition("\n")[0]
    why = dispatch.unreadable(authority, position, stopped) if stopped and not reply.lines else ""
    report = msgspec.structs.replace(
        report,
        why=why,
        unread=dispatch.shortened(stopped),
        left=dispatch.possible(position, reply.left)[: dispatch.MOST_LEFT],
        reason=reply.reason,
        enclosed=message.enclosed,
        subject=dispatch.shortened(message.subject) if is_command(message.subject) else "",
        message_id=message.message_id,
    )
    return _answered(mailer, mail, authority, position, report, ANSWER)


def given_up(mailer: MailContext, mail: Mail, error: str) -> Outcome:
    """The outcome of a reply that failed each time it was tried: its player is told so once."""
    settled = Settled(status="failed", reason="error", error=error)
    if mail.kind != inbound_address.REPLY or not mail.own:
        return Outcome(settled)
    for alone in (False, True):  # the match may be what broke: then the answer is about none
        try:
            authority = _authority(mailer, mail)
            if alone:
                authority = msgspec.structs.replace(authority, match_id=None)
            position = Position(mailer, authority)
            return _answered(mailer, mail, authority, position, Report(trouble="error"), ANSWER, settled)
        except Exception:  # whatever stopped the reading can stop this too; the operator's list has the mail
            log.exception("the failure of mail %s cannot be told", mail.id)
    return Outcome(settled)


def _is_players(message: Message, authority: Authority) -> bool:
    """Whether a mail counts as the player's own. Another is asked about, and nothing of it is carried out."""
    return message.sender == authority.address_key and not message.unproven


def _unreadable(
    mailer: MailContext, mail: Mail, authority: Authority, refused: NoMessage, own: OwnNames
) -> Outcome:
    """A mail that can't be read at all: its player is told once, the operator's list has it.

    Raises Ignored for what its headers show to be a machine's.
    """
    kind, why = kind_by_head(mail.raw, own, mail.sender or None)
    if kind != "reply":
        raise Ignored(f"{kind}: {why}")
    settled = Settled(status="failed", reason="unreadable", error=f"{refused.reason}: {refused.error}")
    if not mail.own and sender_of(mail.raw, own.verifier):
        return Outcome(settled)
    report = Report(trouble=f"unreadable_{refused.reason}")
    return _answered(mailer, mail, authority, Position(mailer, authority), report, ANSWER, settled)


def _from_elsewhere(message: Message, reply: Reply) -> Report:
    """The report on mail from another address: nothing is carried out, and the player is asked about it.

    Mail that claims to be from the player's address, and is not from there, counts as that too.
    """
    results = _untried(reply)
    if not results:
        raise Ignored("elsewhere: no command")
    return Report(results, sender=message.sender, unproven=message.unproven)


def _turned_away(mailer: MailContext, authority: Authority, message: Message) -> Outcome | None:
    """The outcome of a mail by whose address nothing is carried out any more; None: it is read as ever.

    Its player has a bar and no seat in the match, or has deleted the account. They are told once, and the
    operator's list has the mail.
    """
    player_id = authority.player_id
    with mailer.store.reading() as connection:
        gone = is_nowhere(authority.address_key)
        bar = None if gone else bars.of(connection, authority.address_key)
        seats = chairs.running_of(connection, player_id) if bar is not None else []
    if not gone and (bar is None or any(one.match_id == authority.match_id for one in seats)):
        return None
    if bar is not None:
        return Outcome(
            Settled(status="dropped", reason="barred", player_id=player_id), bars.notice(player_id, bar)
        )
    if not message.sender or message.unproven:
        raise Ignored("gone")
    try:
        check_address(message.sender)
    except Refused:
        raise Ignored("gone") from None
    once = f"{bars.TURNED_AWAY}:{player_id}"
    letter = LetterRequest(
        kind=bars.TURNED_AWAY, once=once, player_id=player_id, to_address=message.sender, consequence="gone"
    )
    return Outcome(Settled(status="dropped", reason="gone"), letter)


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
    report = Report(kept, message_id=message.message_id, sender=message.sender, unproven=message.unproven)
    return _answered(mailer, mail, authority, position, report, ENDED)


def _answered(
    mailer: MailContext,
    mail: Mail,
    authority: Authority,
    position: Position,
    report: Report,
    kind: str,
    settled: Settled | None = None,
) -> Outcome:
    """The outcome with an answer of its own, or with others of its hour or day in one answer."""
    now = clock.now()
    with mailer.store.reading() as connection:
        answers = outbox.count_since(connection, authority.player_id, (ANSWER, QUESTION, ENDED), now - DAY)
        questions = outbox.count_since(connection, authority.player_id, (QUESTION, ENDED), now - DAY)
    own = report.sender in ("", authority.address_key) and not report.unproven
    settled = msgspec.structs.replace(
        settled or Settled(status="read"),
        player_id=authority.player_id,
        match_id=authority.match_id,
        results=msgspec.json.encode(report).decode(),
    )
    collected_at = None
    if not own and questions >= MOST_QUESTIONS:
        collected_at = now.replace(hour=0, minute=0, second=0, microsecond=0) + DAY
    elif answers >= MOST_ANSWERS and not (RESIGN in report.shows and answers < 2 * MOST_ANSWERS):
        collected_at = now.replace(minute=0, second=0, microsecond=0) + HOUR
    if collected_at is not None:
        letter = LetterRequest(
            kind=COLLECTED,
            once=f"{COLLECTED}:{authority.player_id}:{collected_at.isoformat(timespec='minutes')}",
            player_id=authority.player_id,
            digest_at=collected_at,
        )
        reason = settled.reason or "collected"
        return Outcome(msgspec.structs.replace(settled, held_until=collected_at, reason=reason), letter)
    letter = LetterRequest(
        kind=kind,
        once=f"{kind}:{mail.id}",
        match_id=authority.match_id,
        seat=position.seat,
        player_id=authority.player_id,
        incoming_id=mail.id,
    )
    return Outcome(settled, letter)


def _authority(mailer: MailContext, mail: Mail) -> Authority:
    with mailer.store.reading() as connection:
        token = tokens.find_reply(connection, mail.token_hash)
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
            ended=token.ended_at is not None,
            began=token.ended_at is not None and mail.tries > 1 and token.ended_at >= mail.received_at,
        )


def _asked_back(connection: Connection, letter_id: str | None) -> bool:
    """Whether the letter was the answer to `resign`, which asks the player to confirm it."""
    letter = outbox.letter(connection, letter_id) if letter_id is not None else None
    if letter is None or letter.kind != ANSWER or letter.incoming_id is None:
        return False
    return RESIGN in inbox.report(connection, letter.incoming_id).shows


def _put_off(mailer: MailContext, authority: Authority) -> Outcome | None:
    """The outcome of a reply beyond those of an hour: it is read later, and its player told once a day."""
    now = clock.now()
    with mailer.store.reading() as connection:
        read_at = inbox.read_since(connection, authority.player_id, now - HOUR, MOST_AN_HOUR)
    if len(read_at) < MOST_AN_HOUR:
        return None
    once = f"{PUT_OFF}:{authority.player_id}:{now.date().isoformat()}"
    with mailer.store.reading() as connection:
        if outbox.of_occasion(connection, once) is None:
            log.error("storm: more than %d replies of one player within an hour", MOST_AN_HOUR)
    settled = Settled(status="waiting", reason="deferred", held_until=read_at[-1] + HOUR, untried=True)
    return Outcome(settled, LetterRequest(kind=PUT_OFF, once=once, player_id=authority.player_id))

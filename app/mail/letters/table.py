"""Letters of a game that has not started: to its organiser and its guests."""

import json

import msgspec

from app import narrate
from app.engine.chance import commitment
from app.mail.core import outbox
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.play.lobby.invitations import LAPSED, OPERATOR
from app.play.match.editions import rules_of
from app.play.views import letter_facts
from app.play.views.letter_facts import Guest


class GuestLine(msgspec.Struct, frozen=True):
    """A guest and their answer. `who` is a name, or the address that the organiser gave."""

    who: str
    status: str


def confirm(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To the address that started a game: nobody else is written to before it is confirmed."""
    return _table(mailer, context, match=("unconfirmed",), own=("invited",))


def invited(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a guest of a game."""
    return _table(mailer, context, match=("open",), own=("invited",))


def joining(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To an address that asked to join an open game: the link that takes a seat."""
    return _table(mailer, context, match=("open",), own=("invited",))


def answered(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To the organiser: the guests, after one of them answered or an invitation ended."""
    return _table(mailer, context, match=("open",), organiser=True)


def withdrawn(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a guest whose invitation was withdrawn, if they ever heard of it."""
    if not _heard(mailer, context):
        return Dropped("never_invited")
    return _table(mailer, context, match=("open",), own=("withdrawn",), link=False)


def called_off(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To the guests of a game that was called off, those who ever heard of it."""
    if not _heard(mailer, context):
        return Dropped("never_invited")
    return _table(mailer, context, match=("called_off",), link=False)


def _table(
    mailer: MailContext,
    context: LetterContext,
    *,
    match: tuple[str, ...],
    own: tuple[str, ...] | None = None,
    organiser: bool = False,
    link: bool = True,
) -> Page | Dropped:
    """The page of a game if the statuses of match and invitation are those for which the letter is true."""
    letter = context.letter
    assert letter.match_id is not None
    with mailer.store.reading() as connection:
        row = letter_facts.table(connection, letter.match_id)
        guests = letter_facts.guests(connection, letter.match_id)
    mine = next((guest for guest in guests if _is_readers(context, guest, organiser)), None)
    if row.status not in match:
        return Dropped(row.status)
    if mine is None or (own is not None and mine.status not in own):
        return Dropped("answered" if mine is not None else "replaced")
    game = rules_of(row.game, row.edition)
    title = narrate.short_title(game, context.language)
    host = next(guest for guest in guests if guest.organiser)
    facts = {
        "title": title,
        "number": letter.match_id,
        "reader": context.name,
        "full_title": narrate.title(game, context.language),
        "blurb": narrate.blurb(game, context.language),
        "length": narrate.game_length(game, context.language),
        "options": narrate.variants(game, context.language, json.loads(row.options)),
        "clock": narrate.clock_rule(context.language, row.clock),
        "seats": row.seats,
        "bots": row.bots,
        "open": row.joinable or row.share > 0,
        "shared": row.share > 0,
        "joined": mine.player_id is not None,
        "others": sum(guest.status != "withdrawn" and not guest.joins for guest in guests) - 1,
        "host": host.name or context.site("someone"),
        "taken": [guest.name for guest in guests if guest.status == "accepted" and guest.name],
        "guests": [
            GuestLine(guest.who, context.say(f"guest_{guest.status}"))
            for guest in guests
            if not guest.joins or guest.status == "accepted"
        ]
        if mine.organiser
        else [],
        "news": next(
            (
                context.say(f"news_{guest.status}", guest.who)
                for guest in guests
                if mine.organiser and guest.invitation_id == letter.guest_id
            ),
            "",
        ),
        "lapsed": letter.consequence == LAPSED,
        "by_operator": letter.consequence == OPERATOR,
        "commitment": commitment(row.secret),
        "expires": context.formats.day(context.local(mine.expires_at)) if mine.expires_at else "",
        "url": _link(mailer, context, mine) if link else "",
    }
    return Page(facts, narrate.match_name(game, context.language, letter.match_id))


def _heard(mailer: MailContext, context: LetterContext) -> bool:
    """Whether the guest of the letter's invitation knows of it: by a letter, or because they accepted."""
    invitation_id = context.letter.invitation_id
    assert invitation_id is not None
    with mailer.store.reading() as connection:
        guest = letter_facts.guest(connection, invitation_id)
        return guest.player_id is not None or outbox.was_told(connection, invitation_id)


def _is_readers(context: LetterContext, guest: Guest, organiser: bool) -> bool:
    if organiser:
        return guest.organiser
    if context.letter.invitation_id is not None:
        return guest.invitation_id == context.letter.invitation_id
    return guest.player_id == context.letter.player_id


def _link(mailer: MailContext, context: LetterContext, mine: Guest) -> str:
    return mailer.fresh_link(
        context,
        "invitation",
        match_id=context.letter.match_id,
        invitation_id=mine.invitation_id,
        player_id=mine.player_id,
    )

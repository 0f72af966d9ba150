"""Letters about a player's account: links again, signing in, and a new address."""

from datetime import timedelta

import msgspec

from app import clock, narrate
from app.games import all_games
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.people import address as addresses
from app.people import blocks, confirmations, former, reports
from app.play.match import invitations, links
from app.play.views import letter_facts
from app.play.views.pending import turns

MOST_REPORTS = 20
"""Reports in one email to the operator."""
KEYS = "/profile/programs"
"""The page of a player's keys."""
GOOD_FOR = timedelta(hours=6)
"""For signing in: longer than `fresh_links.SLOWLY`, so that the last link works until the next comes."""


class Going(msgspec.Struct, frozen=True):
    """A match of the reader."""

    title: str
    seat: str
    waits: bool
    """It is the reader's turn; then the link opens their board."""
    url: str
    until: str
    """The deadline in a sentence, if there is one."""


class Reported(msgspec.Struct, frozen=True):
    """A report of a person, without addresses: the command has them."""

    number: int
    by: str
    about: str
    match_id: int
    lines: list[str]
    at: str


class Pending(msgspec.Struct, frozen=True):
    """An invitation that the reader can still answer."""

    title: str
    """Of the match."""
    kind: str
    """confirm, invited, seat_offer."""
    url: str


def again(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """All links of a reader in one email: turns, other matches, unanswered invitations, signing in.

    A guest who plays nowhere gets the invitations alone, if there are any.
    """
    pending = _pending(mailer, context)
    player_id = context.letter.player_id
    if player_id is None:
        facts = {"reader": "", "going": [], "pending": pending, "sign_in_url": ""}
        return Page(facts, "Tidepost") if pending else Dropped("answered")
    going = _going(mailer, context, player_id)
    return Page({"going": going, "pending": pending, **signing_in(mailer, context)}, "Tidepost")


def _pending(mailer: MailContext, context: LetterContext) -> list[Pending]:
    """The unanswered invitations, without those of people that the reader blocked.

    A player gets those to former addresses too, whose own links do nothing without signing in.
    """
    player_id = context.letter.player_id
    with mailer.store.reading() as connection:
        keys = [context.address_key]
        if player_id is not None:
            keys += former.keys_of(connection, clock.now(), player_id)
        found = [
            one
            for key in keys
            for one in invitations.unanswered(connection, key)
            if player_id is None or not blocks.blocks(connection, player_id, one.host_id)
        ]
    return [
        Pending(
            narrate.match_name(all_games()[one.slug], context.language, one.match_id),
            "seat_offer" if one.seat else "confirm" if one.organiser else "invited",
            mailer.fresh_link(
                context, "invitation", match_id=one.match_id, invitation_id=one.id, player_id=player_id
            ),
        )
        for one in found
        if one.slug in all_games()
    ]


def _going(mailer: MailContext, context: LetterContext, player_id: int) -> list[Going]:
    """The matches of a player, those that wait for them first."""
    with mailer.store.reading() as connection:
        games = [
            one
            for one in letter_facts.games_of(connection, player_id)
            if one.holds and one.status == "running"
        ]
        found = turns(connection, player_id, clock.now())
    due = {turn.match_id: turn.deadline.due_at for turn in found if turn.deadline and turn.deadline.due_at}
    going: dict[int, Going] = {}
    for one in games:
        if one.match_id in going:
            continue
        url = mailer.link(links.match_path(one.match_id))
        if one.turn is not None:
            url = mailer.turn_link(context, one.match_id, one.seat, one.turn)
        if one.game not in all_games():
            continue
        title = narrate.match_name(all_games()[one.game], context.language, one.match_id)
        seat = context.site("seat", one.seat)
        going[one.match_id] = Going(title, seat, one.turn is not None, url, "")
    for match_id, at in due.items():
        until = context.say("answer_by", context.formats.moment(context.local(at)))
        going[match_id] = msgspec.structs.replace(going[match_id], until=until)
    order = [turn.match_id for turn in found]
    waiting_first = sorted(going, key=lambda one: order.index(one) if one in order else len(order))
    return [going[match_id] for match_id in waiting_first]


def sign_in(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a player: a link whose page has a button that signs them in."""
    return Page(signing_in(mailer, context), "Tidepost")


def new_address(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a new address of a player: a link whose page has a button that confirms it.

    Nobody learns whether another player has it: then nothing is sent.
    """
    until, player_id = clock.now() + addresses.LASTS, context.letter.player_id
    with mailer.store.reading() as connection:
        asked = addresses.requested(connection, clock.now(), context.letter.confirmation_id)
    if asked is None:
        return Dropped("replaced")
    facts = {
        "reader": context.name,
        "address": context.address,
        "address_url": mailer.fresh_link(context, "address", player_id=player_id, expires_at=until),
        "until": context.formats.moment(context.local(until)),
    }
    return Page(facts, "Tidepost")


def confirmation(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a player, after a turn's link asked for more than a turn: a link whose page carries it out."""
    player_id, number = context.letter.player_id, context.letter.confirmation_id
    with mailer.store.reading() as connection:
        asked = confirmations.find(connection, number or 0)
        if asked is None or not asked.waits(clock.now()) or asked.match_id is None:
            return Dropped("expired" if asked is None or asked.done_at is None else "answered")
        game = all_games().get(letter_facts.label(connection, asked.match_id).game)
    facts = {
        "reader": context.name,
        "what": asked.what,
        "of": narrate.match_name(game, context.language, asked.match_id) if game is not None else "",
        "confirm_url": mailer.fresh_link(
            context, "confirm", player_id=player_id, expires_at=asked.expires_at
        ),
        "until": context.formats.moment(context.local(asked.expires_at)),
    }
    return Page(facts, "Tidepost")


def deletion(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a player who asked to delete the account: a link whose page has the button that does it."""
    with mailer.store.reading() as connection:
        asked = confirmations.find(connection, context.letter.confirmation_id or 0)
    if asked is None or not asked.waits(clock.now()):
        return Dropped("expired" if asked is None or asked.done_at is None else "answered")
    link = mailer.fresh_link(
        context, "confirm", player_id=context.letter.player_id, expires_at=asked.expires_at
    )
    until = context.formats.moment(context.local(asked.expires_at))
    return Page({"reader": context.name, "confirm_url": link, "until": until}, "Tidepost")


def turned_away(_mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To people under a bar, or without an account any more: nothing that they ask for is done."""
    why = context.letter.consequence or "gone"
    return Page({"reader": context.name if why == "barred" else "", "why": why}, "Tidepost")


def merged(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To both addresses of a person, after the operator made one account of two."""
    with mailer.store.reading() as connection:
        known = former.find(connection, context.letter.former_id or 0)
    if known is None:
        return Dropped("replaced")
    facts = {"reader": context.name, "old": known.address, "days": former.LASTS.days}
    return Page(facts, "Tidepost")


def key_made(mailer: MailContext, context: LetterContext) -> Page:
    """To a player: a key for programs was made, with the page that lists all keys and ends them."""
    return Page({"reader": context.name, "keys_url": mailer.link(KEYS)}, "Tidepost")


def address_changed(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To the former address of a player: for some days it still signs in, and a link undoes the change."""
    facts = {"reader": context.name, "undo_url": "", "until": ""}
    with mailer.store.reading() as connection:
        known = former.find(connection, context.letter.former_id or 0)
    if known is not None and known.stands(clock.now()):
        facts["undo_url"] = mailer.fresh_link(
            context, "undo", player_id=known.player_id, expires_at=known.until
        )
        facts["until"] = context.formats.moment(context.local(known.until))
    return Page(facts, "Tidepost")


def signing_in(mailer: MailContext, context: LetterContext) -> dict[str, str]:
    """The facts of a letter with a fresh sign-in link: the reader, the link, and until when it works."""
    until, player_id = clock.now() + GOOD_FOR, context.letter.player_id
    return {
        "reader": context.name,
        "sign_in_url": mailer.fresh_link(
            context, "sign_in", player_id=player_id, match_id=context.letter.match_id, expires_at=until
        ),
        "until": context.formats.moment(context.local(until)),
    }


def reported(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To the operator: the open reports of people."""
    found = reports.reports(mailer.store)
    if not found:
        return Dropped("closed")
    shown = [
        Reported(
            one.id,
            one.by_name,
            one.about_name,
            one.match_id or 0,
            one.text.splitlines(),
            context.formats.moment(context.local(one.at)),
        )
        for one in found[:MOST_REPORTS]
    ]
    return Page({"reader": "", "found": shown, "more": len(found) - len(shown)}, "Tidepost")

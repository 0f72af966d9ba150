"""Letters about a seat that changes hands: the offer, and the notice to the player who had it."""

from app import draw, narrate
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.mail.letters.sections import seated
from app.play.lobby.invitations import OPERATOR
from app.play.match import links
from app.play.views import letter_facts
from app.play.views.player_view import player_view


def offered(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a person who can take an open seat, asked by the organiser or at their own wish."""
    letter = context.letter
    assert letter.match_id is not None
    assert letter.invitation_id is not None
    with mailer.store.reading() as connection:
        guest = letter_facts.guest(connection, letter.invitation_id)
    view = player_view(mailer.store, letter.match_id, last=1)
    seat = next((one for one in view.sittings if one.seat == guest.seat), None)
    assert guest.expires_at is not None
    if guest.status != "invited":
        return Dropped(guest.status)
    if view.status != "running" or seat is None or seat.open_since is None:
        return Dropped("over" if view.status == "over" else "seat_closed")
    title = narrate.title(view.game, context.language)
    facts = {
        "title": title,
        "number": letter.match_id,
        "reader": context.name,
        "host": "" if letter.offer else view.name(view.keys or guest.seat),
        "still": letter.offer == "reminder",
        "by_operator": letter.offer == OPERATOR,
        "must_ask": not guest.given and view.seat_giver != "anybody",
        "blurb": narrate.blurb(view.game, context.language),
        "seat": context.site("seat", guest.seat),
        "clock": narrate.clock_rule(context.language, view.rule),
        "seats": seated(context, view),
        "expires": context.formats.day(context.local(guest.expires_at)),
        "url": mailer.fresh_link(
            context, "invitation", match_id=letter.match_id, invitation_id=letter.invitation_id
        ),
        "match_url": mailer.link(links.match_path(letter.match_id)),
        "board": draw.text(view.game, view.view, language=context.language),
    }
    return Page(facts, narrate.match_name(view.game, context.language, letter.match_id))


def request_answered(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a person who asked for an open seat and doesn't get it."""
    letter = context.letter
    assert letter.match_id is not None
    view = player_view(mailer.store, letter.match_id, last=1)
    facts = {
        "title": narrate.short_title(view.game, context.language),
        "number": letter.match_id,
        "reader": context.name,
        "seat": context.site("seat", letter.seat or ""),
        "why": letter.consequence or "",
        "match_url": mailer.link(links.match_path(letter.match_id)),
    }
    return Page(facts, narrate.match_name(view.game, context.language, letter.match_id))


def replaced(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a player whose seat another plays now."""
    letter = context.letter
    assert letter.match_id is not None
    view = player_view(mailer.store, letter.match_id, last=1)
    if view.status != "running":
        return Dropped("over")
    title = narrate.short_title(view.game, context.language)
    facts = {
        "title": title,
        "number": letter.match_id,
        "reader": context.name,
        "seat": context.site("seat", letter.seat or ""),
        "successor": view.name(letter.seat or ""),
        "by_operator": letter.consequence == OPERATOR,
        "match_url": mailer.link(links.match_path(letter.match_id)),
    }
    return Page(facts, narrate.match_name(view.game, context.language, letter.match_id))

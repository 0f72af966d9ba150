"""Letters about a seat that passes from one to another: the offer of it, and a word to who had it."""

from sqlalchemy import select
from sqlmodel import col

from app import clock, draw, narrate
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.mail.letters.match import seated
from app.play.match import links
from app.play.views.player_view import player_view
from app.store.tables import Invitation


def offered(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To somebody who may take an open seat, asked by the organiser or at his own wish."""
    assert errand.match_id is not None
    with desk.store.reading() as connection:
        invitation = connection.execute(
            select(col(Invitation.seat), col(Invitation.status), col(Invitation.expires_at)).where(
                col(Invitation.id) == errand.invitation_id
            )
        ).one()
    seen = player_view(desk.store, errand.match_id, last=1)
    sitting = next((one for one in seen.sittings if one.seat == invitation.seat), None)
    if invitation.status != "invited" or invitation.expires_at <= clock.now():
        return Dropped(invitation.status if invitation.status != "invited" else "expired")
    if seen.status != "running" or sitting is None or sitting.open_since is None:
        return Dropped("over" if seen.status == "over" else "seat_closed")
    title = narrate.title(seen.game, errand.language)
    facts = {
        "title": title,
        "number": errand.match_id,
        "reader": errand.name,
        "host": "" if errand.offer else seen.name(seen.keys or invitation.seat),
        "still": errand.offer == "reminder",
        "blurb": narrate.blurb(seen.game, errand.language),
        "seat": errand.house("seat", invitation.seat),
        "clock": narrate.clock_rule(errand.language, seen.rule),
        "seats": seated(errand, seen),
        "expires": errand.house("day", errand.local(invitation.expires_at)),
        "url": desk.fresh_link(
            errand, "invitation", match_id=errand.match_id, invitation_id=errand.invitation_id
        ),
        "match_url": desk.link(links.match_path(errand.match_id)),
        "board": draw.text(seen.game, seen.view, language=errand.language),
    }
    return Page(facts, f"{title} #{errand.match_id}")


def replaced(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To him whose seat somebody else plays now."""
    assert errand.match_id is not None
    seen = player_view(desk.store, errand.match_id, last=1)
    if seen.status != "running":
        return Dropped("over")
    title = narrate.short_title(seen.game, errand.language)
    facts = {
        "title": title,
        "number": errand.match_id,
        "reader": errand.name,
        "seat": errand.house("seat", errand.seat or ""),
        "successor": seen.name(errand.seat or ""),
        "match_url": desk.link(links.match_path(errand.match_id)),
    }
    return Page(facts, f"{title} #{errand.match_id}")

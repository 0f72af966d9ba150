"""Letters to a player himself: his links again, and one to sign in by."""

from datetime import timedelta

import msgspec
from sqlalchemy import select
from sqlmodel import col

from app import clock, games, narrate
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.people.address import LASTS
from app.play.match import links
from app.play.views.pending import turns
from app.store.tables import Chair, Match, Question

GOOD_FOR = timedelta(hours=2)
"""For signing in."""


class Going(msgspec.Struct, frozen=True):
    """A match of the reader's."""

    title: str
    seat: str
    waits: bool
    """For him; then the link opens his board."""
    url: str
    until: str
    """The deadline in a sentence, where there is one."""


def again(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """Fresh links for all that waits for him, the bookmarks of his other matches, and one to sign in by."""
    with desk.store.reading() as connection:
        rows = connection.execute(
            select(col(Match.id), col(Match.game), col(Chair.seat), col(Question.run))
            .join(Chair, col(Chair.match_id) == col(Match.id))
            .outerjoin(
                Question,
                (col(Question.match_id) == col(Match.id))
                & (col(Question.seat) == col(Chair.seat))
                & col(Question.closed_at).is_(None)
                & col(Question.optional).is_(False),
            )
            .where(col(Match.status) == "running", col(Chair.player_id) == errand.player_id)
            .where(col(Chair.until).is_(None), col(Chair.resigned_at).is_(None))
            .order_by(col(Match.id), col(Question.run))
            .distinct()
        ).all()
        found = turns(connection, errand.player_id or 0, clock.now())
    due = {turn.match_id: turn.deadline.due_at for turn in found if turn.deadline and turn.deadline.due_at}
    going: dict[int, Going] = {}
    for row in rows:
        if row.id in going:
            continue
        url = desk.link(links.match_path(row.id))
        if row.run is not None:
            url = desk.turn_link(errand, row.id, row.seat, row.run)
        if row.game not in games.all_games():
            continue
        title = narrate.match_name(games.all_games()[row.game], errand.language, row.id)
        going[row.id] = Going(title, errand.house("seat", row.seat), row.run is not None, url, "")
    for match_id, at in due.items():
        until = errand.say("answer_by", errand.house("moment", errand.local(at)))
        going[match_id] = msgspec.structs.replace(going[match_id], until=until)
    order = [turn.match_id for turn in found]
    waiting_first = sorted(going, key=lambda one: order.index(one) if one in order else len(order))
    facts = {"going": [going[match_id] for match_id in waiting_first], **_signing_in(desk, errand)}
    return Page(facts, "Tidepost")


def sign_in(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """A link whose page has a button that signs him in."""
    return Page(_signing_in(desk, errand), "Tidepost")


def new_address(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To an address that a player says is his: a link whose page has a button that makes it so."""
    until = clock.now() + LASTS
    facts = {
        "reader": errand.name,
        "address": errand.address,
        "address_url": desk.fresh_link(errand, "address", player_id=errand.player_id, expires_at=until),
        "until": errand.house("moment", errand.local(until)),
    }
    return Page(facts, "Tidepost")


def address_changed(_desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To the address that a player had before."""
    return Page({"reader": errand.name}, "Tidepost")


def _signing_in(desk: MailContext, errand: LetterContext) -> dict[str, str]:
    until = clock.now() + GOOD_FOR
    return {
        "reader": errand.name,
        "sign_in_url": desk.fresh_link(errand, "sign_in", player_id=errand.player_id, expires_at=until),
        "until": errand.house("moment", errand.local(until)),
    }

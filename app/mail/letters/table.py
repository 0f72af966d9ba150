"""Letters of a table that has not begun: to its organiser, and to those whom he invites."""

import json
from collections.abc import Mapping
from datetime import datetime

import msgspec
from sqlalchemy import select
from sqlmodel import col

from app import narrate
from app.engine.chance import commitment
from app.engine.game import Option
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.play.match.editions import rules_of
from app.play.match.snapshot import rule as clock_rule
from app.store.tables import Invitation, Match, Player


class GuestLine(msgspec.Struct, frozen=True):
    """A line of who is asked and how it stands. The organiser reads the addresses that he gave."""

    who: str
    status: str


class _Guest(msgspec.Struct, frozen=True):
    invitation_id: int
    address: str
    organiser: bool
    status: str
    player_id: int | None
    name: str | None
    expires_at: datetime | None


def confirm(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To whoever's address a table was opened with: nobody else is written to before he confirms."""
    return _table(desk, errand, match=("unconfirmed",), own=("invited",))


def invited(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To someone asked to a table."""
    return _table(desk, errand, match=("open",), own=("invited",))


def answered(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To the organiser: how his table stands, after somebody answered or an invitation ended."""
    return _table(desk, errand, match=("open",), organiser=True)


def withdrawn(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To someone whose invitation no longer stands."""
    return _table(desk, errand, match=("open",), own=("withdrawn",), link=False)


def called_off(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To everybody who was asked to a table that is not to be."""
    return _table(desk, errand, match=("called_off",), link=False)


def _table(
    desk: MailContext,
    errand: LetterContext,
    *,
    match: tuple[str, ...],
    own: tuple[str, ...] | None = None,
    organiser: bool = False,
    link: bool = True,
) -> Page | Dropped:
    """The page of a table, if match and own invitation stand as they should for the letter to be true."""
    with desk.store.reading() as connection:
        row = connection.execute(
            select(
                col(Match.bots),
                col(Match.game),
                col(Match.edition),
                col(Match.options),
                col(Match.seats),
                col(Match.status),
                col(Match.secret),
                col(Match.clock),
            ).where(col(Match.id) == errand.match_id)
        ).one()
        guests = [
            _Guest(*guest)  # type: ignore[arg-type]  # a stored row has an id
            for guest in connection.execute(
                select(
                    col(Invitation.id),
                    col(Invitation.address),
                    col(Invitation.organiser),
                    col(Invitation.status),
                    col(Invitation.player_id),
                    col(Player.name),
                    col(Invitation.expires_at),
                )
                .outerjoin(Player, col(Player.id) == col(Invitation.player_id))
                .where(col(Invitation.match_id) == errand.match_id)
                .order_by(col(Invitation.id))
            )
        ]
    mine = next((guest for guest in guests if _is_readers(errand, guest, organiser)), None)
    if row.status not in match:
        return Dropped(row.status)
    if mine is None or (own is not None and mine.status not in own):
        return Dropped("answered" if mine is not None else "replaced")
    game = rules_of(row.game, row.edition)
    title = narrate.short_title(game, errand.language)
    chosen = json.loads(row.options)
    host = next(guest for guest in guests if guest.organiser)
    facts = {
        "title": title,
        "number": errand.match_id,
        "reader": errand.name,
        "full_title": narrate.title(game, errand.language),
        "blurb": narrate.blurb(game, errand.language),
        "options": [
            (
                narrate.option(game, errand.language, one),
                narrate.choice(game, errand.language, one, chosen[one.name]),
            )
            for one in game.options
            if one.name in chosen and _worth_telling(one, chosen, row.seats)
        ],
        "clock": narrate.clock_rule(errand.language, clock_rule(row.clock)),
        "seats": row.seats,
        "bots": row.bots,
        "others": sum(guest.status != "withdrawn" for guest in guests) - 1,
        "host": host.name or errand.house("someone"),
        "taken": [guest.name for guest in guests if guest.status == "accepted" and guest.name],
        "guests": [
            GuestLine(guest.name or guest.address, errand.say(f"guest_{guest.status}")) for guest in guests
        ]
        if mine.organiser
        else [],
        "news": next(
            (
                errand.say(f"news_{guest.status}", guest.name or guest.address)
                for guest in guests
                if mine.organiser and guest.invitation_id == errand.guest_id
            ),
            "",
        ),
        "commitment": commitment(row.secret),
        "expires": errand.house("day", errand.local(mine.expires_at)) if mine.expires_at else "",
        "url": _link(desk, errand, mine) if link else "",
    }
    return Page(facts, f"{title} #{errand.match_id}")


def _worth_telling(one: Option, chosen: Mapping[str, str], seats: int) -> bool:
    """Skip switches that are off and options that aren't available."""
    return one.available(seats, chosen) and (one.choices != ("off", "on") or chosen[one.name] == "on")


def _is_readers(errand: LetterContext, guest: _Guest, organiser: bool) -> bool:
    if organiser:
        return guest.organiser
    if errand.invitation_id is not None:
        return guest.invitation_id == errand.invitation_id
    return guest.player_id == errand.player_id


def _link(desk: MailContext, errand: LetterContext, mine: _Guest) -> str:
    return desk.fresh_link(
        errand,
        "invitation",
        match_id=errand.match_id,
        invitation_id=mine.invitation_id,
        player_id=mine.player_id,
    )
